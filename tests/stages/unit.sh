# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# every test, built quickly but like a release: core, ui, command line, network, layers
stage_packages() { ensure_packages build test; }

run_stage() {
    # Little optimisation and line numbers only: nearly as quick to compile as none.
    build_tree "$top/build/tests" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1' -DNAPKIN_TESTS=ON
    run_ctest "$top/build/tests" "$@"
}
