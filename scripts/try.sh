#!/usr/bin/env bash
# The README's first command: installs what is missing, builds, and runs the main job. A second call takes seconds.
source "$(dirname "$0")/lib.sh"

need_to_build
say "building (about four minutes on two cores the first time)"
build dev -- kprof
say "kprof run gemm --shape 4096"
exec build/dev/src/cli/kprof run gemm --shape 4096 "$@"
