// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jsonreport.h"

#include "core/results/json.h"
#include "core/workflow/resulttext.h"

#include <optional>

namespace napkin::cli {

namespace {

Json jsonDate(const QDateTime& date)
{
    return date.isValid() ? jsonText(date.toUTC().toString(Qt::ISODateWithMs)) : Json(nullptr);
}

Json jsonRate(const std::optional<BitRate>& rate)
{
    return rate ? Json(rate->bitsPerSecond()) : Json(nullptr);
}

Json jsonTime(const std::optional<Duration>& time)
{
    return time ? Json(time->count()) : Json(nullptr);
}

template <typename T>
Json jsonOptional(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

template <typename Tag>
Json jsonId(const std::optional<Id<Tag>>& id)
{
    return id ? jsonText(id->text()) : Json(nullptr);
}

Json jsonFlags(const std::vector<QualityFlag>& flags)
{
    Json names = Json::array();
    for (const QualityFlag flag : flags)
        names.push_back(jsonText(qualityFlagName(flag)));
    return names;
}

template <typename Q>
Json jsonProvenance(Json value, const Fact<Q>& fact)
{
    value["provenance"] = jsonText(provenanceName(fact.provenance()));
    value["origin"] = jsonText(originName(fact.origin()));
    value["source"] = jsonText(fact.source());
    value["date"] = jsonDate(fact.date());
    return value;
}

Json jsonFact(const Fact<BitRate>& fact)
{
    return jsonProvenance({{"bits_per_second", fact.value().bitsPerSecond()}}, fact);
}

Json plain(Duration time)
{
    return time.count();
}

Json plain(Ratio ratio)
{
    return ratio.value();
}

Json plain(int count)
{
    return count;
}

Json plain(BitRate rate)
{
    return rate.bitsPerSecond();
}

Json plain(ByteRate rate)
{
    return rate.bytesPerSecond();
}

template <typename Q>
Json jsonMaybe(const std::optional<Fact<Q>>& fact, const char* unit)
{
    return fact ? jsonProvenance({{unit, plain(fact->value())}}, *fact) : Json(nullptr);
}

Json jsonMeasured(const std::optional<MeasuredRate>& measured)
{
    if (!measured)
        return nullptr;
    Json value = jsonFact(measured->rate);
    value["ratios"] = Json::array();
    for (const Ratio& ratio : measured->ratios)
        value["ratios"].push_back(ratio.value());
    value["retransmits"] = jsonOptional(measured->retransmits);
    value["number"] = measured->number;
    return value;
}

// How messages went there and back.
Json jsonManner(const std::optional<EchoManner>& manner)
{
    if (!manner)
        return nullptr;
    return {{"method", jsonText(echoMethodText(manner->method).toLower())},
            {"message_bytes", manner->size ? Json(manner->size->bytes()) : Json(nullptr)},
            {"wait", manner->wait == WaitMode::Blocking ? "blocking" : "busy-poll"}};
}

Json jsonUdp(const std::vector<MeasuredUdp>& all)
{
    Json list = Json::array();
    for (const MeasuredUdp& one : all)
        list.push_back({{"flow", jsonText(flowName(one.flow))},
                        {"forward", jsonMaybe(one.forward, "bits_per_second")},
                        {"reverse", jsonMaybe(one.reverse, "bits_per_second")},
                        {"offered_bits_per_second", jsonRate(one.offered)},
                        {"loss_ratio", one.lost ? Json(one.lost->value()) : Json(nullptr)},
                        {"number", one.number}});
    return list;
}

} // namespace

Json jsonEnvelope(const QString& command, bool ok)
{
    return {{"format", "napkin-cli"}, {"version", 1}, {"command", jsonText(command)}, {"ok", ok}};
}

QByteArray toLine(const Json& document)
{
    return QByteArray::fromStdString(
               document.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace)) +
           '\n';
}

Json jsonText(const QString& text)
{
    return text.toStdString();
}

Json jsonError(const Error& error, const ErrorText& words)
{
    return {{"code", jsonText(errorCodeName(error.code))},
            {"what", jsonText(words.what)},
            {"why", jsonText(words.why)},
            {"advice", jsonText(words.advice)},
            {"context", jsonText(error.context)}};
}

Json jsonUnrecorded(const ProbeResult& result)
{
    return {{"id", jsonText(result.id.text())},
            {"result", Json::parse(toJson(result).toStdString(), nullptr, false)},
            {"summary", jsonSummary(result)}};
}

Json jsonRecord(std::int64_t number, const ProbeResult& result)
{
    Json json{{"number", number}};
    json.update(jsonUnrecorded(result));
    return json;
}

Json jsonRecord(const Record& record)
{
    Json json = jsonRecord(record.number, record.result);
    json["label"] = jsonText(record.label);
    json["notes"] = Json::array();
    for (const QString& note : record.notes)
        json["notes"].push_back(jsonText(note));
    json["voided"] = record.voided ? jsonText(*record.voided) : Json(nullptr);
    json["sha256"] = record.sha256.toStdString();
    return json;
}

Json jsonListed(const RecordSummary& record)
{
    const bool hasFlow =
        record.kind == ProbeKind::Throughput || record.kind == ProbeKind::UdpThroughput;
    return {{"number", record.number},
            {"id", jsonText(record.id.text())},
            {"kind", jsonText(probeKindName(record.kind))},
            {"started_at", jsonDate(record.startedAt)},
            {"near", jsonText(record.nearName)},
            {"far", isOfMachine(record.kind) ? Json(nullptr) : jsonText(record.farName)},
            {"link", jsonId(record.link)},
            {"link_period", jsonId(record.linkPeriod)},
            {"link_name", jsonText(record.linkName)},
            {"link_class", jsonText(record.linkClassId)},
            {"completion", record.completion == Completion::Complete ? "complete" : "partial"},
            {"origin", jsonText(originName(record.origin))},
            {"flow", hasFlow ? jsonText(flowName(record.flow)) : Json(nullptr)},
            {"streams", hasFlow ? Json(record.streams) : Json(nullptr)},
            {"forward_bits_per_second", jsonRate(record.forward)},
            {"reverse_bits_per_second", jsonRate(record.reverse)},
            {"retransmits", jsonOptional(record.retransmits)},
            {"connect_median_ns", jsonTime(record.connectMedian)},
            {"latency_p50_ns", jsonTime(record.latencyP50)},
            {"latency_p99_ns", jsonTime(record.latencyP99)},
            {"loaded_ratio", jsonOptional(record.loadedRatio)},
            {"loss_ratio", record.lossRatio ? Json(record.lossRatio->value()) : Json(nullptr)},
            {"offered_bits_per_second", jsonRate(record.offered)},
            {"path_mtu_bytes", jsonOptional(record.pathMtu)},
            {"interface_mtu_bytes", jsonOptional(record.interfaceMtu)},
            {"black_hole", jsonOptional(record.isBlackHole)},
            {"alpha_ns", jsonTime(record.alpha)},
            {"beta_bytes_per_second",
             record.beta ? Json(record.beta->bytesPerSecond()) : Json(nullptr)},
            {"beta_up_to_bytes", record.betaUpTo ? Json(record.betaUpTo->bytes()) : Json(nullptr)},
            {"beta_large_bytes_per_second",
             record.betaLarge ? Json(record.betaLarge->bytesPerSecond()) : Json(nullptr)},
            {"bytes_per_second",
             record.byteRate ? Json(record.byteRate->bytesPerSecond()) : Json(nullptr)},
            {"headline", jsonText(headline(record))},
            {"quality", jsonFlags(record.flags)},
            {"label", jsonText(record.label)},
            {"voided", record.voided ? jsonText(*record.voided) : Json(nullptr)}};
}

Json jsonWorksheetRow(const WorksheetRow& row)
{
    Json ratings = Json::array();
    for (const Fact<BitRate>& rating : row.ratings)
        ratings.push_back(jsonFact(rating));
    return {{"name", jsonText(row.name)},
            {"link", jsonId(row.link)},
            {"link_period", jsonId(row.period)},
            {"class", jsonText(row.className)},
            {"ratings", ratings},
            {"forward", jsonMeasured(row.forward)},
            {"reverse", jsonMeasured(row.reverse)},
            {"both_forward", jsonMeasured(row.bothForward)},
            {"both_reverse", jsonMeasured(row.bothReverse)},
            {"connect_median", jsonMaybe(row.connectMedian, "ns")},
            {"rtt_p50", jsonMaybe(row.latencyP50, "ns")},
            {"rtt_p99", jsonMaybe(row.latencyP99, "ns")},
            {"loaded_rtt_p50", jsonMaybe(row.loadedP50, "ns")},
            {"rtt_by", jsonManner(row.latencyManner)},
            {"rtt_lost", row.latencyLost ? Json(row.latencyLost->value()) : Json(nullptr)},
            {"loaded_ratio", jsonMaybe(row.loadedRatio, "ratio")},
            {"loaded_rtt_by", jsonManner(row.loadedManner)},
            {"path_mtu", jsonMaybe(row.pathMtu, "bytes")},
            {"path_mtu_black_hole", row.pathMtu ? Json(row.isBlackHole) : Json(nullptr)},
            {"udp", jsonUdp(row.udp)},
            {"alpha", jsonMaybe(row.alpha, "ns")},
            {"beta", jsonMaybe(row.beta, "bytes_per_second")},
            {"beta_up_to_bytes", row.betaUpTo ? Json(row.betaUpTo->bytes()) : Json(nullptr)},
            {"beta_large", jsonMaybe(row.betaLarge, "bytes_per_second")},
            {"sweep_by", jsonManner(row.sweepManner)},
            {"last_measured", jsonDate(row.lastMeasured)},
            {"label", jsonText(row.label)},
            {"quality", jsonFlags(row.flags)},
            {"runs", row.runs}};
}

Json jsonLinkClass(const LinkClass& linkClass)
{
    return {{"id", jsonText(linkClass.id)},
            {"name", jsonText(linkClass.name)},
            {"short_name", jsonText(linkClass.shortName)},
            {"rated_bits_per_second", jsonRate(linkClass.rated)},
            {"symmetric_bits_per_second", jsonRate(linkClass.symmetric)},
            {"up_to", linkClass.upTo},
            {"note", jsonText(linkClass.note)},
            {"source", jsonText(linkClass.source.text)},
            {"source_date", jsonText(linkClass.source.date.toString(Qt::ISODate))},
            {"source_checked", linkClass.source.checked}};
}

} // namespace napkin::cli
