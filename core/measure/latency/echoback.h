// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/echoio.h"
#include "core/measure/latency/echoprotocol.h"

#include <QStringList>

#include <functional>
#include <optional>

// The far end's loops: what comes goes back. Blocking, each on a thread of its own.
namespace napkin::pingpong {

// Until the near end closes, the plan is fulfilled, `end`, or a silence.
void echoStream(const Socket& connection, const Plan& plan, SteadyTime end,
                const Interrupt& interrupt);

struct DatagramRules
{
    Marks marks;
    size_t size = 0;           // of each; others are dropped
    std::int64_t messages = 0; // answered at most
    WaitMode wait = WaitMode::Blocking;
    QStringList clients;             // addresses that are answered; empty: any
    std::optional<Duration> silence; // then it ends; nullopt: only at `end`
};
// Until `isOver` says so (asked ten times a second or more often), all messages are answered,
// `end`, or a silence. The first sender with the mark is the only one heard.
void echoDatagrams(const Socket& udp, const DatagramRules& rules, SteadyTime end,
                   const std::function<bool()>& isOver, const Interrupt& interrupt);

} // namespace napkin::pingpong
