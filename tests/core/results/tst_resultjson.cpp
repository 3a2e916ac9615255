// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/json.h"

#include <QRandomGenerator>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace napkin;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

ThroughputData throughputData(int samples)
{
    ThroughputData data;
    auto* random = QRandomGenerator::global();
    for (int i = 0; i < samples; ++i) {
        ThroughputSample s;
        s.stream = i % 3;
        s.direction = i % 2 == 0 ? Direction::Forward : Direction::Reverse;
        s.start = Duration(i * 100'000'000LL);
        s.length = 100ms;
        s.bytes = ByteCount::bytes(random->bounded(1'000'000'000));
        s.countedBy = i % 2 == 0 ? CountedBy::Acknowledged : CountedBy::Received;
        if (i % 4 != 0)
            s.retransmits = i;
        if (i % 5 != 0)
            s.congestionWindow = ByteCount::kibibytes(i);
        if (i % 3 != 0)
            s.rtt = Duration(i * 1'000);
        s.omitted = i < 2;
        data.samples.push_back(s);
    }
    data.totals = {{0, Direction::Forward, ByteCount::bytes(9'007'199'254'740'993),
                    ByteCount::bytes(7), 10s, 3},
                   {1, Direction::Reverse, ByteCount::bytes(1), std::nullopt, 1s, std::nullopt}};
    data.nearCpu = CpuUse{Ratio::of(0.5), Ratio::of(0.1), Ratio::of(0.4)};
    data.congestionControl = QStringLiteral("cubic");
    data.farProgram = QStringLiteral("iperf3 3.12");
    return data;
}

ProbeResult fullResult()
{
    ProbeResult r;
    r.id = RecordId::create();
    r.spec.controller.name = QStringLiteral("laptop");
    r.spec.controller.machine = MachineId::create();
    r.spec.near = r.spec.controller;
    r.spec.far.name = QStringLiteral("spärk “b”");
    r.spec.far.host = QStringLiteral("fe80::1%eth0");
    r.spec.far.port = 5201;
    r.spec.far.portId = PortId::create();
    r.spec.interfaceName = QStringLiteral("eth0");
    r.spec.ipVersion = IpVersion::V6;
    r.spec.link = LinkId::create();
    r.spec.linkPeriod = LinkPeriodId::create();
    r.spec.label = QStringLiteral("after MTU 9000");
    r.spec.options = ThroughputOptions{Flow::Bidirectional,    4, 10s, 1s, ByteCount::kibibytes(64),
                                       QStringLiteral("cubic")};
    r.startedAt = QDateTime(QDate(2026, 12, 1), QTime(10, 0, 0, 123), Qt::UTC);
    r.endedAt = r.startedAt.addMSecs(11'000);
    r.completion = Completion::Partial;
    r.fault = Error{ErrorCode::ConnectionLost, QStringLiteral("reset"),
                    QStringLiteral("spark-b:5201"), nullptr};
    r.origin = Origin::Emulated;
    HostConditions& near = r.conditions.near;
    near.hostName = QStringLiteral("laptop");
    near.operatingSystem = QStringLiteral("Debian");
    near.kernel = QStringLiteral("Linux 6.1");
    near.cpu = QStringLiteral("cpu");
    near.address = QStringLiteral("10.0.0.1");
    near.interfaceName = QStringLiteral("eth0");
    near.driver = QStringLiteral("igc");
    near.negotiatedSpeed = BitRate::gigabitsPerSecond(2.5);
    near.mtu = 9000;
    r.quality = {{QualityFlag::Partial, QStringLiteral("connection-lost")}};
    r.tool = QStringLiteral("napkin");
    r.toolVersion = QStringLiteral("0.1.0");
    r.data = throughputData(50);
    return r;
}

} // namespace

class ResultJsonTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void throughputComesBackEqual()
    {
        const ProbeResult result = fullResult();
        const QByteArray text = toJson(result);
        const auto back = resultFromJson(text);
        QVERIFY2(back.has_value(), qPrintable(back ? QString() : back.error().detail));
        QVERIFY(*back == result);
        QCOMPARE(toJson(*back), text); // canonical
        QVERIFY(!text.contains('\n'));
    }
    void connectComesBackEqual()
    {
        ProbeResult result = fullResult();
        result.completion = Completion::Complete;
        result.fault.reset();
        result.spec.options = ConnectOptions{7, 10ms, 500ms};
        result.data = ConnectData{{{0ns, 120us, ConnectSample::Outcome::Connected},
                                   {50ms, 2s, ConnectSample::Outcome::TimedOut}}};
        const auto back = resultFromJson(toJson(result));
        QVERIFY(back.has_value());
        QVERIFY(*back == result);
    }
    void bytesThatAreNoTextAreReplaced()
    {
        ProbeResult result = fullResult();
        std::get<ThroughputData>(result.data).farProgram =
            QString(QChar(0xd800)); // a lone surrogate
        QVERIFY(resultFromJson(toJson(result)).has_value());
    }
    void brokenInputIsRefusedWithThePlace_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("value"); // JSON; empty: remove the key
        QTest::addColumn<QString>("place");
        const auto row = [](const char* path, const char* value, const char* place) {
            QTest::addRow("%s %s", path, value)
                << QString::fromLatin1(path) << QByteArray(value) << QString::fromLatin1(place);
        };
        row("/format", "\"something\"", "format");
        row("/id", "\"12\"", "id");
        row("/id", "null", "id");
        row("/started_at", "\"yesterday\"", "started_at");
        row("/completion", "\"done\"", "completion");
        row("/origin", "3", "origin");
        row("/spec/kind", "\"guess\"", "kind");
        row("/spec/far/port", "70000", "port");
        row("/spec/options/streams", "\"4\"", "streams");
        row("/spec/options/streams", "129", "streams");
        row("/data/samples/bytes", "[1,2]", "columns differ");
        row("/data/samples/bytes/3", "-1", "bytes[3]");
        row("/data/samples/bytes/3", "18446744073709551615", "bytes[3]");
        row("/data/samples/bytes/3", "null", "bytes[3]");
        row("/data/samples/direction/0", "2", "direction[0]");
        row("/data/samples/stream/0", "128", "stream[0]");
        row("/data/totals/0/received_bytes", "1.5", "received_bytes");
        row("/data/near_cpu", "{}", "total");
        row("/quality", "{}", "quality");
        row("/fault/code", "\"fine\"", "fault");
    }
    void brokenInputIsRefusedWithThePlace()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, value);
        QFETCH(QString, place);
        Json json = Json::parse(toJson(fullResult()).toStdString());
        json[Json::json_pointer(path.toStdString())] = Json::parse(value.toStdString());
        const auto back = resultFromJson(QByteArray::fromStdString(json.dump()));
        QVERIFY(!back.has_value());
        QVERIFY2(back.error().detail.contains(place), qPrintable(back.error().detail));
    }
    void newerVersionIsUnsupported()
    {
        Json json = Json::parse(toJson(fullResult()).toStdString());
        json["version"] = 2;
        const auto back = resultFromJson(QByteArray::fromStdString(json.dump()));
        QVERIFY(!back.has_value());
        QCOMPARE(back.error().code, ErrorCode::Unsupported);
    }
    void cutAndMangledInputNeverCrashes()
    {
        const QByteArray text = toJson(fullResult());
        QRandomGenerator random(20261201);
        for (int i = 0; i < 2'000; ++i) {
            QByteArray bad = text;
            if (i % 2 == 0)
                bad.truncate(random.bounded(static_cast<int>(text.size())));
            for (int k = 0; k < i % 7; ++k) {
                if (!bad.isEmpty())
                    bad[random.bounded(static_cast<int>(bad.size()))] =
                        static_cast<char>(random.bounded(256));
            }
            const auto back = resultFromJson(bad);
            if (!back)
                QVERIFY(!errorCodeName(back.error().code).isEmpty());
        }
    }
};

QTEST_GUILESS_MAIN(ResultJsonTest)
#include "tst_resultjson.moc"
