// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/keyfigures.h"
#include "core/results/latency.h"

#include <QByteArray>

#include <optional>

namespace napkin::detail {

// The columns of a record that lists need, all of them computed from its content.
struct RecordRow
{
    QString kind;
    QString nearName;
    QString farName;
    std::optional<QString> nearPort; // ids
    std::optional<QString> farPort;
    QString completion;
    std::optional<QString> faultCode; // of the fault that made it partial
    std::optional<QString> faultContext;
    std::optional<QString> faultDetail;
    QString origin;
    QString flow;
    std::int64_t streams = 1;
    std::optional<QString> echoMethod; // "icmp", "tcp", "udp": of latency, under load too
    std::optional<QString> waitMode;   // "blocking", "busy-poll": of latency and message sizes
    std::optional<std::int64_t> messageBytes;
    std::optional<QString> farAddress; // of a far end that goes by a name
    KeyFigures figures;
    QString flags; // names, a comma between
    bool operator==(const RecordRow&) const = default;
};

// "icmp", "tcp", "udp"; "blocking", "busy-poll".
[[nodiscard]] QString methodName(EchoMethod method);
[[nodiscard]] QString waitName(WaitMode wait);

[[nodiscard]] RecordRow rowOf(const ProbeResult& result);

// 64 hexadecimal digits.
[[nodiscard]] QByteArray sha256Of(const QByteArray& content);
// Ties a record to all that were recorded before it: none can be taken out or changed unnoticed.
[[nodiscard]] QByteArray chainAfter(const QByteArray& previous, const QByteArray& sha256);

} // namespace napkin::detail
