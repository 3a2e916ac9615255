// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/peerservice.h"

#include <memory>

namespace napkin {

// "measure": this machine as the near end of one run, asked for by a paired controller. It needs
// the ticket of a far end that has offered the run, and sends to nobody who can not prove that it
// issued it: other addresses are never a target. One run at a time (PeerBusy). Events tell the
// progress, and at least once a second that it is alive; the answer is {"result": ...}, partial
// when it was cancelled.
class MeasureService final : public PeerService
{
public:
    [[nodiscard]] QStringList methods() const override { return {QStringLiteral("measure")}; }
    QCoro::Task<Result<nlohmann::json>> answer(PeerIdentity caller, QString method,
                                               nlohmann::json arguments, CancelToken cancel,
                                               PeerEvents events) override;

private:
    std::shared_ptr<bool> m_isBusy = std::make_shared<bool>(false);
};

} // namespace napkin
