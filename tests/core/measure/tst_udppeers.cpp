// SPDX-License-Identifier: GPL-3.0-or-later
#include "playedudp.h"
#include "udpmeasuring.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

using Leave = std::function<void(PeerTalk&, int)>;

// UDP against others: our client against played servers, our server against played clients.
class TestUdpPeers : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void udpDoesNotGetThrough_data();
    void udpDoesNotGetThrough();
    void playedServers_data();
    void playedServers();
    void gapsAndLostTail();
    void faults_data();
    void faults();
    void silentFarEnd();
    void serverRefuses_data();
    void serverRefuses();
    void serverTalksToNobodyElse();
};

void TestUdpPeers::udpDoesNotGetThrough_data()
{
    QTest::addColumn<bool>("isSwallowed");
    QTest::newRow("swallowed") << true;
    QTest::newRow("refused") << false;
}

void TestUdpPeers::udpDoesNotGetThrough()
{
    QFETCH(bool, isSwallowed);
    PlayedUdp played;
    if (isSwallowed) {
        played.answer.clear();
    } else {
        played.leaves = Stage::Streams;
        played.leave = [](PeerTalk& talk, int) { talk.hold(); };
    }
    ScriptedPeer peer(played.script());
    played.port = peer.port();
    const Observed seen = observeUdp(udpSpec(here, peer.port(), optionsOf(Flow::Forward)));
    QVERIFY(seen.took < 9s);
    QVERIFY(!seen.result.has_value());
    QCOMPARE(seen.result.error().code, ErrorCode::PeerSilent);
    QVERIFY2(seen.result.error().detail.contains(QStringLiteral("UDP does not")),
             qPrintable(seen.result.error().detail));
}

void TestUdpPeers::playedServers_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("results");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* answer, const char* results,
                        const char* expected = "none") {
        QTest::newRow(name) << QByteArray(answer) << QByteArray(results) << QByteArray(expected);
    };
    row("3.12", "6789",
        R"({"id":1,"bytes":%b,"retransmits":18446744073709551615,"jitter":0.0025,"errors":0,)"
        R"("packets":%p,"start_time":0,"end_time":1.05})");
    row("3.9", "\xB1\x68\xDE\x3A",
        R"({"id":1,"bytes":%b,"retransmits":-1,"jitter":0.0025,"errors":0,"packets":%p})");
    row("3.16", "6789",
        R"({"id":1,"bytes":%b,"retransmits":-1,"jitter":0.0025,"errors":0,"omitted_errors":0,)"
        R"("packets":%p,"omitted_packets":0,"start_time":0,"end_time":1.05})");
    row("another stream", "6789", R"({"id":3,"bytes":5,"packets":1,"errors":0,"jitter":0})",
        "protocol-violation");
    row("no counts", "6789", R"({"id":1,"bytes":%b,"jitter":0,"errors":0})", "protocol-violation");
    row("negative counts", "6789", R"({"id":1,"bytes":%b,"jitter":0,"errors":0,"packets":-5})",
        "protocol-violation");
    row("in no time", "6789",
        R"({"id":1,"bytes":%b,"jitter":0,"errors":0,"packets":%p,"start_time":0,"end_time":0.01})",
        "protocol-violation");
    row("not JSON", "6789", "?", "protocol-violation");
    row("nothing came", "6789", R"({"id":1,"bytes":0,"jitter":0,"errors":0,"packets":0})",
        "nothing-measured");
}

void TestUdpPeers::playedServers()
{
    QFETCH(QByteArray, answer);
    QFETCH(QByteArray, results);
    QFETCH(QByteArray, expected);
    PlayedUdp played;
    played.answer = answer;
    played.results = results;
    ScriptedPeer peer(played.script());
    played.port = peer.port();
    const Observed seen = observeUdp(udpSpec(here, peer.port(), optionsOf(Flow::Forward, 1, 2)));
    if (expected != "none") { // what was sent alone says nothing
        QVERIFY(!seen.result.has_value());
        QCOMPARE(errorCodeName(seen.result.error().code), QString::fromLatin1(expected));
        return;
    }
    QCOMPARE(peer.fault(), std::string());
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    const UdpTotal& total = udpData(seen).totals.front();
    QCOMPARE(total.packetsReceived, total.packetsSent.value_or(-1));
    QCOMPARE(total.jitter, std::optional<Duration>(2'500us));
    QVERIFY(!total.outOfOrder && !udpData(seen).farBufferDrops); // not known is not zero
    QVERIFY(isDue(total, 2'000'000));
    // Whatever the receiver's time, ours is how long we sent.
    QVERIFY(total.sentOver && std::abs(inSeconds(*total.sentOver) - 1) < 0.1);
    QVERIFY(!played.parametersSeen.contains("false"));
    QVERIFY(!played.parametersSeen.contains("\"tcp\""));
    QVERIFY(played.parametersSeen.contains("\"udp\":true"));
    QVERIFY(played.parametersSeen.contains("\"udp_counters_64bit\":1"));
    QVERIFY(played.parametersSeen.contains("\"bandwidth\":2000000"));
    QVERIFY(played.parametersSeen.contains("\"len\":1448"));
}

void TestUdpPeers::gapsAndLostTail()
{
    PlayedUdp played;
    played.sends = {1, 2, 3, 5, 4, 6, 6, 9, 10};
    played.results =
        R"({"id":1,"bytes":12000,"retransmits":-1,"jitter":0,"errors":0,"packets":12})";
    ScriptedPeer peer(played.script());
    played.port = peer.port();
    UdpOptions options = optionsOf(Flow::Reverse);
    options.datagramSize = ByteCount::bytes(1000);
    const Observed seen = observeUdp(udpSpec(here, peer.port(), options));
    QCOMPARE(peer.fault(), std::string());
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    const UdpTotal& total = udpData(seen).totals.front();
    QCOMPARE(total.packetsReceived, std::int64_t(8)); // 6 came twice
    QCOMPARE(total.received, ByteCount::bytes(8000));
    QCOMPARE(total.lost, std::int64_t(2)); // 7, 8; 11 and 12 are the tail
    QCOMPARE(total.packetsSent, std::optional<std::int64_t>(12));
    QCOMPARE(total.outOfOrder, std::optional<std::int64_t>(1));
    std::int64_t lost = 0;
    for (const UdpSample& sample : udpData(seen).samples)
        lost += sample.lost.value_or(0);
    QCOMPARE(lost, std::int64_t(2));
}

void TestUdpPeers::faults_data()
{
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<Leave>("leave");
    QTest::addColumn<ErrorCode>("code");
    const auto says = [](const QByteArray& bytes) {
        return Leave([bytes](PeerTalk& talk, int control) {
            talk.write(control, bytes);
            talk.hold();
        });
    };
    const auto closes = Leave([](PeerTalk& talk, int control) { talk.close(control); });
    QTest::newRow("busy") << Stage::Cookie << says("\xff") << ErrorCode::PeerBusy;
    QTest::newRow("refuses") << Stage::Parameters << says(QByteArray("\xfe\0\0\0\x1b\0\0\0\0", 9))
                             << ErrorCode::PeerRefused;
    QTest::newRow("closes") << Stage::Streams << closes << ErrorCode::ConnectionLost;
    QTest::newRow("talks HTTP") << Stage::Cookie << says("HTTP/1.1 400")
                                << ErrorCode::ProtocolViolation;
    QTest::newRow("closes mid-run") << Stage::Running << closes << ErrorCode::ConnectionLost;
    QTest::newRow("nonsense mid-run")
        << Stage::Running << says("nonsense") << ErrorCode::ProtocolViolation;
    QTest::newRow("oversized results")
        << Stage::Results << says(QByteArray("\x7f\xff\xff\xff", 4)) << ErrorCode::FrameTooLarge;
}

void TestUdpPeers::faults()
{
    QFETCH(Stage, stage);
    QFETCH(Leave, leave);
    QFETCH(ErrorCode, code);
    PlayedUdp played;
    played.leaves = stage;
    played.leave = leave;
    played.sends = {1, 2, 3};
    ScriptedPeer peer(played.script());
    played.port = peer.port();
    UdpOptions options = optionsOf(Flow::Reverse);
    options.datagramSize = ByteCount::bytes(1000);
    const Observed seen = observeUdp(udpSpec(here, peer.port(), options));
    QVERIFY(seen.took < 4s);
    if (stage == Stage::Running || stage == Stage::Results) { // three datagrams had come
        QVERIFY2(seen.result.has_value(), seen.fault().constData());
        QCOMPARE(seen.result->completion, Completion::Partial);
        QCOMPARE(errorCodeName(seen.result->fault->code), errorCodeName(code));
        QVERIFY(udpData(seen).totals.empty());
        return;
    }
    QVERIFY(!seen.result.has_value());
    QCOMPARE(errorCodeName(seen.result.error().code), errorCodeName(code));
    QCOMPARE(seen.result.error().context, QStringLiteral("127.0.0.1:%1").arg(peer.port()));
}

void TestUdpPeers::silentFarEnd()
{
    PlayedUdp played;
    played.leaves = Stage::Running;
    played.leave = [](PeerTalk& talk, int) { talk.hold(); };
    played.sends = {1, 2, 3};
    ScriptedPeer peer(played.script());
    played.port = peer.port();
    UdpOptions options = optionsOf(Flow::Reverse);
    options.duration = 40s;
    options.datagramSize = ByteCount::bytes(1000);
    const Observed seen = observeUdp(udpSpec(here, peer.port(), options));
    QVERIFY(seen.took < 14s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QCOMPARE(seen.result->fault->code, ErrorCode::PeerSilent);
    QCOMPARE(udpData(seen).samples.size(), size_t(1)); // the silence is no part of it
}

void TestUdpPeers::serverRefuses_data()
{
    QTest::addColumn<QByteArray>("parameters");
    QTest::addColumn<int>("code");
    QTest::newRow("faster than allowed")
        << QByteArray(R"({"udp":true,"time":1,"parallel":2,"len":1000,"bandwidth":50000001})")
        << 27;
    QTest::newRow("no limit") << QByteArray(R"({"udp":true,"time":1,"parallel":1,"len":1000})")
                              << 27;
    QTest::newRow("tiny") << QByteArray(R"({"udp":true,"time":1,"len":15,"bandwidth":1})") << 114;
    QTest::newRow("huge") << QByteArray(R"({"udp":true,"time":1,"len":65508,"bandwidth":1})")
                          << 114;
    QTest::newRow("long") << QByteArray(R"({"udp":true,"time":999,"len":1000,"bandwidth":1})")
                          << 37;
}

void TestUdpPeers::serverRefuses()
{
    QFETCH(QByteArray, parameters);
    QFETCH(int, code);
    Iperf3ServerOptions options;
    options.maxUdpRate = BitRate::megabitsPerSecond(100);
    options.maxDuration = 60s;
    const auto server = startServer(options);
    QVERIFY(server);
    const int port = server->port();
    ScriptedPeer peer([=](PeerTalk& talk) {
        const int control = talk.connect(port);
        talk.write(control, QByteArray(36, 'a') + '\0');
        (void)talk.readState(control);
        talk.writeFrame(control, parameters);
        const QByteArray bytes = talk.read(control, 9);
        if (bytes[0] != static_cast<char>(-2) || bytes[4] != static_cast<char>(code))
            throw std::runtime_error("not the expected refusal");
    });
    QCOMPARE(peer.fault(), std::string());
}

// Datagrams of another address are not taken for a stream, and nothing is ever sent there.
void TestUdpPeers::serverTalksToNobodyElse()
{
    const auto server = startServer();
    QVERIFY(server);
    const int port = server->port();
    QByteArray toStranger("unset");
    QByteArray toClient;
    QByteArray first;
    ScriptedPeer peer([&](PeerTalk& talk) {
        const int control = talk.connect(port);
        talk.write(control, QByteArray(36, 'a') + '\0');
        (void)talk.readState(control);
        talk.writeFrame(control, R"({"udp":true,"time":1,"parallel":1,"len":1000,"reverse":true,)"
                                 R"("bandwidth":800000,"udp_counters_64bit":1})");
        (void)talk.readState(control);
        UdpDoor stranger(0, "127.0.0.2");
        stranger.sendTo(port, "9876");
        toStranger = stranger.receive(300ms);
        UdpDoor client(0);
        client.sendTo(port, "9876");
        toClient = client.receive(3s);
        if (talk.readState(control) != 1 || talk.readState(control) != 2)
            throw std::runtime_error("the test does not begin");
        first = client.receive(3s);
        toStranger += stranger.receive(300ms);
        // Set up, the port is closed to everybody else.
        UdpDoor late(0);
        late.sendTo(port, "9876");
        toStranger += late.receive(300ms);
    });
    QCOMPARE(peer.fault(), std::string());
    QCOMPARE(toStranger, QByteArray());
    QCOMPARE(toClient, QByteArray("6789"));
    QCOMPARE(first.size(), qsizetype(1000));
    QCOMPARE(first.mid(8, 8), QByteArray("\0\0\0\0\0\0\0\1", 8));
}

QTEST_GUILESS_MAIN(TestUdpPeers)
#include "tst_udppeers.moc"
