// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/measure/reach/reachreport.h"
#include "core/results/spec.h"

#include <QCoroTask>

namespace napkin {

struct ReachSpec
{
    QString host; // name or address
    int iperfPort = 5201;
    int peerPort = 5210;
    QString interfaceName; // leave through this interface; empty: as the kernel routes
    QString sourceAddress; // leave from this address; empty: as the kernel chooses
    IpVersion ipVersion = IpVersion::Any;
};

// Finds out what a machine answers to, with whatever runs there: five ICMP echoes, the two TCP
// ports, and what this machine's kernel thinks of the way. Every address of the name is tried, up
// to eight, all side by side. Ends within 6 s and at once when cancelled. An address that answers
// nothing is a report, not an error.
//
// A TCP port is tested by a connection that is closed without a word. iperf3 3.12 and napkin-cli
// serve take the next client after it; iperf3 logs it ("unable to receive parameters"), and an
// iperf3 started with --one-off ends by it.
//
// InvalidArgument, NameNotResolved, NoSuchInterface, AddressNotAvailable, Cancelled.
QCoro::Task<Result<ReachReport>> reach(ReachSpec spec, CancelToken cancel);

} // namespace napkin
