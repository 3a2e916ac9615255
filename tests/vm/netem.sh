# SPDX-License-Identifier: GPL-3.0-or-later
# Run by /bin/sh in the machine of tests/vm/vm: two namespaces and a cable whose far end delays and loses what it
# sends back, as netem is told. Prints the summaries of napkin-cli, and what ping says of the same cable, after marks.
set -e
modprobe -a veth sch_netem
mkdir -p /run/netns
for host in near far; do
    ip netns add "$host"
    ip -n "$host" link set lo up
done
ip link add eth0 netns near type veth peer name eth0 netns far
ip -n near addr add 10.77.0.1/24 dev eth0
ip -n far addr add 10.77.0.2/24 dev eth0
for host in near far; do ip -n "$host" link set eth0 up; done
ip netns exec far napkin-cli serve --json >/tmp/serve.log 2>&1 &

# summary PROBE OPTIONS...: only the summary, for the serial line is slow.
summary() {
    ip netns exec near napkin-cli measure "$@" --json 2>/tmp/errors | sed 's/.*"summary":/{"summary":/; s/,"notebook":.*//' ||
        cat /tmp/errors
}

# far netem OPTIONS...
netem() { ip netns exec far tc qdisc replace dev eth0 root netem limit 10000 "$@"; }

echo "=== delay 0"
summary latency 10.77.0.2 --time 3 --fixed-time
for delay in 300 1000 5000; do
    netem delay "${delay}us"
    echo "=== delay $delay"
    summary latency 10.77.0.2 --time 3 --fixed-time
    echo "=== ping $delay"
    ip netns exec near ping -n -q -c 200 -i 0.01 10.77.0.2
done
for loss in 0.1 1 10; do
    netem loss "$loss%"
    echo "=== echo $loss"
    summary latency 10.77.0.2 --time 20 --fixed-time --timeout "50 ms"
    echo "=== udp $loss"
    summary udp 10.77.0.2 --reverse --rate "8 Mb/s" --length 1000 --time 10
done
echo "=== end"
