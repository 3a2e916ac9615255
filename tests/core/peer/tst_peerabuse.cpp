// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/addressguard.h"
#include "tests/core/peer/peering.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSslCertificate>
#include <QSslCipher>
#include <QSslKey>
#include <QSslPreSharedKeyAuthenticator>
#include <QTcpServer>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

// Who means no good, on either side, and the honest one beside it.
class TestPeerAbuse : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theClientWantsItsCipherOnly_data();
    void theClientWantsItsCipherOnly();
    void theServerWantsItsCipherOnly_data();
    void theServerWantsItsCipherOnly();
    void garbageInsteadOfTls();
    void aHandshakeThatStopsHalfway();
    void noHelloAfterTls();
    void aFrameThatIsTooLarge();
    void aFrameByTheByte();
    void aSilentChannel();
    void aMessageWithNoPlace_data();
    void aMessageWithNoPlace();
    void whoReadsNothingIsGivenUp();
    void wrongKeysAreCountedAndBarred();
    void aThousandConnectionsAtOnce();
    void onlySoManyChannels();
};

namespace {

// A connection that can do anything, with a key or without.
std::unique_ptr<QTcpSocket> connectRaw(const TwoMachines& two,
                                       const QString& from = QStringLiteral("127.0.0.1"))
{
    auto socket = std::make_unique<QTcpSocket>();
    socket->bind(QHostAddress(from));
    socket->connectToHost(QStringLiteral("127.0.0.1"), static_cast<quint16>(two.server->port()));
    return socket;
}

// Past TLS, before any hello.
std::unique_ptr<QSslSocket> encrypted(const TwoMachines& two)
{
    auto socket = sync(connectTls(two.pairedTarget(), Deadline(5s), {}));
    if (!socket)
        qFatal("%s", words(socket.error()).constData());
    return std::move(*socket);
}

QByteArray framed(const Message& message)
{
    return encodeFrame({Frame::Kind::Message, *encodeMessage(message)});
}

bool isGone(const QAbstractSocket& socket)
{
    return socket.state() == QAbstractSocket::UnconnectedState;
}

PeerLimits quick()
{
    PeerLimits limits;
    limits.tls = 400ms;
    limits.hello = 400ms;
    limits.frames.frame = 400ms;
    limits.frames.idle = 2s;
    limits.rereadStore = 100ms;
    return limits;
}

// A TLS server of any kind on loopback.
class ForeignServer : public QTcpServer
{
public:
    explicit ForeignServer(QSslConfiguration wanted)
        : tls(std::move(wanted))
    {
        listen(QHostAddress::LocalHost);
    }
    QSslConfiguration tls;
    QByteArray key;

protected:
    void incomingConnection(qintptr descriptor) override
    {
        auto* socket = new QSslSocket(this);
        socket->setSslConfiguration(tls);
        connect(socket, &QSslSocket::preSharedKeyAuthenticationRequired, socket,
                [this](QSslPreSharedKeyAuthenticator* a) { a->setPreSharedKey(key); });
        socket->setSocketDescriptor(descriptor);
        socket->startServerEncryption();
    }
};

QSslConfiguration otherTls(QSsl::SslProtocol protocol, const char* cipher)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setPeerVerifyMode(QSslSocket::VerifyNone);
    tls.setProtocol(protocol);
    if (*cipher)
        tls.setCiphers({QSslCipher(QString::fromLatin1(cipher))});
    return tls;
}

// Qt's default ciphers have the right one among them: who holds the key may use it, who does not
// must not get in with another.
void otherWays()
{
    QTest::addColumn<int>("protocol");
    QTest::addColumn<QByteArray>("cipher");
    const auto row = [](const char* name, QSsl::SslProtocol protocol, const char* cipher) {
        QTest::newRow(name) << int(protocol) << QByteArray(cipher);
    };
    row("default ciphers", QSsl::SecureProtocols, "");
    row("TLS 1.3", QSsl::TlsV1_3, "");
    row("TLS 1.2, default ciphers", QSsl::TlsV1_2, "");
    row("no forward secrecy", QSsl::TlsV1_2, "PSK-AES256-GCM-SHA384");
    row("another forward secrecy", QSsl::TlsV1_2, "DHE-PSK-AES256-GCM-SHA384");
    row("CBC", QSsl::TlsV1_2, "ECDHE-PSK-AES256-CBC-SHA384");
}

QSslConfiguration withCertificate(QSslConfiguration tls)
{
    QFile file(QStringLiteral(NAPKIN_TEST_DATA "/peer/foreign-server.pem"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no certificate");
    const QByteArray pem = file.readAll();
    tls.setLocalCertificate(QSslCertificate(pem, QSsl::Pem));
    tls.setPrivateKey(QSslKey(pem, QSsl::Ec, QSsl::Pem));
    return tls;
}

} // namespace

void TestPeerAbuse::theClientWantsItsCipherOnly_data()
{
    otherWays();
}

void TestPeerAbuse::theClientWantsItsCipherOnly()
{
    QFETCH(int, protocol);
    QFETCH(QByteArray, cipher);
    const QByteArray right(32, 'k');
    ForeignServer server(
        withCertificate(otherTls(QSsl::SslProtocol(protocol), cipher.constData())));
    if (!cipher.isEmpty())
        server.key = right; // even with the key
    const TlsTarget target{
        QStringLiteral("127.0.0.1"), server.serverPort(), {PeerId::create(), {}}, right};
    QVERIFY(failedWith(sync(connectTls(target, Deadline(5s), {})), ErrorCode::PeerRefused));
    // An ordinary client takes what it offers: the server does work.
    if (cipher.isEmpty()) {
        QSslSocket ordinary;
        ordinary.setSslConfiguration(otherTls(QSsl::SecureProtocols, ""));
        ordinary.connectToHostEncrypted(target.host, static_cast<quint16>(target.port));
        QTRY_VERIFY(ordinary.isEncrypted());
    }
}

void TestPeerAbuse::theServerWantsItsCipherOnly_data()
{
    otherWays();
}

void TestPeerAbuse::theServerWantsItsCipherOnly()
{
    QFETCH(int, protocol);
    QFETCH(QByteArray, cipher);
    TwoMachines two;
    QVERIFY(two.pair());
    const TlsTarget target = two.pairedTarget();
    QSslSocket client;
    client.setSslConfiguration(otherTls(QSsl::SslProtocol(protocol), cipher.constData()));
    connect(&client, &QSslSocket::preSharedKeyAuthenticationRequired, this,
            [&](QSslPreSharedKeyAuthenticator* a) {
                a->setIdentity(encodeIdentity(target.identity));
                if (!cipher.isEmpty())
                    a->setPreSharedKey(target.key); // even with the key
            });
    bool isIn = false;
    connect(&client, &QSslSocket::encrypted, this, [&] { isIn = true; });
    client.connectToHostEncrypted(target.host, static_cast<quint16>(target.port));
    QTRY_VERIFY(isGone(client));
    QVERIFY(!isIn);
    QTRY_COMPARE(two.server->connections(), 0);
    QVERIFY(two.server->connected().empty());
}

void TestPeerAbuse::garbageInsteadOfTls()
{
    TwoMachines two;
    const auto socket = connectRaw(two);
    socket->write("GET / HTTP/1.1\r\nHost: napkin\r\n\r\n");
    QTRY_VERIFY(isGone(*socket));
    QTRY_COMPARE(two.server->connections(), 0);
    QCOMPARE(two.refused.size(), 1U);
}

void TestPeerAbuse::aHandshakeThatStopsHalfway()
{
    TwoMachines two(quick());
    const auto empty = connectRaw(two);
    const auto half = connectRaw(two);
    half->write(QByteArray("\x16\x03\x01\x01\x00\x01", 6)); // a TLS hello that does not go on
    QTRY_COMPARE(two.server->connections(), 2);
    QTRY_VERIFY(isGone(*empty) && isGone(*half));
    QTRY_COMPARE(two.server->connections(), 0);
}

void TestPeerAbuse::noHelloAfterTls()
{
    TwoMachines two(quick());
    QVERIFY(two.pair());
    const auto socket = encrypted(two);
    QTRY_VERIFY(isGone(*socket));
    QTRY_COMPARE(two.server->connections(), 0);
}

void TestPeerAbuse::aFrameThatIsTooLarge()
{
    TwoMachines two;
    QVERIFY(two.pair());
    const auto socket = encrypted(two);
    socket->write(QByteArray("\xff\xff\xff\xffJ", 5));
    QTRY_VERIFY(isGone(*socket));
    QTRY_COMPARE(two.server->connections(), 0);
}

void TestPeerAbuse::aFrameByTheByte()
{
    TwoMachines two(quick());
    QVERIFY(two.pair());
    const auto socket = encrypted(two);
    socket->write(framed(ownHello(*two.near->read())));
    QTRY_COMPARE(two.server->connected().size(), 1U);
    const QByteArray call = framed(PingMessage{});
    qsizetype sent = 0;
    QTimer slow;
    connect(&slow, &QTimer::timeout, this, [&] {
        if (sent < call.size())
            socket->write(call.constData() + sent++, 1);
    });
    slow.start(100ms); // the frame would take two seconds
    QTRY_VERIFY(isGone(*socket));
    QVERIFY(sent < call.size());
    QTRY_COMPARE(two.disconnected.size(), 1U);
    QCOMPARE(two.disconnected[0].code, ErrorCode::TimedOut);
}

void TestPeerAbuse::aSilentChannel()
{
    PeerLimits limits = quick();
    limits.frames.idle = 300ms;
    TwoMachines two(limits);
    QVERIFY(two.pair());
    const auto socket = encrypted(two);
    socket->write(framed(ownHello(*two.near->read())));
    QTRY_COMPARE(two.disconnected.size(), 1U);
    QCOMPARE(two.disconnected[0].code, ErrorCode::PeerSilent);
}

void TestPeerAbuse::aMessageWithNoPlace_data()
{
    QTest::addColumn<QByteArray>("frame");
    const auto row = [](const char* name, const Message& message) {
        QTest::newRow(name) << framed(message);
    };
    HelloMessage again;
    again.id = PeerId::create();
    row("a second hello", again);
    row("a key", KeyMessage{QByteArray(32, 'k')});
    row("paired", PairedMessage{});
    row("a result", ResultMessage{1, nullptr, std::nullopt});
    row("an event", EventMessage{1, nullptr});
    QTest::newRow("a piece") << encodeFrame(pieceOfAnswer(1, QByteArrayView("abc")));
    QTest::newRow("no JSON") << encodeFrame({Frame::Kind::Message, "hello"});
    QTest::newRow("nothing") << encodeFrame({Frame::Kind::Message, {}});
}

void TestPeerAbuse::aMessageWithNoPlace()
{
    QFETCH(QByteArray, frame);
    TwoMachines two;
    QVERIFY(two.pair());
    const auto socket = encrypted(two);
    socket->write(framed(ownHello(*two.near->read())) + frame);
    QTRY_COMPARE(two.disconnected.size(), 1U);
    QCOMPARE(two.disconnected[0].code, ErrorCode::ProtocolViolation);
    QTRY_VERIFY(isGone(*socket));
}

void TestPeerAbuse::whoReadsNothingIsGivenUp()
{
    PeerLimits limits;
    limits.frames.unsent = 1024 * 1024;
    TwoMachines two(limits);
    QVERIFY(two.pair());
    const auto socket = encrypted(two);
    socket->setReadBufferSize(1'024);
    socket->write(framed(ownHello(*two.near->read())));
    QTRY_COMPARE(two.server->connected().size(), 1U);
    // Unread answers of nearly a frame each, until the system's buffers and ours are full.
    std::uint32_t number = 0;
    QTimer flood;
    connect(&flood, &QTimer::timeout, this, [&] {
        socket->write(
            framed(CallMessage{++number, QStringLiteral("long"), Json{{"bytes", 250'000}}, 10s}));
    });
    flood.start(5ms);
    QTRY_COMPARE_WITH_TIMEOUT(two.disconnected.size(), 1U, 20'000);
}

void TestPeerAbuse::wrongKeysAreCountedAndBarred()
{
    TwoMachines two;
    QVERIFY(two.pair());
    TlsTarget wrong = two.pairedTarget();
    wrong.key = randomKey();
    for (int i = 0; i < AddressGuard::mostFailures; ++i) {
        QVERIFY(failedWith(sync(connectTls(wrong, Deadline(5s), {})), ErrorCode::PeerRefused));
        QTRY_COMPARE(two.server->connections(), 0);
    }
    // Now not even the right key is looked at.
    const auto barred = two.open();
    QVERIFY(failedWith(barred, ErrorCode::PeerRefused));
    QTRY_VERIFY(!two.refused.empty() &&
                two.refused.back().detail.contains(QStringLiteral("wrong keys")));
    // From another address it would be.
    const auto neighbour = connectRaw(two, QStringLiteral("127.0.0.2"));
    QTRY_COMPARE(two.server->connections(), 1);
}

void TestPeerAbuse::aThousandConnectionsAtOnce()
{
    TwoMachines two;
    QVERIFY(two.pair());
    const auto before = two.open();
    QVERIFY(before);
    int most = 0;
    QTimer watch;
    connect(&watch, &QTimer::timeout, this,
            [&] { most = std::max(most, two.server->connections()); });
    watch.start(5ms);
    std::vector<std::unique_ptr<QTcpSocket>> flood;
    for (int i = 0; i < 1'000; ++i)
        flood.push_back(connectRaw(two, QStringLiteral("127.0.1.%1").arg(i % 250 + 1)));
    // The one who was in does not notice, and one who comes now gets in.
    for (int i = 0; i < 20; ++i)
        QVERIFY(sync((*before)->call(QStringLiteral("echo"), Json(i), 5s, {}, {})));
    const auto after = two.open();
    QVERIFY2(after, after ? "" : words(after.error()).constData());
    QVERIFY(sync((*after)->call(QStringLiteral("echo"), Json(1), 5s, {}, {})));
    const PeerLimits limits;
    QVERIFY2(most <= limits.unproven + 2, QByteArray::number(most).constData());
    QVERIFY(two.refused.size() < 50); // the log is no flood either
    flood.clear();
    QTRY_COMPARE_WITH_TIMEOUT(two.server->connections(), 2, 10'000);
}

void TestPeerAbuse::onlySoManyChannels()
{
    PeerLimits limits;
    limits.channels = 2;
    TwoMachines two(limits);
    QVERIFY(two.pair());
    const auto one = two.open();
    const auto another = two.open();
    QVERIFY(one && another);
    // The third proves its key, and is told why it cannot stay.
    const auto third = two.open();
    QVERIFY(third);
    QVERIFY(failedWith(sync((*third)->call(QStringLiteral("echo"), Json(1), 5s, {}, {})),
                       ErrorCode::PeerBusy));
    QVERIFY(sync((*one)->call(QStringLiteral("echo"), Json(1), 5s, {}, {})));
}

QTEST_GUILESS_MAIN(TestPeerAbuse)
#include "tst_peerabuse.moc"
