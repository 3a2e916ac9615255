// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/peer/peerservice.h"
#include "core/results/spec.h"

#include <deque>
#include <memory>

namespace napkin {

// Whether a controller may have this machine measure towards itself: for tests only.
enum class MeasureTargets { OtherMachines, AlsoThisOne };

// "measure": this machine as the near end of one run, asked for by a paired controller. It needs
// the ticket of a far end that has offered the run, and sends to nobody who can not prove that it
// issued it: other addresses are never a target. The far end is named by its address, which is a
// private one or one on a network of this machine, and after
// five failures in a minute nothing is tried any more for a minute, so that nobody can feel for
// machines and ports from here. Its own memory it measures without a far end; of files it reads
// none. One run at a time (PeerBusy). Events tell the
// progress, and at least once a second that it is alive; the answer is {"result": ...}, partial
// when it was cancelled.
class MeasureService final : public PeerService
{
public:
    explicit MeasureService(MeasureTargets targets = MeasureTargets::OtherMachines)
        : m_targets(targets)
    {}
    [[nodiscard]] QStringList methods() const override { return {QStringLiteral("measure")}; }
    QCoro::Task<Result<nlohmann::json>> answer(PeerIdentity caller, QString method,
                                               nlohmann::json arguments, CancelToken cancel,
                                               PeerEvents events) override;

private:
    [[nodiscard]] Result<void> mayTry(const ProbeSpec& spec);

    MeasureTargets m_targets;
    std::shared_ptr<bool> m_isBusy = std::make_shared<bool>(false);
    std::shared_ptr<std::deque<SteadyTime>> m_failures =
        std::make_shared<std::deque<SteadyTime>>(); // of the last minute
};

} // namespace napkin
