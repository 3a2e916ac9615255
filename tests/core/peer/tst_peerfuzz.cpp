// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoprotocol.h"
#include "core/measure/pathmtu/mtumessage.h"
#include "core/peer/frame.h"
#include "core/peer/message.h"
#include "core/peer/pairingcode.h"
#include "core/peer/peerbook.h"
#include "core/peer/ticket.h"
#include "core/peer/tls.h"
#include "tests/core/peer/decoders.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>

using namespace napkin;
using namespace napkin::test;

// Random and slightly wrong bytes for every decoder; the same every time. What a decoder must keep
// to stands in decoders.cpp. A real fuzzer looks further: tests/run --stage fuzz.
class TestPeerFuzz : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void randomBytes_data();
    void randomBytes();
    void mutations_data();
    void mutations();
};

namespace {

constexpr int mostRounds = 4'000;
constexpr qint64 mostMilliseconds = 2'000; // a decoder

// Well-formed input of every kind; every decoder gets all of it.
std::vector<QByteArray> samples()
{
    HelloMessage hello;
    hello.id = PeerId::create();
    hello.version = QStringLiteral("0.1.0");
    hello.capabilities = {QStringLiteral("facts")};
    PeerBook book;
    book.self = PeerId::create();
    book.name = QStringLiteral("a");
    const QDateTime now = QDateTime::fromSecsSinceEpoch(1'800'000'000, Qt::UTC);
    book.peers = {{PeerId::create(), QStringLiteral("b"), QByteArray(32, 'k'),
                   QStringLiteral("10.0.0.2"), 5210, now, now}};
    book.invitations = {{QStringLiteral("abcde"), QByteArray(32, 'i'), now, 1}};
    std::vector<QByteArray> all{encodePeerBook(book),
                                PairingCode::create().text().toUtf8(),
                                DataTicket::create().text().toUtf8(),
                                encodeIdentity({PeerId::create(), {}}),
                                encodeIdentity({{}, QStringLiteral("abcde")}),
                                "[17.5] 24 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=0.02 ms\n"
                                "2 packets transmitted, 1 received\n",
                                "36 1 0:50 / /mnt/a\\040b rw - nfs4 nas:/a\\040b rw\n"};
    pingpong::Plan plan;
    plan.messages = 100;
    plan.sizes = {1, 64, 4'096};
    all.push_back(pingpong::encodePlan(plan));
    for (const Message& message :
         {Message(hello), Message(CallMessage{1, QStringLiteral("echo"), {{"a", 1}}, {}}),
          Message(ResultMessage{1, nullptr, 70'000}), Message(KeyMessage{QByteArray(32, 'k')}),
          Message(ByeMessage{Error{ErrorCode::PeerBusy, QStringLiteral("b"), {}, nullptr}})}) {
        all.push_back(*encodeMessage(message));
        all.push_back(encodeFrame({Frame::Kind::Message, all.back()}) +
                      encodeFrame(pieceOfAnswer(1, QByteArrayView("abc"))));
    }
    for (const pathmtu::Message& message :
         {pathmtu::Message(pathmtu::Welcome{1500}), pathmtu::Message(pathmtu::SendBack{1, 9000}),
          pathmtu::Message(pathmtu::SentBack{1, {}, 1500}),
          pathmtu::Message(pathmtu::TooBig{1, 1400, QStringLiteral("10.0.0.1")}),
          pathmtu::Message(pathmtu::Bulk{Direction::Reverse, 1000})})
        all.push_back(pathmtu::encode(message).sliced(4));
    all.push_back(pathmtu::encodeDatagram(QByteArray(pathmtu::tokenSize, 't'), 1, 100));
    return all;
}

QByteArray randomOf(std::mt19937& random, qsizetype most)
{
    QByteArray bytes(static_cast<qsizetype>(random() % static_cast<unsigned>(most)), '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

// One to four small damages.
QByteArray mutated(std::mt19937& random, QByteArray bytes)
{
    for (unsigned left = 1 + random() % 4; left > 0 && !bytes.isEmpty(); --left) {
        const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size()));
        switch (random() % 5) {
        case 0:
            bytes[at] = static_cast<char>(random());
            break;
        case 1:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
            break;
        case 2:
            bytes.remove(at, 1 + static_cast<qsizetype>(random() % 8));
            break;
        case 3:
            bytes.insert(at, randomOf(random, 8));
            break;
        default:
            bytes.insert(at, bytes.mid(at, 20));
        }
    }
    return bytes;
}

void rows()
{
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < decoders().size(); ++i)
        QTest::newRow(decoders()[i].name) << static_cast<int>(i);
}

} // namespace

void TestPeerFuzz::randomBytes_data()
{
    rows();
}

void TestPeerFuzz::randomBytes()
{
    QFETCH(int, index);
    const Decoder& decoder = decoders()[static_cast<size_t>(index)];
    std::mt19937 random(1);
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < mostRounds && timer.elapsed() < mostMilliseconds; ++i)
        decoder.feed(randomOf(random, 300));
}

void TestPeerFuzz::mutations_data()
{
    rows();
}

void TestPeerFuzz::mutations()
{
    QFETCH(int, index);
    const Decoder& decoder = decoders()[static_cast<size_t>(index)];
    const std::vector<QByteArray> all = samples();
    std::mt19937 random(2);
    QElapsedTimer timer;
    timer.start();
    for (const QByteArray& sample : all)
        decoder.feed(sample);
    for (int i = 0; i < mostRounds && timer.elapsed() < mostMilliseconds; ++i)
        decoder.feed(mutated(random, all[static_cast<size_t>(random()) % all.size()]));
}

QTEST_GUILESS_MAIN(TestPeerFuzz)
#include "tst_peerfuzz.moc"
