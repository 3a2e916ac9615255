// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands/measureoptions.h"
#include "app/cli/linkchoice.h"
#include "core/peer/peerstore.h"

namespace napkin::cli {

// Who takes part in a measurement besides this machine.
struct MeasureParties
{
    PeerBook book;
    std::optional<PairedPeer> near;
    std::optional<PairedPeer> far;
};

// The paired machine of that name.
[[nodiscard]] tl::expected<PairedPeer, LinkFault> namedPeer(const PeerStore& store,
                                                            const QString& name);

// The paired machines that are named, and HOST in their place: a HOST that is the name of one is
// that machine, and a far end without HOST is reached under its known address.
[[nodiscard]] tl::expected<MeasureParties, LinkFault> partiesFrom(MeasureOptions& options,
                                                                  const PeerStore& store);
void addParties(ProbeSpec& spec, const MeasureParties& parties);

// The spec with the ends that the drawing of its link knows; of a link that is in no drawing, with
// the known address of the far end. NotFound when neither is known; InvalidArgument when the ends
// can not be told, or are not those that were named.
QCoro::Task<Result<ProbeSpec>> drawnSpec(std::shared_ptr<Notebook> notebook, ProbeSpec spec,
                                         MeasureParties parties);

} // namespace napkin::cli
