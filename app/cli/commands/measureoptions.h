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
    std::string streams;
    std::string block;
    std::string congestion;
    bool reverse = false;
    bool bidirectional = false;
    // connect
    std::string count;
    std::string interval;
    std::string timeout;
};

// A spec that passes validate(), without its link. Without a host the far end is left empty.
[[nodiscard]] Result<ProbeSpec> specFrom(const MeasureOptions& options);

} // namespace napkin::cli
