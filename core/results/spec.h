// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/id.h"
#include "core/quantity/quantity.h"
#include "core/results/latency.h"
#include "core/results/memory.h"
#include "core/results/pathmtu.h"
#include "core/results/soak.h"
#include "core/results/storage.h"
#include "core/results/sweep.h"
#include "core/results/udp.h"

#include <QString>

#include <array>
#include <chrono>
#include <optional>
#include <variant>

namespace napkin {

enum class ProbeKind {
    Throughput,
    ConnectTime,
    Latency,
    MessageSweep,
    LoadedLatency,
    PathMtu,
    UdpThroughput,
    Memory,
    Storage,
    Soak,
};
inline constexpr std::array probeKinds{ProbeKind::Throughput,    ProbeKind::ConnectTime,
                                       ProbeKind::Latency,       ProbeKind::MessageSweep,
                                       ProbeKind::LoadedLatency, ProbeKind::PathMtu,
                                       ProbeKind::UdpThroughput, ProbeKind::Memory,
                                       ProbeKind::Storage,       ProbeKind::Soak};

inline constexpr int probeKindCount = static_cast<int>(probeKinds.size());

// As seen from the near end.
enum class Direction {
    Forward, // near sends, far receives
    Reverse, // far sends, near receives
};
enum class Flow { Forward, Reverse, Bidirectional };
enum class IpVersion { Any, V4, V6 };

// One of the three parties of a measurement. Empty where nothing is known.
struct Endpoint
{
    QString name; // the machine's name as drawn, or its host name
    QString host; // address or name to reach it under; empty for this machine
    int port = 0; // TCP port; 0 for an end that does not listen
    std::optional<MachineId> machine;
    std::optional<PortId> portId;
    std::optional<PeerId> peer; // the paired machine that it is; none: this machine, or a stock one
    // The port as drawn: through which the data is meant to go. Empty: nothing is known.
    QString interfaceName;
    QString address;
    bool operator==(const Endpoint&) const = default;
};

// "spark-b:5201", "[fe80::1%eth0]:5201"; without a port the host alone.
[[nodiscard]] QString endpointText(const QString& host, int port);

struct ThroughputOptions
{
    Flow flow = Flow::Forward;
    int streams = 1; // 1 to 128, per direction
    std::chrono::milliseconds duration{
        10'000}; // measured time, without omit; 1 s to 86,400 s, whole seconds
    std::chrono::milliseconds omit{0}; // left out at the start; at most 600 s, whole seconds
    ByteCount blockSize = ByteCount::kibibytes(128); // 4 B to 1 MiB
    QString congestionControl;                       // "cubic", "bbr"; empty: the system's
    Ending ending = Ending::FixedTime; // WhenSure: `duration` is the most, and at least 2 s
    bool operator==(const ThroughputOptions&) const = default;
};

struct ConnectOptions
{
    int attempts = 20;                        // 1 to 10,000
    std::chrono::milliseconds interval{50};   // from one start to the next, at least
    std::chrono::milliseconds timeout{2'000}; // of one attempt
    bool operator==(const ConnectOptions&) const = default;
};

// TCP for minutes to hours, and every block of it compared with what it should be.
struct SoakOptions
{
    Flow flow = Flow::Bidirectional;
    std::chrono::milliseconds duration{600'000}; // 10 s to 86,400 s, whole seconds
    BitRate rateCap; // of each direction, payload: 1 Mb/s to 400 Gb/s; 0: as fast as it goes
    ByteCount blockSize = ByteCount::kibibytes(256); // 4 KiB to 4 MiB, a multiple of 64 B
    std::chrono::milliseconds stallAfter{1'000};     // without a byte; 200 ms to 60 s
    // Then the connection is given up; longer than stallAfter, 2 s to 120 s.
    std::chrono::milliseconds lostAfter{10'000};
    bool operator==(const SoakOptions&) const = default;
};

// In the order of ProbeKind.
using ProbeOptions = std::variant<ThroughputOptions, ConnectOptions, LatencyOptions, SweepOptions,
                                  LoadedLatencyOptions, PathMtuOptions, UdpOptions, MemoryOptions,
                                  StorageOptions, SoakOptions>;
static_assert(std::variant_size_v<ProbeOptions> == probeKinds.size());

// One measurement to be made: who steers, from where to where, over what, how.
struct ProbeSpec
{
    Endpoint controller;
    Endpoint near;
    Endpoint far;
    QString interfaceName; // bind to this interface; empty: as the kernel routes
    QString sourceAddress; // bind to this address; empty: as the kernel chooses
    IpVersion ipVersion = IpVersion::Any;
    std::optional<LinkId> link; // the link it is filed under
    std::optional<LinkPeriodId> linkPeriod;
    std::optional<LinkId> intendedLink; // the link it was meant for and did not take
    QString label;
    ProbeOptions options;

    [[nodiscard]] ProbeKind kind() const { return static_cast<ProbeKind>(options.index()); }
    bool operator==(const ProbeSpec&) const = default;
};

// The first option that is out of its range, with what is allowed. Probes and user interfaces use
// the same check.
[[nodiscard]] Result<void> validate(const ProbeSpec& spec);

// Whether it measures a machine, the near end, and no link: there is no far end, and it is filed
// under no link.
[[nodiscard]] constexpr bool isOfMachine(ProbeKind kind)
{
    return kind == ProbeKind::Memory || kind == ProbeKind::Storage;
}

// Whether a run of these options needs a TCP port at the far end; without one, the far end's kernel
// answers by itself.
[[nodiscard]] bool needsPort(const ProbeOptions& options);
// Whether anything that is measured may go to the far end's port.
[[nodiscard]] bool usesPort(const ProbeOptions& options);
// Whether it can only be made with a paired machine as the far end.
[[nodiscard]] bool needsPeer(const ProbeOptions& options);

// Stable names, for JSON and the command line.
// "throughput", "connect", "latency", "sweep", "loaded-latency", "path-mtu", "udp",
// "memory", "storage", "soak"
[[nodiscard]] QString probeKindName(ProbeKind kind);
[[nodiscard]] Result<ProbeKind> probeKindFromName(QStringView name);
[[nodiscard]] QString flowName(Flow flow); // "forward", "reverse", "bidirectional"
[[nodiscard]] QString directionName(Direction direction);

} // namespace napkin
