// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workflow/resultrows.h"
#include "core/workflow/resulttext.h"

#include <QLocale>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace napkin::test {

using namespace std::chrono_literals;

inline ProbeResult resultOf(ProbeOptions options, ProbeData data)
{
    ProbeResult result;
    result.spec.far.host = QStringLiteral("192.168.1.7");
    result.spec.options = std::move(options);
    result.data = std::move(data);
    return result;
}

inline QString plain(QString text)
{
    return text.replace(QChar(0x00a0), u' ');
}

// Value and remark of the row of that label.
inline QString row(const ResultText& text, const char* label)
{
    const auto at = std::ranges::find(text.rows, QString::fromUtf8(label), &ResultRow::label);
    if (at == text.rows.end())
        return QStringLiteral("no such row");
    return plain(at->remark.isEmpty() ? at->value : at->value + QStringLiteral(" | ") + at->remark);
}

inline bool hasRow(const ResultText& text, const char* label)
{
    return std::ranges::find(text.rows, QString::fromUtf8(label), &ResultRow::label) !=
           text.rows.end();
}

inline ProbeResult latencyOf(int answers, int lost, EchoMethod method = EchoMethod::Icmp)
{
    LatencyOptions options;
    options.method = method;
    LatencyData data;
    for (int i = 0; i < answers; ++i)
        data.samples.push_back({i * 5ms, 312us, RoundTrip::Outcome::Answered});
    for (int i = 0; i < lost; ++i)
        data.samples.push_back({(answers + i) * 5ms, 1s, RoundTrip::Outcome::Lost});
    data.duplicates = 2;
    data.reordered = 1;
    data.means = QStringLiteral("ping program");
    data.clockStep = 21ns;
    return resultOf(options, data);
}

// RTT(m) = 2 (21 µs + m / 1.1 GB/s), exactly.
inline ProbeResult sweepOf(int rounds)
{
    SweepData data;
    for (int round = 0; round < rounds; ++round) {
        for (const int size : {1, 64, 1'025, 4'096, 16'384, 49'153, 65'536}) {
            const double time = 2 * (21'000 + size / 1.1);
            data.samples.push_back(
                {round, ByteCount::bytes(size), round * 10ms, Duration(std::llround(time))});
        }
    }
    return resultOf(SweepOptions(), data);
}

inline ProbeResult loadedOf(bool isWhole)
{
    LoadedLatencyData data;
    const auto add = [&data](Load load, Duration time) {
        LoadPhase phase;
        phase.load = load;
        for (int i = 0; i < 150; ++i)
            phase.samples.push_back({i * 5ms, time, RoundTrip::Outcome::Answered});
        if (load == Load::Sending || load == Load::Both)
            phase.forward = BitRate::megabitsPerSecond(941);
        if (load == Load::Receiving || load == Load::Both)
            phase.reverse = BitRate::megabitsPerSecond(930);
        data.phases.push_back(phase);
    };
    add(Load::Idle, 300us);
    if (isWhole) {
        add(Load::Sending, 3'000us);
        add(Load::Receiving, 600us);
        add(Load::Both, 1'500us);
    }
    return resultOf(LoadedLatencyOptions(), data);
}

inline ProbeResult pathOf(int mtu, SizeProbe::Fate larger, std::optional<int> interface)
{
    PathMtuData data;
    const auto tried = [&data](int size, SizeProbe::Fate fate) {
        SizeProbe probe;
        probe.direction = Direction::Forward;
        probe.size = size;
        probe.fate = fate;
        if (fate == SizeProbe::Fate::TooBigOnWay)
            probe.by = QStringLiteral("10.0.0.1");
        data.probes.push_back(probe);
    };
    tried(576, SizeProbe::Fate::Passed);
    tried(mtu + 1, larger);
    tried(mtu, SizeProbe::Fate::Passed);
    data.nearInterfaceMtu = interface;
    data.means = QStringLiteral("ICMP socket");
    return resultOf(PathMtuOptions(), data);
}

inline UdpTotal totalOf(std::int64_t sent, std::int64_t received, std::int64_t lost)
{
    constexpr std::int64_t size = 1'250;
    UdpTotal total;
    total.direction = Direction::Forward;
    total.packetsSent = sent;
    total.packetsReceived = received;
    total.sent = ByteCount::bytes(sent * size);
    total.received = ByteCount::bytes(received * size);
    total.lost = lost;
    total.jitter = 12us;
    total.duration = 10s;
    total.sentOver = 10s;
    return total;
}

inline ProbeResult udpOf(const UdpTotal& total)
{
    UdpOptions options;
    options.rate = BitRate::megabitsPerSecond(300);
    UdpData data;
    data.totals = {total};
    data.datagramSize = 1'250;
    data.farBufferDrops = 0;
    return resultOf(options, data);
}

inline QString unitText(double value)
{
    return QString::number(value) + QStringLiteral(" u");
}

} // namespace napkin::test
