// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/icmp.h"
#include "core/measure/reach/reachreport.h"
#include "core/results/pathmtu.h"

#include <QByteArray>
#include <QStringList>

#include <vector>

namespace napkin {

struct EchoSizesOptions
{
    PathMtuOptions probe;
    std::optional<int> interfaceMtu;
    std::vector<EchoMeans> means{EchoMeans::Datagram, EchoMeans::Raw, EchoMeans::SystemPing};
    QString pingProgram = QStringLiteral("ping"); // looked up in PATH unless it has a slash
};

// Tries packet sizes with ICMP echoes that must not be fragmented. The far end's kernel answers
// with as many bytes: silence may be of either direction. Blocks; for one thread.
class EchoSizes
{
public:
    // By the first means that this user may use. PermissionDenied when there is none, and the
    // faults of IcmpSocket::open().
    [[nodiscard]] static Result<EchoSizes> open(const SocketAddress& to, const LeaveBy& by,
                                                EchoSizesOptions options,
                                                const Interrupt& interrupt);

    [[nodiscard]] QString means() const; // "ICMP socket", "raw socket", "ping program"

    // As TrySize. HostUnreachable when a router or this machine says so, PermissionDenied when the
    // packet filter of this machine holds echoes back, Cancelled.
    [[nodiscard]] Result<SizeProbe> trySize(int size);

private:
    EchoSizes(const SocketAddress& to, LeaveBy by, EchoSizesOptions options,
              const Interrupt& interrupt);
    [[nodiscard]] Result<SizeProbe> tryBySocket(int size);
    [[nodiscard]] Result<void> sendOne(SizeProbe& probe, bool& isDecided);
    [[nodiscard]] Result<bool> listen(SizeProbe& probe, Deadline until);
    [[nodiscard]] Result<bool> hear(SizeProbe& probe);
    [[nodiscard]] Result<bool> take(SizeProbe& probe, const IcmpSocket::Heard& heard) const;
    [[nodiscard]] Result<SizeProbe> tryByProgram(int size);
    [[nodiscard]] QStringList pingWords(int payload) const;

    SocketAddress m_to;
    LeaveBy m_by;
    EchoSizesOptions m_options;
    const Interrupt& m_interrupt;
    std::optional<IcmpSocket> m_socket;
    EchoMeans m_means = EchoMeans::SystemPing;
    std::uint16_t m_sequence = 0;
    std::uint16_t m_first = 0; // of the size that is tried
    bool m_hasPassed = false;
};

// What one echo of ping (in the locale C) came to: Passed, TooBigHere or TooBigOnWay with what was
// told, else Silent. The size is left to the caller.
[[nodiscard]] SizeProbe parsePingOfSize(QByteArrayView output);

} // namespace napkin
