// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/gate.h"
#include "core/measure/remote/peertalk.h"
#include "core/measure/remote/remotejson.h"
#include "core/results/json.h"

#include <QTcpServer>
#include <QTimer>

#include "measuring.h"
#include "peerstage.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

using Json = nlohmann::json;
const QString loopback = QStringLiteral("127.0.0.1");

ProbeSpec specTo(std::optional<PeerId> near, std::optional<PeerId> far, ProbeOptions options)
{
    ProbeSpec spec;
    spec.near.peer = near;
    spec.far.peer = far;
    spec.far.host = loopback;
    spec.far.port = 5201;
    spec.options = std::move(options);
    return spec;
}

ThroughputOptions seconds(int count, Flow flow = Flow::Forward)
{
    ThroughputOptions options;
    options.flow = flow;
    options.duration = std::chrono::seconds(count);
    return options;
}

Observed run(const PeerStage& stage, const ProbeSpec& spec, CancelToken cancel = {})
{
    RoutedProbe probe(spec.kind(), stage.store());
    return observe(probe, spec, std::move(cancel));
}

std::shared_ptr<PeerChannel> channelTo(const PeerStage& stage, PeerId peer)
{
    return sync(PeerChannel::open(stage.store(), peer, {})).value();
}

ErrorCode codeOf(const Observed& seen)
{
    return seen.result ? ErrorCode::Internal : seen.result.error().code;
}

// Begins to measure, says a little, and is never heard of again.
class SilentNearEnd final : public PeerService
{
public:
    [[nodiscard]] QStringList methods() const override { return {QStringLiteral("measure")}; }
    QCoro::Task<Result<Json>> answer(PeerIdentity, QString, Json, CancelToken cancel,
                                     PeerEvents events) override
    {
        ConnectData data;
        data.samples.push_back({0ms, 1ms, ConnectSample::Outcome::Connected});
        events({{"progress", remote::toJson(Progress{Phase::Measuring, 0.1, data})}});
        Gate gate;
        gate.on(cancel);
        co_await gate;
        co_return fail(ErrorCode::Cancelled);
    }
};

} // namespace

class TestRemote : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aPeerServes_data() { flows(); }
    void aPeerServes();
    void aPeerMeasuresTowardsAnother_data() { flows(); }
    void aPeerMeasuresTowardsAnother();
    void connectTimesBetweenPeers();
    void withoutPeersAsEver();
    void partiesThatCanNotBe();
    void noTicketNoConnection();
    void aMadeUpTicketMovesNothing();
    void whatIsNoTarget();
    void failuresAreLimited();
    void anOfferEndsWithItsChannel();
    void oneOfferAtATime();
    void addressesOfOthersAreNotOffered();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
    void cancelledMidRun_data();
    void cancelledMidRun();
    void theNearPeerIsKilled();
    void theFarPeerIsKilled();
    void theNearPeerFallsSilent();

private:
    static void flows()
    {
        QTest::addColumn<Flow>("flow");
        QTest::newRow("forward") << Flow::Forward;
        QTest::newRow("reverse") << Flow::Reverse;
        QTest::newRow("both ways") << Flow::Bidirectional;
    }
};

void TestRemote::aPeerServes()
{
    QFETCH(Flow, flow);
    PeerStage stage;
    const PeerId far = stage.add(QStringLiteral("b"));
    const Observed seen = run(stage, specTo({}, far, seconds(1, flow)));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    QCOMPARE(seen.result->spec.far.peer, std::optional(far));
    const Conditions& conditions = seen.result->conditions;
    QVERIFY(conditions.near.facts && conditions.near.activity);
    QVERIFY(conditions.far.facts && conditions.far.activity);
    QCOMPARE(conditions.far.address, loopback);
    QVERIFY(conditions.far.activity->length > 900ms);
    QVERIFY(conditions.farClock);
    QVERIFY(std::chrono::abs(conditions.farClock->offset) < 1s); // it is this machine
    QVERIFY(!seen.progress.empty());
}

void TestRemote::aPeerMeasuresTowardsAnother()
{
    QFETCH(Flow, flow);
    PeerStage stage;
    const PeerId near = stage.add(QStringLiteral("a"));
    const PeerId far = stage.add(QStringLiteral("b"));
    const ProbeSpec spec = specTo(near, far, seconds(1, flow));
    const Observed seen = run(stage, spec);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    QCOMPARE(seen.result->spec.near.peer, std::optional(near));
    QCOMPARE(seen.result->spec.options, spec.options);
    QVERIFY(seen.result->conditions.near.facts && seen.result->conditions.near.activity);
    QVERIFY(seen.result->conditions.far.facts && seen.result->conditions.far.activity);
    const ThroughputSummary summary = summarise(seen.data());
    QCOMPARE(summary.forward.has_value(), flow != Flow::Reverse);
    QCOMPARE(summary.reverse.has_value(), flow != Flow::Forward);
    size_t told = 0;
    for (const Progress& progress : seen.progress)
        told += std::get<ThroughputData>(progress.data).samples.size();
    QVERIFY(told > 0 && told <= seen.data().samples.size());
}

void TestRemote::connectTimesBetweenPeers()
{
    PeerStage stage;
    const PeerId near = stage.add(QStringLiteral("a"));
    const PeerId far = stage.add(QStringLiteral("b"));
    const Observed seen = run(stage, specTo(near, far, ConnectOptions{10, 5ms, 1s}));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(summarise(std::get<ConnectData>(seen.result->data)).connected, 10);
    QVERIFY(seen.result->conditions.far.activity);
}

void TestRemote::withoutPeersAsEver()
{
    Iperf3ServerOptions options;
    options.bindAddress = loopback;
    options.port = 0;
    const auto server = Iperf3Server::start(options);
    QVERIFY(server.has_value());
    const PeerStage stage;
    ProbeSpec spec = specTo({}, {}, seconds(1));
    spec.far.port = (*server)->port();
    const Observed seen = run(stage, spec);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY(seen.result->conditions.near.facts && seen.result->conditions.near.activity);
    QVERIFY(!seen.result->conditions.far.facts);
}

void TestRemote::partiesThatCanNotBe()
{
    PeerStage stage;
    const PeerId near = stage.add(QStringLiteral("a"));
    QCOMPARE(codeOf(run(stage, specTo(near, {}, seconds(1)))), ErrorCode::InvalidArgument);
    QCOMPARE(codeOf(run(stage, specTo(near, near, seconds(1)))), ErrorCode::InvalidArgument);
    QCOMPARE(codeOf(run(stage, specTo({}, PeerId::create(), seconds(1)))), ErrorCode::PeerRefused);
}

void TestRemote::noTicketNoConnection()
{
    PeerStage stage;
    const auto channel = channelTo(stage, stage.add(QStringLiteral("a")));
    QTcpServer victim;
    QVERIFY(victim.listen(QHostAddress::LocalHost));
    ProbeSpec spec = specTo({}, {}, seconds(1));
    spec.far.port = victim.serverPort();
    for (const Json& ticket : {Json(nullptr), Json(""), Json("abc"), Json(7)}) {
        Json arguments{{"spec", specToJson(spec)}, {"ticket", ticket}};
        QVERIFY(!sync(channel->call(QStringLiteral("measure"), arguments, 5s, {}, {})));
    }
    QVERIFY(!victim.waitForNewConnection(200));
}

void TestRemote::aMadeUpTicketMovesNothing()
{
    PeerStage stage;
    const auto channel = channelTo(stage, stage.add(QStringLiteral("a")));
    // Somebody's iperf3 service that was never asked.
    Iperf3ServerOptions options;
    options.bindAddress = loopback;
    options.port = 0;
    const auto victim = Iperf3Server::start(options);
    ProbeSpec spec = specTo({}, {}, seconds(1));
    spec.far.port = (*victim)->port();
    const auto answer = sync(channel->call(
        QStringLiteral("measure"),
        remote::toJson(remote::MeasureRequest{spec, DataTicket::create()}), 10s, {}, {}));
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, ErrorCode::PeerRefused);
}

// A name may mean several machines, and a machine's own services are not for others.
void TestRemote::whatIsNoTarget()
{
    PeerStage stage;
    const auto channel = channelTo(stage, stage.add(QStringLiteral("a"), measuringServices()));
    QTcpServer victim;
    QVERIFY(victim.listen(QHostAddress::LocalHost));
    const auto codeFor = [&](const QString& host) {
        ProbeSpec spec = specTo({}, {}, seconds(1));
        spec.far.host = host;
        spec.far.port = victim.serverPort();
        const auto answer = sync(channel->call(
            QStringLiteral("measure"),
            remote::toJson(remote::MeasureRequest{spec, DataTicket::create()}), 10s, {}, {}));
        return answer ? ErrorCode::Internal : answer.error().code;
    };
    QCOMPARE(codeFor(QStringLiteral("localhost")), ErrorCode::InvalidArgument);
    QCOMPARE(codeFor(QStringLiteral("127.0.0.1")), ErrorCode::PermissionDenied);
    QCOMPARE(codeFor(QStringLiteral("127.1.2.3")), ErrorCode::PermissionDenied);
    QCOMPARE(codeFor(QStringLiteral("::1")), ErrorCode::PermissionDenied);
    // Far away: neither private nor on a wire of this machine.
    QCOMPARE(codeFor(QStringLiteral("203.0.113.7")), ErrorCode::PermissionDenied);
    QCOMPARE(codeFor(QStringLiteral("2001:db8::7")), ErrorCode::PermissionDenied);
    QVERIFY(!victim.waitForNewConnection(200));
}

// Nobody feels for machines and ports from a paired one.
void TestRemote::failuresAreLimited()
{
    PeerStage stage;
    const auto channel = channelTo(stage, stage.add(QStringLiteral("a")));
    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    ProbeSpec spec = specTo({}, {}, seconds(1));
    spec.far.port = closed.serverPort();
    closed.close();
    const auto tryIt = [&] {
        const auto answer = sync(channel->call(
            QStringLiteral("measure"),
            remote::toJson(remote::MeasureRequest{spec, DataTicket::create()}), 10s, {}, {}));
        return answer ? ErrorCode::Internal : answer.error().code;
    };
    for (int i = 0; i < 5; ++i)
        QCOMPARE(tryIt(), ErrorCode::ConnectionRefused);
    QTcpServer victim;
    QVERIFY(victim.listen(QHostAddress::LocalHost, static_cast<quint16>(spec.far.port)));
    QCOMPARE(tryIt(), ErrorCode::PeerRefused);
    QVERIFY(!victim.waitForNewConnection(200));
}

void TestRemote::anOfferEndsWithItsChannel()
{
    PeerStage stage;
    auto channel = channelTo(stage, stage.add(QStringLiteral("b")));
    auto offer = sync(remote::HeldOffer::ask(
        channel, remote::OfferRequest{specTo({}, {}, seconds(1)), {loopback}, loopback}, {}));
    QVERIFY(offer.has_value());
    const int port = (*offer)->terms().port;
    const auto isOpen = [port] {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, static_cast<quint16>(port));
        return socket.waitForConnected(500);
    };
    QVERIFY(isOpen());
    *offer = nullptr;
    channel.reset();
    QTRY_VERIFY(!isOpen());
}

void TestRemote::oneOfferAtATime()
{
    PeerStage stage;
    const PeerId far = stage.add(QStringLiteral("b"));
    const auto channel = channelTo(stage, far);
    const remote::OfferRequest request{specTo({}, {}, seconds(1)), {loopback}, loopback};
    const auto first = sync(remote::HeldOffer::ask(channel, request, {}));
    QVERIFY(first.has_value());
    const auto second = sync(remote::HeldOffer::ask(channel, request, {}));
    QVERIFY(!second);
    QCOMPARE(second.error().code, ErrorCode::PeerBusy);
    QVERIFY(sync(remote::HeldOffer::conclude(*first, {})).has_value());
    const auto again = sync(remote::HeldOffer::conclude(*first, {}));
    QVERIFY(!again);
    QCOMPARE(again.error().code, ErrorCode::NotFound);
    // Done with: the next one has its turn.
    QVERIFY(sync(remote::HeldOffer::ask(channel, request, {})).has_value());
}

void TestRemote::addressesOfOthersAreNotOffered()
{
    PeerStage stage;
    const auto channel = channelTo(stage, stage.add(QStringLiteral("b")));
    const auto offer = sync(remote::HeldOffer::ask(
        channel,
        remote::OfferRequest{specTo({}, {}, seconds(1)), {loopback}, QStringLiteral("192.0.2.7")},
        {}));
    QVERIFY(!offer);
    QCOMPARE(offer.error().code, ErrorCode::AddressNotAvailable);
}

void TestRemote::nonsenseIsRefused_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QByteArray>("arguments");
    const QByteArray nonsense[] = {"{}",
                                   "[]",
                                   "null",
                                   R"({"spec":[]})",
                                   R"({"spec":{"kind":"throughput"},"from":[],"to":""})",
                                   R"({"offer":7})"};
    for (const char* method : {"offer", "conclude", "measure"}) {
        for (const QByteArray& arguments : nonsense)
            QTest::addRow("%s %s", method, arguments.constData())
                << QString::fromLatin1(method) << arguments;
    }
}

void TestRemote::nonsenseIsRefused()
{
    QFETCH(QString, method);
    QFETCH(QByteArray, arguments);
    PeerStage stage;
    const auto channel = channelTo(stage, stage.add(QStringLiteral("b")));
    QVERIFY(!sync(channel->call(method, Json::parse(arguments.toStdString()), 5s, {}, {})));
    // And the machine goes on.
    QVERIFY(sync(remote::askFacts(channel, {})).has_value());
}

void TestRemote::cancelledMidRun_data()
{
    QTest::addColumn<bool>("isNearRemote");
    QTest::newRow("near is here") << false;
    QTest::newRow("near is a peer") << true;
}

void TestRemote::cancelledMidRun()
{
    QFETCH(bool, isNearRemote);
    PeerStage stage;
    const PeerId near = stage.add(QStringLiteral("a"));
    const PeerId far = stage.add(QStringLiteral("b"));
    CancelSource cancel;
    QTimer::singleShot(1500ms, [&cancel] { cancel.request_stop(); });
    const Observed seen =
        run(stage, specTo(isNearRemote ? std::optional(near) : std::nullopt, far, seconds(60)),
            cancel.get_token());
    QVERIFY(seen.took < 6s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(seen.result->fault->isCancelled());
    QVERIFY(!seen.data().samples.empty());
}

void TestRemote::theNearPeerIsKilled()
{
    PeerStage stage;
    const PeerId near = stage.add(QStringLiteral("a"));
    const PeerId far = stage.add(QStringLiteral("b"));
    QTimer::singleShot(1500ms, [&stage] { stage.kill(0); });
    const Observed seen = run(stage, specTo(near, far, seconds(60)));
    QVERIFY(seen.took < 15s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(!seen.data().samples.empty());
    QVERIFY(seen.result->conditions.near.facts);
}

void TestRemote::theFarPeerIsKilled()
{
    PeerStage stage;
    const PeerId near = stage.add(QStringLiteral("a"));
    const PeerId far = stage.add(QStringLiteral("b"));
    QTimer::singleShot(1500ms, [&stage] { stage.kill(1); });
    const Observed seen = run(stage, specTo(near, far, seconds(60)));
    QVERIFY(seen.took < 20s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(!seen.data().samples.empty());
    QVERIFY(seen.result->conditions.far.facts); // as it stood when it offered
    QVERIFY(!seen.result->conditions.far.activity);
}

void TestRemote::theNearPeerFallsSilent()
{
    PeerStage stage;
    PeerStage::Services services = measuringServices(MeasureTargets::AlsoThisOne);
    services.back() = std::make_shared<SilentNearEnd>();
    const PeerId near = stage.add(QStringLiteral("a"), services);
    const PeerId far = stage.add(QStringLiteral("b"));
    const Observed seen = run(stage, specTo(near, far, ConnectOptions()));
    QVERIFY(seen.took < 20s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QCOMPARE(seen.result->fault->code, ErrorCode::PeerSilent);
}

QTEST_GUILESS_MAIN(TestRemote)
#include "tst_remote.moc"
