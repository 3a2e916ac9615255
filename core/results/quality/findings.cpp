// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/results/latencysummary.h"
#include "core/results/pathsummary.h"
#include "core/results/quality/rules.h"

namespace napkin::quality {

namespace {

constexpr double lossToTell = 0.01; // of what was sent

void noteLoss(std::int64_t lost, std::int64_t sent, const QString& where, Notes& notes)
{
    if (sent <= 0 || lost <= 0)
        return;
    const double share = static_cast<double>(lost) / static_cast<double>(sent);
    if (share < lossToTell)
        return;
    notes.push_back(
        {QualityFlag::MessagesLost, QStringLiteral("%1 of %2 (%3)%4")
                                        .arg(lost)
                                        .arg(sent)
                                        .arg(formatRatio(Ratio::of(share), QLocale::c()), where)});
}

// Only the phase that lost the most.
void find(const LoadedLatencyData& data, Notes& notes)
{
    const LoadedPhaseSummary* worst = nullptr;
    const auto phases = summarise(data);
    const auto share = [](const LoadedPhaseSummary& phase) {
        return phase.sent > 0 ? static_cast<double>(phase.lost) / static_cast<double>(phase.sent)
                              : 0.0;
    };
    for (const LoadedPhaseSummary& phase : phases) {
        if (worst == nullptr || share(phase) > share(*worst))
            worst = &phase;
    }
    if (worst != nullptr)
        noteLoss(worst->lost, worst->sent, QStringLiteral(" in one phase"), notes);
}

void find(const LatencyData& data, Notes& notes)
{
    const LatencySummary summary = summarise(data);
    noteLoss(summary.lost, summary.sent, {}, notes);
}

void find(const PathMtuData& data, Notes& notes)
{
    const PathMtuSummary summary = summarise(data);
    QStringList found;
    for (const Direction direction : {Direction::Forward, Direction::Reverse}) {
        const auto& side = direction == Direction::Forward ? summary.forward : summary.reverse;
        const bool isHole = side && side->isSilent.value_or(false);
        const bool isStalled =
            side && side->bulk && side->bulk->outcome == BulkTransfer::Outcome::Stalled;
        if (isHole && side->mtu)
            found << QStringLiteral("silent above %1 bytes, %2")
                         .arg(*side->mtu)
                         .arg(directionName(direction));
        if (isStalled)
            found
                << QStringLiteral("a large transfer stood still, %1").arg(directionName(direction));
    }
    if (!found.isEmpty())
        notes.push_back({QualityFlag::BlackHole, found.join(QStringLiteral("; "))});
}

// One note, of the direction that lost the larger share.
void find(const UdpData& data, Notes& notes)
{
    const UdpSummary summary = summarise(data);
    const UdpDirectionSummary* worst = nullptr;
    for (const auto* side : {&summary.forward, &summary.reverse}) {
        const bool isWorse = *side && (*side)->lossRatio && (*side)->lost &&
                             (worst == nullptr || *(*side)->lossRatio > *worst->lossRatio);
        if (isWorse)
            worst = &**side;
    }
    if (worst != nullptr)
        noteLoss(*worst->lost, worst->sent.value_or(worst->received + *worst->lost), {}, notes);
}

template <typename Data>
void find(const Data& /*no messages are counted*/, Notes& /*notes*/)
{}

} // namespace

void assessFindings(const ProbeResult& result, Notes& notes)
{
    std::visit([&](const auto& data) { find(data, notes); }, result.data);
}

} // namespace napkin::quality
