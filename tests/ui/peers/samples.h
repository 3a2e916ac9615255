// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

namespace napkin::test {

inline InterfaceFacts sampleWire(const QString& name, int mtu)
{
    InterfaceFacts one;
    one.name = name;
    one.kind = InterfaceKind::Ethernet;
    one.driver = QStringLiteral("mlx5_core");
    one.up = one.carrier = true;
    one.speed = {BitRate::gigabitsPerSecond(200), {}};
    one.duplex = {Duplex::Full, {}};
    one.mtu = mtu;
    one.addresses = {QStringLiteral("10.0.0.1/24"), QStringLiteral("fe80::4e1/64")};
    one.pcie = {PcieLink{QStringLiteral("0000:01:00.0"), 16, 4, 32, 16, 0, 0}, {}};
    one.coalescing = {Coalescing{8, 128, 16, 32, true, false}, {}};
    one.pause = {PauseFrames{true, true, false}, {}};
    one.offloads.value = std::vector<Offload>{{QStringLiteral("tcp-segmentation"), true},
                                              {QStringLiteral("generic-receive"), true},
                                              {QStringLiteral("large-receive"), false}};
    return one;
}

inline InterfaceFacts sampleWifi()
{
    InterfaceFacts one;
    one.name = QStringLiteral("wlan0");
    one.kind = InterfaceKind::WiFi;
    one.driver = QStringLiteral("iwlwifi");
    one.up = one.carrier = true;
    one.speed.whyNot = QStringLiteral("Wi-Fi has no fixed speed");
    one.mtu = 1'500;
    one.addresses = {QStringLiteral("192.168.1.20/24")};
    WifiFacts wifi;
    wifi.frequency = 5'180;
    wifi.channel = 36;
    wifi.width = 80;
    wifi.signal = -52;
    wifi.sendRate = BitRate::megabitsPerSecond(866);
    wifi.receiveRate = BitRate::megabitsPerSecond(780);
    one.wifi = Reading<WifiFacts>{wifi, {}};
    one.pause.whyNot = QStringLiteral("the driver does not tell");
    one.coalescing.whyNot = QStringLiteral("the driver does not tell");
    one.offloads.whyNot = QStringLiteral("not allowed");
    one.pcie = {PcieLink{QStringLiteral("0000:02:00.0"), 5, 1, 5, 1, 0, 0}, {}};
    return one;
}

inline HostFacts sampleFacts(const QString& name, int mtu = 1'500)
{
    HostFacts facts;
    facts.readAt = QDateTime(QDate(2026, 12, 1), QTime(12, 0), Qt::UTC);
    facts.hostName = name;
    facts.operatingSystem = QStringLiteral("Debian GNU/Linux 12 (bookworm)");
    facts.kernel = QStringLiteral("Linux 6.1.0-18-amd64");
    facts.cpu = QStringLiteral("AMD Ryzen 9 7950X 16-Core Processor");
    facts.logicalCores = 32;
    facts.governor = {QStringLiteral("schedutil"), {}};
    facts.load = {0.42, {}};
    facts.temperature.whyNot = QStringLiteral("no sensor of the CPU is told");
    facts.clockDisciplined = {true, {}};
    facts.interfaces = {sampleWire(QStringLiteral("enp1s0f0np0"), mtu), sampleWifi()};
    facts.routes = {{QStringLiteral("default"), QStringLiteral("wlan0"),
                     QStringLiteral("192.168.1.1"), QStringLiteral("192.168.1.20")}};
    return facts;
}

inline HostConditions sampleConditions(const QString& name, const QString& address, int mtu)
{
    HostConditions host;
    host.hostName = name;
    host.interfaceName = QStringLiteral("enp1s0f0np0");
    host.address = address;
    host.facts = sampleFacts(name, mtu);
    HostActivity activity;
    InterfaceCounters counters;
    counters.name = host.interfaceName;
    activity.before = {counters};
    counters.receivedBytes = 112'000'000'000;
    counters.sentBytes = 2'400'000'000;
    activity.after = {counters};
    activity.busiestCore = Ratio::of(0.97);
    host.activity = activity;
    return host;
}

// A run of ten seconds between two paired machines.
inline ProbeResult sampleRun(int mtu, const QDateTime& when)
{
    ProbeResult run;
    run.id = RecordId::create();
    run.startedAt = when;
    run.endedAt = when.addSecs(10);
    run.tool = QStringLiteral("napkin");
    run.toolVersion = QStringLiteral("0.1.0");
    run.spec.controller.name = QStringLiteral("laptop");
    run.spec.near.name = QStringLiteral("spark-a");
    run.spec.far.name = QStringLiteral("spark-b");
    run.spec.far.host = QStringLiteral("10.0.0.2");
    run.spec.far.port = 5'211;
    run.spec.far.peer = PeerId::create();
    run.spec.near.peer = PeerId::create();
    run.conditions.near =
        sampleConditions(QStringLiteral("spark-a"), QStringLiteral("10.0.0.1"), mtu);
    run.conditions.far =
        sampleConditions(QStringLiteral("spark-b"), QStringLiteral("10.0.0.2"), 1'500);
    run.conditions.farClock =
        ClockOffset{std::chrono::microseconds(-1'200), std::chrono::microseconds(90)};
    ThroughputData data;
    data.totals = {{0, Direction::Forward, ByteCount::gigabytes(112), std::nullopt,
                    std::chrono::seconds(10), 12}};
    data.farProgram = QStringLiteral("napkin 0.1.0");
    run.data = data;
    return run;
}

} // namespace napkin::test
