// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/json.h"

#include "core/results/hostfactsjson.h"
#include "core/results/jsondata.h"
#include "core/results/jsonoptions.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultJson)
};

using Json = nlohmann::json;

constexpr const char* formatName = "napkin-result";
constexpr int formatVersion = 1;

std::string str(const QString& text)
{
    return text.toStdString();
}

std::string dateText(const QDateTime& date)
{
    return str(date.toUTC().toString(Qt::ISODateWithMs));
}

QDateTime readDate(JsonReader& reader, const Json& in, const char* key)
{
    const QDateTime date = QDateTime::fromString(reader.text(in, key), Qt::ISODateWithMs);
    if (reader.ok() && !date.isValid())
        reader.failAt(QString::fromLatin1(key), Words::tr("not a date"));
    return date;
}

template <typename IdType>
Json idToJson(const std::optional<IdType>& id)
{
    return id ? Json(str(id->text())) : Json(nullptr);
}

template <typename IdType>
std::optional<IdType> readId(JsonReader& reader, const Json& in, const char* key)
{
    const auto text = reader.optionalText(in, key);
    if (!text)
        return std::nullopt;
    const auto id = IdType::fromText(*text);
    if (!id) {
        reader.failAt(QString::fromLatin1(key), id.error().detail);
        return std::nullopt;
    }
    return *id;
}

Json endpointToJson(const Endpoint& end)
{
    Json json = {{"name", str(end.name)},
                 {"host", str(end.host)},
                 {"port", end.port},
                 {"machine", idToJson(end.machine)},
                 {"port_id", idToJson(end.portId)}};
    // Only where there is something: older results keep their bytes, and so their hashes.
    if (end.peer)
        json["peer"] = idToJson(end.peer);
    if (!end.interfaceName.isEmpty())
        json["interface"] = str(end.interfaceName);
    if (!end.address.isEmpty())
        json["address"] = str(end.address);
    return json;
}

Endpoint readEndpoint(JsonReader& reader, const Json& in, const char* key)
{
    Endpoint end;
    if (const Json* json = reader.object(in, key)) {
        end.name = reader.text(*json, "name");
        end.host = reader.text(*json, "host");
        end.port = static_cast<int>(reader.integer(*json, "port", 0, 65'535));
        end.machine = readId<MachineId>(reader, *json, "machine");
        end.portId = readId<PortId>(reader, *json, "port_id");
        end.peer = readId<PeerId>(reader, *json, "peer");
        end.interfaceName = reader.optionalText(*json, "interface").value_or(QString());
        end.address = reader.optionalText(*json, "address").value_or(QString());
    }
    return end;
}

const char* ipVersionName(IpVersion version)
{
    switch (version) {
    case IpVersion::V4:
        return "4";
    case IpVersion::V6:
        return "6";
    case IpVersion::Any:
        break;
    }
    return "any";
}

ProbeSpec readSpec(JsonReader& reader, const Json& json)
{
    ProbeSpec spec;
    const auto kind = probeKindFromName(reader.text(json, "kind"));
    if (reader.ok() && !kind)
        reader.failAt(QStringLiteral("kind"), kind.error().detail);
    spec.controller = readEndpoint(reader, json, "controller");
    spec.near = readEndpoint(reader, json, "near");
    spec.far = readEndpoint(reader, json, "far");
    spec.interfaceName = reader.text(json, "interface");
    spec.sourceAddress = reader.text(json, "source_address");
    spec.ipVersion = reader.named<IpVersion>(
        json, "ip_version", {{"any", IpVersion::Any}, {"4", IpVersion::V4}, {"6", IpVersion::V6}});
    spec.link = readId<LinkId>(reader, json, "link");
    spec.linkPeriod = readId<LinkPeriodId>(reader, json, "link_period");
    spec.intendedLink = readId<LinkId>(reader, json, "intended_link");
    spec.label = reader.text(json, "label");
    if (const Json* options = reader.object(json, "options"); options != nullptr && kind)
        spec.options = detail::optionsFromJson(reader, *options, *kind);
    return spec;
}

Json conditionsToJson(const Conditions& conditions)
{
    Json json = {{"near", hostConditionsToJson(conditions.near)},
                 {"far", hostConditionsToJson(conditions.far)}};
    if (conditions.farClock)
        json["far_clock"] = clockOffsetToJson(*conditions.farClock);
    return json;
}

Conditions readConditions(JsonReader& reader, const Json& in)
{
    Conditions conditions;
    const Json* json = reader.object(in, "conditions");
    if (json == nullptr)
        return conditions;
    if (const Json* near = reader.object(*json, "near"))
        conditions.near = detail::readConditions(reader, *near);
    if (const Json* far = reader.object(*json, "far"))
        conditions.far = detail::readConditions(reader, *far);
    if (const auto clock = json->find("far_clock"); clock != json->end() && !clock->is_null()) {
        if (const Json* object = reader.object(*json, "far_clock"))
            conditions.farClock = detail::readClockOffset(reader, *object);
    }
    return conditions;
}

Json faultToJson(const std::optional<Error>& fault)
{
    if (!fault)
        return nullptr;
    return {{"code", str(errorCodeName(fault->code))},
            {"context", str(fault->context)},
            {"detail", str(fault->detail)}};
}

std::optional<Error> readFault(JsonReader& reader, const Json& in)
{
    const auto found = in.find("fault");
    if (found == in.end() || found->is_null())
        return std::nullopt;
    Error fault;
    const auto code = errorCodeFromName(reader.text(*found, "code"));
    if (!code)
        reader.failAt(QStringLiteral("fault"), code.error().detail);
    fault.code = code.value_or(ErrorCode::Internal);
    fault.context = reader.text(*found, "context");
    fault.detail = reader.text(*found, "detail");
    return fault;
}

Json qualityToJson(const std::vector<QualityNote>& notes)
{
    Json list = Json::array();
    for (const QualityNote& note : notes)
        list.push_back(
            {{"flag", str(qualityFlagName(note.flag))}, {"evidence", str(note.evidence)}});
    return list;
}

std::vector<QualityNote> readQuality(JsonReader& reader, const Json& in)
{
    std::vector<QualityNote> notes;
    const Json* list = reader.array(in, "quality");
    if (list == nullptr)
        return notes;
    for (const Json& item : *list) {
        const auto flag = qualityFlagFromName(reader.text(item, "flag"));
        if (!flag) {
            reader.failAt(QStringLiteral("quality"), flag.error().detail);
            break;
        }
        notes.push_back({*flag, reader.text(item, "evidence")});
    }
    return notes;
}

ProbeResult readResult(JsonReader& reader, const Json& json)
{
    ProbeResult result;
    if (const auto id = readId<RecordId>(reader, json, "id"))
        result.id = *id;
    else
        reader.failAt(QStringLiteral("id"), Words::tr("an id is needed"));
    if (const Json* spec = reader.object(json, "spec"))
        result.spec = readSpec(reader, *spec);
    result.startedAt = readDate(reader, json, "started_at");
    result.endedAt = readDate(reader, json, "ended_at");
    result.completion = reader.named<Completion>(
        json, "completion", {{"complete", Completion::Complete}, {"partial", Completion::Partial}});
    result.fault = readFault(reader, json);
    const auto origin = originFromName(reader.text(json, "origin"));
    if (!origin)
        reader.failAt(QStringLiteral("origin"), origin.error().detail);
    result.origin = origin.value_or(Origin::Mine);
    result.conditions = readConditions(reader, json);
    result.quality = readQuality(reader, json);
    result.tool = reader.text(json, "tool");
    result.toolVersion = reader.text(json, "tool_version");
    if (const Json* data = reader.object(json, "data"); data != nullptr && reader.ok())
        result.data = detail::dataFromJson(reader, *data, result.spec.kind());
    return result;
}

} // namespace

Json specToJson(const ProbeSpec& spec)
{
    Json json = {{"kind", str(probeKindName(spec.kind()))},
                 {"controller", endpointToJson(spec.controller)},
                 {"near", endpointToJson(spec.near)},
                 {"far", endpointToJson(spec.far)},
                 {"interface", str(spec.interfaceName)},
                 {"source_address", str(spec.sourceAddress)},
                 {"ip_version", ipVersionName(spec.ipVersion)},
                 {"link", idToJson(spec.link)},
                 {"link_period", idToJson(spec.linkPeriod)},
                 {"label", str(spec.label)},
                 {"options", detail::optionsToJson(spec.options)}};
    if (spec.intendedLink)
        json["intended_link"] = idToJson(spec.intendedLink);
    return json;
}

Result<ProbeSpec> specFromJson(const nlohmann::json& json)
{
    JsonReader reader(json);
    ProbeSpec spec = readSpec(reader, json);
    if (!reader.ok())
        return tl::unexpected(*reader.fault());
    return spec;
}

QByteArray toJson(const ProbeResult& result)
{
    const Json json = {
        {"format", formatName},
        {"version", formatVersion},
        {"id", str(result.id.text())},
        {"spec", specToJson(result.spec)},
        {"started_at", dateText(result.startedAt)},
        {"ended_at", dateText(result.endedAt)},
        {"completion", result.completion == Completion::Complete ? "complete" : "partial"},
        {"fault", faultToJson(result.fault)},
        {"origin", str(originName(result.origin))},
        {"conditions", conditionsToJson(result.conditions)},
        {"quality", qualityToJson(result.quality)},
        {"tool", str(result.tool)},
        {"tool_version", str(result.toolVersion)},
        {"data", detail::dataToJson(result.data)},
    };
    // A far end's words may hold anything: replace what is not UTF-8 rather than throw.
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<ProbeResult> resultFromJson(const QByteArray& text)
{
    const auto json = parseJson(text, JsonBounds{512LL * 1024 * 1024, 16});
    if (!json)
        return tl::unexpected(json.error());
    JsonReader reader(*json);
    const QString format = reader.text(*json, "format");
    if (reader.ok() && format != QLatin1StringView(formatName))
        reader.failAt(QStringLiteral("format"), Words::tr("“%1” is not a result").arg(format));
    const auto version = reader.integer(*json, "version");
    if (reader.ok() && version != formatVersion)
        return fail(ErrorCode::Unsupported, Words::tr("version %1 of %2").arg(version).arg(format));
    ProbeResult result = reader.ok() ? readResult(reader, *json) : ProbeResult();
    if (!reader.ok())
        return tl::unexpected(*reader.fault());
    return result;
}

} // namespace napkin
