// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/offerservice.h"

#include "core/base/boundedjson.h"
#include "core/base/deadline.h"
#include "core/base/gate.h"
#include "core/measure/host/hostwatch.h"
#include "core/measure/host/route.h"
#include "core/measure/offthread.h"
#include "core/measure/os/hostconditions.h"
#include "core/measure/remote/offeredserver.h"
#include "core/measure/remote/remotejson.h"
#include "core/results/hostfactsjson.h"

#include <QCoreApplication>
#include <QScopeGuard>

#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Remote)
};

constexpr auto unusedLimit = 20s;

// An IPv4 address mapped into IPv6 reads as IPv4, as the sockets say it.
QString plainAddress(const QString& address)
{
    const auto parsed = addressFromText(address, 0);
    return parsed ? parsed->text() : address;
}

// The interface that carried the most; the one that the routes name where it carried about as much
// (the parts of a bridge count what the bridge counts).
QString carrierOf(const HostActivity& activity, const QString& routed)
{
    const auto carried = [&activity](const QString& name) {
        const auto traffic = trafficOf(activity, name);
        return traffic ? traffic->receivedBytes + traffic->sentBytes : 0;
    };
    QString most = routed;
    for (const InterfaceCounters& counters : activity.after) {
        if (carried(counters.name) > carried(most))
            most = counters.name;
    }
    return carried(routed) >= carried(most) / 2 ? routed : most;
}

} // namespace

// One run that is offered, from its first word to its end.
struct OfferService::Offer
{
    QString id;
    PeerId owner;
    QString to;
    QString client; // where the near end came from
    std::shared_ptr<HostWatch> watch;
    std::unique_ptr<remote::OfferedServer> server;
    bool isUsed = false;
    bool isConcluded = false;
    std::optional<ServedTest> served;
    std::function<void()> wake; // whoever waits for a change

    [[nodiscard]] Result<int> listen(const remote::OfferRequest& request, const DataTicket& ticket,
                                     int port);
    void changed() const
    {
        if (wake)
            wake();
    }
};

struct OfferService::Desk
{
    int dataPort = defaultDataPort;
    bool isTaken = false;
    std::shared_ptr<Offer> current;
};

Result<int> OfferService::Offer::listen(const remote::OfferRequest& request,
                                        const DataTicket& ticket, int port)
{
    auto started = remote::OfferedServer::start(request, to, ticket, port);
    if (!started)
        return tl::unexpected(started.error());
    server = std::move(*started);
    if (Iperf3Server* signs = server->signs()) {
        QObject::connect(signs, &Iperf3Server::testStarted, signs, [this](const QString& from) {
            isUsed = true;
            client = from;
            changed();
        });
        QObject::connect(signs, &Iperf3Server::testEnded, signs, [this](const ServedTest& test) {
            served = test;
            changed();
        });
    }
    return server->port();
}

OfferService::OfferService(int dataPort)
    : m_desk(std::make_shared<Desk>())
{
    m_desk->dataPort = dataPort;
}

OfferService::~OfferService() = default;

QStringList OfferService::methods() const
{
    return {QStringLiteral("offer"), QStringLiteral("conclude")};
}

QCoro::Task<Result<Json>> OfferService::answer(PeerIdentity caller, QString method, Json arguments,
                                               CancelToken cancel, PeerEvents events)
{
    if (method == QStringLiteral("conclude"))
        return conclude(m_desk, std::move(caller), std::move(arguments));
    return offer(m_desk, std::move(caller), std::move(arguments), std::move(cancel),
                 std::move(events));
}

QCoro::Task<Result<Json>> OfferService::offer(std::shared_ptr<Desk> desk, PeerIdentity caller,
                                              Json arguments, CancelToken cancel, PeerEvents events)
{
    auto request = remote::offerRequestFrom(arguments);
    if (!request)
        co_return tl::unexpected(request.error());
    if (desk->isTaken)
        co_return fail(ErrorCode::PeerBusy, {}, Words::tr("it serves another measurement"));
    desk->isTaken = true;
    const auto leave = qScopeGuard([desk] {
        desk->current.reset();
        desk->isTaken = false;
    });
    if (!request->from.isEmpty())
        request->from << plainAddress(caller.address); // as address translation shows it
    const auto offer = std::make_shared<Offer>();
    offer->id = RecordId::create().text();
    offer->owner = caller.id;
    if (const auto address = addressFromText(request->to, 0)) {
        if (!isOwnAddress(*address))
            co_return fail(ErrorCode::AddressNotAvailable, request->to,
                           Words::tr("it is no address of the machine that was asked"));
        offer->to = request->to;
    }
    offer->watch = co_await HostWatch::begin(cancel);
    if (!offer->watch)
        co_return fail(cancel.stop_requested() ? ErrorCode::Cancelled : ErrorCode::Internal);
    const DataTicket ticket = DataTicket::create();
    auto port = offer->listen(*request, ticket, desk->dataPort);
    if (!port && port.error().code == ErrorCode::AddressInUse)
        port = offer->listen(*request, ticket, 0);
    if (!port)
        co_return tl::unexpected(port.error());
    desk->current = offer;
    HostConditions far = conditionsFrom(offer->watch->facts(), QString());
    far.address = offer->to;
    events(remote::toJson(remote::OfferTerms{offer->id, *port, ticket, std::move(far)}));

    // Where nothing tells that it is used, the port stays open for as long as the run may take.
    const Deadline whole(remote::longest(request->spec));
    const Deadline unused = offer->server->signs() ? Deadline(unusedLimit) : whole;
    while (!offer->isConcluded) {
        Gate gate;
        offer->wake = gate.opener();
        gate.after((offer->isUsed ? whole : unused).remaining()).on(cancel);
        const Gate::Opened opened = co_await gate;
        offer->wake = nullptr;
        if (offer->isConcluded)
            break;
        if (opened == Gate::Opened::Cancelled)
            co_return fail(ErrorCode::Cancelled);
        if (opened == Gate::Opened::TimedOut)
            co_return fail(ErrorCode::TimedOut, {},
                           offer->isUsed ? Words::tr("the measurement took too long")
                                         : Words::tr("nobody came to measure"));
    }
    co_return Json::object();
}

QCoro::Task<Result<Json>> OfferService::conclude(std::shared_ptr<Desk> desk, PeerIdentity caller,
                                                 Json arguments)
{
    JsonReader reader(arguments);
    const QString id = reader.text(arguments, "offer");
    const std::shared_ptr<Offer> offer = desk->current;
    if (!offer || offer->id != id || !(offer->owner == caller.id) || offer->isConcluded)
        co_return fail(ErrorCode::NotFound, Words::tr("The offer of this measurement"));
    offer->isConcluded = true;
    const auto activity = co_await HostWatch::end(offer->watch);
    QString routed;
    if (!offer->client.isEmpty()) {
        const std::function<QString()> ask = [to = offer->to, client = offer->client] {
            return routeTo(client, to).map(&RouteFacts::interfaceName).value_or(QString());
        };
        routed = (co_await offThread<QString>(ask, CancelToken())).value_or(QString());
    }
    HostConditions far =
        conditionsFrom(offer->watch->facts(), activity ? carrierOf(*activity, routed) : routed);
    far.address = offer->to;
    far.activity = activity;
    Json answer{{"far", hostConditionsToJson(far)}, {"served", nullptr}};
    if (offer->served)
        answer["served"] = remote::toJson(*offer->served);
    offer->changed();
    co_return answer;
}

} // namespace napkin
