#!/usr/bin/env bash
# Records the profiles of the reference kernels on this machine's GPU: record.sh KPROF OUT. One file per kernel, variant, dtype and
# shape, with every counter of --metrics full. They become configs/recordings/<gpu>/.
set -uo pipefail
kprof=$1 out=$2
mkdir -p "$out"
record() {  # family variant dtype shape name
    local file="$out/$1-$2-$3-$5.json"
    "$kprof" run "$1" --variant "$2" --dtype "$3" --shape "$4" --source gpu --metrics full --profile "$file" -q || echo "FAILED: $file ($?)"
}
for size in 1024 2048 4096 8192; do
    if [ "$size" -le 4096 ]; then record gemm naive fp32 $size ${size}x${size}x${size}; fi
    record gemm tiled fp32 $size ${size}x${size}x${size}
    for dtype in bf16 fp16 tf32; do record gemm wmma $dtype $size ${size}x${size}x${size}; done
    for dtype in fp32 tf32 bf16 fp16; do record gemm cublas $dtype $size ${size}x${size}x${size}; done
done
record copy float4 fp32 268435456 268435456
record add float4 fp32 268435456 268435456
ls "$out" | wc -l
