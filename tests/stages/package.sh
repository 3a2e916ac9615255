# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests/run.
# the Debian package: built, checked by lintian, unpacked, and the programs in it started
stage_packages() { ensure_packages build run package; }

run_stage() {
    local tree=$top/build/package root deb
    # As distributions would: every source finds its headers by itself.
    build_tree "$tree" -DCMAKE_BUILD_TYPE=Release -DNAPKIN_TESTS=OFF -DNAPKIN_PRECOMPILE=OFF
    desktop-file-validate "$top/packaging/napkin.desktop" || return
    # The name is no domain of anybody: that is meant.
    appstreamcli validate --no-net --override=cid-desktopapp-is-not-rdns=info "$top/packaging/napkin.metainfo.xml" || return
    rm -rf "$tree/package"
    if ! (cd "$tree" && umask 022 && cpack) </dev/null >"$tree/cpack.log" 2>&1; then
        show_log "$tree/cpack.log"
        return 1
    fi
    deb=$(echo "$tree"/package/*.deb)
    # lintian will not run as root without being told to.
    lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$deb" || return
    root=$tree/root
    rm -rf "$root"
    dpkg-deb -x "$deb" "$root" || return
    check_contents "$root" || return
    "$root/usr/bin/napkin-cli" --version </dev/null || return
    QT_QPA_PLATFORM=offscreen "$root/usr/bin/napkin" --version </dev/null || return
    dpkg-deb -f "$deb" Package Version Architecture Installed-Size Depends
    say "$deb"
}

# check_contents ROOT: what the package has to hold.
check_contents() {
    local file status=0
    for file in bin/napkin bin/napkin-cli share/applications/napkin.desktop share/metainfo/napkin.metainfo.xml \
        share/icons/hicolor/scalable/apps/napkin.svg share/man/man1/napkin.1.gz share/man/man1/napkin-cli.1.gz \
        share/doc/napkin/copyright share/doc/napkin/changelog.gz; do
        [[ -s $1/usr/$file ]] || {
            say "The package lacks /usr/$file."
            status=1
        }
    done
    return $status
}
