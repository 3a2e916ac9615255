// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/peer/peering.h"

#include <QTcpServer>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

// The way from a code to a key that both machines hold, and every way that must not lead there.
class TestPeerPairing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRightCodePairsBoth();
    void aChannelOpensAfterwards();
    void aWrongCodeIsRefused();
    void aCodeIsGoodOnce();
    void aCodeExpires();
    void fiveWrongTriesUseAnInvitationUp();
    void pairingAgainReplacesTheKey();
    void aMachineIsNotPairedWithItself();
    void nobodyListens();
    void aNearStoreThatCannotBeWrittenStopsEverything();
    void cancelled();
};

void TestPeerPairing::aRightCodePairsBoth()
{
    TwoMachines two;
    std::vector<PeerIdentity> said;
    connect(two.server.get(), &PeerServer::peerPaired, this,
            [&](const PeerIdentity& peer) { said.push_back(peer); });
    const auto paired = two.pair();
    QVERIFY2(paired, paired ? "" : words(paired.error()).constData());
    const auto near = two.near->read();
    const auto far = two.far->read();
    QCOMPARE(near->peers.size(), 1U);
    QCOMPARE(far->peers.size(), 1U);
    QVERIFY(near->peers[0].id == far->self);
    QVERIFY(far->peers[0].id == near->self);
    QCOMPARE(near->peers[0].key, far->peers[0].key);
    QCOMPARE(near->peers[0].key.size(), 32);
    QCOMPARE(near->peers[0].host, QStringLiteral("127.0.0.1"));
    QCOMPARE(near->peers[0].port, two.server->port());
    QCOMPARE(near->peers[0].paired, two.clock->now());
    QVERIFY(far->invitations.empty());
    QCOMPARE(said.size(), 1U);
    QVERIFY(said[0].id == near->self);
}

void TestPeerPairing::aChannelOpensAfterwards()
{
    TwoMachines two;
    QVERIFY(two.pair());
    two.clock->forward(90s);
    const auto channel = two.open();
    QVERIFY2(channel, channel ? "" : words(channel.error()).constData());
    QCOMPARE((*channel)->peer().version, QStringLiteral(NAPKIN_VERSION));
    QVERIFY((*channel)->peer().capabilities.contains(QStringLiteral("echo")));
    QCOMPARE((*channel)->address(), QStringLiteral("127.0.0.1"));
    QCOMPARE(*two.near->read()->peers[0].seen, two.clock->now());
    QTRY_COMPARE(*two.far->read()->peers[0].seen, two.clock->now());
}

void TestPeerPairing::aWrongCodeIsRefused()
{
    TwoMachines two;
    QVERIFY(two.far->invite());
    const auto paired = two.pairWithCode(PairingCode::create());
    QVERIFY(failedWith(paired, ErrorCode::PeerRefused));
    QVERIFY2(paired.error().detail.contains(QStringLiteral("pairing code")),
             words(paired.error()).constData());
    QVERIFY(two.near->read()->peers.empty());
    QVERIFY(two.far->read()->peers.empty());
    QCOMPARE(two.far->read()->invitations.size(), 1U);
}

void TestPeerPairing::aCodeIsGoodOnce()
{
    TwoMachines two;
    const auto code = two.far->invite();
    QVERIFY(two.pairWithCode(*code));
    QVERIFY(failedWith(two.pairWithCode(*code), ErrorCode::PeerRefused));
    QCOMPARE(two.far->read()->peers.size(), 1U);
}

void TestPeerPairing::aCodeExpires()
{
    TwoMachines two;
    const auto code = two.far->invite();
    two.clock->forward(10min);
    QVERIFY(failedWith(two.pairWithCode(*code), ErrorCode::PeerRefused));
    QVERIFY(two.far->read()->peers.empty());
}

void TestPeerPairing::fiveWrongTriesUseAnInvitationUp()
{
    TwoMachines two;
    const auto code = two.far->invite();
    const TlsTarget guess = two.target({{}, code->invitation()}, randomKey());
    for (int i = 0; i < PeerStore::mostWrongTries; ++i) {
        QCOMPARE(two.far->read()->invitations.size(), 1U);
        QVERIFY(failedWith(sync(connectTls(guess, Deadline(5s), {})), ErrorCode::PeerRefused));
        QTRY_COMPARE(two.server->connections(), 0);
    }
    QVERIFY(two.far->read()->invitations.empty());
    QVERIFY(failedWith(two.pairWithCode(*code), ErrorCode::PeerRefused));
    QVERIFY(two.far->read()->peers.empty());
}

void TestPeerPairing::pairingAgainReplacesTheKey()
{
    TwoMachines two;
    QVERIFY(two.pair());
    const QByteArray before = two.near->read()->peers[0].key;
    QVERIFY(two.pair());
    QCOMPARE(two.near->read()->peers.size(), 1U);
    QCOMPARE(two.far->read()->peers.size(), 1U);
    QVERIFY(two.near->read()->peers[0].key != before);
    QVERIFY(two.open());
}

void TestPeerPairing::aMachineIsNotPairedWithItself()
{
    TwoMachines two;
    const auto code = two.far->invite();
    const auto paired =
        sync(pairWith(two.far, QStringLiteral("127.0.0.1"), two.server->port(), *code, {}), 20s);
    QVERIFY(failedWith(paired, ErrorCode::PeerRefused));
    QVERIFY(two.far->read()->peers.empty());
}

void TestPeerPairing::nobodyListens()
{
    TwoMachines two;
    const auto code = two.far->invite();
    two.server.reset();
    QTcpServer probe;
    QVERIFY(probe.listen(QHostAddress::LocalHost));
    const quint16 port = probe.serverPort();
    probe.close();
    const auto paired = sync(pairWith(two.near, QStringLiteral("127.0.0.1"), port, *code, {}), 20s);
    QVERIFY(failedWith(paired, ErrorCode::ConnectionRefused));
    QCOMPARE(two.far->read()->invitations.size(), 1U);
}

void TestPeerPairing::aNearStoreThatCannotBeWrittenStopsEverything()
{
    TwoMachines two;
    const auto code = two.far->invite();
    // A file where the folder should be: nobody can write below it, root neither.
    QFile obstacle(two.folder.filePath(QStringLiteral("near")));
    QVERIFY(obstacle.open(QIODevice::WriteOnly));
    obstacle.close();
    QVERIFY(failedWith(two.pairWithCode(*code), ErrorCode::StorageUnavailable));
    QCOMPARE(two.far->read()->invitations.size(), 1U); // nothing went out
}

void TestPeerPairing::cancelled()
{
    TwoMachines two;
    const auto code = two.far->invite();
    QTcpServer silent; // accepts, and says nothing
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    CancelSource cancel;
    QTimer::singleShot(100, this, [&] { cancel.request_stop(); });
    const auto paired = sync(pairWith(two.near, QStringLiteral("127.0.0.1"), silent.serverPort(),
                                      *code, cancel.get_token()),
                             5s);
    QVERIFY(failedWith(paired, ErrorCode::Cancelled));
}

QTEST_GUILESS_MAIN(TestPeerPairing)
#include "tst_peerpairing.moc"
