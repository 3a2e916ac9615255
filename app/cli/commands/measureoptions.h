// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/spec.h"

#include <string>

namespace napkin::cli {

// As typed; empty: not given.
struct MeasureOptions
{
    ProbeKind kind = ProbeKind::Throughput;
    std::string host;
    std::string near; // names of paired machines
    std::string far;
    std::string port;
    std::string interfaceName;
    std::string source;
    std::string label;
    std::string link;
    std::string linkClass;
    bool v4 = false;
    bool v6 = false;
    // throughput
    std::string time;
    std::string omit;
    std::string streams; // memory: threads
    std::string block;
    std::string congestion;
    bool reverse = false;
    bool bidirectional = false;
    bool whenSure = false;
    // connect, path-mtu
    std::string count;
    std::string interval; // latency, too
    std::string timeout;
    // latency, sweep, loaded-latency
    std::string method;
    std::string size;
    std::string from;
    std::string to;
    std::string rounds;
    std::string phase;
    bool busyPoll = false;
    bool fixedTime = false;
    // path-mtu
    bool noBulk = false;
    // soak
    std::string stallAfter;
    std::string lostAfter;
    bool forward = false;
    bool resume = false;
    bool keep = false;
    // udp, soak
    std::string rate;
    std::string length;
    // storage
    std::string file;
    std::string depth;
};

// A spec that passes validate(), without its link. Without a host the far end is left empty.
[[nodiscard]] Result<ProbeSpec> specFrom(const MeasureOptions& options);

} // namespace napkin::cli
