// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/data.h"

#include <QTest>

using namespace napkin;
using namespace std::chrono_literals;

namespace {

std::optional<QString> evidenceOf(const ProbeResult& result, QualityFlag flag)
{
    for (const QualityNote& note : assessQuality(result)) {
        if (note.flag == flag)
            return note.evidence;
    }
    return std::nullopt;
}

LatencyData latencies(int count)
{
    LatencyData data;
    for (int i = 0; i < count; ++i)
        data.samples.push_back({i * 2ms, 100us, RoundTrip::Outcome::Answered});
    return data;
}

ProbeResult resultOf(ProbeOptions options, ProbeData data)
{
    ProbeResult result;
    result.spec.options = std::move(options);
    result.data = std::move(data);
    return result;
}

} // namespace

// What is found bad of a link, and what a run left out.
class FindingsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void muchWarmUp();
    void messagesThatWereLost();
    void blackHoles();
};

void FindingsTest::muchWarmUp()
{
    // 4 s, of which the first are slow.
    const auto slowFor = [](Duration first) {
        LatencyData data = latencies(2'000);
        for (RoundTrip& trip : data.samples) {
            if (trip.start < first)
                trip.time = 400us;
        }
        return data;
    };
    const auto evidence =
        evidenceOf(resultOf(LatencyOptions(), slowFor(1'400ms)), QualityFlag::LongWarmUp);
    // Cut is in pieces of 250 ms.
    QVERIFY2(evidence && evidence->contains(QStringLiteral("38")),
             qPrintable(evidence.value_or(QString())));
    QVERIFY(!evidenceOf(resultOf(LatencyOptions(), slowFor(600ms)), QualityFlag::LongWarmUp));
}

void FindingsTest::messagesThatWereLost()
{
    LatencyData data = latencies(1'000);
    const auto lose = [&data](size_t count) {
        for (size_t i = 0; i < count; ++i)
            data.samples[i * 7].outcome = RoundTrip::Outcome::Lost;
    };
    lose(9);
    QVERIFY(!evidenceOf(resultOf(LatencyOptions(), data), QualityFlag::MessagesLost));
    lose(64);
    QCOMPARE(evidenceOf(resultOf(LatencyOptions(), data), QualityFlag::MessagesLost),
             QStringLiteral("64 of 1000 (6.4\u00a0%)"));
    LoadedLatencyData loaded;
    loaded.phases = {{Load::Idle, latencies(20).samples, std::nullopt, std::nullopt, 0, 0},
                     {Load::Both, data.samples, std::nullopt, std::nullopt, 0, 0}};
    QVERIFY(evidenceOf(resultOf(LoadedLatencyOptions(), loaded), QualityFlag::MessagesLost)
                ->contains(QStringLiteral("64 of 1000")));
    UdpData udp;
    UdpTotal total;
    total.received = ByteCount::bytes(1'448'000);
    total.packetsReceived = 1'000;
    total.packetsSent = 1'300;
    total.lost = 300;
    total.duration = 1s;
    udp.totals = {total};
    QVERIFY(evidenceOf(resultOf(UdpOptions(), udp), QualityFlag::MessagesLost)
                ->startsWith(QStringLiteral("300 of 1300")));
    QVERIFY(isFinding(QualityFlag::MessagesLost) && isFinding(QualityFlag::BlackHole));
    QVERIFY(!isFinding(QualityFlag::Partial));
}

void FindingsTest::blackHoles()
{
    PathMtuData data;
    const auto tried = [&data](int size, SizeProbe::Fate fate) {
        SizeProbe probe;
        probe.direction = Direction::Forward;
        probe.size = size;
        probe.fate = fate;
        data.probes.push_back(probe);
    };
    tried(1'500, SizeProbe::Fate::Passed);
    tried(1'501, SizeProbe::Fate::TooBigOnWay);
    QVERIFY(!evidenceOf(resultOf(PathMtuOptions(), data), QualityFlag::BlackHole));
    data.probes.back().fate = SizeProbe::Fate::Silent;
    QCOMPARE(evidenceOf(resultOf(PathMtuOptions(), data), QualityFlag::BlackHole),
             QStringLiteral("silent above 1500 bytes, forward"));
    data.probes.clear();
    BulkTransfer bulk;
    bulk.direction = Direction::Reverse;
    bulk.outcome = BulkTransfer::Outcome::Stalled;
    data.bulk = {bulk};
    QCOMPARE(evidenceOf(resultOf(PathMtuOptions(), data), QualityFlag::BlackHole),
             QStringLiteral("a large transfer stood still, reverse"));
}

QTEST_APPLESS_MAIN(FindingsTest)
#include "tst_findings.moc"
