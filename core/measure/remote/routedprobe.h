// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/remote/measureservice.h"
#include "core/measure/session.h"
#include "core/peer/peerservice.h"
#include "core/peer/peerstore.h"

#include <memory>
#include <vector>

namespace napkin {

// A probe whose near and far end may be paired machines: spec.near.peer and spec.far.peer decide.
// Without them it is the local one. With a far peer that machine offers the run, for one ticket;
// with a near peer that machine measures, which it does only towards a far peer. A machine's memory
// is measured by itself, here or at a near peer; files are read here only. Results name both
// ends' facts and activity and the far end's clock. Beyond what Probe says: ends within 2 s of a
// cancellation, and within 12 s when a peer falls silent or goes away; what had been told of the
// run by then is kept as a partial result. PeerRefused, PeerBusy and the faults of
// PeerChannel::open().
class RoutedProbe final : public Probe
{
public:
    RoutedProbe(ProbeKind kind, std::shared_ptr<PeerStore> store);

    [[nodiscard]] ProbeKind kind() const override { return m_kind; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;

private:
    ProbeKind m_kind;
    std::shared_ptr<PeerStore> m_store;
};

// Everything this build can measure, between this machine and those it is paired with. The store
// belongs to the calling thread.
[[nodiscard]] ProbeSet routedProbes(std::shared_ptr<PeerStore> store);

// What a serving machine answers to those it is paired with: facts, offers, measuring.
[[nodiscard]] std::vector<std::shared_ptr<PeerService>>
measuringServices(MeasureTargets targets = MeasureTargets::OtherMachines);

} // namespace napkin
