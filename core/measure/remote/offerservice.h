// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/peerservice.h"

#include <memory>

namespace napkin {

inline constexpr int defaultDataPort = 5211;

// This machine as the far end of one run, asked for by a paired controller.
//
// "offer" listens for one run and tells its terms (port, ticket, what this machine is) in an event;
// the call stays open as long as the offer does, so that an offer ends with its channel. An offer
// that nobody uses ends after 20 s. One at a time (PeerBusy). On the data port, or on any free one
// when that is taken.
//
// "conclude" {offer} ends it and answers with {"far": conditions, "served": ...}: what this machine
// did meanwhile. NotFound for an offer that is not the caller's.
class OfferService final : public PeerService
{
public:
    explicit OfferService(int dataPort = defaultDataPort);
    ~OfferService() override;
    OfferService(const OfferService&) = delete;
    OfferService& operator=(const OfferService&) = delete;
    OfferService(OfferService&&) = delete;
    OfferService& operator=(OfferService&&) = delete;

    [[nodiscard]] QStringList methods() const override;
    QCoro::Task<Result<nlohmann::json>> answer(PeerIdentity caller, QString method,
                                               nlohmann::json arguments, CancelToken cancel,
                                               PeerEvents events) override;

private:
    struct Offer;
    struct Desk;
    static QCoro::Task<Result<nlohmann::json>> offer(std::shared_ptr<Desk> desk,
                                                     PeerIdentity caller, nlohmann::json arguments,
                                                     CancelToken cancel, PeerEvents events);
    static QCoro::Task<Result<nlohmann::json>>
    conclude(std::shared_ptr<Desk> desk, PeerIdentity caller, nlohmann::json arguments);

    std::shared_ptr<Desk> m_desk;
};

} // namespace napkin
