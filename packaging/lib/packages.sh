# SPDX-License-Identifier: GPL-3.0-or-later
# Finds and installs what packaging/packages lists. Needs common.sh.

# The lines of the given groups, without comments.
listed_packages() {
    awk -v groups=" $* " '
        /^#/ || /^[ \t]*$/ { next }
        /^\[/ { group = substr($1, 2, length($1) - 2); next }
        index(groups, " " group " ") && !seen[$0]++' "$top/packaging/packages"
}

# For each line of which no alternative is installed, its first name.
missing_packages() {
    local lines installed
    lines=$(listed_packages "$@")
    # shellcheck disable=SC2086 # names are split on purpose
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' ${lines//|/ } 2>/dev/null |
        sed -n 's/^installed //p') || true # it fails when it does not know one of them
    awk -F ' *[|] *' 'NR == FNR { have[$1] = 1; next }
        { for (i = 1; i <= NF; ++i) if ($i in have) next; print $1 }' <(printf '%s\n' "$installed") <(printf '%s\n' "$lines")
}

apt_get() {
    local -a as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            die "To install packages this needs root or sudo. As root: apt-get install --no-install-recommends ${missing[*]}"
        as_root=(sudo)
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=500 \
        -o Dpkg::Options::=--force-confold "$@"
}

# ensure_packages GROUP...: silent and quick when nothing is missing.
ensure_packages() {
    command -v dpkg-query >/dev/null || die "This sets itself up on Debian 12 or Ubuntu 24.04 only; \
elsewhere install what packaging/packages lists and build with cmake."
    local -a missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    local started=$SECONDS log
    log=$(mktemp)
    say "Installing: ${missing[*]}"
    # The lists may be there and stale, or not there at all: fetch them only when they do not do.
    if ! apt_get install -y --no-install-recommends "${missing[@]}" </dev/null >"$log" 2>&1; then
        if ! { apt_get update && apt_get install -y --no-install-recommends "${missing[@]}"; } </dev/null >"$log" 2>&1; then
            tail -n 30 "$log" >&2
            rm -f "$log"
            die "The packages could not be installed."
        fi
    fi
    rm -f "$log"
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} == 0)) || die "Still missing after the installation: ${missing[*]}"
    say "Packages installed in $(spell_seconds $((SECONDS - started)))."
}
