// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/remotejson.h"

#include "core/base/boundedjson.h"
#include "core/results/hostfactsjson.h"
#include "core/results/json.h"
#include "core/results/jsondata.h"

#include <QCoreApplication>

namespace napkin::remote {

namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;
using std::chrono::milliseconds;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Remote)
};

constexpr size_t mostAddresses = 256;

std::string str(const QString& text)
{
    return text.toStdString();
}

Result<ProbeSpec> specOf(const Json& json)
{
    JsonReader reader(json);
    const Json* spec = reader.object(json, "spec");
    if (spec == nullptr)
        return tl::unexpected(*reader.fault());
    return specFromJson(*spec).and_then(
        [](const ProbeSpec& read) { return validate(read).map([&read] { return read; }); });
}

const char* phaseName(Phase phase)
{
    switch (phase) {
    case Phase::Resolving:
        return "resolving";
    case Phase::Connecting:
        return "connecting";
    case Phase::Omitting:
        return "omitting";
    case Phase::Measuring:
        return "measuring";
    case Phase::Finishing:
        break;
    }
    return "finishing";
}

milliseconds longestOf(const ThroughputOptions& options)
{
    return options.duration + options.omit;
}

milliseconds longestOf(const ConnectOptions& options)
{
    return options.attempts * std::max(options.interval, options.timeout);
}

milliseconds longestOf(const LatencyOptions& options)
{
    return options.duration + options.timeout;
}

milliseconds longestOf(const SweepOptions& options)
{
    return options.duration;
}

milliseconds longestOf(const LoadedLatencyOptions& options)
{
    return 4 * (options.phase + options.timeout + 10s);
}

milliseconds longestOf(const PathMtuOptions& options)
{
    constexpr int sizes = 2 * 20; // both directions, each halved until it is known
    return sizes * options.attempts * options.timeout + 2 * 20s;
}

milliseconds longestOf(const UdpOptions& options)
{
    return options.duration + options.omit;
}

milliseconds longestOf(const MemoryOptions& options)
{
    return options.duration + 60s;
}

milliseconds longestOf(const StorageOptions& options)
{
    return options.duration + 3 * 60s;
}

milliseconds longestOf(const SoakOptions& options)
{
    return options.duration + options.lostAfter;
}

} // namespace

Json toJson(const OfferRequest& request)
{
    Json from = Json::array();
    for (const QString& address : request.from)
        from.push_back(str(address));
    return {{"spec", specToJson(request.spec)}, {"from", from}, {"to", str(request.to)}};
}

Result<OfferRequest> offerRequestFrom(const Json& json)
{
    OfferRequest request;
    const auto spec = specOf(json);
    if (!spec)
        return tl::unexpected(spec.error());
    request.spec = *spec;
    JsonReader reader(json);
    request.to = reader.text(json, "to");
    if (const Json* from = reader.array(json, "from")) {
        if (from->size() > mostAddresses)
            reader.failAt(QStringLiteral("from"), Words::tr("too many addresses"));
        for (const Json& address : *from) {
            if (!address.is_string())
                reader.failAt(QStringLiteral("from"), Words::tr("addresses are needed"));
            if (!reader.ok())
                break;
            request.from << QString::fromStdString(address.get_ref<const std::string&>());
        }
    }
    if (!reader.ok())
        return tl::unexpected(*reader.fault());
    return request;
}

Json toJson(const OfferTerms& terms)
{
    return {{"offer", str(terms.id)},
            {"port", terms.port},
            {"ticket", str(terms.ticket.text())},
            {"far", hostConditionsToJson(terms.far)}};
}

Result<OfferTerms> offerTermsFrom(const Json& json)
{
    JsonReader reader(json);
    const QString id = reader.text(json, "offer");
    const auto port = static_cast<int>(reader.integer(json, "port", 1, 65'535));
    const QString text = reader.text(json, "ticket");
    const Json* far = reader.object(json, "far");
    if (!reader.ok())
        return tl::unexpected(*reader.fault());
    const auto ticket = DataTicket::fromText(text);
    if (!ticket)
        return tl::unexpected(ticket.error());
    auto conditions = hostConditionsFromJson(*far);
    if (!conditions)
        return tl::unexpected(conditions.error());
    return OfferTerms{id, port, *ticket, std::move(*conditions)};
}

Json toJson(const MeasureRequest& request)
{
    Json json{{"spec", specToJson(request.spec)}};
    if (request.ticket)
        json["ticket"] = str(request.ticket->text());
    return json;
}

Result<MeasureRequest> measureRequestFrom(const Json& json)
{
    JsonReader reader(json);
    const auto text = reader.optionalText(json, "ticket");
    if (!reader.ok())
        return tl::unexpected(*reader.fault());
    const auto spec = specOf(json);
    // Whoever is paired may measure wires and memory, and read nothing.
    if (spec && spec->kind() == ProbeKind::Storage)
        return fail(ErrorCode::PermissionDenied, {},
                    Words::tr("no machine reads its files for another one"));
    if (spec && spec->kind() == ProbeKind::Memory)
        return MeasureRequest{*spec, std::nullopt};
    if (!text || text->isEmpty())
        return fail(ErrorCode::PermissionDenied, {},
                    Words::tr("it measures only towards a machine that has offered it; without "
                              "that machine's ticket nothing is sent"));
    const auto ticket = DataTicket::fromText(*text);
    if (!ticket)
        return tl::unexpected(ticket.error());
    if (!spec)
        return tl::unexpected(spec.error());
    return MeasureRequest{*spec, *ticket};
}

Json toJson(const Progress& progress)
{
    return {{"phase", phaseName(progress.phase)},
            {"fraction", progress.fraction},
            {"data", detail::dataToJson(progress.data)}};
}

Result<Progress> progressFrom(const Json& json, ProbeKind kind)
{
    JsonReader reader(json);
    Progress progress;
    progress.phase = reader.named<Phase>(json, "phase",
                                         {{"resolving", Phase::Resolving},
                                          {"connecting", Phase::Connecting},
                                          {"omitting", Phase::Omitting},
                                          {"measuring", Phase::Measuring},
                                          {"finishing", Phase::Finishing}});
    progress.fraction = reader.number(json, "fraction");
    if (const Json* data = reader.object(json, "data"))
        progress.data = detail::dataFromJson(reader, *data, kind);
    if (!reader.ok())
        return tl::unexpected(*reader.fault());
    if (!(progress.fraction >= 0 && progress.fraction <= 1))
        return fail(ErrorCode::ParseFailed, QStringLiteral("fraction"));
    return progress;
}

Json resultToJson(const ProbeResult& result)
{
    return Json::parse(napkin::toJson(result).toStdString(), nullptr, false);
}

Result<ProbeResult> resultFrom(const Json& json)
{
    return resultFromJson(
        QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

Json toJson(const ServedTest& test)
{
    const auto rate = [](const std::optional<BitRate>& value) {
        return value ? Json(value->bitsPerSecond()) : Json(nullptr);
    };
    return {{"client", str(test.client)},
            {"udp", test.udp},
            {"received_bits_per_second", rate(test.received)},
            {"sent_bits_per_second", rate(test.sent)},
            {"fault", test.fault ? Json(str(errorCodeName(test.fault->code))) : Json(nullptr)}};
}

std::chrono::milliseconds longest(const ProbeSpec& spec)
{
    constexpr std::chrono::milliseconds spare = 60s;
    return spare + std::visit([](const auto& options) { return longestOf(options); }, spec.options);
}

} // namespace napkin::remote
