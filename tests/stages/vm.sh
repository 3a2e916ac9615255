# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# a machine under QEMU: simulated Wi-Fi, adapters, every kind of interface, delays and losses; fetches a kernel
stage_packages() { ensure_packages build test vm; }

run_stage() {
    build_targets=(napkin_vmtest)
    build_tree "$top/build/tests" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1' -DNAPKIN_TESTS=ON
    "$top/build/tests/tests/vm/napkin_vmtest" "$@" </dev/null
}
