# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# clang-tidy 19 finds nothing in app, core and ui (.clang-tidy has the list)
stage_packages() { ensure_packages build test tidy; }

run_stage() {
    local tree=$top/build/tests log
    # The generated sources (moc) must be there too, so build.
    build_tree "$tree" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1' -DNAPKIN_TESTS=ON
    log=$tree/tidy.log
    if ! run-clang-tidy-19 -clang-tidy-binary clang-tidy-19 -p "$tree" -quiet -j "$(build_jobs)" \
        "^$top/(app|core|ui)/" </dev/null >"$log" 2>&1; then
        grep -E -A 4 '(warning|error):' "$log" | awk '!seen[$0]++' | head -n 200
        say "clang-tidy found $(grep -cE '(warning|error): ' "$log") faults. The whole log: $log"
        return 1
    fi
    say "clang-tidy found nothing in $(grep -cE '^(\[[ 0-9/]+\])?.*clang-tidy-19 ' "$log") sources."
}
