# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# core tests with the thread sanitizer (no processes, no widgets)
stage_packages() { ensure_packages build test sanitize; }

run_stage() {
    build_tree "$top/build/tsan" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
        -DNAPKIN_SANITIZE=thread -DNAPKIN_TESTS=ON
    export TSAN_OPTIONS=suppressions=$stages/tsan.suppressions:halt_on_error=1:second_deadlock_stack=1
    run_ctest "$top/build/tsan" -LE 'network|arch|ui|process' "$@"
}
