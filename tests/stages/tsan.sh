# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# core tests with the thread sanitizer (no processes, no widgets)
stage_packages() { ensure_packages build test sanitize; }

run_stage() {
    build_targets=(tests_core)
    build_tree "$top/build/tsan" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
        -DNAPKIN_SANITIZE=thread -DNAPKIN_TESTS=ON
    # Without names of functions no suppression applies; an old llvm-symbolizer in the path names none.
    symbolizer=$(ls -d /usr/lib/llvm-*/bin/llvm-symbolizer | sort -V | tail -n 1)
    export TSAN_OPTIONS=suppressions=$stages/tsan.suppressions:halt_on_error=1:second_deadlock_stack=1:external_symbolizer_path=$symbolizer
    run_ctest "$top/build/tsan" -L '^core$' -LE process "$@"
}
