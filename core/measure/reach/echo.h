// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/measure/reach/reachreport.h"

#include <vector>

namespace napkin {

struct EchoOptions
{
    int count = 5;
    std::chrono::milliseconds interval{200};
    std::chrono::milliseconds patience{2'600}; // after the last; longer than finding a neighbour
    std::vector<EchoMeans> means{EchoMeans::Datagram, EchoMeans::Raw, EchoMeans::SystemPing};
    QString pingProgram = QStringLiteral("ping"); // looked up in PATH unless it has a slash
};

// Whether another means may do where this one failed, and why it did, for people.
[[nodiscard]] bool isAboutTheMeans(const Error& error);
[[nodiscard]] QString reasonOf(EchoMeans means, const Error& error);
// What to do when no means is to be had.
[[nodiscard]] QString noMeansAdvice();

// Fills in what came back: one RTT for each echo that was answered.
void takeTimes(EchoReport& report, std::vector<Duration> times);

// Sends echoes by the first means that this user may use, and waits for the replies until
// `deadline`. Blocks; raise the interrupt to end it sooner, with what was heard until then.
[[nodiscard]] EchoReport echo(const SocketAddress& to, const LeaveBy& by,
                              const EchoOptions& options, Deadline deadline,
                              const Interrupt& interrupt);

} // namespace napkin
