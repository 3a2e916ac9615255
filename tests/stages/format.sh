# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# every C++ source is formatted by clang-format 19
stage_packages() { ensure_packages format; }

run_stage() {
    local -a sources
    mapfile -t -d '' sources < <(cd "$top" && find app core ui tests \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z)
    (cd "$top" && clang-format-19 --dry-run -Werror "${sources[@]}") || {
        say "Put it right with: clang-format-19 -i FILE"
        return 1
    }
    say "${#sources[@]} sources are formatted."
}
