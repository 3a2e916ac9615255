// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/addressguard.h"
#include "core/peer/base32.h"
#include "core/peer/frame.h"
#include "core/peer/message.h"
#include "core/peer/pairingcode.h"
#include "core/peer/ticket.h"
#include "core/peer/tls.h"

#include <QTest>

using namespace napkin;
using namespace std::chrono_literals;
using Json = nlohmann::json;

// What is written and read: codes, frames, messages, identities; and who is barred for how long.
class TestPeerFormats : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCodeIsReadAsItIsShown();
    void aCodeIsReadTolerantly();
    void aTypoIsFound();
    void aWrongCodeSaysWhy_data();
    void aWrongCodeSaysWhy();
    void aCodeMakesOneKey();
    void framesThereAndBack();
    void framesByTheByte();
    void framesTooLarge_data();
    void framesTooLarge();
    void messagesThereAndBack();
    void noMessage_data();
    void noMessage();
    void identities();
    void tickets();
    void fiveFailuresBarAnAddress();
    void barsGrow();
    void theTableIsBounded();
    void neighboursInIpv6AreNotBarred();
};

void TestPeerFormats::aCodeIsReadAsItIsShown()
{
    for (int i = 0; i < 50; ++i) {
        const PairingCode code = PairingCode::create();
        QVERIFY(code.text().startsWith(QStringLiteral("napkin-")));
        QCOMPARE(code.text().size(), 6 + 7 * 6);
        QVERIFY(PairingCode::fromText(code.text()) == code);
        QVERIFY(PairingCode::create() != code);
    }
}

void TestPeerFormats::aCodeIsReadTolerantly()
{
    const PairingCode code = PairingCode::create();
    QString text = code.text();
    QVERIFY(PairingCode::fromText(text.toUpper()) == code);
    QVERIFY(PairingCode::fromText(QString(text).remove(u'-')) == code);
    QVERIFY(PairingCode::fromText(text.mid(7)) == code);
    QVERIFY(PairingCode::fromText(QString(text).replace(u'-', u' ')) == code);
    QVERIFY(PairingCode::fromText(QStringLiteral("\n  %1\r\n").arg(text)) == code);
    QVERIFY(PairingCode::fromText(QString(text).replace(u'-', QChar(0x2013))) == code);
    QVERIFY(PairingCode::fromText(QString(text).replace(u'o', u'0').replace(u'l', u'1')) == code);
}

void TestPeerFormats::aTypoIsFound()
{
    const QString text = PairingCode::create().text().mid(7).remove(u'-');
    for (qsizetype i = 0; i < text.size(); ++i) {
        QString wrong = text;
        wrong[i] = wrong[i] == u'a' ? u'c' : u'a';
        QVERIFY(!PairingCode::fromText(wrong));
        if (i + 1 < text.size() && text[i] != text[i + 1]) {
            wrong = text;
            std::swap(wrong[i], wrong[i + 1]);
            QVERIFY(!PairingCode::fromText(wrong));
        }
    }
}

void TestPeerFormats::aWrongCodeSaysWhy_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const QString& text, const char* why) {
        QTest::newRow(name) << text << QString::fromUtf8(why);
    };
    row("nothing", QString(), "the text given has 0");
    row("the word alone", QStringLiteral("napkin-"), "the text given has");
    row("half of it", PairingCode::create().text().left(30), "copy the whole line");
    row("other letters", QStringLiteral("napkin-ab9de"), "only letters and the digits");
    row("typo", QStringLiteral("napkin") + QString(35, u'a'), "typo");
    row("a book", QString(500, u'a'), "too long");
}

void TestPeerFormats::aWrongCodeSaysWhy()
{
    QFETCH(QString, text);
    QFETCH(QString, why);
    const auto code = PairingCode::fromText(text);
    QVERIFY(!code);
    QCOMPARE(code.error().code, ErrorCode::ParseFailed);
    QVERIFY2(code.error().detail.contains(why), qPrintable(code.error().detail));
}

void TestPeerFormats::aCodeMakesOneKey()
{
    const PairingCode code = PairingCode::create();
    QCOMPARE(code.key().size(), 32);
    QCOMPARE(code.key(), PairingCode::fromText(code.text())->key());
    QVERIFY(code.key() != PairingCode::create().key());
}

void TestPeerFormats::framesThereAndBack()
{
    const std::vector<Frame> frames{
        {Frame::Kind::Message, "{}"},
        {Frame::Kind::Message, QByteArray()},
        {Frame::Kind::Message, QByteArray(Frame::largestMessage, 'x')},
        pieceOfAnswer(0x01020304, QByteArray(Frame::largestPiece, 'y'))};
    FrameDecoder decoder;
    for (const Frame& frame : frames)
        decoder.feed(encodeFrame(frame));
    for (const Frame& frame : frames)
        QVERIFY(*decoder.next() == frame);
    QVERIFY(!decoder.next()->has_value());
    QVERIFY(!decoder.hasBegun());
    QCOMPARE(answerPiece(frames.back())->call, 0x01020304U);
    QCOMPARE(answerPiece(frames.back())->bytes.size(), Frame::largestPiece);
    QVERIFY(!answerPiece({Frame::Kind::Bytes, "abcd"}));
    QVERIFY(
        encodeFrame({Frame::Kind::Message, QByteArray(Frame::largestMessage + 1, 'x')}).isEmpty());
}

void TestPeerFormats::framesByTheByte()
{
    const QByteArray bytes =
        encodeFrame({Frame::Kind::Message, "abc"}) + encodeFrame({Frame::Kind::Message, "d"});
    FrameDecoder decoder;
    QByteArrayList seen;
    for (const char byte : bytes) {
        decoder.feed(QByteArrayView(&byte, 1));
        if (const auto frame = *decoder.next())
            seen << frame->payload;
    }
    QCOMPARE(seen, (QByteArrayList{"abc", "d"}));
}

void TestPeerFormats::framesTooLarge_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("4 GiB") << QByteArray("\xff\xff\xff\xffJ", 5) << ErrorCode::FrameTooLarge;
    QTest::newRow("a byte more") << QByteArray("\x00\x04\x00\x01J", 5) << ErrorCode::FrameTooLarge;
    QTest::newRow("a piece") << QByteArray("\x00\x01\x00\x05"
                                           "B",
                                           5)
                             << ErrorCode::FrameTooLarge;
    QTest::newRow("unknown kind") << QByteArray("\x00\x00\x00\x01X", 5)
                                  << ErrorCode::ProtocolViolation;
    QTest::newRow("another protocol")
        << QByteArray("GET / HTTP/1.1\r\n\r\n") << ErrorCode::ProtocolViolation;
}

void TestPeerFormats::framesTooLarge()
{
    QFETCH(QByteArray, header);
    QFETCH(ErrorCode, code);
    FrameDecoder decoder;
    decoder.feed(header);
    QCOMPARE(decoder.next().error().code, code);
    decoder.feed(encodeFrame({Frame::Kind::Message, "{}"})); // it stays broken
    QCOMPARE(decoder.next().error().code, code);
    QVERIFY(!decoder.hasBegun());
}

void TestPeerFormats::messagesThereAndBack()
{
    HelloMessage hello;
    hello.version = QStringLiteral("0.1.0");
    hello.id = PeerId::create();
    hello.name = QStringLiteral("Büro");
    hello.capabilities = {QStringLiteral("facts"), QStringLiteral("measure")};
    const Error error{ErrorCode::PeerBusy, QStringLiteral("why"), QStringLiteral("what"), nullptr};
    const std::vector<Message> messages{hello,
                                        CallMessage{7, QStringLiteral("echo"), Json{{"a", 1}}, 10s},
                                        EventMessage{7, Json::array({1, 2})},
                                        ResultMessage{7, nullptr, std::nullopt},
                                        ResultMessage{7, nullptr, 300'000},
                                        ErrorMessage{7, error},
                                        CancelMessage{7},
                                        PingMessage{},
                                        PongMessage{},
                                        ByeMessage{error},
                                        KeyMessage{QByteArray(32, 'k')},
                                        PairedMessage{}};
    for (const Message& message : messages) {
        const auto bytes = encodeMessage(message);
        QVERIFY(bytes);
        const auto back = decodeMessage(*bytes);
        QVERIFY2(back, bytes->constData());
        QCOMPARE(back->index(), message.index());
        QCOMPARE(*encodeMessage(*back), *bytes);
    }
    const auto call = std::get<CallMessage>(*decodeMessage(*encodeMessage(messages[1])));
    QCOMPARE(call.limit, std::chrono::milliseconds(10s));
    QVERIFY(!encodeMessage(EventMessage{1, std::string(300'000, 'x')}));
}

void TestPeerFormats::noMessage_data()
{
    QTest::addColumn<QByteArray>("text");
    for (
        const char* text :
        {"",
         "{",
         "[]",
         "null",
         "7",
         R"({"type":7})",
         R"({"type":"dance"})",
         R"({"type":"call"})",
         R"({"type":"call","call":0,"method":"a","arguments":{},"limit_ms":1})",
         R"({"type":"call","call":1.5,"method":"a","arguments":{},"limit_ms":1})",
         R"({"type":"call","call":4294967296,"method":"a","arguments":{},"limit_ms":1})",
         R"({"type":"call","call":1,"method":"a","arguments":{},"limit_ms":0})",
         R"({"type":"call","call":1,"method":"a","arguments":{},"limit_ms":1e3})",
         R"({"type":"call","call":1,"method":"a","limit_ms":1})",
         R"({"type":"result","call":1})",
         R"({"type":"result","call":1,"bytes":99999999999})",
         R"({"type":"result","call":1,"bytes":-1})",
         R"({"type":"key","key":"aaaa"})",
         R"({"type":"hello","protocol":0,"version":"1"})",
         R"({"type":"hello","protocol":1,"version":"1","id":"x","name":"","capabilities":[]})",
         R"({"type":"hello","protocol":1,"version":"1","id":"00000000000000000000000000000001","name":"","capabilities":[1]})",
         R"({"type":"ping","type":"pong"})"})
        QTest::newRow(text) << QByteArray(text);
    QTest::newRow("a long method")
        << QByteArray(R"({"type":"call","call":1,"arguments":{},"limit_ms":1,"method":")") +
               QByteArray(65, 'a') + "\"}";
    QTest::newRow("deep") << QByteArray(R"({"type":"event","call":1,"value":)") +
                                 QByteArray(40, '[') + QByteArray(40, ']') + "}";
    QTest::newRow("not UTF-8") << QByteArray("{\"type\":\"\xff\"}");
}

void TestPeerFormats::noMessage()
{
    QFETCH(QByteArray, text);
    const auto message = decodeMessage(text);
    QVERIFY(!message);
    QCOMPARE(message.error().code, ErrorCode::ProtocolViolation);
}

void TestPeerFormats::identities()
{
    const TlsIdentity peer{PeerId::create(), {}};
    const TlsIdentity invitation{{}, QStringLiteral("abc27")};
    QVERIFY(decodeIdentity(encodeIdentity(peer)) == peer);
    QVERIFY(decodeIdentity(encodeIdentity(invitation)) == invitation);
    for (const char* wrong :
         {"", "peer:", "peer:12", "peer:00000000000000000000000000000000", "invite:", "invite:ABC",
          "invite:a b", "invite:abcdefghijklmnopqr", "Client_identity", "peer"})
        QVERIFY2(!decodeIdentity(wrong), wrong);
}

void TestPeerFormats::tickets()
{
    const DataTicket ticket = DataTicket::create();
    QVERIFY(DataTicket::fromText(ticket.text()) == ticket);
    QVERIFY(DataTicket::create() != ticket);
    QCOMPARE(ticket.cookie().size(), 37);
    QVERIFY(ticket.farProof() != ticket.nearProof());
    QCOMPARE(ticket.farProof().size(), 32);
    // Never what a stock iperf3 server says first.
    for (int i = 0; i < 300; ++i)
        QCOMPARE(DataTicket::create().farProof().front(), 'N');
    QVERIFY(!ticket.cookie().contains(ticket.text().toLatin1().left(10)));
    QVERIFY(!DataTicket::fromText(u"abcd"));
    QVERIFY(equalInConstantTime("abc", "abc"));
    QVERIFY(!equalInConstantTime("abc", "abd"));
    QVERIFY(!equalInConstantTime("abc", "ab"));
}

void TestPeerFormats::fiveFailuresBarAnAddress()
{
    AddressGuard guard;
    const QHostAddress a(QStringLiteral("10.0.0.1"));
    const SteadyTime start = std::chrono::steady_clock::now();
    for (int i = 0; i < 4; ++i)
        guard.countFailure(a, start + i * 1s);
    QVERIFY(!guard.bar(a, start + 4s));
    guard.countFailure(a, start + 4s);
    QCOMPARE(guard.bar(a, start + 4s), std::optional(60s));
    QVERIFY(guard.bar(QHostAddress(QStringLiteral("::ffff:10.0.0.1")), start + 5s));
    QVERIFY(!guard.bar(QHostAddress(QStringLiteral("10.0.0.2")), start + 5s));
    QVERIFY(!guard.bar(a, start + 64s));
    // Far apart they do not add up.
    AddressGuard patient;
    for (int i = 0; i < 20; ++i)
        patient.countFailure(a, start + i * 20s);
    QVERIFY(!patient.bar(a, start + 400s));
}

void TestPeerFormats::barsGrow()
{
    AddressGuard guard;
    const QHostAddress a(QStringLiteral("10.0.0.1"));
    SteadyTime now = std::chrono::steady_clock::now();
    std::vector<std::chrono::seconds> bars;
    for (int round = 0; round < 9; ++round) {
        for (int i = 0; i < 5; ++i)
            guard.countFailure(a, now);
        bars.push_back(*guard.bar(a, now));
        now += bars.back();
    }
    QCOMPARE(bars[1], 120s);
    QCOMPARE(bars[2], 240s);
    QCOMPARE(bars[8], 3'600s);
    guard.proved(a);
    QVERIFY(guard.hasProved(a));
    QVERIFY(!guard.bar(a, now));
}

void TestPeerFormats::theTableIsBounded()
{
    AddressGuard guard;
    const SteadyTime now = std::chrono::steady_clock::now();
    for (quint32 i = 0; i < 5'000; ++i)
        guard.countFailure(QHostAddress(0x0a000000 + i), now + std::chrono::milliseconds(i));
    QCOMPARE(guard.size(), AddressGuard::mostAddresses);
    LogThrottle throttle;
    int said = 0;
    for (int i = 0; i < 1'000; ++i)
        said += throttle.admit(now) ? 1 : 0;
    QVERIFY(said <= 10);
    QVERIFY(throttle.admit(now + 5s));
    QCOMPARE(throttle.takeLeftOut(), 1'000 - said);
}

void TestPeerFormats::neighboursInIpv6AreNotBarred()
{
    AddressGuard guard;
    const SteadyTime now = std::chrono::steady_clock::now();
    for (int i = 0; i < 5; ++i)
        guard.countFailure(QHostAddress(QStringLiteral("fe80::1%eth0")), now);
    QVERIFY(guard.bar(QHostAddress(QStringLiteral("fe80::1%eth0")), now));
    QVERIFY(!guard.bar(QHostAddress(QStringLiteral("fe80::2%eth0")), now));
}

QTEST_GUILESS_MAIN(TestPeerFormats)
#include "tst_peerformats.moc"
