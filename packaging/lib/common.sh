# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by packaging/run, tests/run and .ci/run. Sourced by bash, with `set -euo pipefail` on.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

say() { printf '%s\n' "$*"; }
die() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Seconds as people read them: 7 s, 3 min 05 s.
spell_seconds() {
    if (($1 < 60)); then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

# The last lines of a log, with where the whole is.
show_log() {
    tail -n 60 "$1" >&2
    say "The whole log: $1" >&2
}

# Makes a directory of ours to work in, or says why that cannot be.
work_directory() {
    mkdir -p "$1" 2>/dev/null && [[ -w $1 ]] ||
        die "$1 cannot be written. Does it belong to somebody else? Remove it, or work in a copy of your own."
}
