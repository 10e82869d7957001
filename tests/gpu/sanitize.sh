#!/usr/bin/env bash
# compute-sanitizer over every reference kernel at a small shape: sanitize.sh CHECK KPROF OUT [JOBS]. CHECK is kprof_kernels_check of a build, KPROF
# names the variants. memcheck and racecheck each; several processes share the GPU. Library kernels are left out of racecheck: its hazards inside
# cuBLAS are not ours to mend. Prints one line a variant; exit 1 when one is not clean.
set -uo pipefail
check=$1 kprof=$2 out=$3 jobs=${4:-8}
mkdir -p "$out"
one() {  # tool variant
    local log
    if [ "$1" = racecheck ] && [[ "$2" =~ ^gemm/(cublas|epilogue)|^mlp/.*-library ]]; then
        echo "left out racecheck $2: the tool fails inside NVIDIA's library kernels"
        return
    fi
    log="$out/$1-${2//\//_}.log"
    timeout 300 compute-sanitizer --tool "$1" --error-exitcode 9 --kernel-name-exclude kernel_substring=nvjet,kernel_substring=cublas,kernel_substring=cutlass "$check" --one-each --only "$2" >"$log" 2>&1
    local code=$?
    if [ $code -eq 0 ]; then echo "clean   $1 $2"; else echo "DIRTY   $1 $2 (exit $code): $(grep -m1 -E 'Error|Race|Invalid|hazard|FAILED|Internal' "$log")"; fi
}
export -f one
export out check
"$kprof" list kernels --json | python3 -c 'import json,sys; [print(k["family"] + "/" + k["variant"]) for k in json.load(sys.stdin)]' >"$out/variants"
for tool in memcheck racecheck; do
    xargs -P "$jobs" -I{} bash -c "one $tool {}" <"$out/variants"
done | tee "$out/summary"
! grep -q DIRTY "$out/summary"
