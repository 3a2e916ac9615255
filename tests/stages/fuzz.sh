# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# libFuzzer for a minute over the decoders of the peer, with the address and undefined-behaviour sanitizers
stage_packages() { ensure_packages build test sanitize; }

# Arguments go to the fuzzer: -max_total_time=600, or the file of a crash.
run_stage() {
    local tree=$top/build/fuzz corpus
    build_targets=(fuzz_decoders)
    build_tree "$tree" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
        -DNAPKIN_SANITIZE=address,undefined -DNAPKIN_TESTS=ON -DNAPKIN_FUZZ=ON
    corpus=$tree/corpus # what was found interesting is where the next run begins
    mkdir -p "$corpus"
    export UBSAN_OPTIONS=print_stacktrace=1
    (cd "$tree" && tests/fuzz/fuzz_decoders -max_total_time=60 -max_len=4096 -timeout=5 -rss_limit_mb=1024 \
        -print_final_stats=1 -verbosity=0 -dict="$top/tests/fuzz/peer.dict" "$@" "$corpus" </dev/null) || {
        say "The input that fails is kept below $tree (crash-*, timeout-*, oom-*)."
        return 1
    }
    say "$(find "$corpus" -type f | wc -l) inputs of interest, no fault."
}
