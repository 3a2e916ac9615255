// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/announcement.h"

#include "core/base/boundedjson.h"
#include "core/peer/message.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace napkin {

namespace {

using nlohmann::json;

constexpr const char* formatName = "napkin-announcement";
constexpr int deepest = 2;
constexpr int highestPort = 65'535;

json jsonOf(const Announcement& said, const QString& name)
{
    return {{"format", formatName},
            {"version", Announcement::protocol},
            {"kind", "here"},
            {"name", name.toStdString()},
            {"id", said.id.text().toStdString()},
            {"peer_port", said.peerPort},
            {"iperf3_port", said.iperfPort}};
}

template <size_t N>
bool hasOnly(const json& document, const std::array<std::string_view, N>& keys)
{
    return document.size() == N && std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
               return document.contains(key);
           });
}

Result<DiscoveryMessage> announcementFrom(JsonReader& reader)
{
    const json& root = reader.root();
    Announcement said;
    said.name = tidyName(reader.text(root, "name"));
    const auto id = PeerId::fromText(reader.text(root, "id"));
    if (!id || id->isNull())
        reader.failAt(QStringLiteral("id"), QStringLiteral("no id"));
    else
        said.id = *id;
    said.peerPort = static_cast<int>(reader.integer(root, "peer_port", 0, highestPort));
    said.iperfPort = static_cast<int>(reader.integer(root, "iperf3_port", 0, highestPort));
    if (!reader.ok())
        return fail(ErrorCode::ProtocolViolation, {}, reader.fault()->detail);
    return said;
}

} // namespace

QHostAddress discoveryGroup()
{
    return QHostAddress(QStringLiteral("ff12::6e61:706b:696e"));
}

QByteArray encodeDiscovery(const DiscoveryMessage& message)
{
    if (std::holds_alternative<DiscoveryQuery>(message))
        return jsonBytes(
            {{"format", formatName}, {"version", Announcement::protocol}, {"kind", "query"}});
    const auto& said = std::get<Announcement>(message);
    QString name = tidyName(said.name);
    QByteArray bytes = jsonBytes(jsonOf(said, name));
    while (bytes.size() > mostDiscoveryBytes) {
        name.chop(1);
        bytes = jsonBytes(jsonOf(said, tidyName(name)));
    }
    return bytes;
}

Result<DiscoveryMessage> decodeDiscovery(QByteArrayView datagram)
{
    const auto document = parseJson(datagram, {mostDiscoveryBytes, deepest});
    if (!document)
        return tl::unexpected(document.error());
    if (!document->is_object())
        return fail(ErrorCode::ProtocolViolation);
    JsonReader reader(*document);
    const bool ours = reader.text(*document, "format") == QLatin1StringView(formatName);
    const auto version = reader.integer(*document, "version");
    const QString kind = reader.text(*document, "kind");
    if (!reader.ok() || !ours || version != Announcement::protocol)
        return fail(ErrorCode::ProtocolViolation);
    constexpr std::array<std::string_view, 3> queryKeys{"format", "version", "kind"};
    constexpr std::array<std::string_view, 7> hereKeys{"format", "version",   "kind",       "name",
                                                       "id",     "peer_port", "iperf3_port"};
    if (kind == QLatin1StringView("query") && hasOnly(*document, queryKeys))
        return DiscoveryQuery{};
    if (kind == QLatin1StringView("here") && hasOnly(*document, hereKeys))
        return announcementFrom(reader);
    return fail(ErrorCode::ProtocolViolation);
}

} // namespace napkin
