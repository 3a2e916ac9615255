// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/remote/remotejson.h"
#include "core/peer/peerchannel.h"

#include <functional>
#include <memory>
#include <optional>

// The controller's half of what services answer. For one thread; every wait ends with its token.
namespace napkin::remote {

using Channel = std::shared_ptr<PeerChannel>;

QCoro::Task<Result<HostFacts>> askFacts(Channel channel, CancelToken cancel);

// The peer's wall clock against this machine's, by the quickest of eight exchanges.
QCoro::Task<std::optional<ClockOffset>> askClock(Channel channel, CancelToken cancel);

// An offer that a far end holds open.
class HeldOffer
{
public:
    // Waits for the terms, at most 10 s.
    static QCoro::Task<Result<std::shared_ptr<HeldOffer>>>
    ask(Channel channel, OfferRequest request, CancelToken cancel);
    ~HeldOffer(); // lets go of it

    [[nodiscard]] const OfferTerms& terms() const { return *m_terms; }
    // Ends the offer; what the far end did meanwhile. At most 5 s.
    static QCoro::Task<Result<HostConditions>> conclude(std::shared_ptr<HeldOffer> offer,
                                                        CancelToken cancel);

private:
    static QCoro::Task<void> hold(std::shared_ptr<HeldOffer> offer, OfferRequest request,
                                  CancelToken cancel);

    Channel m_channel;
    CancelSource m_end;
    std::optional<OfferTerms> m_terms;
    std::optional<Error> m_ended; // why there will be no terms
    std::function<void()> m_wake;
};

// Has a paired machine measure. The result is its own; a partial one made of what it had told when
// it went away or fell silent.
QCoro::Task<Result<ProbeResult>> measureThere(Channel channel, MeasureRequest request,
                                              CancelToken cancel, ProgressSink sink);

} // namespace napkin::remote
