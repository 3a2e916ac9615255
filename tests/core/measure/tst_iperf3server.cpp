// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/iperf3server.h"
#include "core/measure/throughput/protocol.h"
#include "tests/support/scriptedpeer.h"

#include "measuring.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

using Client = std::function<void(PeerTalk&, int port)>;

QByteArray cookie()
{
    return QByteArray(36, 'a') + '\0';
}

void handParameters(PeerTalk& talk, int control, const QByteArray& json)
{
    talk.write(control, cookie());
    if (talk.readState(control) != 9)
        throw std::runtime_error("no PARAM_EXCHANGE");
    talk.writeFrame(control, json);
}

void expectServerError(PeerTalk& talk, int control, int code)
{
    const QByteArray bytes = talk.read(control, 9);
    if (bytes[0] != static_cast<char>(-2) || bytes[4] != static_cast<char>(code))
        throw std::runtime_error("not the expected refusal");
}

void expectClosed(PeerTalk& talk, int connection)
{
    if (!talk.isClosedByPeer(connection))
        throw std::runtime_error("still open");
}

Client refusedFor(const QByteArray& json, int code)
{
    return [json, code](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        handParameters(talk, control, json);
        expectServerError(talk, control, code);
        expectClosed(talk, control);
    };
}

std::vector<std::pair<const char*, Client>> hostileClientList()
{
    std::vector<std::pair<const char*, Client>> list;
    const auto row = [&list](const char* name, Client client) {
        list.emplace_back(name, std::move(client));
    };
    row("talks HTTP", [](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        talk.write(control, "GET / HTTP/1.1\r\nHost: somewhere.example\r\n\r\n");
        if (talk.readState(control) != -1)
            throw std::runtime_error("not turned away");
        expectClosed(talk, control);
    });
    row("SCTP", refusedFor(R"({"sctp":true,"time":1,"parallel":1,"len":1460})", 114));
    row("oversized parameters",
        refusedFor("{\"time\":1,\"title\":\"" + QByteArray(9000, 'x') + "\"}", 114));
    row("malformed parameters", refusedFor("{\"time\":", 114));
    row("too long", refusedFor(R"({"tcp":true,"time":61,"len":1000})", 37));
    row("too many streams", refusedFor(R"({"tcp":true,"time":1,"parallel":17})", 114));
    row("a huge frame announced", [](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        talk.write(control, cookie());
        (void)talk.readState(control);
        talk.write(control, QByteArray("\xff\xff\xff\xff", 4));
        expectServerError(talk, control, 114);
        expectClosed(talk, control);
    });
    row("an empty frame", [](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        talk.write(control, cookie());
        (void)talk.readState(control);
        talk.write(control, QByteArray(4, '\0'));
        expectClosed(talk, control);
    });
    row("a stream with another cookie", [](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        handParameters(talk, control, R"({"tcp":true,"time":1,"parallel":1,"len":1000})");
        if (talk.readState(control) != 10)
            throw std::runtime_error("no CREATE_STREAMS");
        const int stream = talk.connect(port);
        talk.write(stream, QByteArray(36, 'b') + '\0');
        if (talk.readState(stream) != -1)
            throw std::runtime_error("a stranger's stream was taken");
        expectClosed(talk, stream);
    });
    row("leaves while streams are awaited", [](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        handParameters(talk, control, R"({"tcp":true,"time":1,"parallel":2,"len":1000})");
        (void)talk.readState(control);
        const int stream = talk.connect(port);
        talk.write(stream, cookie());
        talk.pause(50ms);
        talk.reset(control);
        expectClosed(talk, stream);
    });
    row("ends before it began", [](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        handParameters(talk, control, R"({"tcp":true,"time":1,"parallel":1,"len":1000})");
        (void)talk.readState(control);
        talk.writeState(control, 4);
        expectClosed(talk, control);
    });
    row("vanishes mid-run", [](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        handParameters(talk, control, R"({"tcp":true,"time":1,"reverse":true,"len":1000})");
        (void)talk.readState(control);
        const int stream = talk.connect(port);
        talk.write(stream, cookie());
        (void)talk.read(control, 2);
        talk.pause(100ms);
        talk.reset(control);
        talk.reset(stream);
    });
    row("talks nonsense mid-run", [](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        handParameters(talk, control, R"({"tcp":true,"time":1,"len":1000})");
        (void)talk.readState(control);
        const int stream = talk.connect(port);
        talk.write(stream, cookie());
        (void)talk.read(control, 2);
        talk.write(control, "nonsense");
        expectClosed(talk, control);
        expectClosed(talk, stream);
    });
    row("huge results", [](PeerTalk& talk, int port) {
        const int control = talk.connect(port);
        handParameters(talk, control, R"({"tcp":true,"time":1,"len":1000})");
        (void)talk.readState(control);
        const int stream = talk.connect(port);
        talk.write(stream, cookie());
        (void)talk.read(control, 2);
        talk.writeState(control, 4);
        (void)talk.readState(control);
        talk.write(control, QByteArray("\x7f\xff\xff\xff", 4));
        expectClosed(talk, control);
    });
    return list;
}

} // namespace

// Our server against clients that misbehave; an honest client must be served right afterwards.
class TestIperf3Server : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void hostileClients_data();
    void hostileClients();
    void allHostileClientsThenAnHonestOne();
    void silentClientsDoNotBlock();
    void manyConnections();
    void strangerDuringTest();
    void silentControlIsDropped();
    void portsAndAddresses();

private:
    void honestClientIsServed();
    void waitUntilIdle();
    std::unique_ptr<Iperf3Server> m_server;
    int m_refused = 0;
    int m_started = 0;
    int m_ended = 0;
};

void TestIperf3Server::init()
{
    Iperf3ServerOptions options;
    options.port = 0;
    options.maxStreams = 16;
    options.maxDuration = std::chrono::seconds(60);
    auto server = Iperf3Server::start(options);
    QVERIFY(server.has_value());
    m_server = std::move(*server);
    m_refused = 0;
    m_started = 0;
    m_ended = 0;
    connect(m_server.get(), &Iperf3Server::clientRefused, this, [this] { ++m_refused; });
    connect(m_server.get(), &Iperf3Server::testStarted, this, [this] { ++m_started; });
    connect(m_server.get(), &Iperf3Server::testEnded, this, [this] { ++m_ended; });
}

// Until then a next client may rightly be told that the server is busy.
void TestIperf3Server::waitUntilIdle()
{
    QTest::qWait(20);
    QTRY_COMPARE(m_ended, m_started);
    QTest::qWait(20);
}

void TestIperf3Server::honestClientIsServed()
{
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), m_server->port()));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
}

void TestIperf3Server::hostileClients_data()
{
    QTest::addColumn<Client>("client");
    for (const auto& [name, client] : hostileClientList())
        QTest::newRow(name) << client;
}

void TestIperf3Server::hostileClients()
{
    QFETCH(Client, client);
    const int port = m_server->port();
    ScriptedPeer peer([client, port](PeerTalk& talk) { client(talk, port); });
    QCOMPARE(peer.fault(), std::string());
    waitUntilIdle();
    // The next one is welcome.
    ScriptedPeer next([port](PeerTalk& talk) {
        const int control = talk.connect(port);
        handParameters(talk, control, R"({"tcp":true,"time":1,"parallel":1,"len":1000})");
        if (talk.readState(control) != 10)
            throw std::runtime_error("no CREATE_STREAMS");
    });
    QCOMPARE(next.fault(), std::string());
}

void TestIperf3Server::allHostileClientsThenAnHonestOne()
{
    const int port = m_server->port();
    for (const auto& [name, client] : hostileClientList()) {
        ScriptedPeer peer([run = client, port](PeerTalk& talk) { run(talk, port); });
        QVERIFY2(peer.fault().empty(), name);
        waitUntilIdle();
    }
    honestClientIsServed();
}

void TestIperf3Server::silentClientsDoNotBlock()
{
    const int port = m_server->port();
    ScriptedPeer peer([port](PeerTalk& talk) {
        for (int i = 0; i < 5; ++i)
            talk.write(talk.connect(port), cookie().left(i));
        talk.hold();
    });
    QTest::qWait(100);
    honestClientIsServed();
}

void TestIperf3Server::manyConnections()
{
    const int port = m_server->port();
    std::atomic<bool> opened = false;
    ScriptedPeer peer([port, &opened](PeerTalk& talk) {
        for (int i = 0; i < 200; ++i)
            (void)talk.connect(port);
        opened = true;
        talk.hold();
    });
    QTRY_VERIFY(opened);
    honestClientIsServed();
}

void TestIperf3Server::strangerDuringTest()
{
    const int port = m_server->port();
    std::atomic<int> turnedAway = 0;
    ScriptedPeer peer([port, &turnedAway](PeerTalk& talk) {
        talk.pause(300ms);
        for (int i = 0; i < 20; ++i) {
            const int connection = talk.connect(port);
            if (talk.readState(connection) == -1 && talk.isClosedByPeer(connection))
                ++turnedAway;
        }
    });
    honestClientIsServed();
    QCOMPARE(peer.fault(), std::string());
    QCOMPARE(turnedAway.load(), 20);
    QTRY_COMPARE(m_refused, 20);
}

void TestIperf3Server::silentControlIsDropped()
{
    const int port = m_server->port();
    std::optional<ServedTest> ended;
    connect(m_server.get(), &Iperf3Server::testEnded, this,
            [&ended](const ServedTest& test) { ended = test; });
    ScriptedPeer peer([port](PeerTalk& talk) {
        talk.write(talk.connect(port), cookie());
        talk.hold();
    });
    QTRY_VERIFY_WITH_TIMEOUT(ended.has_value(), 15'000);
    QVERIFY(ended->fault.has_value());
    QCOMPARE(ended->fault->code, ErrorCode::PeerSilent);
    QVERIFY(!ended->received && !ended->sent); // not known is not zero
    QCOMPARE(ended->fault->context, QStringLiteral("127.0.0.1"));
    honestClientIsServed();
}

void TestIperf3Server::portsAndAddresses()
{
    Iperf3ServerOptions options;
    options.port = m_server->port();
    QCOMPARE(Iperf3Server::start(options).error().code, ErrorCode::AddressInUse);
    options.port = 0;
    options.bindAddress = QStringLiteral("203.0.113.5");
    QCOMPARE(Iperf3Server::start(options).error().code, ErrorCode::AddressNotAvailable);
    options.bindAddress = QStringLiteral("nonsense");
    QCOMPARE(Iperf3Server::start(options).error().code, ErrorCode::AddressNotAvailable);
    options.bindAddress = QStringLiteral("127.0.0.1");
    const auto server = Iperf3Server::start(options);
    QVERIFY(server.has_value());
    QVERIFY((*server)->port() > 0);
}

QTEST_GUILESS_MAIN(TestIperf3Server)
#include "tst_iperf3server.moc"
