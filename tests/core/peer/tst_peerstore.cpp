// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/base32.h"
#include "tests/core/peer/peering.h"

#include <QFileInfo>
#include <QLockFile>
#include <QThread>

#include <thread>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

// The file with the keys: who may read it, what is in it, and several programs at once.
class TestPeerStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aMissingFileIsAnEmptyBook();
    void fileAndFolderAreTheOwnersAlone();
    void theMachineKeepsItsId();
    void exposedKeysAreRefused();
    void aDamagedFileIsRefusedAndLeftAlone_data();
    void aDamagedFileIsRefusedAndLeftAlone();
    void aLaterFormatIsRefused();
    void renaming();
    void namesAreUnique();
    void revoking();
    void invitationsAreBounded();
    void aLockHeldByAnotherIsAFault();
    void twoWritersLoseNothing();
    void theBookGoesThereAndBack();
    void theDefaultPathCanBeChosen();

private:
    [[nodiscard]] PairedPeer peer(const char* name) const
    {
        return {PeerId::create(),
                QString::fromLatin1(name),
                randomKey(),
                QStringLiteral("10.0.0.2"),
                5210,
                m_clock->now(),
                {}};
    }
    void write(const QByteArray& text) const
    {
        QVERIFY(m_store->identify()); // makes the folder
        QFile file(m_store->file());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    [[nodiscard]] QByteArray text() const
    {
        QFile file(m_store->file());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("?");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<HandClock> m_clock;
    std::unique_ptr<PeerStore> m_store;
};

void TestPeerStore::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_clock = std::make_shared<HandClock>();
    m_store =
        std::make_unique<PeerStore>(m_folder->filePath(QStringLiteral("a/b/peers.json")), m_clock);
}

void TestPeerStore::aMissingFileIsAnEmptyBook()
{
    const auto book = m_store->read();
    QVERIFY(book);
    QVERIFY(*book == PeerBook());
    QVERIFY(!QFile::exists(m_store->file())); // reading makes nothing
}

void TestPeerStore::fileAndFolderAreTheOwnersAlone()
{
    QVERIFY(m_store->pair(peer("b")));
    QVERIFY(m_store->pair(peer("c"))); // written anew
    const auto rights = [](const QString& path) {
        return QFileInfo(path).permissions() &
               (QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther |
                QFile::WriteOther | QFile::ExeOther);
    };
    QCOMPARE(rights(m_store->file()), QFile::Permissions());
    QCOMPARE(rights(QFileInfo(m_store->file()).absolutePath()), QFile::Permissions());
    QVERIFY(!(QFileInfo(m_store->file()).permissions() & QFile::ExeOwner));
}

void TestPeerStore::theMachineKeepsItsId()
{
    const auto first = m_store->identify();
    const auto second = PeerStore(m_store->file(), m_clock).identify();
    QVERIFY(first && second);
    QVERIFY(!first->self.isNull());
    QVERIFY(first->self == second->self);
    QVERIFY(!first->name.isEmpty());
}

void TestPeerStore::exposedKeysAreRefused()
{
    QVERIFY(m_store->pair(peer("b")));
    QVERIFY(QFile::setPermissions(m_store->file(),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    const auto book = m_store->read();
    QVERIFY(failedWith(book, ErrorCode::KeysExposed));
    QVERIFY(book.error().detail.contains(QStringLiteral("chmod 600 ") + m_store->file()));
    QVERIFY(failedWith(m_store->pair(peer("c")), ErrorCode::KeysExposed));

    QVERIFY(QFile::setPermissions(m_store->file(), QFile::ReadOwner | QFile::WriteOwner));
    const QString folder = QFileInfo(m_store->file()).absolutePath();
    QVERIFY(QFile::setPermissions(folder, QFileInfo(folder).permissions() | QFile::WriteOther));
    QVERIFY(failedWith(m_store->read(), ErrorCode::KeysExposed));
}

void TestPeerStore::aDamagedFileIsRefusedAndLeftAlone_data()
{
    QTest::addColumn<QByteArray>("damage");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("hello");
    QTest::newRow("another file") << QByteArray(R"({"format":"napkin-result","version":1})");
    QTest::newRow("a short key") << QByteArray(
        R"({"format":"napkin-peers","version":1,"id":null,"name":"","peers":[{"id":"00000000000000000000000000000001","name":"b","key":"aaaa","host":"h","port":1,"paired_at":"2026-12-01T10:00:00.000Z","seen_at":null}],"invitations":[]})");
    QTest::newRow("no lists") << QByteArray(
        R"({"format":"napkin-peers","version":1,"id":null,"name":""})");
    QTest::newRow("too deep") << QByteArray(200, '[');
    QTest::newRow("too large") << QByteArray(1024 * 1024 + 1, ' ');
}

void TestPeerStore::aDamagedFileIsRefusedAndLeftAlone()
{
    QFETCH(QByteArray, damage);
    write(damage);
    const auto book = m_store->read();
    QVERIFY(failedWith(book, ErrorCode::ParseFailed));
    QCOMPARE(book.error().context, m_store->file());
    QVERIFY(failedWith(m_store->pair(peer("b")), ErrorCode::ParseFailed));
    QCOMPARE(text(), damage);
}

void TestPeerStore::aLaterFormatIsRefused()
{
    write(R"({"format":"napkin-peers","version":2})");
    QVERIFY(failedWith(m_store->read(), ErrorCode::StorageTooNew));
}

void TestPeerStore::renaming()
{
    const auto b = m_store->pair(peer("b"));
    const auto c = m_store->pair(peer("c"));
    QVERIFY(b && c);
    QVERIFY(m_store->rename(b->id, QStringLiteral("  spark\n b ")));
    QVERIFY(m_store->read()->find(u"SPARK B"));
    QVERIFY(
        failedWith(m_store->rename(c->id, QStringLiteral("Spark B")), ErrorCode::InvalidArgument));
    QVERIFY(failedWith(m_store->rename(c->id, QStringLiteral(" \n")), ErrorCode::InvalidArgument));
    QVERIFY(
        failedWith(m_store->rename(PeerId::create(), QStringLiteral("d")), ErrorCode::NotFound));
    QVERIFY(m_store->rename(b->id, QStringLiteral("SPARK B"))); // its own name in capitals
    // What reads as an address would stand for another machine.
    for (const auto* address : {"192.168.77.2", "fe80::1%eth0", "::1"})
        QVERIFY(failedWith(m_store->rename(c->id, QString::fromLatin1(address)),
                           ErrorCode::InvalidArgument));
    QCOMPARE(m_store->read()->freeName(QStringLiteral("10.0.0.2"), {}),
             QStringLiteral("peer 10.0.0.2"));
}

void TestPeerStore::namesAreUnique()
{
    QCOMPARE(m_store->pair(peer("b"))->name, QStringLiteral("b"));
    QCOMPARE(m_store->pair(peer("B"))->name, QStringLiteral("B 2"));
    QCOMPARE(m_store->pair(peer("b"))->name, QStringLiteral("b 3"));
}

void TestPeerStore::revoking()
{
    const auto b = m_store->pair(peer("b"));
    QVERIFY(m_store->revoke(b->id));
    QVERIFY(m_store->read()->peers.empty());
    QVERIFY(!text().contains(toBase32(b->key).toLatin1()));
    QVERIFY(failedWith(m_store->revoke(b->id), ErrorCode::NotFound));
}

void TestPeerStore::invitationsAreBounded()
{
    for (size_t i = 0; i < PeerBook::mostInvitations; ++i)
        QVERIFY(m_store->invite());
    QVERIFY(failedWith(m_store->invite(), ErrorCode::PeerBusy));
    m_clock->forward(11min);
    const auto code = m_store->invite();
    QVERIFY(code);
    QCOMPARE(m_store->read()->invitations.size(), 1U);
    QVERIFY(!text().contains(code->text().toLatin1())); // only what is made of it
}

void TestPeerStore::aLockHeldByAnotherIsAFault()
{
    QVERIFY(m_store->identify());
    QLockFile lock(m_store->file() + QStringLiteral(".lock"));
    QVERIFY(lock.lock());
    QVERIFY(failedWith(m_store->pair(peer("b")), ErrorCode::StorageLocked));
    lock.unlock();
    QVERIFY(m_store->pair(peer("b")));
}

void TestPeerStore::twoWritersLoseNothing()
{
    QVERIFY(m_store->identify());
    constexpr int each = 20;
    const auto writer = [this](const char* name) {
        PeerStore store(m_store->file());
        for (int i = 0; i < each; ++i) {
            // A busy machine may make one wait longer than the lock's limit.
            for (int tries = 0; tries < 20 && !store.pair(peer(name)); ++tries)
                QThread::msleep(5);
        }
    };
    {
        std::jthread one(writer, "one");
        std::jthread two(writer, "two");
    }
    const auto book = m_store->read();
    QVERIFY(book);
    QCOMPARE(book->peers.size(), size_t(2 * each));
}

void TestPeerStore::theBookGoesThereAndBack()
{
    PeerBook book;
    book.self = PeerId::create();
    book.name = QStringLiteral("Büro “1”");
    book.peers = {peer("b"), peer("c")};
    book.peers[1].seen = m_clock->now();
    book.invitations = {{QStringLiteral("abcde"), randomKey(), m_clock->now().addSecs(600), 3}};
    const auto back = decodePeerBook(encodePeerBook(book));
    QVERIFY2(back, back ? "" : words(back.error()).constData());
    QVERIFY(*back == book);
}

void TestPeerStore::theDefaultPathCanBeChosen()
{
    qputenv("NAPKIN_PEERS", "/somewhere/keys.json");
    QCOMPARE(PeerStore::defaultPath(), QStringLiteral("/somewhere/keys.json"));
    qunsetenv("NAPKIN_PEERS");
    QVERIFY(PeerStore::defaultPath().endsWith(QStringLiteral("/napkin/peers.json")));
}

QTEST_GUILESS_MAIN(TestPeerStore)
#include "tst_peerstore.moc"
