// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/peer/decoders.h"

#include "core/measure/latency/echoprotocol.h"
#include "core/measure/latency/pingecho.h"
#include "core/measure/os/filesystem.h"
#include "core/measure/pathmtu/echosizes.h"
#include "core/measure/pathmtu/mtumessage.h"
#include "core/peer/base32.h"
#include "core/peer/frame.h"
#include "core/peer/message.h"
#include "core/peer/pairingcode.h"
#include "core/peer/peerbook.h"
#include "core/peer/ticket.h"
#include "core/peer/tls.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace napkin::test {

namespace {

void demand(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

QString latin1(QByteArrayView bytes)
{
    return QString::fromLatin1(bytes);
}

void feedBase32(QByteArrayView bytes)
{
    const QString text = latin1(bytes);
    if (const auto decoded = fromBase32(text))
        demand(toBase32(*decoded) == text.toLower(), "base32 there and back");
    demand(fromBase32(toBase32(bytes.toByteArray())) == bytes.toByteArray(), "bytes as base32");
}

// As it comes from the network: in pieces of any size, which the bytes themselves decide.
void feedFrames(QByteArrayView bytes)
{
    FrameDecoder decoder;
    qsizetype at = 0;
    QByteArray taken;
    bool isBroken = false;
    while (at < bytes.size()) {
        const qsizetype size =
            std::min<qsizetype>(bytes.size() - at, 1 + static_cast<unsigned char>(bytes[at]) % 32);
        decoder.feed(bytes.sliced(at, size));
        at += size;
        while (true) {
            const auto frame = decoder.next();
            isBroken = !frame;
            if (!frame || !*frame)
                break;
            demand((*frame)->payload.size() <= Frame::largestMessage, "a frame within bounds");
            taken += encodeFrame(**frame);
            [[maybe_unused]] const auto piece = answerPiece(**frame);
        }
    }
    demand(bytes.startsWith(taken), "frames there and back");
    demand(!isBroken || !decoder.hasBegun(), "a broken decoder holds nothing");
}

void feedMessage(QByteArrayView bytes)
{
    const auto message = decodeMessage(bytes);
    if (!message)
        return;
    const auto encoded = encodeMessage(*message);
    if (!encoded)
        return; // escapes may make it longer than a frame
    const auto again = decodeMessage(*encoded);
    demand(again.has_value(), "a message that was decoded is one");
    demand(encodeMessage(*again) == *encoded, "messages there and back");
}

void feedCode(QByteArrayView bytes)
{
    const auto code = PairingCode::fromText(QString::fromUtf8(bytes));
    if (code)
        demand(PairingCode::fromText(code->text()) == *code, "codes there and back");
}

void feedTicket(QByteArrayView bytes)
{
    const auto ticket = DataTicket::fromText(latin1(bytes));
    if (ticket)
        demand(ticket->text() == latin1(bytes).toLower(), "tickets there and back");
}

void feedIdentity(QByteArrayView bytes)
{
    const auto identity = decodeIdentity(bytes.toByteArray());
    if (identity)
        demand(decodeIdentity(encodeIdentity(*identity)) == identity, "identities there and back");
}

void feedBook(QByteArrayView bytes)
{
    const auto book = decodePeerBook(bytes);
    if (!book)
        return;
    demand(book->peers.size() <= PeerBook::mostPeers, "a book within bounds");
    const auto again = decodePeerBook(encodePeerBook(*book));
    demand(again && *again == *book, "books there and back");
}

void feedEchoPlan(QByteArrayView bytes)
{
    const auto plan = pingpong::decodePlan(bytes);
    if (!plan)
        return;
    demand(plan->sizes.size() <= pingpong::mostSizes, "a plan within bounds");
    demand(plan->largest() <= pingpong::largestMessage, "messages within bounds");
    demand(pingpong::encodePlan(*plan) == bytes, "plans there and back");
}

// As ping prints it: in pieces.
void feedPingOutput(QByteArrayView bytes)
{
    pingpong::PingReader reader;
    const qsizetype half = bytes.size() / 2;
    for (const QByteArrayView piece : {bytes.first(half), bytes.sliced(half)}) {
        for (const auto& reply : reader.feed(piece))
            demand(reply.number >= 0 && reply.time.count() >= 0, "a reply that can be");
    }
}

void feedPathMtu(QByteArrayView bytes)
{
    if (const auto message = pathmtu::decode(bytes)) {
        const QByteArray again = pathmtu::encode(*message);
        demand(again.size() <= pathmtu::largestFrame + 4, "a message about the MTU within bounds");
        demand(again.sliced(4) == bytes, "messages about the MTU there and back");
    }
    const QByteArray token(pathmtu::tokenSize, 't');
    if (const auto sequence = pathmtu::sequenceOf(bytes, token))
        demand(bytes.startsWith(pathmtu::encodeDatagram(token, *sequence, 0)),
               "datagrams there and back");
    demand(parsePingOfSize(bytes).told.value_or(1) > 0, "an MTU that ping told");
}

// The kernel writes it, with names that users chose.
void feedMountinfo(QByteArrayView bytes)
{
    const QByteArray text = bytes.toByteArray();
    for (const int id : {0, 1, 36}) {
        if (const auto mount = mountEntry(text, id))
            demand(mount->source.size() <= bytes.size(), "a mount no longer than what tells of it");
    }
}

constexpr std::array list{
    Decoder{"base32", feedBase32},          Decoder{"frames", feedFrames},
    Decoder{"message", feedMessage},        Decoder{"pairing-code", feedCode},
    Decoder{"ticket", feedTicket},          Decoder{"identity", feedIdentity},
    Decoder{"peer-book", feedBook},         Decoder{"echo-plan", feedEchoPlan},
    Decoder{"ping-output", feedPingOutput}, Decoder{"path-mtu", feedPathMtu},
    Decoder{"mountinfo", feedMountinfo},
};

} // namespace

std::span<const Decoder> decoders()
{
    return list;
}

} // namespace napkin::test
