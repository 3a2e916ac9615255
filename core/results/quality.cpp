// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/quality/rules.h"

#include <QCoreApplication>

#include <array>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Quality)
};

constexpr std::array allFlags{
    QualityFlag::Partial,        QualityFlag::TooShort,          QualityFlag::Loopback,
    QualityFlag::StreamsUnequal, QualityFlag::NotSteady,         QualityFlag::CpuBound,
    QualityFlag::WrongInterface, QualityFlag::BackgroundTraffic, QualityFlag::ClockTooCoarse,
    QualityFlag::PeerOverloaded, QualityFlag::IntervalAnomaly,   QualityFlag::Contradictory,
    QualityFlag::CpuTaken,       QualityFlag::LongWarmUp,        QualityFlag::MessagesLost,
    QualityFlag::BlackHole,      QualityFlag::OtherWork,         QualityFlag::FromCache,
    QualityFlag::NotADisk,       QualityFlag::FaultsSeen};

} // namespace

QString qualityFlagName(QualityFlag flag)
{
    switch (flag) {
    case QualityFlag::Partial:
        return QStringLiteral("partial");
    case QualityFlag::TooShort:
        return QStringLiteral("too-short");
    case QualityFlag::Loopback:
        return QStringLiteral("loopback");
    case QualityFlag::StreamsUnequal:
        return QStringLiteral("streams-unequal");
    case QualityFlag::NotSteady:
        return QStringLiteral("not-steady");
    case QualityFlag::CpuBound:
        return QStringLiteral("cpu-bound");
    case QualityFlag::WrongInterface:
        return QStringLiteral("wrong-interface");
    case QualityFlag::BackgroundTraffic:
        return QStringLiteral("background-traffic");
    case QualityFlag::ClockTooCoarse:
        return QStringLiteral("clock-too-coarse");
    case QualityFlag::PeerOverloaded:
        return QStringLiteral("peer-overloaded");
    case QualityFlag::IntervalAnomaly:
        return QStringLiteral("interval-anomaly");
    case QualityFlag::Contradictory:
        return QStringLiteral("contradictory");
    case QualityFlag::CpuTaken:
        return QStringLiteral("cpu-taken");
    case QualityFlag::LongWarmUp:
        return QStringLiteral("long-warm-up");
    case QualityFlag::MessagesLost:
        return QStringLiteral("messages-lost");
    case QualityFlag::BlackHole:
        return QStringLiteral("black-hole");
    case QualityFlag::OtherWork:
        return QStringLiteral("other-work");
    case QualityFlag::FromCache:
        return QStringLiteral("from-cache");
    case QualityFlag::NotADisk:
        return QStringLiteral("not-a-disk");
    case QualityFlag::FaultsSeen:
        return QStringLiteral("faults-seen");
    }
    return {};
}

Result<QualityFlag> qualityFlagFromName(QStringView name)
{
    for (const QualityFlag flag : allFlags) {
        if (name == qualityFlagName(flag))
            return flag;
    }
    return fail(ErrorCode::ParseFailed, name.toString(), Words::tr("not a quality flag"));
}

QString qualityFlagText(QualityFlag flag)
{
    switch (flag) {
    case QualityFlag::Partial:
        return Words::tr("The run ended before its time.");
    case QualityFlag::TooShort:
        return Words::tr("The run is too short to be relied on.");
    case QualityFlag::Loopback:
        return Words::tr("This machine talked to itself: no link was measured.");
    case QualityFlag::StreamsUnequal:
        return Words::tr("The streams did not share the link evenly.");
    case QualityFlag::NotSteady:
        return Words::tr("It changed during the run: no single figure stands for it.");
    case QualityFlag::CpuBound:
        return Words::tr("The work of measuring kept a processor core at its limit: the wire may "
                         "be faster than this.");
    case QualityFlag::WrongInterface:
        return Words::tr(
            "The bytes took another interface than the link’s, so the run is not filed under it.");
    case QualityFlag::BackgroundTraffic:
        return Words::tr("The link carried other traffic at the same time.");
    case QualityFlag::ClockTooCoarse:
        return Words::tr("The clock is too coarse for times this short.");
    case QualityFlag::PeerOverloaded:
        return Words::tr("A machine had more work than processor cores when the run began.");
    case QualityFlag::IntervalAnomaly:
        return Words::tr("The samples came unevenly: something held the measuring program up.");
    case QualityFlag::Contradictory:
        return Words::tr(
            "The two ends counted what can not both be true: the figures are not usable.");
    case QualityFlag::CpuTaken:
        return Words::tr("Other programs kept the processor busy meanwhile: the wire may be faster "
                         "than this.");
    case QualityFlag::LongWarmUp:
        return Words::tr("It took long to settle: much of the run is left out as warm-up.");
    case QualityFlag::MessagesLost:
        return Words::tr("Messages were lost on the way.");
    case QualityFlag::BlackHole:
        return Words::tr("Large packets vanish on the way without a word: a black hole.");
    case QualityFlag::OtherWork:
        return Words::tr("Other programs had the processor, too: the machine can do better.");
    case QualityFlag::FromCache:
        return Words::tr("Part of the file came, or may have come, from the machine’s memory: "
                         "this is not the rate of the disk.");
    case QualityFlag::NotADisk:
        return Words::tr("The file lies on no disk of this machine.");
    case QualityFlag::FaultsSeen:
        return Words::tr("The link had faults during the run.");
    }
    return {};
}

bool isFinding(QualityFlag flag)
{
    return flag == QualityFlag::MessagesLost || flag == QualityFlag::BlackHole;
}

std::vector<QualityNote> assessQuality(const ProbeResult& result)
{
    std::vector<QualityNote> notes;
    if (result.completion == Completion::Partial)
        notes.push_back(
            {QualityFlag::Partial, result.fault ? errorCodeName(result.fault->code) : QString()});
    quality::assessWire(result, notes);
    quality::assessFlow(result, notes);
    quality::assessLoad(result, notes);
    quality::assessTiming(result, notes);
    quality::assessFindings(result, notes);
    return notes;
}

} // namespace napkin
