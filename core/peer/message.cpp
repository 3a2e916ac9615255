// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/message.h"

#include "core/base/boundedjson.h"
#include "core/peer/base32.h"
#include "core/peer/frame.h"
#include "core/peer/peerwords.h"

#include <limits>

namespace napkin {

namespace {

using Json = nlohmann::json;

constexpr int depth = 18; // 16 for what is carried, and the message around it
constexpr qsizetype longestName = 64;
constexpr qsizetype longestWord = 64; // version, method, capability
constexpr qsizetype longestText = 2'000;
constexpr size_t mostCapabilities = 64;
constexpr qsizetype keyBytes = 32;
constexpr std::int64_t longestCall = 7LL * 24 * 3'600 * 1'000;

// Reads the members that several messages have, each within bounds.
class Reader
{
public:
    explicit Reader(const Json& document)
        : m_in(document)
        , m_json(document)
    {}
    [[nodiscard]] bool ok() const { return m_json.ok(); }
    [[nodiscard]] QString why() const { return m_json.fault()->detail; }

    QString word(const char* key, qsizetype longest = longestWord)
    {
        QString text = m_json.text(m_in, key);
        if (text.size() > longest)
            m_json.failAt(QString::fromLatin1(key), PeerWords::tr("it is too long"));
        return text.left(longest);
    }
    std::uint32_t call()
    {
        return static_cast<std::uint32_t>(
            m_json.integer(m_in, "call", 1, std::numeric_limits<std::uint32_t>::max()));
    }
    std::int64_t integer(const char* key, std::int64_t least, std::int64_t most)
    {
        return m_json.integer(m_in, key, least, most);
    }
    Json value(const char* key)
    {
        const auto found = m_in.find(key);
        if (found != m_in.end())
            return *found;
        m_json.failAt(QString::fromLatin1(key), PeerWords::tr("it is missing"));
        return nullptr;
    }
    Error error()
    {
        const auto code = errorCodeFromName(word("code"));
        // A later version may know faults that this one does not.
        return Error{code.value_or(ErrorCode::PeerRefused), word("detail", longestText),
                     word("context", longestText), nullptr};
    }
    PeerId id()
    {
        const auto id = PeerId::fromText(word("id"));
        if (!id || id->isNull())
            m_json.failAt(QStringLiteral("id"), PeerWords::tr("it is no id"));
        return id.value_or(PeerId());
    }
    QStringList capabilities()
    {
        QStringList names;
        const Json* list = m_json.array(m_in, "capabilities");
        if (!list)
            return names;
        for (const Json& item : *list) {
            const QString name =
                item.is_string() ? QString::fromStdString(item.get<std::string>()) : QString();
            if (name.isEmpty() || name.size() > longestWord || list->size() > mostCapabilities)
                m_json.failAt(QStringLiteral("capabilities"), PeerWords::tr("a list of names"));
            if (!ok())
                return names;
            names << name;
        }
        return names;
    }
    QByteArray key()
    {
        const auto key = fromBase32(word("key"));
        if (!key || key->size() != keyBytes)
            m_json.failAt(QStringLiteral("key"), PeerWords::tr("it is no key"));
        return key.value_or(QByteArray());
    }

private:
    const Json& m_in;
    JsonReader m_json;
};

HelloMessage readHello(Reader& in)
{
    HelloMessage hello;
    hello.protocol = static_cast<int>(in.integer("protocol", 1, std::numeric_limits<int>::max()));
    hello.version = tidyName(in.word("version"));
    if (hello.protocol != peerProtocol)
        return hello;
    hello.id = in.id();
    hello.name = tidyName(in.word("name", longestText));
    hello.capabilities = in.capabilities();
    return hello;
}

CallMessage readCall(Reader& in)
{
    CallMessage call;
    call.call = in.call();
    call.method = in.word("method");
    call.arguments = in.value("arguments");
    call.limit = std::chrono::milliseconds(in.integer("limit_ms", 1, longestCall));
    return call;
}

ResultMessage readResult(const Json& document, Reader& in)
{
    ResultMessage result;
    result.call = in.call();
    if (document.contains("bytes"))
        result.bytes = in.integer("bytes", 1, Frame::longestAnswer);
    else
        result.value = in.value("value");
    return result;
}

std::optional<Message> read(const std::string& type, const Json& document, Reader& in)
{
    if (type == "hello")
        return readHello(in);
    if (type == "call")
        return readCall(in);
    if (type == "event") {
        const std::uint32_t call = in.call();
        return EventMessage{call, in.value("value")};
    }
    if (type == "result")
        return readResult(document, in);
    if (type == "error") {
        const std::uint32_t call = in.call();
        return ErrorMessage{call, in.error()};
    }
    if (type == "cancel")
        return CancelMessage{in.call()};
    if (type == "ping")
        return PingMessage{};
    if (type == "pong")
        return PongMessage{};
    if (type == "bye")
        return ByeMessage{in.error()};
    if (type == "key")
        return KeyMessage{in.key()};
    if (type == "paired")
        return PairedMessage{};
    return std::nullopt;
}

Json written(const Error& error)
{
    return {{"code", errorCodeName(error.code).toStdString()},
            {"detail", error.detail.left(longestText).toStdString()},
            {"context", error.context.left(longestText).toStdString()}};
}

struct Writer
{
    Json operator()(const HelloMessage& hello) const
    {
        Json names = Json::array();
        for (const QString& name : hello.capabilities)
            names.push_back(name.toStdString());
        return {{"type", "hello"},
                {"protocol", hello.protocol},
                {"version", hello.version.toStdString()},
                {"id", hello.id.text().toStdString()},
                {"name", hello.name.toStdString()},
                {"capabilities", std::move(names)}};
    }
    Json operator()(const CallMessage& call) const
    {
        return {{"type", "call"},
                {"call", call.call},
                {"method", call.method.toStdString()},
                {"arguments", call.arguments},
                {"limit_ms", call.limit.count()}};
    }
    Json operator()(const EventMessage& event) const
    {
        return {{"type", "event"}, {"call", event.call}, {"value", event.value}};
    }
    Json operator()(const ResultMessage& result) const
    {
        if (result.bytes)
            return {{"type", "result"}, {"call", result.call}, {"bytes", *result.bytes}};
        return {{"type", "result"}, {"call", result.call}, {"value", result.value}};
    }
    Json operator()(const ErrorMessage& message) const
    {
        Json json = written(message.error);
        json["type"] = "error";
        json["call"] = message.call;
        return json;
    }
    Json operator()(const CancelMessage& cancel) const
    {
        return {{"type", "cancel"}, {"call", cancel.call}};
    }
    Json operator()(const PingMessage&) const { return {{"type", "ping"}}; }
    Json operator()(const PongMessage&) const { return {{"type", "pong"}}; }
    Json operator()(const ByeMessage& bye) const
    {
        Json json = written(bye.error);
        json["type"] = "bye";
        return json;
    }
    Json operator()(const KeyMessage& message) const
    {
        return {{"type", "key"}, {"key", toBase32(message.key).toStdString()}};
    }
    Json operator()(const PairedMessage&) const { return {{"type", "paired"}}; }
};

} // namespace

QByteArray jsonBytes(const Json& document)
{
    return QByteArray::fromStdString(document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

QString tidyName(const QString& name)
{
    QString tidy;
    for (const QChar letter : name) {
        if (letter.isPrint() || letter.isSpace())
            tidy += letter;
    }
    return tidy.simplified().left(longestName).trimmed();
}

Result<QByteArray> encodeMessage(const Message& message)
{
    QByteArray payload = jsonBytes(std::visit(Writer(), message));
    if (payload.size() > Frame::largestMessage)
        return fail(ErrorCode::FrameTooLarge, {},
                    PeerWords::tr("%1 bytes, %2 are allowed")
                        .arg(payload.size())
                        .arg(Frame::largestMessage));
    return payload;
}

Result<Message> decodeMessage(QByteArrayView payload)
{
    const auto document = parseJson(payload, {Frame::largestMessage, depth});
    if (!document)
        return fail(document.error().code == ErrorCode::FrameTooLarge
                        ? ErrorCode::FrameTooLarge
                        : ErrorCode::ProtocolViolation,
                    {}, document.error().detail);
    JsonReader head(*document);
    const QString type = head.text(*document, "type");
    if (!head.ok())
        return fail(ErrorCode::ProtocolViolation, {}, PeerWords::tr("a message without a type"));
    Reader in(*document);
    auto message = read(type.toStdString(), *document, in);
    if (!message)
        return fail(ErrorCode::ProtocolViolation, {},
                    PeerWords::tr("a message of the unknown type “%1”").arg(tidyName(type)));
    if (!in.ok())
        return fail(ErrorCode::ProtocolViolation, {},
                    QStringLiteral("%1: %2").arg(tidyName(type), in.why()));
    return std::move(*message);
}

} // namespace napkin
