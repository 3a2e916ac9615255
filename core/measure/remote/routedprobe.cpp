// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/routedprobe.h"

#include "core/base/logging.h"
#include "core/measure/host/hostwatch.h"
#include "core/measure/localprobe.h"
#include "core/measure/observedprobe.h"
#include "core/measure/remote/factsservice.h"
#include "core/measure/remote/measureservice.h"
#include "core/measure/remote/offerservice.h"
#include "core/measure/remote/peertalk.h"
#include "core/measure/remote/soakrenewal.h"
#include "core/measure/soak/soakprobe.h"
#include "core/results/data.h"

#include <QCoreApplication>

#include <utility>

namespace napkin {

namespace {

using remote::Channel;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Remote)
};

// What a run over peers needs, as it comes together.
struct Parties
{
    Channel near; // null: this machine
    Channel far;
    std::optional<HostFacts> nearFacts;
    std::optional<ClockOffset> clock; // the far end's against the near end's
};

Result<void> checkLone(const ProbeSpec& spec)
{
    if (spec.far.peer)
        return fail(ErrorCode::InvalidArgument, spec.far.name,
                    Words::tr("what a machine can do by itself is measured without a far end"));
    if (spec.kind() == ProbeKind::Storage)
        return fail(ErrorCode::InvalidArgument, spec.near.name,
                    Words::tr("no machine reads its files for another one; measure its storage on "
                              "that machine itself"));
    return {};
}

Result<void> checkEnds(const ProbeSpec& spec)
{
    if (isOfMachine(spec.kind()))
        return checkLone(spec);
    if (spec.near.peer && !spec.far.peer)
        return fail(ErrorCode::InvalidArgument, spec.far.host,
                    Words::tr("a paired machine measures only towards another paired machine; "
                              "pair this one with the far end, too"));
    if (spec.near.peer == spec.far.peer)
        return fail(ErrorCode::InvalidArgument, spec.near.name,
                    Words::tr("the near and the far end are the same machine"));
    return {};
}

Result<void> checkParties(const ProbeSpec& spec, const PeerStore& store)
{
    if (const auto possible = checkEnds(spec); !possible)
        return possible;
    const auto book = store.read();
    if (!book)
        return tl::unexpected(book.error());
    for (const Endpoint& end : {spec.near, spec.far}) {
        if (end.peer && book->find(*end.peer) == nullptr)
            return fail(ErrorCode::PeerRefused, end.name.isEmpty() ? end.peer->text() : end.name,
                        Words::tr("this machine is not paired with it, or not any more"));
    }
    return validate(spec);
}

QStringList addressesOf(const HostFacts& facts)
{
    QStringList addresses;
    for (const InterfaceFacts& interface : facts.interfaces) {
        for (const QString& address : interface.addresses)
            addresses << address.section(u'/', 0, 0);
    }
    constexpr qsizetype most = 200;
    return addresses.first(std::min(most, addresses.size()));
}

QCoro::Task<std::optional<HostFacts>> ownFacts(CancelToken cancel)
{
    const auto watch = co_await HostWatch::begin(std::move(cancel));
    co_return watch ? std::optional(watch->facts()) : std::nullopt;
}

// Both against this machine's clock: the difference is the one against the near end's.
std::optional<ClockOffset> between(const std::optional<ClockOffset>& near,
                                   const std::optional<ClockOffset>& far)
{
    if (!near || !far)
        return std::nullopt;
    return ClockOffset{far->offset - near->offset, far->uncertainty + near->uncertainty};
}

QCoro::Task<Result<Parties>> gather(std::shared_ptr<PeerStore> store, ProbeSpec spec,
                                    CancelToken cancel)
{
    Parties parties;
    std::optional<ClockOffset> nearClock = ClockOffset{};
    if (spec.near.peer) {
        auto near = co_await PeerChannel::open(store, *spec.near.peer, cancel);
        if (!near)
            co_return tl::unexpected(near.error());
        parties.near = *near;
        auto facts = co_await remote::askFacts(parties.near, cancel);
        if (!facts)
            co_return tl::unexpected(facts.error());
        parties.nearFacts = std::move(*facts);
        nearClock = co_await remote::askClock(parties.near, cancel);
    } else {
        parties.nearFacts = co_await ownFacts(cancel);
    }
    auto far = co_await PeerChannel::open(store, *spec.far.peer, cancel);
    if (!far)
        co_return tl::unexpected(far.error());
    parties.far = *far;
    parties.clock = between(nearClock, co_await remote::askClock(parties.far, cancel));
    if (cancel.stop_requested())
        co_return fail(ErrorCode::Cancelled);
    co_return parties;
}

// The run as the controller asked for it, with what it came to on the way.
void merge(ProbeResult& result, const ProbeSpec& asked, const Parties& parties,
           HostConditions farConditions)
{
    const ProbeSpec used = std::exchange(result.spec, asked);
    result.spec.interfaceName = used.interfaceName;
    result.spec.sourceAddress = used.sourceAddress;
    result.spec.far.port = used.far.port;
    HostConditions& near = result.conditions.near;
    if (!near.facts && parties.nearFacts) {
        const QString address = near.address;
        near = conditionsFrom(*parties.nearFacts, near.interfaceName);
        near.address = address;
    }
    const QString farAddress = result.conditions.far.address;
    result.conditions.far = std::move(farConditions);
    if (!farAddress.isEmpty())
        result.conditions.far.address = farAddress;
    result.conditions.farClock = parties.clock;
}

QCoro::Task<Result<ProbeResult>> runBetween(std::shared_ptr<PeerStore> store, Parties parties,
                                            ProbeSpec spec, CancelToken cancel, ProgressSink sink)
{
    const QStringList from = parties.nearFacts ? addressesOf(*parties.nearFacts) : QStringList();
    // A scope is the near end's name for its interface: it means nothing at the far end.
    const QString to = spec.far.host.contains(u'%') ? QString() : spec.far.host;
    const auto offer =
        co_await remote::HeldOffer::ask(parties.far, remote::OfferRequest{spec, from, to}, cancel);
    if (!offer)
        co_return tl::unexpected(offer.error());
    const remote::OfferTerms& terms = (*offer)->terms();
    ProbeSpec asOffered = spec;
    asOffered.far.port = terms.port;
    Result<ProbeResult> result = fail(ErrorCode::Internal);
    std::shared_ptr<remote::SoakRenewal> renewal;
    if (std::holds_alternative<SoakOptions>(spec.options) && !parties.near) {
        renewal = remote::SoakRenewal::begin(store, remote::OfferRequest{spec, from, to}, *offer);
        ObservedProbe probe(std::make_shared<SoakProbe>(terms.ticket, renewal->targets()));
        result = co_await probe.run(asOffered, cancel, sink);
    } else if (parties.near) {
        result = co_await remote::measureThere(
            parties.near, remote::MeasureRequest{asOffered, terms.ticket}, cancel, sink);
    } else {
        const auto probe = localProbe(spec.kind(), terms.ticket);
        result = co_await probe->run(asOffered, cancel, sink);
    }
    if (!result)
        co_return result;
    HostConditions far = terms.far;
    if (!cancel.stop_requested()) {
        auto concluded =
            co_await remote::HeldOffer::conclude(renewal ? renewal->offer() : *offer, cancel);
        if (concluded)
            far = std::move(*concluded);
        else
            qCWarning(lcMeasure) << "the far end did not say what it did meanwhile:"
                                 << errorCodeName(concluded.error().code);
    }
    const int port = renewal ? result->spec.far.port : terms.port;
    merge(*result, spec, parties, std::move(far));
    result->spec.far.port = port;
    co_return result;
}

// A paired machine by itself.
QCoro::Task<Result<ProbeResult>> runThere(std::shared_ptr<PeerStore> store, ProbeSpec spec,
                                          CancelToken cancel, ProgressSink sink)
{
    if (sink)
        sink({Phase::Connecting, 0, emptyData(spec.kind())});
    const auto near = co_await PeerChannel::open(std::move(store), *spec.near.peer, cancel);
    if (!near)
        co_return tl::unexpected(near.error());
    Result<ProbeResult> result = co_await remote::measureThere(
        *near, remote::MeasureRequest{spec, std::nullopt}, std::move(cancel), std::move(sink));
    if (result)
        result->spec = std::move(spec);
    co_return result;
}

// What any machine's kernel answers can be measured without the program there, too.
bool goesWithoutPeer(const ProbeSpec& spec, const Error& fault)
{
    const bool isAway =
        fault.code == ErrorCode::ConnectionRefused || fault.code == ErrorCode::TimedOut ||
        fault.code == ErrorCode::HostUnreachable || fault.code == ErrorCode::PeerSilent;
    return isAway && !spec.near.peer && !needsPort(spec.options) && !needsPeer(spec.options);
}

QCoro::Task<Result<ProbeResult>> runOverPeers(std::shared_ptr<PeerStore> store, ProbeSpec spec,
                                              CancelToken cancel, ProgressSink sink)
{
    if (sink)
        sink({Phase::Connecting, 0, emptyData(spec.kind())});
    auto parties = co_await gather(store, spec, cancel);
    if (!parties && !goesWithoutPeer(spec, parties.error()))
        co_return tl::unexpected(parties.error());
    if (!parties) {
        const auto local = localProbe(spec.kind());
        co_return co_await local->run(std::move(spec), std::move(cancel), std::move(sink));
    }
    co_return co_await runBetween(std::move(store), std::move(*parties), std::move(spec),
                                  std::move(cancel), std::move(sink));
}

// A machine is called by the name that it has here, unless the drawing calls it otherwise.
void nameByPeers(ProbeSpec& spec, const PeerStore& store)
{
    const auto book = store.read();
    if (!book)
        return;
    for (Endpoint* end : {&spec.near, &spec.far}) {
        const PairedPeer* peer = end->peer ? book->find(*end->peer) : nullptr;
        if (peer != nullptr && end->name.isEmpty())
            end->name = peer->name;
    }
}

} // namespace

RoutedProbe::RoutedProbe(ProbeKind kind, std::shared_ptr<PeerStore> store)
    : m_kind(kind)
    , m_store(std::move(store))
{}

QCoro::Task<Result<void>> RoutedProbe::check(ProbeSpec spec, CancelToken cancel)
{
    if (spec.kind() != m_kind)
        co_return fail(ErrorCode::InvalidArgument);
    if (spec.near.peer || spec.far.peer) {
        const Result<void> checked = checkParties(spec, *m_store);
        if (!checked || spec.near.peer)
            co_return checked;
    }
    const auto local = localProbe(m_kind); // outlives the wait
    co_return co_await local->check(std::move(spec), std::move(cancel));
}

QCoro::Task<Result<ProbeResult>> RoutedProbe::run(ProbeSpec spec, CancelToken cancel,
                                                  ProgressSink sink)
{
    if (spec.kind() != m_kind)
        co_return fail(ErrorCode::InvalidArgument);
    if (spec.near.peer || spec.far.peer) {
        if (const auto checked = checkParties(spec, *m_store); !checked)
            co_return tl::unexpected(checked.error());
        nameByPeers(spec, *m_store);
        if (isOfMachine(m_kind))
            co_return co_await runThere(m_store, std::move(spec), std::move(cancel),
                                        std::move(sink));
        co_return co_await runOverPeers(m_store, std::move(spec), std::move(cancel),
                                        std::move(sink));
    }
    const auto local = localProbe(m_kind);
    co_return co_await local->run(std::move(spec), std::move(cancel), std::move(sink));
}

ProbeSet routedProbes(std::shared_ptr<PeerStore> store)
{
    ProbeSet probes;
    for (const ProbeKind kind : probeKinds)
        probes.add(std::make_shared<RoutedProbe>(kind, store));
    return probes;
}

std::vector<std::shared_ptr<PeerService>> measuringServices(MeasureTargets targets)
{
    return {std::make_shared<FactsService>(), std::make_shared<OfferService>(),
            std::make_shared<MeasureService>(targets)};
}

} // namespace napkin
