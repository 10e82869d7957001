#!/usr/bin/env bash
# Provokes on a real GPU what goes wrong for people: faults.sh KPROF. Each check prints ok or FAIL; closes with the count.
kprof=$1 passed=0 failed=0
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
check() {  # name, wanted exit code, text that must appear, command...
    local name=$1 code=$2 text=$3; shift 3
    local out; out=$(timeout 120 "$@" 2>&1); local got=$?
    if [ $got = "$code" ] && grep -qi -- "$text" <<<"$out"; then passed=$((passed + 1)); echo "ok    $name"
    else failed=$((failed + 1)); echo "FAIL  $name: exit $got, wanted $code and '$text'"; tail -n 5 <<<"$out"; fi
}
check "does not fit in memory" 2 "GB" "$kprof" run gemm --shape 99999999 --source gpu
check "no such device" 3 "device" "$kprof" run gemm --shape 256 --source gpu --device 77
check "hidden devices" 3 "GPU" env CUDA_VISIBLE_DEVICES= "$kprof" run gemm --shape 256 --source gpu
check "unwritable output" 2 "" "$kprof" run gemm --shape 256 --source gpu --json /nonexistent/x.json
check "full disk" 3 "space" "$kprof" run gemm --shape 256 --source gpu --json /dev/full
check "odd shape, live" 0 "live" "$kprof" run gemm --shape 1000x333x77 --source gpu
check "one element" 0 "" "$kprof" run gemm --shape 1 --source gpu
check "ladder" 0 "cublas" "$kprof" run gemm --variant all --shape 512 --source gpu
check "under ncu" 3 "" ncu --target-processes all "$kprof" run gemm --shape 1024 --source gpu
check "warm cache" 0 "warm" "$kprof" run gemm --variant cublas --dtype bf16 --shape 4096 --cache warm --source gpu
"$kprof" run gemm --variant all --shape 4096 --source gpu --profile "$dir/p.json" >/dev/null 2>&1 & pid=$!
sleep 4; kill -INT $pid; wait $pid; code=$?
if [ $code = 4 ] && [ -s "$dir/p.json" ]; then passed=$((passed + 1)); echo "ok    Ctrl-C keeps what was measured"
else failed=$((failed + 1)); echo "FAIL  Ctrl-C: exit $code, $(ls -la "$dir")"; fi
# A worker that dies does not take the others along.
"$kprof" run gemm --variant all --shape 4096 --source gpu --profile "$dir/k.json" >"$dir/out" 2>&1 & pid=$!
for _ in $(seq 100); do child=$(pgrep -P $pid | head -n 1); [ -n "$child" ] && break; sleep 0.05; done
sleep 0.3; kill -KILL "$child"; wait $pid; code=$?
if [ $code = 4 ] && grep -q "signal 9" "$dir/out" && grep -q cublas "$dir/k.json"; then passed=$((passed + 1)); echo "ok    a killed worker"
else failed=$((failed + 1)); echo "FAIL  a killed worker: exit $code"; tail -n 3 "$dir/out"; fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
