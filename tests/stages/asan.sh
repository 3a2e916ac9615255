# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# core, command line and window tests with the address and undefined-behaviour sanitizers
stage_packages() { ensure_packages build test sanitize; }

run_stage() {
    build_tree "$top/build/asan" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
        -DNAPKIN_SANITIZE=address,undefined -DNAPKIN_TESTS=ON
    export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
    export UBSAN_OPTIONS=print_stacktrace=1
    run_ctest "$top/build/asan" -LE 'network|arch' "$@"
}
