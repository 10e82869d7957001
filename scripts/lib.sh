# Shared by the scripts: installing what is missing (as root, or with sudo) and building a preset.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '\n== %s\n' "$*"; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# need PACKAGE...: installs those that dpkg does not know as installed. Without apt it says what is needed and goes on.
need() {
    local missing=() package
    if ! command -v apt-get >/dev/null; then
        echo "no apt-get here: make sure that these (or their like) are installed: $*" >&2
        return 0
    fi
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return 0
    say "installing ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

need_to_build() {
    need cmake ninja-build g++ pkg-config git libfmt-dev nlohmann-json3-dev libcli11-dev libmuparser-dev
}

need_to_test() {
    need libgtest-dev python3 python3-jsonschema
}

# build PRESET [cmake options...] [-- ninja targets...]
build() {
    local preset=$1 options=() targets=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
    [ $# -gt 0 ] && shift
    targets=("$@")
    [ -f "build/$preset/build.ninja" ] && [ ${#options[@]} = 0 ] || cmake --preset "$preset" "${options[@]}" >"/tmp/kprof-configure.$$" 2>&1 || {
        cat "/tmp/kprof-configure.$$" >&2
        rm -f "/tmp/kprof-configure.$$"
        return 1
    }
    [ -f "/tmp/kprof-configure.$$" ] && grep 'kprof:' "/tmp/kprof-configure.$$"
    rm -f "/tmp/kprof-configure.$$"
    # One line when it works; the compiler's words when it does not.
    local log="build/$preset/build.log"
    cmake --build "build/$preset" ${targets[@]:+--target "${targets[@]}"} >"$log" 2>&1 || {
        grep -vE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 80 >&2
        echo "the build of $preset failed; all of it is in $log" >&2
        return 1
    }
    tail -n 1 "$log"
}
