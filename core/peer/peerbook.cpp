// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/peerbook.h"

#include "core/base/boundedjson.h"
#include "core/peer/base32.h"
#include "core/peer/message.h"
#include "core/peer/peerwords.h"

#include <QHostAddress>

#include <algorithm>

namespace napkin {

namespace {

using Json = nlohmann::json;

constexpr int version = 1;
constexpr qsizetype largestFile = 1024 * 1024;
constexpr int depth = 6;
constexpr qsizetype keyBytes = 32;
constexpr qsizetype longestHost = 255;

std::string dateText(const QDateTime& date)
{
    return date.toUTC().toString(Qt::ISODateWithMs).toStdString();
}

QDateTime dateOf(JsonReader& in, const Json& json, const char* key)
{
    const QDateTime date = QDateTime::fromString(in.text(json, key), Qt::ISODateWithMs);
    if (!date.isValid())
        in.failAt(QString::fromLatin1(key), PeerWords::tr("it is no date"));
    return date.toUTC();
}

QByteArray keyOf(JsonReader& in, const Json& json)
{
    const auto key = fromBase32(in.text(json, "key"));
    if (!key || key->size() != keyBytes)
        in.failAt(QStringLiteral("key"), PeerWords::tr("it is no key"));
    return key.value_or(QByteArray());
}

PeerId idOf(JsonReader& in, const Json& json)
{
    const auto id = PeerId::fromText(in.text(json, "id"));
    if (!id || id->isNull())
        in.failAt(QStringLiteral("id"), PeerWords::tr("it is no id"));
    return id.value_or(PeerId());
}

QString nameOf(JsonReader& in, const Json& json)
{
    const QString name = in.text(json, "name");
    if (name.isEmpty() || tidyName(name) != name)
        in.failAt(QStringLiteral("name"), PeerWords::tr("it is no name"));
    return name;
}

PairedPeer peerOf(JsonReader& in, const Json& json)
{
    PairedPeer peer;
    peer.id = idOf(in, json);
    peer.name = nameOf(in, json);
    peer.key = keyOf(in, json);
    peer.host = in.text(json, "host");
    if (peer.host.size() > longestHost)
        in.failAt(QStringLiteral("host"), PeerWords::tr("it is too long"));
    peer.port = static_cast<int>(in.integer(json, "port", 0, 65'535));
    peer.paired = dateOf(in, json, "paired_at");
    if (in.optionalText(json, "seen_at"))
        peer.seen = dateOf(in, json, "seen_at");
    return peer;
}

Invitation invitationOf(JsonReader& in, const Json& json)
{
    Invitation invitation;
    invitation.id = in.text(json, "id");
    if (invitation.id.isEmpty() || invitation.id.size() > 16)
        in.failAt(QStringLiteral("id"), PeerWords::tr("it is no invitation"));
    invitation.key = keyOf(in, json);
    invitation.expires = dateOf(in, json, "expires_at");
    invitation.wrongTries = static_cast<int>(in.integer(json, "wrong_tries", 0, 1'000));
    return invitation;
}

template <typename T, typename Read>
std::vector<T> listOf(JsonReader& in, const char* key, size_t most, Read read)
{
    std::vector<T> items;
    const Json* list = in.array(in.root(), key);
    if (list && list->size() > most)
        in.failAt(QString::fromLatin1(key), PeerWords::tr("there are too many"));
    if (!list || !in.ok())
        return items;
    items.reserve(list->size());
    for (const Json& item : *list)
        items.push_back(read(in, item));
    return items;
}

bool hasTwins(const std::vector<PairedPeer>& peers)
{
    for (auto peer = peers.begin(); peer != peers.end(); ++peer) {
        if (std::any_of(std::next(peer), peers.end(), [&](const PairedPeer& other) {
                return other.id == peer->id ||
                       other.name.compare(peer->name, Qt::CaseInsensitive) == 0;
            }))
            return true;
    }
    return false;
}

} // namespace

const PairedPeer* PeerBook::find(PeerId id) const
{
    const auto found = std::find_if(peers.begin(), peers.end(),
                                    [&](const PairedPeer& peer) { return peer.id == id; });
    return found == peers.end() ? nullptr : &*found;
}

const PairedPeer* PeerBook::find(QStringView nameOrId) const
{
    const QStringView wanted = nameOrId.trimmed();
    for (const PairedPeer& peer : peers) {
        if (wanted.compare(peer.name, Qt::CaseInsensitive) == 0)
            return &peer;
    }
    const auto id = PeerId::fromText(wanted);
    return id ? find(*id) : nullptr;
}

const Invitation* PeerBook::invitation(QStringView id) const
{
    const auto found = std::find_if(invitations.begin(), invitations.end(),
                                    [&](const Invitation& open) { return open.id == id; });
    return found == invitations.end() ? nullptr : &*found;
}

QString PeerBook::freeName(const QString& wanted, PeerId owner) const
{
    constexpr qsizetype roomForNumber = 58;
    const QString tidy = tidyName(wanted);
    // A name that reads as an address would stand for another machine.
    const bool isAddress = !QHostAddress(tidy).isNull();
    const QString base = tidy.isEmpty() ? QStringLiteral("peer")
                         : isAddress    ? QStringLiteral("peer ") + tidy
                                        : tidy;
    QString candidate = base;
    for (int number = 2;; ++number) {
        const PairedPeer* other = find(QStringView(candidate));
        if (!other || other->id == owner)
            return candidate;
        candidate = tidyName(base.left(roomForNumber)) + QLatin1Char(' ') + QString::number(number);
    }
}

void PeerBook::put(PairedPeer peer)
{
    for (PairedPeer& known : peers) {
        if (known.id == peer.id) {
            known = std::move(peer);
            return;
        }
    }
    peers.push_back(std::move(peer));
}

QByteArray encodePeerBook(const PeerBook& book)
{
    Json json{{"format", "napkin-peers"},
              {"version", version},
              {"id", book.self.isNull() ? Json(nullptr) : Json(book.self.text().toStdString())},
              {"name", book.name.toStdString()},
              {"peers", Json::array()},
              {"invitations", Json::array()}};
    for (const PairedPeer& peer : book.peers)
        json["peers"].push_back({{"id", peer.id.text().toStdString()},
                                 {"name", peer.name.toStdString()},
                                 {"key", toBase32(peer.key).toStdString()},
                                 {"host", peer.host.toStdString()},
                                 {"port", peer.port},
                                 {"paired_at", dateText(peer.paired)},
                                 {"seen_at", peer.seen ? Json(dateText(*peer.seen)) : Json()}});
    for (const Invitation& invitation : book.invitations)
        json["invitations"].push_back({{"id", invitation.id.toStdString()},
                                       {"key", toBase32(invitation.key).toStdString()},
                                       {"expires_at", dateText(invitation.expires)},
                                       {"wrong_tries", invitation.wrongTries}});
    return QByteArray::fromStdString(json.dump(2, ' ', false, Json::error_handler_t::replace)) +
           '\n';
}

Result<PeerBook> decodePeerBook(QByteArrayView text)
{
    const auto document = parseJson(text, {largestFile, depth});
    if (!document)
        return fail(ErrorCode::ParseFailed, {}, document.error().detail);
    JsonReader in(*document);
    if (in.text(*document, "format") != QStringLiteral("napkin-peers"))
        in.failAt(QStringLiteral("format"), PeerWords::tr("it is no list of paired machines"));
    const std::int64_t format = in.integer(*document, "version", 1);
    if (in.ok() && format > version)
        return fail(ErrorCode::StorageTooNew);
    PeerBook book;
    if (in.optionalText(*document, "id")) {
        book.self = idOf(in, *document);
        book.name = nameOf(in, *document);
    }
    book.peers = listOf<PairedPeer>(in, "peers", PeerBook::mostPeers, peerOf);
    book.invitations =
        listOf<Invitation>(in, "invitations", PeerBook::mostInvitations, invitationOf);
    if (in.ok() && hasTwins(book.peers))
        in.failAt(QStringLiteral("peers"), PeerWords::tr("two have the same id or name"));
    if (!in.ok())
        return fail(ErrorCode::ParseFailed, {}, in.fault()->detail);
    return book;
}

} // namespace napkin
