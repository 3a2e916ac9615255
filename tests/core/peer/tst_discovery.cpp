// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/discovery.h"
#include "tests/support/sync.h"

#include <QElapsedTimer>
#include <QNetworkDatagram>
#include <QRandomGenerator>
#include <QTest>
#include <QTimer>
#include <QUdpSocket>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

// Messages, and an announcer on loopback. The wires are in tests/network.
class TestDiscovery : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void comesBackAsItWas();
    void namesAreTidied();
    void neverLongerThanAllowed();
    void refusesWhatIsNotOurs_data();
    void refusesWhatIsNotOurs();
    void survivesGarbage();
    void answersAQuery();
    void answersTenASecond();
    void keepsAtMostSoMany();
    void cancelled();
};

namespace {

Announcement said(const QString& name)
{
    return {name, PeerId::create(), 5210, 5201};
}

std::unique_ptr<Announcer> announcer(const QString& name)
{
    auto started = Announcer::start({said(name), {}, 0, 60s});
    return started ? std::move(*started) : nullptr;
}

DiscoverOptions askLoopback(int port)
{
    return {600ms, port, {QHostAddress(QHostAddress::LocalHost)}};
}

} // namespace

void TestDiscovery::comesBackAsItWas()
{
    const Announcement one = said(QStringLiteral("spark-b"));
    QCOMPARE(decodeDiscovery(encodeDiscovery(one)).value(), DiscoveryMessage(one));
    QCOMPARE(decodeDiscovery(encodeDiscovery(DiscoveryQuery{})).value(),
             DiscoveryMessage(DiscoveryQuery{}));
}

void TestDiscovery::namesAreTidied()
{
    const auto bytes = QByteArray(
        R"({"format":"napkin-announcement","version":1,"kind":"here","name":"a\u001b[31mb\n\u202ec",)"
        R"("id":"0123456789abcdef0123456789abcdef","peer_port":5210,"iperf3_port":0})");
    const auto message = decodeDiscovery(bytes);
    QVERIFY(message.has_value());
    for (const QChar letter : std::get<Announcement>(*message).name)
        QVERIFY(letter.isPrint());
}

void TestDiscovery::neverLongerThanAllowed()
{
    for (const QString& name : {QString(1'000, u'x'), QString(1'000, QChar(0x4e2d)),
                                QString(1'000, u'"'), QString(1'000, u'\\')}) {
        const QByteArray bytes = encodeDiscovery(said(name));
        QVERIFY(bytes.size() <= mostDiscoveryBytes);
        QVERIFY(decodeDiscovery(bytes).has_value());
    }
}

void TestDiscovery::refusesWhatIsNotOurs_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray good = encodeDiscovery(said(QStringLiteral("b")));
    const auto changed = [&good](const char* from, const char* to) {
        QByteArray bytes = good;
        return bytes.replace(from, to);
    };
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("hello");
    QTest::newRow("array") << QByteArray("[]");
    QTest::newRow("deep") << QByteArray(200, '[');
    QTest::newRow("another format") << changed("napkin-announcement", "else");
    QTest::newRow("another version") << changed("\"version\":1", "\"version\":2");
    QTest::newRow("another kind") << changed("here", "gone");
    QTest::newRow("port too high") << changed("5210", "65536");
    QTest::newRow("port below zero") << changed("5210", "-1");
    QTest::newRow("port as text") << changed("5210", "\"5210\"");
    QTest::newRow("one more key") << changed("{", "{\"x\":1,");
    QTest::newRow("a key twice") << changed("{", "{\"version\":1,");
    QTest::newRow("cut off") << good.chopped(1);
    QTest::newRow("more behind") << good + "x";
    QTest::newRow("too long") << good + QByteArray(mostDiscoveryBytes, ' ');
    QTest::newRow("no id") << QByteArray(
        R"({"format":"napkin-announcement","version":1,"kind":"here","name":"b",)"
        R"("id":"00000000000000000000000000000000","peer_port":1,"iperf3_port":0})");
}

void TestDiscovery::refusesWhatIsNotOurs()
{
    QFETCH(QByteArray, bytes);
    QVERIFY(!decodeDiscovery(bytes).has_value());
}

void TestDiscovery::survivesGarbage()
{
    QRandomGenerator random(1);
    const QByteArray good = encodeDiscovery(said(QStringLiteral("b")));
    for (int i = 0; i < 20'000; ++i) {
        QByteArray bytes = good;
        for (int flips = random.bounded(1, 6); flips > 0; --flips)
            bytes[random.bounded(bytes.size())] = static_cast<char>(random.bounded(256));
        const auto message = decodeDiscovery(bytes);
        if (message && std::holds_alternative<Announcement>(*message))
            QVERIFY(std::get<Announcement>(*message).name.size() <= 64);
    }
}

void TestDiscovery::answersAQuery()
{
    const auto there = announcer(QStringLiteral("spark-b"));
    QVERIFY(there != nullptr);
    const auto found = sync(discover(askLoopback(there->port()), {}));
    QVERIFY(found.has_value());
    QCOMPARE(found->found.size(), size_t(1));
    QCOMPARE(found->found.front().address, QStringLiteral("127.0.0.1"));
    QCOMPARE(found->found.front().said.name, QStringLiteral("spark-b"));
    QCOMPARE(found->found.front().said.peerPort, 5210);
    QVERIFY(!found->more);
}

void TestDiscovery::answersTenASecond()
{
    const auto there = announcer(QStringLiteral("spark-b"));
    QVERIFY(there != nullptr);
    QUdpSocket asking;
    QVERIFY(asking.bind(QHostAddress(QHostAddress::LocalHost), 0));
    const QByteArray query = encodeDiscovery(DiscoveryQuery{});
    const QByteArray large(1'400, 'x');
    for (int i = 0; i < 10'000; ++i) {
        const QByteArray& bytes = i % 3 == 0 ? query : i % 3 == 1 ? large : QByteArray("{\"");
        asking.writeDatagram(bytes, QHostAddress(QHostAddress::LocalHost),
                             static_cast<quint16>(there->port()));
    }
    int answers = 0;
    QElapsedTimer watched;
    watched.start();
    while (watched.elapsed() < 900) {
        QTest::qWait(20);
        for (; asking.hasPendingDatagrams(); ++answers)
            asking.receiveDatagram();
    }
    QVERIFY2(answers >= 1 && answers <= 20, QByteArray::number(answers)); // two seconds begun
    QTest::qWait(1'100);
    const auto found = sync(discover(askLoopback(there->port()), {}));
    QVERIFY(found && found->found.size() == 1); // and it is still there
}

void TestDiscovery::keepsAtMostSoMany()
{
    // Somebody who answers one question as a thousand machines.
    QUdpSocket liar;
    QTimer lies;
    QHostAddress from;
    quint16 port = 0;
    int told = 0;
    QVERIFY(liar.bind(QHostAddress(QHostAddress::LocalHost), 0));
    connect(&liar, &QUdpSocket::readyRead, &liar, [&] {
        while (liar.hasPendingDatagrams()) {
            char byte = 0;
            liar.readDatagram(&byte, 1, &from, &port);
            lies.start(2ms); // slowly enough that the kernel drops none
        }
    });
    connect(&lies, &QTimer::timeout, &liar, [&] {
        for (int i = 0; i < 10 && told < 400; ++i)
            liar.writeDatagram(encodeDiscovery(said(QString::number(told++))), from, port);
    });
    DiscoverOptions options = askLoopback(liar.localPort());
    options.time = 2'500ms;
    const auto found = sync(discover(options, {}));
    QVERIFY(found.has_value());
    QCOMPARE(found->found.size(), size_t(256));
    QVERIFY(found->more);
}

void TestDiscovery::cancelled()
{
    const auto there = announcer(QStringLiteral("spark-b"));
    QVERIFY(there != nullptr);
    CancelSource cancel;
    QTimer::singleShot(200ms, this, [&cancel] { cancel.request_stop(); });
    DiscoverOptions options = askLoopback(there->port());
    options.time = 60s;
    const auto found = sync(discover(options, cancel.get_token()));
    QVERIFY(found && found->found.size() == 1);
}

QTEST_GUILESS_MAIN(TestDiscovery)
#include "tst_discovery.moc"
