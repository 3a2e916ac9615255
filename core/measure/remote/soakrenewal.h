// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/remote/peertalk.h"
#include "core/measure/soak/soaktargets.h"
#include "core/peer/peerstore.h"

namespace napkin::remote {

// The offer of a soak, and a new one each time that the soak asks, since a far end that was started
// anew has forgotten the old one. For one thread.
class SoakRenewal
{
public:
    // Watches until it is destroyed.
    [[nodiscard]] static std::shared_ptr<SoakRenewal>
    begin(std::shared_ptr<PeerStore> store, OfferRequest request, std::shared_ptr<HeldOffer> offer);
    ~SoakRenewal();
    SoakRenewal(const SoakRenewal&) = delete;
    SoakRenewal& operator=(const SoakRenewal&) = delete;
    SoakRenewal(SoakRenewal&&) = delete;
    SoakRenewal& operator=(SoakRenewal&&) = delete;

    [[nodiscard]] const std::shared_ptr<SoakTargets>& targets() const { return m_targets; }
    [[nodiscard]] const std::shared_ptr<HeldOffer>& offer() const { return *m_offer; } // the newest

private:
    explicit SoakRenewal(std::shared_ptr<HeldOffer> offer);
    static QCoro::Task<void> watch(std::shared_ptr<PeerStore> store, OfferRequest request,
                                   std::shared_ptr<SoakTargets> targets,
                                   std::shared_ptr<std::shared_ptr<HeldOffer>> offer,
                                   CancelToken cancel);

    std::shared_ptr<SoakTargets> m_targets = std::make_shared<SoakTargets>();
    std::shared_ptr<std::shared_ptr<HeldOffer>> m_offer;
    CancelSource m_stop;
};

} // namespace napkin::remote
