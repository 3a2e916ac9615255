// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/measureservice.h"

#include "core/base/clock.h"
#include "core/measure/host/route.h"
#include "core/measure/localprobe.h"
#include "core/measure/offthread.h"
#include "core/measure/os/hostconditions.h"
#include "core/measure/remote/remotejson.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QTimer>

#include <algorithm>
#include <array>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Remote)
};

// While it lives, nobody else measures from here.
class Seat
{
public:
    explicit Seat(std::shared_ptr<bool> isBusy)
        : m_isBusy(std::move(isBusy))
    {
        *m_isBusy = true;
    }
    ~Seat() { *m_isBusy = false; }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    Seat(Seat&&) = delete;
    Seat& operator=(Seat&&) = delete;

private:
    std::shared_ptr<bool> m_isBusy;
};

// As the controller's drawing has it: out of this port and no other, where this machine has it.
void bindAsDrawn(ProbeSpec& spec)
{
    if (spec.interfaceName.isEmpty() && !spec.near.interfaceName.isEmpty() &&
        interfaceExists(spec.near.interfaceName))
        spec.interfaceName = spec.near.interfaceName;
    if (spec.sourceAddress.isEmpty() && !spec.near.address.isEmpty()) {
        const auto address = addressFromText(spec.near.address, 0);
        if (address && isOwnAddress(*address))
            spec.sourceAddress = spec.near.address;
    }
}

// RFC 1918, RFC 6598 (overlay networks use it), RFC 3927, RFC 4193, RFC 4291; and this machine, for
// tests.
bool isPrivate(const QString& address)
{
    static const std::array networks{"10.0.0.0/8",    "172.16.0.0/12",  "192.168.0.0/16",
                                     "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8",
                                     "fc00::/7",      "fe80::/10",      "::1/128"};
    const QHostAddress host(address);
    return std::ranges::any_of(networks, [&host](const char* network) {
        return host.isInSubnet(QHostAddress::parseSubnet(QLatin1StringView(network)));
    });
}

// A home's own networks: a private address, or one on a wire of this machine. Whoever controls from
// afar can not make this machine knock at doors on the Internet.
QCoro::Task<Result<void>> mayReach(QString address, CancelToken cancel)
{
    if (isPrivate(address))
        co_return Result<void>{};
    const std::function<bool()> onOwnWire = [address] {
        const auto route = routeTo(address);
        return route && route->gateway.isEmpty();
    };
    const auto isNear = co_await offThread<bool>(onOwnWire, std::move(cancel));
    if (!isNear.value_or(false))
        co_return fail(ErrorCode::PermissionDenied, address,
                       Words::tr("it is neither a private address nor on a network of the machine "
                                 "that was asked"));
    co_return Result<void>{};
}

constexpr size_t mostFailures = 5;
constexpr auto failuresWithin = 60s;

} // namespace

Result<void> MeasureService::mayTry(const ProbeSpec& spec)
{
    const auto address = addressFromText(spec.far.host, spec.far.port);
    if (!address)
        return fail(ErrorCode::InvalidArgument, spec.far.host,
                    Words::tr("a far end is named by its address here"));
    if (m_targets == MeasureTargets::OtherMachines && isOwnAddress(*address))
        return fail(ErrorCode::PermissionDenied, spec.far.host,
                    Words::tr("it is an address of the machine that was asked"));
    // Its first phase is idle: nothing would have proved itself before the first echo.
    const auto* loaded = std::get_if<LoadedLatencyOptions>(&spec.options);
    if (loaded != nullptr && loaded->method == EchoMethod::Icmp)
        return fail(ErrorCode::InvalidArgument, spec.far.host,
                    Words::tr("between two other machines latency under load is measured with UDP, "
                              "not with ICMP"));
    const SteadyTime now = std::chrono::steady_clock::now();
    while (!m_failures->empty() && now - m_failures->front() > failuresWithin)
        m_failures->pop_front();
    if (m_failures->size() >= mostFailures)
        return fail(ErrorCode::PeerRefused, spec.far.host,
                    Words::tr("too many measurements from there failed within a minute; it waits "
                              "for a minute"));
    return {};
}

QCoro::Task<Result<Json>> MeasureService::answer(PeerIdentity, QString, Json arguments,
                                                 CancelToken cancel, PeerEvents events)
{
    auto request = remote::measureRequestFrom(arguments);
    if (!request)
        co_return tl::unexpected(request.error());
    if (*m_isBusy)
        co_return fail(ErrorCode::PeerBusy, {}, Words::tr("it is measuring already"));
    const bool isLone = isOfMachine(request->spec.kind()); // sends nothing to anybody
    if (const auto allowed = isLone ? Result<void>() : mayTry(request->spec); !allowed)
        co_return tl::unexpected(allowed.error());
    const Seat seat(m_isBusy);
    if (!isLone) {
        if (const auto allowed = co_await mayReach(request->spec.far.host, cancel); !allowed)
            co_return tl::unexpected(allowed.error());
    }
    const auto failures = m_failures;
    ProbeSpec spec = std::move(request->spec);
    bindAsDrawn(spec);
    // Its address is reached from here as from anywhere.
    spec.near.peer.reset();
    spec.far.peer.reset();
    QTimer pulse;
    QObject::connect(&pulse, &QTimer::timeout, &pulse, [events] { events({{"alive", true}}); });
    pulse.start(1s);
    const ProgressSink sink = [events](const Progress& progress) {
        events({{"progress", remote::toJson(progress)}});
    };
    const auto probe = localProbe(spec.kind(), request->ticket);
    const QDateTime startedAt = SystemClock().now();
    auto result = co_await probe->run(spec, cancel, sink);
    if (!result) {
        if (!result.error().isCancelled() && !isLone)
            failures->push_back(std::chrono::steady_clock::now());
        co_return tl::unexpected(result.error());
    }
    result->id = RecordId::create();
    result->startedAt = startedAt;
    result->endedAt = SystemClock().now();
    result->tool = QStringLiteral("napkin");
    result->toolVersion = QStringLiteral(NAPKIN_VERSION);
    co_return Json{{"result", remote::resultToJson(*result)}};
}

} // namespace napkin
