// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/peer/peering.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

// Calls over a channel, and how a channel ends.
class TestPeerChannel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCallIsAnswered();
    void eventsComeInOrder();
    void aLongAnswerComesWhole();
    void tooLongAnAnswerIsAFault();
    void anUnknownMethodIsAFault();
    void aServiceThatThrowsIsAFault();
    void cancellingStopsTheFarEnd();
    void aCallHasALimit();
    void aServiceThatDoesNotStopIsGivenUp();
    void onlySoManyCallsAtOnce();
    void destroyingTheChannelEndsItsCalls();
    void theEndOfTheServerEndsCalls();
    void anUnpairedMachineIsRefused();
    void aRevokedMachineIsCutOff();
    void aDamagedStoreLetsNobodyIn();
    void aWrongKeyIsRefused();
    void anotherMachineBehindTheAddressIsRefused();
    void anotherProtocolIsExplained_data();
    void anotherProtocolIsExplained();
};

namespace {

struct Open
{
    Open()
    {
        const auto paired = two.pair();
        const auto opened =
            paired ? two.open()
                   : Result<std::shared_ptr<PeerChannel>>(tl::unexpected(paired.error()));
        if (!opened)
            qFatal("%s", words(opened.error()).constData());
        channel = *opened;
    }
    Result<Json> call(const char* method, Json arguments = Json::object(),
                      std::chrono::milliseconds limit = 10s, CancelToken cancel = {},
                      PeerEvents events = {})
    {
        return sync(channel->call(QString::fromLatin1(method), std::move(arguments), limit,
                                  std::move(cancel), std::move(events)),
                    30s);
    }

    TwoMachines two;
    std::shared_ptr<PeerChannel> channel;
};

} // namespace

void TestPeerChannel::aCallIsAnswered()
{
    Open open;
    std::vector<QString> log;
    connect(open.two.server.get(), &PeerServer::callStarted, this,
            [&](const PeerIdentity&, const QString& method) { log.push_back(method); });
    connect(open.two.server.get(), &PeerServer::callEnded, this,
            [&](const PeerIdentity&, const QString&, const std::optional<Error>& fault) {
                log.push_back(fault ? errorCodeName(fault->code) : QStringLiteral("answered"));
            });
    const auto answer = open.call("echo", {{"a", {1, 2.5, nullptr, "ü"}}});
    QVERIFY2(answer, answer ? "" : words(answer.error()).constData());
    QCOMPARE(answer->at("said").dump(), Json({{"a", {1, 2.5, nullptr, "ü"}}}).dump());
    QCOMPARE(QString::fromStdString(answer->at("caller").get<std::string>()),
             open.two.far->read()->peers[0].name);
    QCOMPARE(log, (std::vector<QString>{QStringLiteral("echo"), QStringLiteral("answered")}));
}

void TestPeerChannel::eventsComeInOrder()
{
    Open open;
    std::vector<int> seen;
    const auto answer = open.call("count", {{"to", 100}}, 10s, {}, [&](const Json& event) {
        seen.push_back(event.at("i").get<int>());
    });
    QVERIFY(answer);
    QCOMPARE(seen.size(), 100U);
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
}

void TestPeerChannel::aLongAnswerComesWhole()
{
    Open open;
    for (const size_t size : {200'000U, 262'143U, 300'000U, 5'000'000U}) {
        const auto answer = open.call("long", {{"bytes", size}}, 30s);
        QVERIFY2(answer, answer ? "" : words(answer.error()).constData());
        QVERIFY(answer->get<std::string>() == std::string(size, 'x'));
    }
    QVERIFY(open.call("echo"));
}

void TestPeerChannel::tooLongAnAnswerIsAFault()
{
    Open open;
    QVERIFY(failedWith(open.call("long", {{"bytes", 65 * 1024 * 1024}}, 30s),
                       ErrorCode::FrameTooLarge));
    QVERIFY(failedWith(open.call("echo", {{"a", std::string(300'000, 'x')}}),
                       ErrorCode::FrameTooLarge));
    QVERIFY(open.call("echo"));
}

void TestPeerChannel::anUnknownMethodIsAFault()
{
    Open open;
    QVERIFY(failedWith(open.call("fly"), ErrorCode::Unsupported));
    QVERIFY(open.call("echo"));
}

void TestPeerChannel::aServiceThatThrowsIsAFault()
{
    Open open;
    QVERIFY(failedWith(open.call("throw"), ErrorCode::Internal));
    QVERIFY(open.call("echo"));
}

void TestPeerChannel::cancellingStopsTheFarEnd()
{
    Open open;
    CancelSource cancel;
    QTimer::singleShot(100, this, [&] { cancel.request_stop(); });
    QVERIFY(failedWith(open.call("wait", Json::object(), 30s, cancel.get_token()),
                       ErrorCode::Cancelled));
    QCOMPARE(open.two.echo->cancelled, 1);
    QVERIFY(open.call("echo"));
}

void TestPeerChannel::aCallHasALimit()
{
    Open open;
    QVERIFY(failedWith(open.call("wait", Json::object(), 200ms), ErrorCode::TimedOut));
    QCOMPARE(open.two.echo->cancelled, 1);
}

void TestPeerChannel::aServiceThatDoesNotStopIsGivenUp()
{
    Open open;
    QVERIFY(failedWith(open.call("deaf", Json::object(), 100ms), ErrorCode::TimedOut));
    QCOMPARE(open.two.echo->running, 1); // it counts until it ends
    QTRY_COMPARE(open.two.echo->running, 0);
    QVERIFY(open.call("echo"));
}

void TestPeerChannel::onlySoManyCallsAtOnce()
{
    Open open;
    CancelSource cancel;
    std::vector<QCoro::Task<Result<Json>>> tasks;
    for (int i = 0; i < PeerLimits().calls; ++i)
        tasks.push_back(open.channel->call(QStringLiteral("wait"), Json::object(), 30s,
                                           cancel.get_token(), {}));
    QVERIFY(failedWith(open.call("echo"), ErrorCode::PeerBusy));
    cancel.request_stop();
    for (auto& task : tasks)
        QVERIFY(failedWith(sync(std::move(task)), ErrorCode::Cancelled));
    QVERIFY(open.call("echo"));
}

void TestPeerChannel::destroyingTheChannelEndsItsCalls()
{
    Open open;
    auto task = open.channel->call(QStringLiteral("wait"), Json::object(), 30s, {}, {});
    QTRY_COMPARE(open.two.echo->running, 1);
    QTimer::singleShot(50, this, [&] { open.channel.reset(); });
    QVERIFY(failedWith(sync(std::move(task)), ErrorCode::ConnectionLost));
    QTRY_COMPARE(open.two.echo->cancelled, 1);
    QTRY_COMPARE(open.two.server->connections(), 0);
}

void TestPeerChannel::theEndOfTheServerEndsCalls()
{
    Open open;
    std::optional<QCoro::Task<void>> ending;
    QTimer::singleShot(50, this, [&] {
        // It waits for the calls; the near end learns of it at once.
        ending.emplace(PeerServer::shutDown(std::move(open.two.server)));
    });
    QVERIFY(failedWith(open.call("wait", Json::object(), 30s), ErrorCode::ConnectionLost));
    QVERIFY(failedWith(open.call("echo"), ErrorCode::ConnectionLost));
    sync(std::move(*ending));
    QCOMPARE(open.two.echo->cancelled, 1);
}

void TestPeerChannel::anUnpairedMachineIsRefused()
{
    TwoMachines two;
    // This machine knows none such.
    QVERIFY(failedWith(two.open(), ErrorCode::PeerRefused));
    // The far end does not know this machine.
    QVERIFY(two.pair());
    QVERIFY(two.far->revoke(two.near->read()->self));
    QVERIFY(failedWith(two.open(), ErrorCode::PeerRefused));
    QTRY_COMPARE(two.refused.size(), 1U);
    QVERIFY(two.refused[0].detail.contains(QStringLiteral("not paired")));
}

void TestPeerChannel::aRevokedMachineIsCutOff()
{
    Open open;
    // Another program revokes, as `napkin-cli peers revoke` does.
    PeerStore other(open.two.far->file(), open.two.clock);
    QTimer::singleShot(50, this, [&] { QVERIFY(other.revoke(open.two.near->read()->self)); });
    const auto answer = open.call("wait", Json::object(), 30s);
    QVERIFY(failedWith(answer, ErrorCode::PeerRefused));
    QVERIFY2(answer.error().detail.contains(QStringLiteral("revoked")),
             words(answer.error()).constData());
    QTRY_COMPARE(open.two.echo->cancelled, 1);
    QVERIFY(failedWith(open.two.open(), ErrorCode::PeerRefused));
}

void TestPeerChannel::aDamagedStoreLetsNobodyIn()
{
    Open open;
    QFile file(open.two.far->file());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{");
    file.close();
    QTRY_COMPARE(open.two.server->connections(), 0); // who was in is out
    QVERIFY(failedWith(open.two.open(), ErrorCode::PeerRefused));
}

void TestPeerChannel::aWrongKeyIsRefused()
{
    TwoMachines two;
    QVERIFY(two.pair());
    TlsTarget target = two.pairedTarget();
    target.key[5] = static_cast<char>(target.key[5] ^ 1);
    QVERIFY(failedWith(sync(connectTls(target, Deadline(5s), {})), ErrorCode::PeerRefused));
    QTRY_COMPARE(two.refused.size(), 1U);
    QVERIFY2(two.refused[0].detail.contains(QStringLiteral("key")),
             words(two.refused[0]).constData());
}

void TestPeerChannel::anotherMachineBehindTheAddressIsRefused()
{
    TwoMachines two;
    QVERIFY(two.pair());
    // The key of one machine, the id of another.
    HelloMessage hello = ownHello(*two.near->read());
    hello.id = PeerId::create();
    const auto greeted = sync(greet(two.pairedTarget(), hello, Deadline(5s), {}));
    QVERIFY(greeted);
    const auto next = sync(Inbox::next(greeted->inbox.get(), Deadline(5s), {}));
    QVERIFY(failedWith(next, ErrorCode::PeerRefused));
}

void TestPeerChannel::anotherProtocolIsExplained_data()
{
    QTest::addColumn<bool>("theServerIsNewer");
    QTest::newRow("a newer client") << false;
    QTest::newRow("a newer server") << true;
}

void TestPeerChannel::anotherProtocolIsExplained()
{
    QFETCH(bool, theServerIsNewer);
    TwoMachines two;
    QVERIFY(two.pair());
    HelloMessage newer = ownHello(*two.near->read());
    newer.protocol = 2;
    newer.version = QStringLiteral("9.8.7");
    Error error;
    if (theServerIsNewer) {
        error = protocolMismatch(newer).value();
    } else {
        const auto greeted = sync(greet(two.pairedTarget(), newer, Deadline(5s), {}));
        QVERIFY(greeted);
        const auto next = sync(Inbox::next(greeted->inbox.get(), Deadline(5s), {}));
        QVERIFY(!next);
        error = next.error();
    }
    QCOMPARE(error.code, ErrorCode::PeerRefused);
    for (const char* part : {NAPKIN_VERSION, "9.8.7", "peer protocol 1", "peer protocol 2"})
        QVERIFY2(error.detail.contains(QString::fromLatin1(part)), words(error).constData());
}

QTEST_GUILESS_MAIN(TestPeerChannel)
#include "tst_peerchannel.moc"
