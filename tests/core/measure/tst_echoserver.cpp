// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/measure/echostage.h"

#include <QElapsedTimer>

#include <array>
#include <random>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

class TestEchoServer : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void wrongTicket_data();
    void wrongTicket();
    void moreThanAgreed();
    void garbageFirst();
    void nothingIsAmplified();
    void datagramsBesideAnother();
    void servesOnce();
    void endsAtOnce();
    void bothEndsShuffleAlike();
    void plansThereAndBack();
};

void TestEchoServer::wrongTicket_data()
{
    QTest::addColumn<EchoMethod>("method");
    QTest::newRow("TCP") << EchoMethod::Tcp;
    QTest::newRow("UDP") << EchoMethod::Udp;
}

void TestEchoServer::wrongTicket()
{
    QFETCH(EchoMethod, method);
    const DataTicket ticket = DataTicket::create();
    const auto server = serverFor(method, ticket);
    LatencyProbe stranger(DataTicket::create());
    QCOMPARE(codeOf(observe(stranger, specTo(server->port(), fixed(method)))),
             ErrorCode::PeerRefused);
    LatencyProbe none;
    QCOMPARE(codeOf(observe(none, specTo(server->port(), fixed(method)))),
             ErrorCode::InvalidArgument);
    // Neither used the ticket up.
    LatencyProbe holder(ticket);
    const Observed seen = observe(holder, specTo(server->port(), fixed(method)));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
}

void TestEchoServer::moreThanAgreed()
{
    const DataTicket ticket = DataTicket::create();
    const auto server =
        EchoServer::start({loopback, 0, ticket, {}, EchoMethod::Tcp, ByteCount::bytes(64)});
    QVERIFY(server.has_value());
    LatencyOptions options = fixed(EchoMethod::Tcp);
    options.messageSize = ByteCount::bytes(65);
    LatencyProbe probe(ticket);
    const Observed seen = observe(probe, specTo((*server)->port(), options));
    QCOMPARE(codeOf(seen), ErrorCode::PeerRefused);
    QVERIFY(seen.took < 5s);
}

void TestEchoServer::garbageFirst()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverFor(EchoMethod::Udp, ticket);
    const int port = server->port();
    const auto udp = pingpong::connectUdp(*addressFromText(loopback, port), {});
    QVERIFY(udp.has_value());
    for (int size = 0; size < 200; ++size) {
        const QByteArray bytes(size, static_cast<char>(size * 7));
        ::send(udp->fd(), bytes.constData(), static_cast<size_t>(size), MSG_NOSIGNAL);
    }
    ScriptedPeer talker([port](PeerTalk& talk) {
        const int noise = talk.connect(port);
        talk.write(noise, QByteArray(100'000, '\x93'));
    });
    static_cast<void>(talker.fault()); // once it has said all
    LatencyProbe probe(ticket);
    const Observed seen = observe(probe, specTo(port, fixed(EchoMethod::Udp)));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    std::array<char, 256> bytes{};
    QCOMPARE(heardWithin(*udp, 0ms, bytes), ssize_t(-1));
    // A plan that is none.
    const DataTicket second = DataTicket::create();
    const auto other = serverFor(EchoMethod::Tcp, second);
    ScriptedPeer liar([&](PeerTalk& talk) {
        const int control = openControl(talk, other->port(), second, QByteArray(90, '\x42'), 'V');
        if (!talk.isClosedByPeer(control))
            throw std::runtime_error("it went on");
    });
    const std::string fault = liar.fault();
    QVERIFY2(fault.empty(), fault.c_str());
}

void TestEchoServer::nothingIsAmplified()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverFor(EchoMethod::Udp, ticket);
    const auto marks = pingpong::Marks::from(ticket.datagramMarks());
    const auto udp = pingpong::connectUdp(*addressFromText(loopback, server->port()), {});
    std::array<char, 256> bytes{};
    const auto asked = [&](size_t size, std::uint64_t mark) {
        pingpong::putDatagram(bytes, mark, 7);
        ::send(udp->fd(), bytes.data(), size, MSG_NOSIGNAL);
        return heardWithin(*udp, 300ms, bytes);
    };
    // Before the ticket was shown the right mark does not help.
    QCOMPARE(asked(64, marks.request), ssize_t(-1));
    ScriptedPeer near([&](PeerTalk& talk) {
        openControl(talk, server->port(), ticket,
                    pingpong::encodePlan(planOf(EchoMethod::Udp, {64})), 'R');
        talk.hold();
    });
    QTest::qWait(300); // what was sent too early is answered now, once
    while (heardWithin(*udp, 0ms, bytes) >= 0) {
    }
    QCOMPARE(asked(64, marks.request + 1), ssize_t(-1));
    QCOMPARE(asked(64, marks.reply), ssize_t(-1));
    QCOMPARE(asked(16, marks.request), ssize_t(-1));
    QCOMPARE(asked(65, marks.request), ssize_t(-1));
    QCOMPARE(asked(64, marks.request), ssize_t(64));
    QCOMPARE(pingpong::numberIn(bytes, marks.reply), std::optional<std::uint64_t>(7));
    QCOMPARE(heardWithin(*udp, 100ms, bytes), ssize_t(-1));
}

void TestEchoServer::datagramsBesideAnother()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = DatagramServer::start({loopback, 0, ticket, {loopback}});
    QVERIFY(server.has_value());
    const auto marks = pingpong::Marks::from(ticket.datagramMarks());
    const auto udp = pingpong::connectUdp(*addressFromText(loopback, (*server)->port()), {});
    std::array<char, 64> bytes{};
    for (int i = 0; i < 3; ++i) {
        pingpong::putDatagram(bytes, marks.request, 5);
        ::send(udp->fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        QCOMPARE(heardWithin(*udp, 2s, bytes), ssize_t(64));
    }
}

void TestEchoServer::servesOnce()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverFor(EchoMethod::Tcp, ticket);
    LatencyProbe probe(ticket);
    QVERIFY(observe(probe, specTo(server->port(), fixed(EchoMethod::Tcp))).result.has_value());
    QCOMPARE(codeOf(observe(probe, specTo(server->port(), fixed(EchoMethod::Tcp)))),
             ErrorCode::ConnectionRefused);
}

void TestEchoServer::endsAtOnce()
{
    for (const EchoMethod method : {EchoMethod::Tcp, EchoMethod::Udp}) {
        const DataTicket ticket = DataTicket::create();
        auto server = serverFor(method, ticket);
        ScriptedPeer near([&](PeerTalk& talk) {
            openControl(talk, server->port(), ticket, pingpong::encodePlan(planOf(method, {64})),
                        'R');
            talk.hold();
        });
        QTest::qWait(200);
        QElapsedTimer took;
        took.start();
        server.reset();
        QVERIFY(took.elapsed() < 1'000);
    }
}

void TestEchoServer::bothEndsShuffleAlike()
{
    // A fixed truth: another version at the far end must make the same of the same plan.
    pingpong::Schedule schedule(42, {1, 2, 3, 4, 5, 6, 7, 8});
    std::vector<std::uint32_t> got;
    for (int i = 0; i < 16; ++i)
        got.push_back(schedule.next());
    const std::vector<std::uint32_t> first(got.begin(), got.begin() + 8);
    const std::vector<std::uint32_t> second(got.begin() + 8, got.end());
    QVERIFY(first != second);
    QVERIFY(std::ranges::is_permutation(first, second));
    std::mt19937_64 random(42);
    std::vector<std::uint32_t> expected{1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t i = 8; i > 1; --i)
        std::swap(expected[i - 1], expected[random() % i]);
    QCOMPARE(first, expected);
}

void TestEchoServer::plansThereAndBack()
{
    pingpong::Plan plan = planOf(EchoMethod::Udp, {16, 65'507});
    plan.seed = 0x1234'5678'9abc'def0;
    plan.wait = WaitMode::BusyPoll;
    plan.pause = 61'000;
    const QByteArray bytes = pingpong::encodePlan(plan);
    QCOMPARE(pingpong::decodePlan(bytes).value(), plan);
    for (qsizetype size = 0; size < bytes.size(); ++size)
        QVERIFY(!pingpong::decodePlan(bytes.first(size)));
    QByteArray other = bytes;
    other[4] = 2;
    QCOMPARE(pingpong::decodePlan(other).error().code, ErrorCode::Unsupported);
    for (const std::vector<std::uint32_t>& sizes :
         {std::vector<std::uint32_t>{}, {15}, {65'508}, std::vector<std::uint32_t>(257, 64)}) {
        plan.sizes = sizes;
        QVERIFY(!pingpong::decodePlan(pingpong::encodePlan(plan)));
    }
}

QTEST_GUILESS_MAIN(TestEchoServer)
#include "tst_echoserver.moc"
