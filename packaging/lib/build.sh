# SPDX-License-Identifier: GPL-3.0-or-later
# Configures and builds with clang and, where it is there, ccache. Needs common.sh.

# The first clang++ that is new enough; NAPKIN_CXX overrides.
find_compiler() {
    local version
    if [[ -n ${NAPKIN_CXX:-} ]]; then
        say "$NAPKIN_CXX"
        return
    fi
    for version in 19 20 18 17 16; do
        if command -v "clang++-$version"; then return; fi
    done
    die "clang++ 16 or newer was not found."
}

# The number of compilers at once: one a core, and 1 GB of memory each.
build_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ { print int($2 / 1000000) }' /proc/meminfo)
    ((memory >= 1)) || memory=1
    say $((cores < memory ? cores : memory))
}

setup_ccache() {
    export CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1
    # The preprocessor does not use precompiled headers, and most modules may not include all that is in them.
    export CCACHE_DEPEND=1
    # What a precompiled header needs to be found again.
    export CCACHE_SLOPPINESS=pch_defines,time_macros
    # A home that cannot be written is no reason to fail.
    if [[ -z ${CCACHE_DIR:-} ]] && ! mkdir -p "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/ccache" 2>/dev/null; then
        export CCACHE_DIR=$top/build/ccache
    fi
}

# What to build; empty for everything.
build_targets=()

# build_tree DIRECTORY [CMAKE ARGUMENT]...: quiet but for a line of progress; the log on failure.
build_tree() {
    local tree=$1 log started=$SECONDS
    shift
    work_directory "$tree"
    log=$tree/build.log
    setup_ccache
    local compiler
    compiler=$(find_compiler)
    if ! cmake -S "$top" -B "$tree" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" "$@" </dev/null >"$log" 2>&1; then
        show_log "$log"
        die "Configuring failed."
    fi
    if ! run_ninja "$tree" "$log"; then
        grep -A 25 -m 3 '^FAILED:' "$log" >&2 || tail -n 60 "$log" >&2
        die "The build failed. The whole log: $log"
    fi
    ((SECONDS - started < 3)) || say "Built in $(spell_seconds $((SECONDS - started)))."
}

# Shows a counter on a terminal, and otherwise a line for every quarter.
run_ninja() {
    local tree=$1 log=$2 style=plain
    [[ -t 1 ]] && style=terminal
    NINJA_STATUS='[%f/%t] ' ninja -C "$tree" -j "$(build_jobs)" "${build_targets[@]}" </dev/null 2>&1 | tee -a "$log" |
        awk -v style=$style '
            match($0, /^\[[0-9]+\/[0-9]+\]/) {
                split(substr($0, 2, RLENGTH - 2), part, "/")
                if (part[2] < 8) next
                if (style == "terminal") { printf "\rBuilding: %d of %d ", part[1], part[2]; fflush(); shown = 1 }
                else if (int(4 * part[1] / part[2]) > quarter) {
                    quarter = int(4 * part[1] / part[2]); printf "Building: %d of %d\n", part[1], part[2]; fflush()
                }
            }
            END { if (shown) printf "\n" }'
}
