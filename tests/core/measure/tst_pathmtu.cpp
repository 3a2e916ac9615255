// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/echosizes.h"
#include "core/measure/pathmtu/mtumessage.h"
#include "core/measure/pathmtu/pathmtuprobe.h"
#include "core/measure/pathmtu/pathmtuserver.h"
#include "core/measure/pathmtu/sizesearch.h"
#include "core/measure/throughput/iperf3server.h"
#include "tests/support/scriptedpeer.h"

#include <QTimer>

#include "measuring.h"
#include "unwilling.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;
using Fate = SizeProbe::Fate;

namespace {

const QString loopback = QStringLiteral("127.0.0.1");

ProbeSpec mtuSpec(int port, PathMtuOptions options = {})
{
    ProbeSpec spec;
    spec.far.host = loopback;
    spec.far.port = port;
    spec.options = options;
    return spec;
}

std::unique_ptr<PathMtuServer> serverWith(const DataTicket& ticket)
{
    auto server = PathMtuServer::start({loopback, 0, ticket, {loopback}});
    if (!server)
        throw std::runtime_error("no server");
    return std::move(*server);
}

const PathMtuData& dataOf(const Observed& seen)
{
    return std::get<PathMtuData>(seen.result->data);
}

ErrorCode codeOf(const Observed& seen)
{
    return seen.result ? ErrorCode::Internal : seen.result.error().code;
}

std::vector<int> passedSizes(const PathMtuData& data, Direction direction)
{
    std::vector<int> sizes;
    for (const SizeProbe& probe : data.probes) {
        if (probe.direction == direction && probe.fate == Fate::Passed)
            sizes.push_back(probe.size);
    }
    return sizes;
}

// The far end up to its welcome; then it says nothing more.
void welcome(PeerTalk& talk, const DataTicket& ticket, int connection)
{
    if (talk.read(connection, 37) != ticket.cookie())
        throw std::runtime_error("not the cookie");
    talk.write(connection, ticket.farProof());
    if (talk.read(connection, 32) != ticket.nearProof())
        throw std::runtime_error("not the proof");
    talk.write(connection, pathmtu::encode(pathmtu::Welcome{1500}));
}

// A path on which packets up to `mtu` pass; larger ones meet with `fate`.
struct Played
{
    int mtu = 0;
    Fate fate = Fate::Silent;
    bool isNamed = false;
    std::vector<int> tried;

    SizeProbe operator()(int size)
    {
        tried.push_back(size);
        SizeProbe probe;
        probe.size = size;
        probe.fate = size <= mtu ? Fate::Passed : fate;
        if (size > mtu && isNamed)
            probe.told = mtu;
        return probe;
    }
};

} // namespace

class TestPathMtu : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void searchFindsIt_data();
    void searchFindsIt();
    void searchGivesUpOnSilence();
    void silenceCountsOnlyWhileThePathIsThere();
    void pingIsUnderstood_data();
    void pingIsUnderstood();
    void messagesThereAndBack();
    void wrongMessagesAreRefused_data();
    void wrongMessagesAreRefused();
    void datagramsNeedTheirToken();
    void loopbackWithEchoes();
    void bothDirectionsWithAPeer();
    void transferWithAnyServer();
    void transferThatIsNotMade_data();
    void transferThatIsNotMade();
    void aWrongTicketIsRefused();
    void garbageInsteadOfAFarEnd();
    void strangersGetNothing();
    void cancelledInTheMiddle();
    void aFarEndThatGoes();
    void aFarEndThatIsSilent();
    void oneRunOnly();
};

void TestPathMtu::searchFindsIt_data()
{
    QTest::addColumn<int>("version");
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("mtu");
    QTest::addColumn<bool>("isNamed");
    QTest::addColumn<int>("tries"); // at most, with those that only look again
    QTest::newRow("interface") << 4 << 9000 << 9000 << false << 2;
    QTest::newRow("hole of 1,500") << 4 << 9000 << 1500 << false << 6;
    QTest::newRow("named 1,400") << 4 << 1500 << 1400 << true << 4;
    QTest::newRow("PPPoE, silent") << 4 << 1500 << 1492 << false << 6;
    QTest::newRow("odd, silent") << 4 << 9000 << 1437 << false << 34;
    QTest::newRow("small, named") << 4 << 1500 << 300 << true << 4;
    QTest::newRow("IPv6 least") << 6 << 1500 << 1280 << false << 14;
    QTest::newRow("IPv6 tunnel") << 6 << 9216 << 1480 << true << 4;
    QTest::newRow("everything") << 4 << 65'536 << 65'535 << false << 2;
}

void TestPathMtu::searchFindsIt()
{
    QFETCH(int, version);
    QFETCH(int, most);
    QFETCH(int, mtu);
    QFETCH(bool, isNamed);
    QFETCH(int, tries);
    Played path{mtu, isNamed ? Fate::TooBigOnWay : Fate::Silent, isNamed, {}};
    int passed = 0;
    int failed = largestPacket(version) + 1;
    const auto done = searchSizes(
        SizeSearch(version, most), [&path](int size) { return Result<SizeProbe>(path(size)); },
        [&](const SizeProbe& probe, double fraction) {
            QVERIFY(fraction >= 0 && fraction <= 1);
            if (probe.fate == Fate::Passed)
                passed = std::max(passed, probe.size);
            else
                failed = std::min(failed, probe.size);
        });
    QVERIFY(done.has_value());
    QCOMPARE(passed, mtu);
    if (mtu < std::min(most, largestPacket(version)))
        QCOMPARE(failed, mtu + 1);
    QVERIFY2(int(path.tried.size()) <= tries, QByteArray::number(int(path.tried.size())));
}

void TestPathMtu::searchGivesUpOnSilence()
{
    Played path{0, Fate::Silent, false, {}};
    const auto done = searchSizes(
        SizeSearch(4, 9000), [&path](int size) { return Result<SizeProbe>(path(size)); },
        [](const SizeProbe&, double) {});
    QVERIFY(done.has_value());
    QCOMPARE(path.tried, std::vector<int>{576});
}

void TestPathMtu::silenceCountsOnlyWhileThePathIsThere()
{
    int tries = 0;
    int found = 0;
    const auto cutAfterOne = [&tries](int size) {
        SizeProbe probe;
        probe.size = size;
        probe.fate = ++tries == 1 ? Fate::Passed : Fate::Silent;
        return Result<SizeProbe>(probe);
    };
    const auto done = searchSizes(SizeSearch(4, 9000), cutAfterOne,
                                  [&found](const SizeProbe&, double) { ++found; });
    QVERIFY(!done.has_value());
    QCOMPARE(done.error().code, ErrorCode::PeerSilent);
    QCOMPARE(found, 1); // nothing is said about 9,000
}

void TestPathMtu::pingIsUnderstood_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<int>("fate");
    QTest::addColumn<int>("told");
    QTest::addColumn<QString>("by");
    QTest::newRow("reply") << QByteArray("1480 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=0.04 ms")
                           << int(Fate::Passed) << 0 << QString();
    QTest::newRow("frag needed")
        << QByteArray("From 10.9.0.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)\n")
        << int(Fate::TooBigOnWay) << 1400 << QStringLiteral("10.9.0.1");
    QTest::newRow("IPv6") << QByteArray("From fd00::1 icmp_seq=1 Packet too big: mtu=1380\n")
                          << int(Fate::TooBigOnWay) << 1380 << QStringLiteral("fd00::1");
    QTest::newRow("here") << QByteArray("ping: local error: message too long, mtu=1500\n")
                          << int(Fate::TooBigHere) << 1500 << QString();
    QTest::newRow("older") << QByteArray("ping: local error: Message too long, mtu: 1500\n")
                           << int(Fate::TooBigHere) << 1500 << QString();
    QTest::newRow("nothing") << QByteArray("1 packets transmitted, 0 received, 100% packet loss")
                             << int(Fate::Silent) << 0 << QString();
}

void TestPathMtu::pingIsUnderstood()
{
    QFETCH(QByteArray, output);
    QFETCH(int, fate);
    QFETCH(int, told);
    QFETCH(QString, by);
    const SizeProbe probe = parsePingOfSize(output);
    QCOMPARE(int(probe.fate), fate);
    QCOMPARE(probe.told.value_or(0), told);
    QCOMPARE(probe.by, by);
}

void TestPathMtu::messagesThereAndBack()
{
    using namespace pathmtu;
    const std::vector<Message> all{
        Welcome{9000},
        Welcome{},
        Arrived{7},
        SendBack{8, 1500},
        SentBack{9, SentBack::Outcome::TooBigHere, 1500},
        TooBig{10, 1400, QStringLiteral("fe80::1")},
        TooBig{0, std::nullopt, QString()},
        Bulk{Direction::Reverse, 2'000'000},
    };
    for (const Message& message : all) {
        const QByteArray frame = encode(message);
        QVERIFY(frame.size() <= largestFrame);
        const auto decoded = decode(QByteArrayView(frame).sliced(4));
        QVERIFY(decoded.has_value());
        QVERIFY(*decoded == message);
    }
}

void TestPathMtu::wrongMessagesAreRefused_data()
{
    QTest::addColumn<QByteArray>("frame");
    QTest::addColumn<ErrorCode>("code");
    const QByteArray whole = pathmtu::encode(pathmtu::SendBack{1, 1500}).mid(4);
    QTest::newRow("empty") << QByteArray() << ErrorCode::ProtocolViolation;
    QTest::newRow("short") << whole.chopped(1) << ErrorCode::ProtocolViolation;
    QTest::newRow("long") << whole + 'x' << ErrorCode::ProtocolViolation;
    QTest::newRow("version") << QByteArray(whole).replace(0, 1, "\x02") << ErrorCode::Unsupported;
    QTest::newRow("kind") << QByteArray(whole).replace(1, 1, "\x06")
                          << ErrorCode::ProtocolViolation;
    QTest::newRow("size") << QByteArray(whole).replace(6, 1, "\x7f")
                          << ErrorCode::ProtocolViolation;
    QByteArray address =
        pathmtu::encode(pathmtu::TooBig{1, 1400, QStringLiteral("10.0.0.1")}).mid(4);
    QTest::newRow("address") << address.replace("10.0", "<b>0") << ErrorCode::ProtocolViolation;
}

void TestPathMtu::wrongMessagesAreRefused()
{
    QFETCH(QByteArray, frame);
    QFETCH(ErrorCode, code);
    const auto decoded = pathmtu::decode(frame);
    QVERIFY(!decoded.has_value());
    QCOMPARE(decoded.error().code, code);
}

void TestPathMtu::datagramsNeedTheirToken()
{
    const DataTicket ticket = DataTicket::create();
    const QByteArray forward = pathmtu::token(ticket, Direction::Forward);
    const QByteArray datagram = pathmtu::encodeDatagram(forward, 77, 1000);
    QCOMPARE(datagram.size(), qsizetype(1000));
    QCOMPARE(pathmtu::sequenceOf(datagram, forward), std::optional<std::uint32_t>(77));
    QVERIFY(!pathmtu::sequenceOf(datagram, pathmtu::token(ticket, Direction::Reverse)));
    QVERIFY(
        !pathmtu::sequenceOf(datagram, pathmtu::token(DataTicket::create(), Direction::Forward)));
    QVERIFY(!pathmtu::sequenceOf(QByteArrayView(datagram).first(20), forward));
}

void TestPathMtu::loopbackWithEchoes()
{
    PathMtuProbe probe;
    const Observed seen = observe(probe, mtuSpec(0));
    if (codeOf(seen) == ErrorCode::PermissionDenied)
        QSKIP("this user may send no echoes");
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    const PathMtuData& data = dataOf(seen);
    QCOMPARE(data.nearInterfaceMtu, std::optional(65'536));
    QCOMPARE(passedSizes(data, Direction::Forward), (std::vector{576, 65'535}));
    QVERIFY(data.bulk.empty()); // no port was given
    QVERIFY(!data.means.isEmpty());
}

void TestPathMtu::bothDirectionsWithAPeer()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverWith(ticket);
    PathMtuProbe probe(ticket);
    const Observed seen = observe(probe, mtuSpec(server->port()));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY2(seen.result->completion == Completion::Complete, seen.fault().constData());
    const PathMtuData& data = dataOf(seen);
    QCOMPARE(data.means, QStringLiteral("UDP"));
    QCOMPARE(data.farInterfaceMtu, std::optional(65'536));
    QCOMPARE(passedSizes(data, Direction::Forward), (std::vector{576, 65'535}));
    QCOMPARE(passedSizes(data, Direction::Reverse), (std::vector{576, 65'535}));
    QCOMPARE(data.bulk.size(), size_t(2));
    for (const BulkTransfer& transfer : data.bulk) {
        QCOMPARE(transfer.outcome, BulkTransfer::Outcome::Finished);
        QCOMPARE(transfer.arrived.bytes(), 2'000'000);
        QVERIFY(transfer.time > 0ns);
    }
    QVERIFY(data.bulk[0].direction != data.bulk[1].direction);
    PathMtuData told;
    for (const Progress& item : seen.progress) {
        const auto& fresh = std::get<PathMtuData>(item.data);
        told.probes.insert(told.probes.end(), fresh.probes.begin(), fresh.probes.end());
        told.bulk.insert(told.bulk.end(), fresh.bulk.begin(), fresh.bulk.end());
    }
    QCOMPARE(told.probes, data.probes);
    QCOMPARE(told.bulk, data.bulk);
}

// As many bytes as with a paired machine, and not as many as go in a second.
void TestPathMtu::transferWithAnyServer()
{
    Iperf3ServerOptions options;
    options.bindAddress = loopback;
    options.port = 0;
    const auto server = Iperf3Server::start(options);
    QVERIFY(server.has_value());
    PathMtuProbe probe;
    const Observed seen = observe(probe, mtuSpec((*server)->port()));
    if (codeOf(seen) == ErrorCode::PermissionDenied)
        QSKIP("this user may send no echoes");
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    const PathMtuData& data = dataOf(seen);
    QCOMPARE(data.bulk.size(), size_t(2));
    for (const BulkTransfer& transfer : data.bulk) {
        QCOMPARE(transfer.outcome, BulkTransfer::Outcome::Finished);
        QVERIFY2(transfer.arrived.bytes() >= 2'000'000 && transfer.arrived.bytes() < 3'000'000,
                 QByteArray::number(qlonglong(transfer.arrived.bytes())));
    }
}

void TestPathMtu::transferThatIsNotMade_data()
{
    QTest::addColumn<bool>("isBusy");
    QTest::newRow("nobody listens") << false;
    QTest::newRow("busy") << true;
}

void TestPathMtu::transferThatIsNotMade()
{
    QFETCH(bool, isBusy);
    const Unwilling far(isBusy);
    PathMtuProbe probe;
    const Observed seen = observe(probe, mtuSpec(far.port()));
    if (codeOf(seen) == ErrorCode::PermissionDenied)
        QSKIP("this user may send no echoes");
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    const PathMtuData& data = dataOf(seen);
    QCOMPARE(data.bulk.size(), size_t(2));
    for (const BulkTransfer& transfer : data.bulk) {
        QCOMPARE(transfer.outcome, BulkTransfer::Outcome::NotMade);
        QVERIFY(transfer.whyNot == (isBusy ? ErrorCode::PeerBusy : ErrorCode::ConnectionRefused));
    }
}

void TestPathMtu::aWrongTicketIsRefused()
{
    const auto server = serverWith(DataTicket::create());
    PathMtuProbe probe(DataTicket::create());
    const Observed seen = observe(probe, mtuSpec(server->port()));
    QCOMPARE(codeOf(seen), ErrorCode::PeerRefused);
    QVERIFY(seen.took < 5s);
}

void TestPathMtu::garbageInsteadOfAFarEnd()
{
    const DataTicket ticket = DataTicket::create();
    ScriptedPeer server([&](PeerTalk& talk) {
        const int control = talk.accept();
        talk.read(control, 37);
        talk.write(control, ticket.farProof());
        talk.read(control, 32);
        talk.write(control, QByteArray(64, '\xff'));
        talk.hold();
    });
    PathMtuProbe probe(ticket);
    const Observed seen = observe(probe, mtuSpec(server.port()));
    QCOMPARE(codeOf(seen), ErrorCode::FrameTooLarge);
    QVERIFY(seen.took < 5s);
}

// Whatever strangers do, the holder of the ticket is served.
void TestPathMtu::strangersGetNothing()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverWith(ticket);
    ScriptedPeer stranger([&](PeerTalk& talk) {
        const int wrong = talk.connect(server->port());
        talk.write(wrong, QByteArray(2000, 'x'));
        if (!talk.isClosedByPeer(wrong))
            throw std::runtime_error("still open");
        const int unproved = talk.connect(server->port());
        talk.write(unproved, ticket.cookie());
        if (talk.read(unproved, 32) != ticket.farProof())
            throw std::runtime_error("not the far end's proof");
        talk.write(unproved, ticket.farProof());
        if (!talk.isClosedByPeer(unproved))
            throw std::runtime_error("still open");
    });
    const std::string fault = stranger.fault();
    QVERIFY2(fault.empty(), fault.c_str());
    PathMtuProbe probe(ticket);
    const Observed seen = observe(probe, mtuSpec(server->port()));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
}

// The far end answers the ticket and nothing else: silence of every size, until it is cancelled.
void TestPathMtu::cancelledInTheMiddle()
{
    const DataTicket ticket = DataTicket::create();
    ScriptedPeer server([&](PeerTalk& talk) {
        const int control = talk.accept();
        welcome(talk, ticket, control);
        talk.write(control, pathmtu::encode(pathmtu::Arrived{1}));
        talk.hold();
    });
    CancelSource cancel;
    QTimer::singleShot(800ms, this, [&cancel] { cancel.request_stop(); });
    PathMtuProbe probe(ticket);
    const Observed seen =
        observe(probe, mtuSpec(server.port(), {.timeout = 5s}), cancel.get_token());
    QVERIFY(seen.took < 3s);
    const bool isPartial = seen.result.has_value();
    QVERIFY2(isPartial ? seen.result->fault && seen.result->fault->isCancelled()
                       : seen.result.error().isCancelled(),
             seen.fault().constData());
}

void TestPathMtu::aFarEndThatGoes()
{
    const DataTicket ticket = DataTicket::create();
    ScriptedPeer server([&](PeerTalk& talk) {
        const int control = talk.accept();
        welcome(talk, ticket, control);
        talk.pause(500ms);
        talk.reset(control);
    });
    PathMtuProbe probe(ticket);
    const Observed seen = observe(probe, mtuSpec(server.port()));
    QCOMPARE(codeOf(seen), ErrorCode::ConnectionLost);
    QVERIFY(seen.took < 5s);
}

void TestPathMtu::aFarEndThatIsSilent()
{
    const DataTicket ticket = DataTicket::create();
    ScriptedPeer server([&](PeerTalk& talk) {
        const int control = talk.accept();
        talk.read(control, 37);
        talk.hold();
    });
    PathMtuProbe probe(ticket);
    const Observed seen = observe(probe, mtuSpec(server.port()));
    QCOMPARE(codeOf(seen), ErrorCode::PeerSilent);
    QVERIFY(seen.took < 12s);
}

void TestPathMtu::oneRunOnly()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverWith(ticket);
    const int port = server->port();
    PathMtuProbe probe(ticket);
    QVERIFY(observe(probe, mtuSpec(port)).result.has_value());
    QTRY_COMPARE(codeOf(observe(probe, mtuSpec(port))), ErrorCode::ConnectionRefused);
}

QTEST_GUILESS_MAIN(TestPathMtu)
#include "tst_pathmtu.moc"
