// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/id.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>

namespace napkin {

inline constexpr int peerProtocol = 1;

// The first message of each end, sent without waiting for the other's. Of another protocol only
// the first two members can be relied on.
struct HelloMessage
{
    int protocol = peerProtocol;
    QString version; // of the program
    PeerId id;
    QString name;
    QStringList capabilities; // names of methods
};
struct CallMessage
{
    std::uint32_t call = 0; // number of the call, chosen by the caller
    QString method;
    nlohmann::json arguments;
    std::chrono::milliseconds limit{};
};
struct EventMessage
{
    std::uint32_t call = 0;
    nlohmann::json value;
};
// The answer itself, or how many bytes of it follow in pieces.
struct ResultMessage
{
    std::uint32_t call = 0;
    nlohmann::json value;
    std::optional<std::int64_t> bytes;
};
struct ErrorMessage
{
    std::uint32_t call = 0;
    Error error;
};
struct CancelMessage
{
    std::uint32_t call = 0;
};
struct PingMessage
{};
struct PongMessage
{};
// Why the channel ends; the last message of it.
struct ByeMessage
{
    Error error;
};
// While pairing: the key for later channels, then each end's word that it has it.
struct KeyMessage
{
    QByteArray key;
};
struct PairedMessage
{};

using Message =
    std::variant<HelloMessage, CallMessage, EventMessage, ResultMessage, ErrorMessage,
                 CancelMessage, PingMessage, PongMessage, ByeMessage, KeyMessage, PairedMessage>;

// As the payload of a frame. FrameTooLarge when it does not fit into one.
[[nodiscard]] Result<QByteArray> encodeMessage(const Message& message);

// ProtocolViolation for what is no message, FrameTooLarge for what is no frame's worth. Unknown
// keys are passed over, so that a later version of the same protocol may add some.
[[nodiscard]] Result<Message> decodeMessage(QByteArrayView payload);

// A document as bytes; what is not UTF-8 in its texts is replaced.
[[nodiscard]] QByteArray jsonBytes(const nlohmann::json& document);

// A name fit for showing and for keeping: no control characters, at most 64 letters; may be empty.
[[nodiscard]] QString tidyName(const QString& name);

} // namespace napkin
