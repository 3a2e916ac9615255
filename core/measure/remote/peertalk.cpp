// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/peertalk.h"

#include "core/base/boundedjson.h"
#include "core/base/gate.h"
#include "core/results/hostfactsjson.h"

#include <QCoreApplication>

#include <utility>

namespace napkin::remote {

namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Remote)
};

constexpr auto shortLimit = 5s;
constexpr auto termsLimit = 10s;
constexpr int clockExchanges = 8;

std::int64_t wallNanoseconds()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

} // namespace

QCoro::Task<Result<HostFacts>> askFacts(Channel channel, CancelToken cancel)
{
    const auto answer =
        co_await channel->call(QStringLiteral("facts"), Json::object(), termsLimit, cancel, {});
    if (!answer)
        co_return tl::unexpected(answer.error());
    co_return hostFactsFromJson(*answer);
}

QCoro::Task<std::optional<ClockOffset>> askClock(Channel channel, CancelToken cancel)
{
    std::optional<ClockOffset> best;
    for (int i = 0; i < clockExchanges; ++i) {
        const std::int64_t sent = wallNanoseconds();
        const auto begin = std::chrono::steady_clock::now();
        const auto answer =
            co_await channel->call(QStringLiteral("clock"), Json::object(), 1s, cancel, {});
        const Duration roundTrip = std::chrono::steady_clock::now() - begin;
        if (!answer)
            break;
        JsonReader reader(*answer);
        constexpr std::int64_t most = 4'000'000'000LL * 1'000'000'000LL; // the year 2096
        const std::int64_t there = reader.integer(*answer, "nanoseconds", 0, most);
        if (!reader.ok())
            break;
        if (best && best->uncertainty <= roundTrip / 2)
            continue;
        best = ClockOffset{Duration(there - sent) - roundTrip / 2, roundTrip / 2};
    }
    co_return best;
}

HeldOffer::~HeldOffer()
{
    m_end.request_stop();
}

// Keeps only a weak hold itself: whoever let go of the offer ends the call.
QCoro::Task<void> HeldOffer::hold(std::shared_ptr<HeldOffer> offer, OfferRequest request,
                                  CancelToken cancel)
{
    const std::weak_ptr<HeldOffer> weak = offer;
    const Channel channel = offer->m_channel;
    offer.reset();
    const PeerEvents events = [weak](const Json& event) {
        const auto held = weak.lock();
        if (!held || held->m_terms || held->m_ended)
            return;
        auto terms = offerTermsFrom(event);
        if (terms)
            held->m_terms = std::move(*terms);
        else
            held->m_ended = terms.error();
        if (held->m_wake)
            held->m_wake();
    };
    const auto limit = longest(request.spec);
    const auto answer = co_await channel->call(QStringLiteral("offer"), toJson(request), limit,
                                               std::move(cancel), events);
    const auto held = weak.lock();
    if (!held || held->m_terms)
        co_return;
    held->m_ended = answer ? Error{ErrorCode::ProtocolViolation, {}, channel->address(), nullptr}
                           : answer.error();
    if (held->m_wake)
        held->m_wake();
}

QCoro::Task<Result<std::shared_ptr<HeldOffer>>>
HeldOffer::ask(Channel channel, OfferRequest request, CancelToken cancel)
{
    const auto offer = std::make_shared<HeldOffer>();
    offer->m_channel = std::move(channel);
    Gate gate;
    offer->m_wake = gate.opener();
    gate.after(termsLimit).on(cancel);
    // Nobody waits for it: it ends with the offer or with the channel.
    hold(offer, std::move(request), offer->m_end.get_token());
    if (!offer->m_terms && !offer->m_ended)
        co_await gate;
    offer->m_wake = nullptr;
    if (offer->m_terms)
        co_return offer;
    if (cancel.stop_requested())
        co_return fail(ErrorCode::Cancelled);
    if (offer->m_ended)
        co_return tl::unexpected(*offer->m_ended);
    co_return fail(ErrorCode::PeerSilent, offer->m_channel->address());
}

QCoro::Task<Result<HostConditions>> HeldOffer::conclude(std::shared_ptr<HeldOffer> offer,
                                                        CancelToken cancel)
{
    const auto answer = co_await offer->m_channel->call(
        QStringLiteral("conclude"), Json{{"offer", offer->m_terms->id.toStdString()}}, shortLimit,
        std::move(cancel), {});
    if (!answer)
        co_return tl::unexpected(answer.error());
    JsonReader reader(*answer);
    const Json* far = reader.object(*answer, "far");
    if (far == nullptr)
        co_return tl::unexpected(*reader.fault());
    co_return hostConditionsFromJson(*far);
}

} // namespace napkin::remote
