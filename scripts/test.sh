#!/usr/bin/env bash
# The README's second command: installs what the tests need, builds them and passes them. PRESET (default dev) as in CMakePresets.json.
source "$(dirname "$0")/lib.sh"

need_to_build
need_to_test
preset=${1:-dev}
say "building the tests ($preset)"
build "$preset"
say "ctest"
exec ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" --no-tests=error
