// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/peerservice.h"

namespace napkin {

// "facts": what this machine is, as JSON of HostFacts, never with the name of its Wi-Fi network.
// "clock": its wall clock, {"nanoseconds": since 1970}.
class FactsService final : public PeerService
{
public:
    [[nodiscard]] QStringList methods() const override;
    QCoro::Task<Result<nlohmann::json>> answer(PeerIdentity caller, QString method,
                                               nlohmann::json arguments, CancelToken cancel,
                                               PeerEvents events) override;
};

} // namespace napkin
