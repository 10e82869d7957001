#!/usr/bin/env bash
# Gathers what a GPU machine needs from a build: carry.sh BUILD OUT. The build's binary, the GPU checks, the recorded configs.
set -euo pipefail
build=$1 out=$2
mkdir -p "$out"
cp -f "$build/src/cli/kprof" "$out/"
for check in kernels_check collect_cuda_gpu_test launch_once; do
    [ ! -f "$build/tests/kprof_$check" ] || cp -f "$build/tests/kprof_$check" "$out/"
done
strip "$out"/kprof* 2>/dev/null || true
# Debian's libraries, for a machine that lacks these versions.
mkdir -p "$out/lib"
for lib in $(ldd "$out/kprof" | awk '/fmt|muparser/ {print $3}'); do cp -fL "$lib" "$out/lib/"; done
du -sh "$out"
