// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/echoledger.h"
#include "core/measure/os/socket.h"

#include <QByteArray>
#include <QByteArrayView>

#include <functional>
#include <optional>

namespace napkin::pingpong {

// Reads what ping of iputils prints with -D and -n, in the locale C, as it comes.
class PingReader
{
public:
    struct Reply
    {
        std::int64_t number = 0; // 0, 1, ...: of the message that was answered
        double stamp = 0;        // when, in seconds of the wall clock
        Duration time{};         // RTT
    };

    // The replies that this piece of output completed, duplicates too.
    [[nodiscard]] std::vector<Reply> feed(QByteArrayView piece);

    [[nodiscard]] std::optional<std::int64_t> transmitted() const { return m_transmitted; }
    // The shortest interval that it allows this user, where it complained about ours.
    [[nodiscard]] std::optional<std::chrono::milliseconds> leastInterval() const
    {
        return m_leastInterval;
    }
    [[nodiscard]] const QString& complaint() const
    {
        return m_complaint;
    } // the last line of another kind

private:
    [[nodiscard]] std::optional<Reply> read(const QByteArray& line);

    QByteArray m_rest;
    std::int64_t m_latest = 0; // the number that ping gave last, counted on past 65,535
    std::optional<std::int64_t> m_transmitted;
    std::optional<std::chrono::milliseconds> m_leastInterval;
    QString m_complaint;
};

struct PingOptions
{
    QString program = QStringLiteral("ping"); // looked up in PATH unless it has a slash
    std::int64_t payload = 64;
    Duration duration{};
    std::chrono::microseconds interval{10'000};
    std::chrono::milliseconds timeout{1'000};
};

// Echoes through the system's ping, into the ledger. `tell` is called when there is something new
// and says whether to go on. Blocks. NotFound, PermissionDenied, Unsupported: this program will not
// do; HostUnreachable; Cancelled.
[[nodiscard]] Result<void> echoByPing(const SocketAddress& to, const LeaveBy& by,
                                      const PingOptions& options, EchoLedger& ledger,
                                      const Interrupt& interrupt,
                                      const std::function<bool(Duration elapsed)>& tell);

} // namespace napkin::pingpong
