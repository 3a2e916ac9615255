// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace napkin {

// A value read from a machine, or why it could not be read (a sentence without a full stop).
template <typename T>
struct Reading
{
    std::optional<T> value;
    QString whyNot;
    bool operator==(const Reading&) const = default;
};

enum class InterfaceKind {
    Ethernet,
    WiFi,
    Thunderbolt,
    Bridge,
    Bond,
    Vlan,
    Tunnel,
    Virtual, // veth, tap, dummy, a container's
    Loopback,
    Other,
};

enum class Duplex { Half, Full };

// The PCI Express slot of an adapter; per direction.
struct PcieLink
{
    QString address;              // "0000:01:00.0"
    double gigatransfers = 0;     // GT/s per lane, as negotiated
    int width = 0;                // lanes, as negotiated
    double mostGigatransfers = 0; // what the adapter can do; 0: not told
    int mostWidth = 0;
    double slotGigatransfers = 0; // what the slot can do; 0: not told
    int slotWidth = 0;
    bool operator==(const PcieLink&) const = default;
};

// How long an adapter waits before it interrupts.
struct Coalescing
{
    int receiveMicroseconds = 0;
    int receiveFrames = 0;
    int sendMicroseconds = 0;
    int sendFrames = 0;
    bool adaptiveReceive = false;
    bool adaptiveSend = false;
    bool operator==(const Coalescing&) const = default;
};

struct PauseFrames
{
    bool negotiated = false;
    bool receive = false;
    bool send = false;
    bool operator==(const PauseFrames&) const = default;
};

// A piece of work that the adapter or the driver takes off the stack: "tcp-segmentation",
// "generic-receive", ... by the kernel's short name.
struct Offload
{
    QString name;
    bool on = false;
    bool operator==(const Offload&) const = default;
};

struct WifiFacts
{
    int frequency = 0; // MHz, centre of the control channel
    int channel = 0;
    int width = 0;                      // MHz; 0: not told
    std::optional<int> signal;          // dBm
    std::optional<BitRate> receiveRate; // of the last frame, on the air: not what arrives
    std::optional<BitRate> sendRate;
    QString ssid; // only where the user asked for it
    bool operator==(const WifiFacts&) const = default;
};

struct InterfaceFacts
{
    QString name;
    InterfaceKind kind = InterfaceKind::Other;
    QString driver;
    bool up = false;        // switched on
    bool carrier = false;   // something answers at the other end of the wire
    Reading<BitRate> speed; // negotiated
    Reading<Duplex> duplex;
    std::optional<int> mtu; // bytes
    QStringList addresses;  // "10.0.0.1/24", "fe80::1/64"
    QString partOf;         // the bridge or bond it belongs to
    QString carriedBy;      // the interface below a VLAN
    Reading<PcieLink> pcie;
    Reading<Coalescing> coalescing;
    Reading<PauseFrames> pause;
    Reading<std::vector<Offload>> offloads;
    std::optional<Reading<WifiFacts>> wifi; // for Wi-Fi only
    bool operator==(const InterfaceFacts&) const = default;
};

// The way the kernel would send to a place.
struct RouteFacts
{
    QString destination; // "default", "10.0.0.0/24", or the address that was asked for
    QString interfaceName;
    QString gateway; // empty: on the same wire
    QString source;  // the address it would send from; empty: not told
    bool operator==(const RouteFacts&) const = default;
};

// What a machine is and how it stands, read without privileges.
struct HostFacts
{
    QDateTime readAt; // UTC, by its own clock
    QString hostName;
    QString operatingSystem; // "Debian GNU/Linux 12 (bookworm)"
    QString kernel;          // "Linux 6.1.0-18-amd64"
    QString cpu;             // model
    int logicalCores = 0;
    Reading<QString> governor;      // of the CPU's frequency; several: comma between
    Reading<double> load;           // average run queue of the last minute
    Reading<double> temperature;    // °C, the hottest sensor of the CPU
    Reading<bool> clockDisciplined; // whether the kernel thinks its clock is synchronised
    Duration clockResolution{};     // smallest step of the steady clock that was seen
    std::vector<InterfaceFacts> interfaces;
    std::vector<RouteFacts> routes; // the default ones
    bool operator==(const HostFacts&) const = default;
};

// An interface's own counters since it came up.
struct InterfaceCounters
{
    QString name;
    std::uint64_t receivedBytes = 0;
    std::uint64_t sentBytes = 0;
    std::uint64_t receivedPackets = 0;
    std::uint64_t sentPackets = 0;
    std::uint64_t receiveErrors = 0;
    std::uint64_t sendErrors = 0;
    std::uint64_t receiveDropped = 0;
    std::uint64_t sendDropped = 0;
    bool operator==(const InterfaceCounters&) const = default;
};

// What a machine did while something was measured.
struct HostActivity
{
    Duration length{};
    std::vector<InterfaceCounters> before;
    std::vector<InterfaceCounters> after;
    std::optional<Ratio> busiestCore; // of one core, the highest of the 1 s windows, all programs
    std::optional<double> loadBefore; // average run queue of the last minute
    // Processor time in between as cores that were busy all the time: of the measuring program, and
    // of all other programs (without what the kernel does for interrupts).
    std::optional<double> ownCores;
    std::optional<double> otherCores;
    bool operator==(const HostActivity&) const = default;
};

// Another machine's wall clock against this one's: positive when it is ahead.
struct ClockOffset
{
    Duration offset{};
    Duration uncertainty{}; // half of the shortest round trip
    bool operator==(const ClockOffset&) const = default;
};

[[nodiscard]] QString interfaceKindName(InterfaceKind kind); // stable: "ethernet", "wifi"
[[nodiscard]] QString interfaceKindText(InterfaceKind kind); // translated

// What went through an interface in between; nullopt when it was not there both times or its
// counters were reset.
[[nodiscard]] std::optional<InterfaceCounters> trafficOf(const HostActivity& activity,
                                                         QStringView interfaceName);

} // namespace napkin
