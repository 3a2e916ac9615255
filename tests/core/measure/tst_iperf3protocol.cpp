// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/protocol.h"

#include <QTest>

using namespace napkin;
using namespace napkin::iperf3;

class TestIperf3Protocol : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cookies();
    void bytesOnTheWire();
    void streamNumbers();
    void parametersAsText();
    void parametersReadBack_data();
    void parametersReadBack();
    void parametersOfStock();
    void hostileParameters_data();
    void hostileParameters();
    void resultsReadBack();
    void resultsOfStock();
    void hostileResults_data();
    void hostileResults();
};

void TestIperf3Protocol::cookies()
{
    const QByteArray cookie = makeCookie();
    QCOMPARE(cookie.size(), qsizetype(37));
    QVERIFY(isCookie(cookie));
    QVERIFY(makeCookie() != cookie);
    QVERIFY(!isCookie(cookie.left(36)));
    QVERIFY(!isCookie(QByteArray(37, 'a')));
    QVERIFY(!isCookie(QByteArray(36, '1') + '\0'));
    QVERIFY(!isCookie({}));
}

void TestIperf3Protocol::bytesOnTheWire()
{
    QCOMPARE(encodeState(State::TestStart), QByteArray("\x01", 1));
    QCOMPARE(encodeState(State::AccessDenied), QByteArray("\xff", 1));
    QCOMPARE(encodeState(State::IperfDone), QByteArray("\x10", 1));
    QCOMPARE(encodeServerFault({114, 13}), QByteArray("\xfe\x00\x00\x00\x72\x00\x00\x00\x0d", 9));
    QCOMPARE(decodeServerFault(QByteArray("\x00\x00\x00\x25\xff\xff\xff\xff", 8)).code, 37);
    QCOMPARE(decodeServerFault(QByteArray("\x00\x00\x00\x25\xff\xff\xff\xff", 8)).error, -1);
    QCOMPARE(encodeFrame("{}"), QByteArray("\x00\x00\x00\x02{}", 6));
    QCOMPARE(decodeLength(QByteArray("\xff\xff\xff\xff", 4)), 0xffffffffu);
}

void TestIperf3Protocol::streamNumbers()
{
    QCOMPARE(streamId(0), 1);
    QCOMPARE(streamId(1), 3);
    QCOMPARE(streamId(2), 4);
    QCOMPARE(streamId(255), 257);
}

void TestIperf3Protocol::parametersAsText()
{
    Parameters parameters;
    parameters.clientVersion = QStringLiteral("test");
    QCOMPARE(encodeParameters(parameters),
             QByteArray(R"({"blockcount":0,"client_version":"test","len":131072,"num":0,"omit":0,)"
                        R"("pacing_timer":1000,"parallel":1,"tcp":true,"time":10})"));
}

void TestIperf3Protocol::parametersReadBack_data()
{
    QTest::addColumn<Flow>("flow");
    QTest::newRow("forward") << Flow::Forward;
    QTest::newRow("reverse") << Flow::Reverse;
    QTest::newRow("both ways") << Flow::Bidirectional;
}

void TestIperf3Protocol::parametersReadBack()
{
    QFETCH(Flow, flow);
    Parameters sent;
    sent.flow = flow;
    sent.timeSeconds = 86'400;
    sent.omitSeconds = 600;
    sent.streams = 128;
    sent.blockSize = 1024 * 1024;
    sent.maxSegment = 1000;
    sent.window = 300'000;
    sent.bandwidth = 5'000'000'000;
    sent.noDelay = true;
    sent.congestion = QStringLiteral("cubic");
    const auto read = decodeParameters(encodeParameters(sent));
    QVERIFY(read.has_value());
    QCOMPARE(read->flow, flow);
    QCOMPARE(read->timeSeconds, sent.timeSeconds);
    QCOMPARE(read->omitSeconds, sent.omitSeconds);
    QCOMPARE(read->streams, sent.streams);
    QCOMPARE(read->blockSize, sent.blockSize);
    QCOMPARE(read->maxSegment, sent.maxSegment);
    QCOMPARE(read->window, sent.window);
    QCOMPARE(read->bandwidth, sent.bandwidth);
    QVERIFY(read->noDelay);
    QCOMPARE(read->congestion, sent.congestion);
}

void TestIperf3Protocol::parametersOfStock()
{
    const auto read = decodeParameters(
        R"({"tcp":true,"omit":1,"time":5,"num":0,"blockcount":0,"parallel":4,"reverse":true,)"
        R"("len":131072,"pacing_timer":1000,"client_version":"3.12"})");
    QVERIFY(read.has_value());
    QCOMPARE(read->flow, Flow::Reverse);
    QCOMPARE(read->streams, 4);
    QCOMPARE(read->clientVersion, QStringLiteral("3.12"));
    QVERIFY(!read->udp);
    const auto udp = decodeParameters(
        R"({"udp":true,"omit":0,"time":5,"num":0,"blockcount":0,"parallel":1,"len":1448,)"
        R"("bandwidth":1048576,"pacing_timer":1000,"udp_counters_64bit":1})");
    QVERIFY(udp.has_value());
    QVERIFY(udp->udp && udp->longNumbers);
    QCOMPARE(udp->blockSize, 1448);
    QCOMPARE(udp->bandwidth, std::uint64_t(1'048'576));
}

void TestIperf3Protocol::hostileParameters_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("not JSON") << QByteArray("GET / HTTP/1.1");
    QTest::newRow("a list") << QByteArray("[1,2]");
    QTest::newRow("a number") << QByteArray("7");
    QTest::newRow("cut off") << QByteArray(R"({"tcp":true,"time":)");
    QTest::newRow("UDP, too large") << QByteArray(R"({"udp":true,"time":1,"len":65508})");
    QTest::newRow("UDP, too small") << QByteArray(R"({"udp":true,"time":1,"len":15})");
    QTest::newRow("SCTP") << QByteArray(R"({"sctp":true,"time":1})");
    QTest::newRow("a flag that is false") << QByteArray(R"({"reverse":false,"time":1})");
    QTest::newRow("a flag as text") << QByteArray(R"({"reverse":"yes","time":1})");
    QTest::newRow("no end") << QByteArray(R"({"time":0})");
    QTest::newRow("negative time") << QByteArray(R"({"time":-1})");
    QTest::newRow("years") << QByteArray(R"({"time":86401})");
    QTest::newRow("time as text") << QByteArray(R"({"time":"10"})");
    QTest::newRow("no streams") << QByteArray(R"({"time":1,"parallel":0})");
    QTest::newRow("many streams") << QByteArray(R"({"time":1,"parallel":129})");
    QTest::newRow("no block") << QByteArray(R"({"time":1,"len":0})");
    QTest::newRow("huge block") << QByteArray(R"({"time":1,"len":1048577})");
    QTest::newRow("infinite block") << QByteArray(R"({"time":1,"len":1e300})");
    QTest::newRow("out of range") << QByteArray(R"({"time":1e999})");
    QTest::newRow("twice") << QByteArray(R"({"time":1,"time":2})");
    QTest::newRow("deep") << "{\"time\":1,\"title\":" + QByteArray(4000, '[') +
                                 QByteArray(4000, ']') + '}';
    QTest::newRow("long") << "{\"time\":1,\"title\":\"" + QByteArray(9000, 'x') + "\"}";
    QTest::newRow("bad UTF-8") << QByteArray("{\"title\":\"\xff\xfe\",\"time\":1}");
}

void TestIperf3Protocol::hostileParameters()
{
    QFETCH(QByteArray, json);
    QVERIFY(!decodeParameters(json).has_value());
}

void TestIperf3Protocol::resultsReadBack()
{
    Results sent;
    sent.cpuTotal = 50.5;
    sent.cpuUser = 10;
    sent.cpuSystem = 40.5;
    sent.senderHasRetransmits = true;
    sent.congestionUsed = QStringLiteral("cubic");
    sent.program = QStringLiteral("napkin 1");
    sent.streams = {{1, 1234567890123, 5, 0.0, 10.0}, {3, 0, std::nullopt, {}, {}}};
    sent.streams[1].datagrams = DatagramCounts{900, -3, 0.0125, 100, 1, 7};
    sent.bufferDrops = 12;
    const auto read = decodeResults(encodeResults(sent));
    QVERIFY(read.has_value());
    QCOMPARE(read->cpuTotal, 50.5);
    QCOMPARE(read->senderHasRetransmits, std::optional(true));
    QCOMPARE(read->program, sent.program);
    QCOMPARE(read->streams.size(), size_t(2));
    QCOMPARE(read->streams[0].bytes, std::int64_t(1234567890123));
    QCOMPARE(read->streams[0].retransmits, std::optional<std::int64_t>(5));
    QCOMPARE(read->streams[0].endTime, std::optional(10.0));
    QCOMPARE(read->streams[1].id, 3);
    QVERIFY(!read->streams[1].retransmits.has_value());
    QVERIFY(!read->streams[1].endTime.has_value());
    QVERIFY(read->streams[1].datagrams.has_value());
    const DatagramCounts& counts = *read->streams[1].datagrams;
    QCOMPARE(counts.packets, std::int64_t(900));
    QCOMPARE(counts.errors, std::int64_t(-3));
    QCOMPARE(counts.jitter, 0.0125);
    QCOMPARE(counts.omittedPackets, std::optional<std::int64_t>(100));
    QCOMPARE(counts.omittedErrors, std::optional<std::int64_t>(1));
    QCOMPARE(counts.outOfOrder, std::optional<std::int64_t>(7));
    QCOMPARE(read->bufferDrops, std::optional<std::int64_t>(12));
}

void TestIperf3Protocol::resultsOfStock()
{
    const auto read =
        decodeResults(R"({"cpu_util_total":21.9,"cpu_util_user":0.6,"cpu_util_system":21.3,)"
                      R"("sender_has_retransmits":-1,"streams":[{"id":1,"bytes":5231083520,)"
                      R"("retransmits":18446744073709551615,"jitter":0,"errors":0,"packets":0,)"
                      R"("start_time":0,"end_time":1.000414}]})");
    QVERIFY(read.has_value());
    QVERIFY(!read->senderHasRetransmits.has_value());
    QCOMPARE(read->streams.front().bytes, std::int64_t(5231083520));
    QVERIFY(!read->streams.front().retransmits.has_value());
    QCOMPARE(read->streams.front().endTime, std::optional(1.000414));
}

void TestIperf3Protocol::hostileResults_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no object") << QByteArray("[]");
    QTest::newRow("no streams") << QByteArray("{}");
    QTest::newRow("streams as text") << QByteArray(R"({"streams":"1"})");
    QTest::newRow("no number") << QByteArray(R"({"streams":[{"bytes":1}]})");
    QTest::newRow("number 0") << QByteArray(R"({"streams":[{"id":0,"bytes":1}]})");
    QTest::newRow("number 300") << QByteArray(R"({"streams":[{"id":300,"bytes":1}]})");
    QTest::newRow("no bytes") << QByteArray(R"({"streams":[{"id":1}]})");
    QTest::newRow("negative bytes") << QByteArray(R"({"streams":[{"id":1,"bytes":-5}]})");
    QTest::newRow("unknown bytes")
        << QByteArray(R"({"streams":[{"id":1,"bytes":18446744073709551615}]})");
    QTest::newRow("more than 64 bits")
        << QByteArray(R"({"streams":[{"id":1,"bytes":18446744073709551614}]})");
    QTest::newRow("absurd bytes") << QByteArray(R"({"streams":[{"id":1,"bytes":9e300}]})");
    QTest::newRow("bytes as text") << QByteArray(R"({"streams":[{"id":1,"bytes":"many"}]})");
    QTest::newRow("twice") << QByteArray(R"({"streams":[{"id":1,"bytes":5},{"id":1,"bytes":5}]})");
    QTest::newRow("a stream that is a list") << QByteArray(R"({"streams":[[1,2]]})");
    QByteArray many;
    for (int i = 0; i < 300; ++i)
        many += R"({"id":1,"bytes":1},)";
    many.chop(1);
    QTest::newRow("300 streams") << "{\"streams\":[" + many + "]}";
}

void TestIperf3Protocol::hostileResults()
{
    QFETCH(QByteArray, json);
    const auto read = decodeResults(json);
    QVERIFY(!read.has_value());
    QCOMPARE(read.error().code, ErrorCode::ProtocolViolation);
}

QTEST_APPLESS_MAIN(TestIperf3Protocol)
#include "tst_iperf3protocol.moc"
