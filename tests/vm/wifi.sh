# SPDX-License-Identifier: GPL-3.0-or-later
# Run by /bin/sh in the machine of tests/vm/vm: three simulated radios, an access point, a station that
# joins it, one that does not, and two wired adapters. Prints what napkin-cli says of them and what iw and ethtool say, after marks.
set -e
modprobe mac80211_hwsim radios=3
modprobe e1000e
modprobe -a virtio_pci virtio_net
for name in $(ls /sys/class/net); do ip link set "$name" up; done
cat >/tmp/ap.conf <<'END'
interface=wlan0
driver=nl80211
ssid=napkin lab
hw_mode=g
channel=6
ieee80211n=1
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=only a test
ctrl_interface=/run/hostapd
END
cat >/tmp/station.conf <<'END'
ctrl_interface=/run/wpa
network={
 ssid="napkin lab"
 psk="only a test"
}
END
hostapd -B /tmp/ap.conf >/tmp/hostapd.log 2>&1 || { cat /tmp/hostapd.log; exit 1; }
wpa_supplicant -B -i wlan1 -c /tmp/station.conf -Dnl80211 >/tmp/wpa.log 2>&1 || { cat /tmp/wpa.log; exit 1; }
ip addr add 10.66.0.1/24 dev wlan0
ip addr add 10.66.0.2/24 dev wlan1
i=0
until iw dev wlan1 link | grep -q 'tx bitrate'; do
    i=$((i + 1))
    [ $i -lt 120 ] || { echo "no association"; cat /tmp/hostapd.log /tmp/wpa.log; exit 1; }
    sleep 0.5
done
# One rate only, or it changes with every frame.
iw dev wlan1 set bitrates legacy-2.4 11 ht-mcs-2.4
ping -q -c 20 -i 0.05 -b -I wlan1 10.66.0.255 >/tmp/ping.log 2>&1 || true
echo "=== iw link"
iw dev wlan1 link
echo "=== iw info"
iw dev wlan1 info
echo "=== facts"
setpriv --reuid 65534 --clear-groups env HOME=/tmp napkin-cli facts --json # nobody: no privileges are needed
echo "=== facts with ssid"
napkin-cli facts --json --ssid
echo "=== iw link again"
iw dev wlan1 link
for name in $(ls /sys/class/net); do
    pci=/sys/class/net/$name/device
    case $(readlink -f "$pci/subsystem") in */virtio) pci=$pci/.. ;; esac # its adapter is one up
    [ -e "$pci/current_link_speed" ] || continue
    echo "=== wired $name"
    ethtool "$name"
    echo "--- coalescing"
    ethtool -c "$name" || true
    echo "--- pause"
    ethtool -a "$name" || true
    echo "--- driver"
    ethtool -i "$name"
    echo "--- pcie"
    cat "$pci/current_link_speed" "$pci/current_link_width"
done
echo "=== text"
napkin-cli facts
echo "=== end"
