// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/peer/peerbook.h"
#include "core/results/spec.h"
#include "core/topology/topology.h"

#include <QMultiHash>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace napkin {

// The port of iperf3 servers, ours too, when nothing else is said.
inline constexpr int defaultThroughputPort = 5201;

// What decides which end of a cable this machine is.
struct LocalHost
{
    QString name;
    QStringList addresses;                       // without scope
    QStringList interfaces;                      // "eth0"
    QMultiHash<QString, QString> interfacesOf{}; // by address, without scope
    std::optional<PeerId> self{};                // as other machines know this one
    std::vector<PeerId> peers{};                 // those it is paired with

    [[nodiscard]] static LocalHost current();
    // With what the book of paired machines says.
    [[nodiscard]] static LocalHost current(const PeerBook& book);
};

// Which end of a link measures.
enum class NearEnd {
    Automatic, // this machine where it is an end, else a, or b when only a has an address
    A,
    B,
};

// What can be said about this machine as controller and near end.
[[nodiscard]] Endpoint thisMachine();
// A paired machine as the one that is measured by itself.
[[nodiscard]] Endpoint machineEnd(const PairedPeer& peer);

// Which machine of a drawing that paired one is, or, without one, this machine: the one that was
// said to be it, or else the only one of its name. Nullopt: none is known to be it.
[[nodiscard]] std::optional<MachineId>
drawnMachine(const Drawing& drawing, const std::optional<PeerId>& peer, const LocalHost& local);

// The spec that measures a link of a drawing. When both of its machines are paired with this one,
// the near one measures towards the address of the far one's port. Else this machine is the near
// end: the end whose port has an address that this machine does not have is the far one, and the
// paired machine that it is, if it is one. Where the near port has an address or an
// interface of this machine, the run is bound to it, so that it takes this cable and no other.
// An IPv6 address that is local to a link gets the interface as its scope. InvalidArgument when no
// end can be told to be the far one, or no interface for such an address; the detail says which
// port wants an address.
[[nodiscard]] Result<ProbeSpec> specForLink(const Drawing& drawing, LinkId link,
                                            ProbeOptions options,
                                            const LocalHost& local = LocalHost::current(),
                                            NearEnd near = NearEnd::Automatic);

} // namespace napkin
