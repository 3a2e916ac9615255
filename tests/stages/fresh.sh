# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# both commands in a bare Debian 12 (debootstrap), as root and as a user with sudo; takes a while
stage_packages() { ensure_packages fresh; }

run_stage() {
    ((EUID == 0)) || die "A bare system to try in is made by debootstrap: run this stage as root."
    local started=$SECONDS
    fresh=$(mktemp -d "${TMPDIR:-/var/tmp}/napkin-fresh.XXXXXX")
    trap 'rm -rf --one-file-system "$fresh"' EXIT
    make_bare_system || return
    say "A bare system: $(spell_seconds $((SECONDS - started))), $(du -sh "$fresh" | cut -f1)."
    # What is committed, as somebody new would get it.
    git -C "$top" -c safe.directory="$top" archive --prefix=napkin/ HEAD | tar -x -C "$fresh/home/tester" || return
    in_fresh chown -R tester: /home/tester || return
    try_command user "su tester -c '~/napkin/packaging/run'" || return
    try_command again "su tester -c '~/napkin/packaging/run'" || return
    try_command tests "su tester -c '~/napkin/tests/run'" || return
    try_command root "cp -r /home/tester/napkin /root/ && rm -rf /root/napkin/build && /root/napkin/packaging/run" || return
    say "In all: $(du -sh "$fresh" | cut -f1) on disk, $(du -sh "$fresh/home/tester/napkin/build" | cut -f1) of it build/."
}

# try_command NAME COMMAND: with its time.
try_command() {
    local started=$SECONDS
    say "--- $1: $2"
    in_fresh bash -c "$2" || return
    say "--- $1: $(spell_seconds $((SECONDS - started)))"
}

make_bare_system() {
    local log=$top/build/fresh.log mirror
    mkdir -p "$top/build"
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -m 1 '/debian/*$')
    debootstrap --variant=minbase bookworm "$fresh" "${mirror:-http://deb.debian.org/debian}" >"$log" 2>&1 || {
        show_log "$log"
        return 1
    }
    # The same sources as here, and their keys; and sudo, which is all that a bare system has of ours.
    cp -rL /etc/apt/sources.list* /etc/apt/apt.conf.d "$fresh/etc/apt/" 2>/dev/null
    cp -rL /usr/share/keyrings/. "$fresh/usr/share/keyrings/"
    cp -L /etc/resolv.conf "$fresh/etc/resolv.conf"
    in_fresh bash -c 'apt-get -q update && apt-get -q install -y --no-install-recommends sudo ca-certificates &&
        useradd -m -s /bin/bash tester && echo "tester ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/tester &&
        rm -rf /var/lib/apt/lists/*' >>"$log" 2>&1 || {
        show_log "$log"
        return 1
    }
}

# A mount and a process namespace of its own: nothing stays mounted or running.
in_fresh() {
    unshare --mount --pid --fork --kill-child bash -c '
        mount -t proc proc "$0/proc" && mount -t sysfs sys "$0/sys" && mount --rbind /dev "$0/dev" &&
        exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"' \
        "$fresh" "$@" </dev/null
}
