// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/echoloop.h"
#include "core/measure/reach/reachreport.h"
#include "core/measure/resolve.h"
#include "core/peer/ticket.h"
#include "core/results/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace napkin {

// How ICMP echoes are sent: the first of these that this user may use.
struct IcmpMeans
{
    std::vector<EchoMeans> order{EchoMeans::Datagram, EchoMeans::Raw, EchoMeans::SystemPing};
    QString pingProgram = QStringLiteral("ping"); // looked up in PATH unless it has a slash
};

// "ICMP socket", "raw socket", "ping program", "TCP", "UDP": as LatencyData::means.
[[nodiscard]] QString meansName(EchoMeans means);
[[nodiscard]] QString meansName(EchoMethod method);

// The first of the means' sockets that may be opened. PermissionDenied or Unsupported with all the
// reasons in its detail when none may, other faults (no way there) at once.
struct OpenedIcmp
{
    IcmpSocket socket;
    EchoMeans means;
};
[[nodiscard]] Result<OpenedIcmp> openIcmp(const IcmpMeans& means, const SocketAddress& to,
                                          const LeaveBy& by, ByteCount payload);

// The address to measure: a name with several may be answered on only one of them. The first that
// answers an echo, or the first.
[[nodiscard]] SocketAddress firstThatAnswers(const Route& route, const IcmpMeans& means,
                                             const Interrupt& interrupt);

// One run of messages there and back. Blocks; for one thread of its own. Use once.
class LatencyRun
{
public:
    using Tell = std::function<void(Progress)>; // called on the running thread

    LatencyRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
               std::optional<DataTicket> ticket = std::nullopt, IcmpMeans means = {});

    // As Probe::run; id, dates, tool and quality are left to the caller. A run without a single
    // answer is an error: TimedOut, or what was given back (HostUnreachable, ConnectionRefused),
    // with the count.
    [[nodiscard]] Result<ProbeResult> run();

private:
    [[nodiscard]] Result<void> measure();
    [[nodiscard]] Result<void> measureIcmp();
    [[nodiscard]] Result<void> measureByPing();
    [[nodiscard]] Result<void> measureWithPeer();
    [[nodiscard]] Result<void> loop(pingpong::Port& port);
    [[nodiscard]] pingpong::Plan plan() const;
    [[nodiscard]] pingpong::PortOptions portOptions() const;
    void tell(Phase phase, double fraction, LatencyData fresh);
    [[nodiscard]] Error withContext(Error error) const;
    [[nodiscard]] Error nothingAnswered(const std::optional<Error>& fault) const;
    [[nodiscard]] Result<ProbeResult> conclude(const Result<void>& outcome);

    ProbeSpec m_spec;
    LatencyOptions m_options;
    Route m_route;
    Tell m_tell;
    Interrupt m_interrupt;
    std::optional<DataTicket> m_ticket;
    IcmpMeans m_icmp;
    EchoLedger m_ledger;
    SocketAddress m_address; // the one measured
    std::optional<SocketAddress> m_local;
    std::optional<Duration> m_clockStep;
    std::optional<Error> m_returned;
    QString m_means;
};

} // namespace napkin
