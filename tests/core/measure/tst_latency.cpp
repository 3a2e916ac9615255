// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/pingecho.h"
#include "tests/core/measure/echostage.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTimer>

#include <array>
#include <atomic>
#include <thread>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

class TestLatency : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void withAPeer_data();
    void withAPeer();
    void endsWhenSure();
    void anIntervalIsKept_data();
    void anIntervalIsKept();
    void icmp_data();
    void icmp();
    void noMeansAtAll();
    void readsPing();
    void theLedgerCounts();
    void theLedgerHearsSilence();
    void cancelled_data();
    void cancelled();
    void farEndGone_data();
    void farEndGone();
    void farEndSilent();
    void noAnswerAtAll();
    void datagramsLostAndTwice();

private:
    QString script(const QByteArray& body);
    QTemporaryDir m_folder;
};

QString TestLatency::script(const QByteArray& body)
{
    static int number = 0;
    const QString path = m_folder.filePath(QStringLiteral("ping%1").arg(++number));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\n" + body + "\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

void TestLatency::withAPeer_data()
{
    QTest::addColumn<EchoMethod>("method");
    QTest::addColumn<WaitMode>("wait");
    QTest::addColumn<int>("size");
    QTest::newRow("TCP, blocking") << EchoMethod::Tcp << WaitMode::Blocking << 64;
    QTest::newRow("TCP, busy") << EchoMethod::Tcp << WaitMode::BusyPoll << 64;
    QTest::newRow("TCP, 1 byte") << EchoMethod::Tcp << WaitMode::Blocking << 1;
    QTest::newRow("TCP, 1 MiB") << EchoMethod::Tcp << WaitMode::Blocking << 1'048'576;
    QTest::newRow("TCP, 1 MiB, busy") << EchoMethod::Tcp << WaitMode::BusyPoll << 1'048'576;
    QTest::newRow("UDP, blocking") << EchoMethod::Udp << WaitMode::Blocking << 64;
    QTest::newRow("UDP, busy") << EchoMethod::Udp << WaitMode::BusyPoll << 64;
    QTest::newRow("UDP, smallest") << EchoMethod::Udp << WaitMode::Blocking << 16;
    QTest::newRow("UDP, largest") << EchoMethod::Udp << WaitMode::Blocking << 65'507;
}

void TestLatency::withAPeer()
{
    QFETCH(EchoMethod, method);
    QFETCH(WaitMode, wait);
    QFETCH(int, size);
    const DataTicket ticket = DataTicket::create();
    // On all addresses, too: the answers must come from the one that was asked.
    const auto server = serverFor(method, ticket, size == 64 ? QString() : loopback);
    QVERIFY(server);
    LatencyOptions options = fixed(method, wait);
    options.messageSize = ByteCount::bytes(size);
    LatencyProbe probe(ticket);
    const Observed seen = observe(probe, specTo(server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    const LatencyData& data = dataOf(seen);
    QVERIFY(answered(data) >= 1);
    QCOMPARE(data.means, method == EchoMethod::Tcp ? QStringLiteral("TCP") : QStringLiteral("UDP"));
    QVERIFY(data.clockStep && *data.clockStep > 0ns);
    Duration last = -1ns;
    for (const RoundTrip& sample : data.samples) {
        QVERIFY(sample.start > last);
        QVERIFY(sample.time > 0ns);
        last = sample.start;
    }
    QVERIFY(last < 3s);
    // What was told on the way is what there is in the end.
    ProbeData told = LatencyData{};
    for (const Progress& item : seen.progress)
        append(told, item.data);
    QVERIFY(std::get<LatencyData>(told) == data);
    QVERIFY(seen.progress.size() >= 3 && seen.progress.size() <= 60);
    QCOMPARE(seen.result->conditions.near.address, loopback);
    QCOMPARE(seen.result->conditions.far.address, loopback);
}

void TestLatency::endsWhenSure()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverFor(EchoMethod::Tcp, ticket);
    LatencyOptions options = fixed(EchoMethod::Tcp);
    options.ending = Ending::WhenSure;
    options.duration = 5s;
    LatencyProbe probe(ticket);
    const Observed seen = observe(probe, specTo(server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    QVERIFY(dataOf(seen).samples.back().start >= 1900ms);
    QVERIFY(seen.took < 8s);
}

void TestLatency::anIntervalIsKept_data()
{
    QTest::addColumn<EchoMethod>("method");
    QTest::addColumn<WaitMode>("wait");
    QTest::newRow("TCP") << EchoMethod::Tcp << WaitMode::Blocking;
    QTest::newRow("TCP, busy") << EchoMethod::Tcp << WaitMode::BusyPoll;
    QTest::newRow("UDP") << EchoMethod::Udp << WaitMode::Blocking;
    QTest::newRow("UDP, busy") << EchoMethod::Udp << WaitMode::BusyPoll;
}

void TestLatency::anIntervalIsKept()
{
    QFETCH(EchoMethod, method);
    QFETCH(WaitMode, wait);
    const DataTicket ticket = DataTicket::create();
    const auto server = serverFor(method, ticket);
    LatencyOptions options = fixed(method, wait);
    options.interval = 20ms;
    LatencyProbe probe(ticket);
    const Observed seen = observe(probe, specTo(server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    const auto& samples = dataOf(seen).samples;
    QVERIFY(samples.size() >= 2 && samples.size() <= 51);
    for (size_t i = 1; i < samples.size(); ++i)
        QVERIFY(samples[i].start - samples[i - 1].start >= 20ms);
}

void TestLatency::icmp_data()
{
    QTest::addColumn<EchoMeans>("means");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("size");
    for (const auto& [host, size] : {std::pair("127.0.0.1", 64), std::pair("::1", 1'000)}) {
        const QString to = QString::fromLatin1(host);
        QTest::addRow("socket %s", host)
            << EchoMeans::Datagram << QStringLiteral("ICMP socket") << to << size;
        QTest::addRow("raw %s", host)
            << EchoMeans::Raw << QStringLiteral("raw socket") << to << size;
        QTest::addRow("ping %s", host)
            << EchoMeans::SystemPing << QStringLiteral("ping program") << to << size;
    }
}

void TestLatency::icmp()
{
    QFETCH(EchoMeans, means);
    QFETCH(QString, name);
    QFETCH(QString, host);
    QFETCH(int, size);
    LatencyOptions options = fixed(EchoMethod::Icmp);
    options.messageSize = ByteCount::bytes(size);
    ProbeSpec spec = specTo(0, options);
    spec.far.host = host;
    LatencyProbe probe(std::nullopt, {{means}, QStringLiteral("ping")});
    const Observed seen = observe(probe, spec);
    if (codeOf(seen) == ErrorCode::PermissionDenied) {
        // Whether this user may is the machine's affair; that it is told is ours.
        QVERIFY(!seen.result.error().detail.isEmpty());
        QSKIP("not for this user: see tests/network for all three");
    }
    if (codeOf(seen) == ErrorCode::HostUnreachable || codeOf(seen) == ErrorCode::Unsupported)
        QSKIP("no IPv6 here");
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    const LatencyData& data = dataOf(seen);
    QCOMPARE(data.means, name);
    QVERIFY(answered(data) >= 5);
    QCOMPARE(data.duplicates, 0);
    QVERIFY(seen.took < 5s);
}

void TestLatency::noMeansAtAll()
{
    const IcmpMeans none{{EchoMeans::SystemPing}, m_folder.filePath(QStringLiteral("none"))};
    LatencyProbe probe(std::nullopt, none);
    const Observed seen = observe(probe, specTo(0, fixed(EchoMethod::Icmp)));
    QCOMPARE(codeOf(seen), ErrorCode::PermissionDenied);
    QVERIFY(seen.result.error().detail.contains(QStringLiteral("ping_group_range")));
    // An old ping that allows users no less than 200 ms is asked again.
    const QString old =
        script("case \"$*\" in *'-i 0.2000'*) ;; *) echo 'ping: cannot flood; "
               "minimal interval allowed for user is 200ms'; exit 2;; esac\n"
               "echo '[100.000500] 72 bytes from x: icmp_seq=1 ttl=64 time=0.5 ms'\n"
               "echo '[100.402000] 72 bytes from x: icmp_seq=3 ttl=64 time=2 ms'\n"
               "echo '4 packets transmitted, 2 received, 50% packet loss'");
    LatencyProbe slower(std::nullopt, {{EchoMeans::SystemPing}, old});
    const Observed again = observe(slower, specTo(0, fixed(EchoMethod::Icmp)));
    QVERIFY2(again.result.has_value(), again.fault().constData());
    QCOMPARE(dataOf(again).samples.size(), size_t(4));
    QCOMPARE(answered(dataOf(again)), 2);
    QCOMPARE(dataOf(again).samples[2].time, Duration(2ms));
    QVERIFY(std::chrono::abs(dataOf(again).samples[2].start - Duration(400ms)) < 1us);
}

void TestLatency::readsPing()
{
    pingpong::PingReader reader;
    QVERIFY(reader.feed("PING 10.0.0.2 (10.0.0.2) 16(44) bytes of data.\n[17.5] 24 byt").empty());
    const auto one = reader.feed("es from 10.0.0.2: icmp_seq=1 ttl=64 time=0.017 ms\n"
                                 "[17.6] 24 bytes from fd00::1: icmp_seq=65535 ttl=64 time=1 ms\n"
                                 "[nonsense] icmp_seq=9 time=x\n\xff\xfe\n");
    QCOMPARE(one.size(), size_t(1)); // a jump by 65,534 is one back, to before the first
    QCOMPARE(one[0].number, 0);
    QCOMPARE(one[0].time, Duration(17us));
    qint64 last = 0;
    for (int i = 2; i < 140'000; i += 1'000) {
        const QByteArray line =
            "[18.0] 24 bytes from 10.0.0.2: icmp_seq=" + QByteArray::number(i & 0xffff) +
            " ttl=64 time=1.25 ms (DUP!)\n";
        for (const auto& reply : reader.feed(line))
            last = reply.number;
    }
    QCOMPARE(last, 139'001);
    QCOMPARE(reader.feed("7 packets transmitted, 2 received\n").size(), size_t(0));
    QCOMPARE(reader.transmitted(), std::optional<std::int64_t>(7));
    QVERIFY(reader.feed(QByteArray(5'000'000, 'x')).empty());
}

void TestLatency::theLedgerCounts()
{
    EchoLedger ledger(100ms);
    for (int i = 0; i < 6; ++i)
        ledger.noteSent(i * 10ms);
    ledger.noteAnswer(0, 1ms);
    ledger.noteAnswer(2, 1ms);
    ledger.noteAnswer(1, 15ms); // after a later one
    ledger.noteAnswer(1, 16ms); // again
    ledger.noteAnswer(17, 1ms); // nobody's
    ledger.noteAnswer(-1, 1ms);
    ledger.noteAnswer(4, 101ms); // too late
    QCOMPARE(ledger.takeFresh().samples.size(), size_t(3));
    ledger.expire(131ms);
    ledger.noteAnswer(3, 110ms); // given up already, and after a later one
    const LatencyData fresh = ledger.takeFresh();
    QCOMPARE(fresh.samples.size(), size_t(2));
    QCOMPARE(fresh.samples[0].outcome, RoundTrip::Outcome::Lost);
    QCOMPARE(fresh.samples[0].time, Duration(100ms));
    QCOMPARE(fresh.reordered, 1);
    QVERIFY(!ledger.isSettled());
    ledger.dropPending();
    QVERIFY(ledger.isSettled());
    QCOMPARE(ledger.data().samples.size(), size_t(5));
    QCOMPARE(ledger.data().duplicates, 1);
    QCOMPARE(ledger.data().reordered, 2);
    QCOMPARE(ledger.answered(), 3);
}

void TestLatency::theLedgerHearsSilence()
{
    // 2 s, a message each 10 ms; those from `silent` on stay without an answer.
    const auto ends = [](int silent, std::optional<int> late = std::nullopt) {
        EchoLedger ledger(100ms);
        for (int i = 0; i < 200; ++i) {
            ledger.noteSent(i * 10ms);
            if (i < silent)
                ledger.noteAnswer(i, 1ms);
        }
        if (late)
            ledger.noteAnswer(*late, 150ms);
        ledger.expire(10s);
        return ledger.endsInSilence();
    };
    QVERIFY(!ends(200));
    QVERIFY(!ends(150)); // half a second
    QVERIFY(ends(60));
    QVERIFY(!ends(60, 190)); // one came, though too late
    QVERIFY(!ends(0));       // nothing at all is another fault
}

void TestLatency::cancelled_data()
{
    QTest::addColumn<EchoMethod>("method");
    QTest::addColumn<WaitMode>("wait");
    QTest::addColumn<std::chrono::microseconds>("interval");
    QTest::newRow("TCP") << EchoMethod::Tcp << WaitMode::Blocking << 0us;
    QTest::newRow("TCP, busy") << EchoMethod::Tcp << WaitMode::BusyPoll << 0us;
    QTest::newRow("TCP, in a pause")
        << EchoMethod::Tcp << WaitMode::Blocking << std::chrono::microseconds(10s);
    QTest::newRow("UDP, in a pause")
        << EchoMethod::Udp << WaitMode::Blocking << std::chrono::microseconds(10s);
    QTest::newRow("UDP, busy") << EchoMethod::Udp << WaitMode::BusyPoll << 0us;
}

void TestLatency::cancelled()
{
    QFETCH(EchoMethod, method);
    QFETCH(WaitMode, wait);
    QFETCH(std::chrono::microseconds, interval);
    const DataTicket ticket = DataTicket::create();
    const auto server = serverFor(method, ticket);
    LatencyOptions options = fixed(method, wait);
    options.interval = interval;
    options.duration = 60s;
    CancelSource cancel;
    QTimer::singleShot(500ms, this, [&cancel] { cancel.request_stop(); });
    LatencyProbe probe(ticket);
    const Observed seen = observe(probe, specTo(server->port(), options), cancel.get_token());
    QVERIFY(seen.took < 3s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(seen.result->fault && seen.result->fault->isCancelled());
    QVERIFY(answered(dataOf(seen)) >= 1);
}

void TestLatency::farEndGone_data()
{
    QTest::addColumn<EchoMethod>("method");
    QTest::newRow("TCP") << EchoMethod::Tcp;
    QTest::newRow("UDP") << EchoMethod::Udp;
}

void TestLatency::farEndGone()
{
    QFETCH(EchoMethod, method);
    const DataTicket ticket = DataTicket::create();
    auto server = serverFor(method, ticket);
    LatencyOptions options = fixed(method);
    options.duration = 60s;
    QTimer::singleShot(500ms, this, [&server] { server.reset(); });
    LatencyProbe probe(ticket);
    const Observed seen = observe(probe, specTo(server->port(), options));
    QVERIFY(seen.took < 5s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QCOMPARE(seen.result->fault->code, ErrorCode::ConnectionLost);
    QVERIFY(answered(dataOf(seen)) >= 1);
}

// Proves itself, agrees, answers five messages and says no more.
void TestLatency::farEndSilent()
{
    const DataTicket ticket = DataTicket::create();
    ScriptedPeer far([&ticket](PeerTalk& talk) {
        const int control = talk.accept();
        talk.read(control, 37);
        talk.write(control, ticket.farProof());
        talk.read(control, 32);
        talk.readFrame(control);
        talk.write(control, "R");
        for (int i = 0; i < 5; ++i)
            talk.write(control, talk.read(control, 64));
        talk.hold();
    });
    LatencyOptions options = fixed(EchoMethod::Tcp);
    options.duration = 60s;
    options.timeout = 200ms;
    LatencyProbe probe(ticket);
    const Observed seen = observe(probe, specTo(far.port(), options));
    QVERIFY(seen.took < 15s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->fault->code, ErrorCode::PeerSilent);
    QCOMPARE(answered(dataOf(seen)), 5);
    QCOMPARE(dataOf(seen).samples.size(), size_t(6)); // and one that was given up
}

// The far end agrees to datagrams and has no port for them.
void TestLatency::noAnswerAtAll()
{
    const DataTicket ticket = DataTicket::create();
    const auto mute = pingpong::bindUdp(*addressFromText(loopback, 0));
    ScriptedPeer far([&ticket](PeerTalk& talk) {
        const int control = talk.accept();
        talk.read(control, 37);
        talk.write(control, ticket.farProof());
        talk.read(control, 32);
        talk.readFrame(control);
        talk.write(control, "R");
        talk.hold();
    });
    LatencyOptions options = fixed(EchoMethod::Udp);
    options.timeout = 200ms;
    LatencyProbe probe(ticket);
    const Observed refused = observe(probe, specTo(far.port(), options));
    QCOMPARE(codeOf(refused), ErrorCode::ConnectionRefused);
    QVERIFY(refused.took < 5s);
}

// Every fourth datagram is dropped, every fourth answered twice, two are answered the wrong way
// round.
void TestLatency::datagramsLostAndTwice()
{
    const DataTicket ticket = DataTicket::create();
    std::optional<Socket> udp;
    std::atomic<bool> over = false;
    ScriptedPeer far([&ticket](PeerTalk& talk) {
        const int control = talk.accept();
        talk.read(control, 37);
        talk.write(control, ticket.farProof());
        talk.read(control, 32);
        talk.readFrame(control);
        talk.pause(100ms);
        talk.write(control, "R");
        talk.hold();
    });
    auto bound = pingpong::bindUdp(*addressFromText(loopback, far.port()));
    QVERIFY(bound.has_value());
    const auto marks = pingpong::Marks::from(ticket.datagramMarks());
    std::jthread echo([&] {
        std::array<char, 64> held{};
        std::array<char, 64> bytes{};
        while (!over) {
            pollfd polled{bound->fd(), POLLIN, 0};
            if (::poll(&polled, 1, 50) != 1)
                continue;
            sockaddr_storage from{};
            socklen_t length = sizeof from;
            ::recvfrom(bound->fd(), bytes.data(), bytes.size(), 0,
                       reinterpret_cast<sockaddr*>(&from), &length);
            const auto number = pingpong::numberIn(bytes, marks.request).value_or(0) & 0xffff;
            const auto answer = [&](std::array<char, 64>& which) {
                pingpong::putMark(which, marks.reply);
                ::sendto(bound->fd(), which.data(), which.size(), 0,
                         reinterpret_cast<sockaddr*>(&from), length);
            };
            if (number % 4 == 0)
                continue;
            if (number == 9) {
                held = bytes;
                continue;
            }
            answer(bytes);
            if (number % 4 == 2)
                answer(bytes);
            if (number == 10)
                answer(held);
        }
    });
    LatencyOptions options = fixed(EchoMethod::Udp);
    options.interval = 10ms;
    options.timeout = 300ms;
    LatencyProbe probe(ticket);
    const Observed seen = observe(probe, specTo(far.port(), options));
    over = true;
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    const LatencyData& data = dataOf(seen);
    const auto sent = std::ssize(data.samples);
    QVERIFY(sent >= 12);
    QCOMPARE(sent - answered(data), (sent + 3) / 4);
    QCOMPARE(data.duplicates, (sent + 1) / 4);
    QCOMPARE(data.reordered, 1);
    QCOMPARE(data.samples[0].outcome, RoundTrip::Outcome::Lost);
    QCOMPARE(data.samples[0].time, Duration(300ms));
}

QTEST_GUILESS_MAIN(TestLatency)
#include "tst_latency.moc"
