// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/soakrenewal.h"

#include "core/base/gate.h"
#include "core/base/logging.h"

#include <utility>

namespace napkin::remote {

SoakRenewal::SoakRenewal(std::shared_ptr<HeldOffer> offer)
    : m_offer(std::make_shared<std::shared_ptr<HeldOffer>>(std::move(offer)))
{}

SoakRenewal::~SoakRenewal()
{
    m_stop.request_stop();
}

std::shared_ptr<SoakRenewal> SoakRenewal::begin(std::shared_ptr<PeerStore> store,
                                                OfferRequest request,
                                                std::shared_ptr<HeldOffer> offer)
{
    const std::shared_ptr<SoakRenewal> renewal(new SoakRenewal(std::move(offer)));
    // Nobody waits for it: it ends with the renewal.
    watch(std::move(store), std::move(request), renewal->m_targets, renewal->m_offer,
          renewal->m_stop.get_token());
    return renewal;
}

QCoro::Task<void> SoakRenewal::watch(std::shared_ptr<PeerStore> store, OfferRequest request,
                                     std::shared_ptr<SoakTargets> targets,
                                     std::shared_ptr<std::shared_ptr<HeldOffer>> offer,
                                     CancelToken cancel)
{
    while (true) {
        Gate gate;
        gate.on(cancel);
        targets->onAsked(gate.opener());
        co_await gate;
        targets->onAsked(nullptr);
        if (cancel.stop_requested())
            co_return;
        std::optional<SoakTarget> target;
        const auto channel = co_await PeerChannel::open(store, *request.spec.far.peer, cancel);
        if (channel) {
            auto fresh = co_await HeldOffer::ask(*channel, request, cancel);
            if (fresh) {
                *offer = *fresh;
                target = SoakTarget{(*fresh)->terms().port, (*fresh)->terms().ticket};
            } else {
                qCDebug(lcMeasure)
                    << "no new offer for the soak:" << errorCodeName(fresh.error().code);
            }
        }
        targets->answer(std::move(target));
    }
}

} // namespace napkin::remote
