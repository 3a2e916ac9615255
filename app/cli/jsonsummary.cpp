// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jsonreport.h"
#include "core/results/latencysummary.h"
#include "core/results/machinesummary.h"
#include "core/results/pathsummary.h"
#include "core/results/soaksummary.h"
#include "core/results/summary.h"

#include <cmath>
#include <optional>
#include <string>

namespace napkin::cli {

namespace {

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

Json jsonConnect(const ConnectSummary& summary)
{
    return {{"attempts", summary.attempts},        {"connected", summary.connected},
            {"refused", summary.refused},          {"timed_out", summary.timedOut},
            {"unreachable", summary.unreachable},  {"median_ns", jsonTime(summary.median)},
            {"p10_ns", jsonTime(summary.p10)},     {"p90_ns", jsonTime(summary.p90)},
            {"least_ns", jsonTime(summary.least)}, {"most_ns", jsonTime(summary.most)}};
}

const char* verdictName(Certainty::Verdict verdict)
{
    switch (verdict) {
    case Certainty::Verdict::Sure:
        return "sure";
    case Certainty::Verdict::NotYet:
        return "not-yet";
    case Certainty::Verdict::NotSteady:
        break;
    }
    return "not-steady";
}

// `unit` ends the keys of values: "ns".
Json jsonCertainty(const std::optional<Certainty>& certainty, const std::string& unit)
{
    if (!certainty)
        return nullptr;
    const bool hasInterval =
        certainty->verdict != Certainty::Verdict::NotSteady && certainty->halfWidth > 0;
    const auto whole = [](double value) { return Json(std::llround(value)); };
    return {{"verdict", verdictName(certainty->verdict)},
            {"mean_" + unit, whole(certainty->mean)},
            {"half_width_" + unit, hasInterval ? whole(certainty->halfWidth) : Json(nullptr)},
            {"lowest_" + unit, whole(certainty->lowest)},
            {"highest_" + unit, whole(certainty->highest)}};
}

Json jsonDirection(const std::optional<DirectionSummary>& summary)
{
    if (!summary)
        return nullptr;
    return {{"throughput_bits_per_second", summary->throughput.bitsPerSecond()},
            {"received_bytes", summary->received.bytes()},
            {"duration_ns", summary->duration.count()},
            {"retransmits", jsonOptional(summary->retransmits)},
            {"lowest_second_bits_per_second", jsonRate(summary->lowest)},
            {"highest_second_bits_per_second", jsonRate(summary->highest)},
            {"rtt_median_ns", jsonTime(summary->rtt)},
            {"counted_by_receiver", summary->fromTotals},
            {"certainty", jsonCertainty(summary->certainty, "bits_per_second")}};
}

Json jsonSummaryOf(const ConnectData& data)
{
    return jsonConnect(summarise(data));
}

Json jsonSummaryOf(const LatencyData& data)
{
    const LatencySummary summary = summarise(data);
    return {{"sent", summary.sent},
            {"answered", summary.answered},
            {"lost", summary.lost},
            {"loss_ratio", summary.sent > 0 ? Json(summary.lossRatio().value()) : Json(nullptr)},
            {"duplicates", summary.duplicates},
            {"reordered", summary.reordered},
            {"warm_up", summary.warmUp},
            {"warm_up_ratio", summary.warmUpShare.value()},
            {"least_ns", jsonTime(summary.least)},
            {"p50_ns", jsonTime(summary.p50)},
            {"p90_ns", jsonTime(summary.p90)},
            {"p99_ns", jsonTime(summary.p99)},
            {"p999_ns", jsonTime(summary.p999)},
            {"most_ns", jsonTime(summary.most)},
            {"certainty", jsonCertainty(summary.certainty, "ns")}};
}

Json jsonFit(const std::optional<SweepFit>& fit)
{
    if (!fit)
        return nullptr;
    Json breaks = Json::array();
    for (const ByteCount size : fit->breaks)
        breaks.push_back(size.bytes());
    const auto ofAlpha = [fit](Duration time) {
        return fit->alpha ? Json(time.count()) : Json(nullptr);
    };
    Json large = nullptr;
    if (fit->tail)
        large = {{"from_bytes", fit->tail->from.bytes()},
                 {"beta_bytes_per_second", fit->tail->beta.bytesPerSecond()},
                 {"beta_low_bytes_per_second", fit->tail->betaLow.bytesPerSecond()},
                 {"beta_high_bytes_per_second", fit->tail->betaHigh.bytesPerSecond()}};
    return {{"alpha_ns", jsonTime(fit->alpha)},
            {"alpha_low_ns", ofAlpha(fit->alphaLow)},
            {"alpha_high_ns", ofAlpha(fit->alphaHigh)},
            {"up_to_bytes", fit->upTo() ? Json(fit->upTo()->bytes()) : Json(nullptr)},
            {"large", large},
            {"beta_bytes_per_second", fit->beta.bytesPerSecond()},
            {"beta_low_bytes_per_second", fit->betaLow.bytesPerSecond()},
            {"beta_high_bytes_per_second", fit->betaHigh.bytesPerSecond()},
            {"largest_residual", fit->largestResidual},
            {"breaks_bytes", breaks}};
}

Json jsonSummaryOf(const SweepData& data)
{
    const SweepSummary summary = summarise(data);
    Json sizes = Json::array();
    for (const SweepPoint& point : summary.points)
        sizes.push_back({{"bytes", point.size.bytes()},
                         {"count", point.count},
                         {"least_ns", point.least.count()},
                         {"median_ns", point.median.count()},
                         {"p90_ns", point.p90.count()},
                         {"residual", jsonOptional(point.residual)}});
    return {{"fit", jsonFit(summary.fit)}, {"sizes", sizes}};
}

const char* loadName(Load load)
{
    switch (load) {
    case Load::Idle:
        return "idle";
    case Load::Sending:
        return "sending";
    case Load::Receiving:
        return "receiving";
    case Load::Both:
        break;
    }
    return "both";
}

Json jsonSummaryOf(const LoadedLatencyData& data)
{
    Json phases = Json::array();
    for (const LoadedPhaseSummary& phase : summarise(data))
        phases.push_back({{"load", loadName(phase.load)},
                          {"sent", phase.sent},
                          {"lost", phase.lost},
                          {"p50_ns", jsonTime(phase.p50)},
                          {"p90_ns", jsonTime(phase.p90)},
                          {"p99_ns", jsonTime(phase.p99)},
                          {"ratio_to_idle", jsonOptional(phase.ratio)},
                          {"forward_bits_per_second", jsonRate(phase.forward)},
                          {"reverse_bits_per_second", jsonRate(phase.reverse)}});
    return {{"phases", phases}};
}

const char* verdictName(PathMtuSide::Verdict verdict)
{
    switch (verdict) {
    case PathMtuSide::Verdict::Known:
        return "known";
    case PathMtuSide::Verdict::Interface:
        return "interface";
    case PathMtuSide::Verdict::AtLeast:
        return "at-least";
    case PathMtuSide::Verdict::NotTried:
        return "not-tried";
    case PathMtuSide::Verdict::Unanswered:
        break;
    }
    return "unanswered";
}

const char* outcomeName(BulkTransfer::Outcome outcome)
{
    switch (outcome) {
    case BulkTransfer::Outcome::Finished:
        return "finished";
    case BulkTransfer::Outcome::Stalled:
        return "stalled";
    case BulkTransfer::Outcome::NotMade:
        return "not-made";
    case BulkTransfer::Outcome::NotConnected:
        break;
    }
    return "not-connected";
}

Json jsonBulk(const std::optional<BulkTransfer>& bulk)
{
    if (!bulk)
        return nullptr;
    return {{"outcome", outcomeName(bulk->outcome)},
            {"arrived_bytes", bulk->arrived.bytes()},
            {"asked_bytes", bulk->asked.bytes()},
            {"duration_ns", bulk->time.count()},
            {"why_not", bulk->whyNot ? jsonText(errorCodeName(*bulk->whyNot)) : Json(nullptr)}};
}

Json jsonSide(const std::optional<PathMtuSide>& side, std::optional<int> interfaceMtu)
{
    if (!side)
        return nullptr;
    return {{"verdict", verdictName(side->verdict)},
            {"mtu_bytes", jsonOptional(side->mtu)},
            {"interface_mtu_bytes", jsonOptional(interfaceMtu)},
            {"black_hole", jsonOptional(side->isSilent)},
            {"told_by", side->toldBy.isEmpty() ? Json(nullptr) : jsonText(side->toldBy)},
            {"bulk", jsonBulk(side->bulk)}};
}

Json jsonSummaryOf(const PathMtuData& data)
{
    const PathMtuSummary summary = summarise(data);
    return {{"forward", jsonSide(summary.forward, data.nearInterfaceMtu)},
            {"reverse", jsonSide(summary.reverse, data.farInterfaceMtu)}};
}

const char* causeName(UdpDirectionSummary::Cause cause)
{
    switch (cause) {
    case UdpDirectionSummary::Cause::None:
        return "none";
    case UdpDirectionSummary::Cause::Unknown:
        return "unknown";
    case UdpDirectionSummary::Cause::ReceiverBuffer:
        return "receiver-buffer";
    case UdpDirectionSummary::Cause::OfferedTooMuch:
        break;
    }
    return "offered-too-much";
}

Json offeredOver(const UdpDirectionSummary& side)
{
    if (!side.offered)
        return nullptr;
    return side.isOfferedNominal ? "asked-for" : "sender";
}

Json jsonUdpSide(const std::optional<UdpDirectionSummary>& side)
{
    if (!side)
        return nullptr;
    return {{"offered_bits_per_second", jsonRate(side->offered)},
            {"offered_over", offeredOver(*side)},
            {"arrived_bits_per_second", jsonRate(side->arrived)},
            {"counted_by_receiver", side->fromTotals},
            {"sent", jsonOptional(side->sent)},
            {"received", side->received},
            {"lost", jsonOptional(side->lost)},
            {"loss_ratio", side->lossRatio ? Json(side->lossRatio->value()) : Json(nullptr)},
            {"lost_tail", jsonOptional(side->lostTail)},
            {"out_of_order", jsonOptional(side->outOfOrder)},
            {"jitter_ns", jsonTime(side->jitter)},
            {"buffer_drops", jsonOptional(side->bufferDrops)},
            {"cause", causeName(side->cause)},
            {"contradictory", side->isContradictory}};
}

Json jsonUdp(const UdpSummary& summary)
{
    return {{"forward", jsonUdpSide(summary.forward)}, {"reverse", jsonUdpSide(summary.reverse)}};
}

Json jsonByteRate(const std::optional<ByteRate>& rate)
{
    return rate ? Json(rate->bytesPerSecond()) : Json(nullptr);
}

Json jsonSummaryOf(const MemoryData& data)
{
    const MemorySummary summary = summarise(data);
    return {{"passes", summary.passes},
            {"threads", data.threads},
            {"array_bytes", data.arraySize.bytes()},
            {"median_bytes_per_second", jsonByteRate(summary.median)},
            {"best_bytes_per_second", jsonByteRate(summary.best)},
            {"p90_bytes_per_second", jsonByteRate(summary.slow)},
            {"slowest_bytes_per_second", jsonByteRate(summary.slowest)}};
}

// Where the page cache had a part in it there is no rate.
Json jsonSummaryOf(const StorageData& data)
{
    const StorageSummary summary = summarise(data);
    const bool isUsable = summary.isPastCache;
    return {{"read_bytes", summary.read.bytes()},
            {"duration_ns", summary.duration.count()},
            {"past_page_cache", isUsable},
            {"mean_bytes_per_second", isUsable ? jsonByteRate(summary.mean) : Json(nullptr)},
            {"slowest_second_bytes_per_second",
             isUsable ? jsonByteRate(summary.slowestSecond) : Json(nullptr)}};
}

Json jsonDrift(const std::optional<SoakDrift>& drift)
{
    if (!drift)
        return nullptr;
    return {{"change", drift->change},
            {"low", drift->low},
            {"high", drift->high},
            {"seen", drift->isSeen},
            {"ruled_out", drift->ruledOut()}};
}

Json jsonSoakSide(const std::optional<SoakSide>& side)
{
    if (!side)
        return nullptr;
    return {{"mean_bits_per_second", side->mean.bitsPerSecond()},
            {"least_bits_per_second", side->least.bitsPerSecond()},
            {"median_bits_per_second", side->median.bitsPerSecond()},
            {"most_bits_per_second", side->most.bitsPerSecond()},
            {"received_bytes", side->received.bytes()},
            {"checked_bytes", side->checked.bytes()},
            {"blocks", side->blocks},
            {"corrupted", side->corrupted},
            {"lost", side->lost},
            {"duplicated", side->duplicated},
            {"retransmits", jsonOptional(side->retransmits)},
            {"rtt_median_ns", jsonTime(side->rtt)},
            {"drift", jsonDrift(side->drift)}};
}

Json jsonSummaryOf(const SoakData& data)
{
    const SoakSummary summary = summarise(data);
    return {{"faults", summary.faults},
            {"stalls", data.stalls},
            {"longest_stall_ns", jsonTime(summary.longestStall)},
            {"drop_outs", data.dropOuts},
            {"resets", data.resets},
            {"longest_drop_out_ns", jsonTime(summary.longestDropOut)},
            {"without_connection_ns", data.withoutConnection.count()},
            {"program_gaps", data.programGaps},
            {"program_gap_ns", data.programGap.count()},
            {"held_ups", data.heldUps},
            {"elapsed_ns", data.elapsed.count()},
            {"forward", jsonSoakSide(summary.forward)},
            {"reverse", jsonSoakSide(summary.reverse)}};
}

struct SummaryOf
{
    const ProbeResult& result;

    Json operator()(const ThroughputData&) const
    {
        const ThroughputSummary summary = summariseThroughput(result);
        return {{"forward", jsonDirection(summary.forward)},
                {"reverse", jsonDirection(summary.reverse)}};
    }
    Json operator()(const UdpData&) const { return jsonUdp(summariseUdp(result)); }
    template <typename Data>
    Json operator()(const Data& data) const
    {
        return jsonSummaryOf(data);
    }
};

} // namespace

Json jsonSummary(const ProbeResult& result)
{
    return std::visit(SummaryOf{result}, result.data);
}

} // namespace napkin::cli
