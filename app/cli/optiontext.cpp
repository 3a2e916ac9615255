// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/optiontext.h"

#include "core/quantity/format.h"
#include "core/workflow/resulttext.h"

#include <QCoreApplication>
#include <QLocale>

namespace napkin::cli {

namespace {

using std::chrono::milliseconds;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::OptionText)
};

QString separator()
{
    return QStringLiteral(", ");
}

QString streamsText(int streams)
{
    return Words::tr("%Ln streams", nullptr, streams);
}

QString endingText(milliseconds duration, Ending ending)
{
    const QString time = spanText(duration);
    return ending == Ending::WhenSure ? Words::tr("at most %1").arg(time) : time;
}

QString whenText(Ending ending)
{
    return ending == Ending::WhenSure ? Words::tr("when known to ± 1 %, or after its time")
                                      : Words::tr("after its time");
}

QString rangeText(const SweepOptions& options)
{
    return Words::tr("%1 to %2").arg(exactBytes(options.least), exactBytes(options.most));
}

QString intervalText(std::chrono::microseconds interval)
{
    return interval.count() == 0 ? Words::tr("none") : formatDuration(interval);
}

QString datagramText(ByteCount size)
{
    return size == ByteCount::bytes(0) ? Words::tr("what fits one packet") : exactBytes(size);
}

QString threadsText(int threads)
{
    return threads == 0 ? Words::tr("one thread a core")
                        : Words::tr("%Ln threads", nullptr, threads);
}

QString capText(BitRate cap)
{
    return cap == BitRate() ? Words::tr("as fast as it goes")
                            : Words::tr("at most %1").arg(formatRating(cap));
}

struct TitleOf
{
    QString operator()(const ThroughputOptions& options) const
    {
        return QStringList{flowText(options.flow), streamsText(options.streams),
                           endingText(options.duration, options.ending)}
            .join(separator());
    }
    QString operator()(const ConnectOptions& options) const
    {
        return Words::tr("%Ln attempts", nullptr, options.attempts);
    }
    QString operator()(const LatencyOptions& options) const
    {
        QStringList parts{echoMethodText(options.method)};
        if (options.wait == WaitMode::BusyPoll)
            parts << waitModeText(options.wait);
        parts << exactBytes(options.messageSize) << endingText(options.duration, options.ending);
        return parts.join(separator());
    }
    QString operator()(const SweepOptions& options) const
    {
        QStringList parts{rangeText(options), Words::tr("%Ln rounds", nullptr, options.rounds)};
        if (options.wait == WaitMode::BusyPoll)
            parts << waitModeText(options.wait);
        return parts.join(separator());
    }
    QString operator()(const LoadedLatencyOptions& options) const
    {
        return QStringList{echoMethodText(options.method), streamsText(options.streams),
                           Words::tr("%1 each").arg(spanText(options.phase))}
            .join(separator());
    }
    QString operator()(const PathMtuOptions& options) const
    {
        return Words::tr("%Ln attempts a size", nullptr, options.attempts);
    }
    QString operator()(const UdpOptions& options) const
    {
        return QStringList{formatRating(options.rate), flowText(options.flow),
                           streamsText(options.streams), spanText(options.duration)}
            .join(separator());
    }
    QString operator()(const MemoryOptions& options) const
    {
        return QStringList{threadsText(options.threads), spanText(options.duration)}.join(
            separator());
    }
    QString operator()(const StorageOptions& options) const
    {
        return QStringList{options.file, Words::tr("at most %1").arg(spanText(options.duration))}
            .join(separator());
    }

    QString operator()(const SoakOptions& options) const
    {
        return QStringList{flowText(options.flow), capText(options.rateCap),
                           formatDuration(options.duration)}
            .join(separator());
    }
};

struct Adding
{
    Fields& fields;

    void operator()(const ThroughputOptions& options) const
    {
        fields.add(Words::tr("Direction"), flowText(options.flow));
        fields.add(Words::tr("Streams"), QLocale().toString(options.streams));
        fields.add(Words::tr("Time"), spanText(options.duration));
        fields.add(Words::tr("Ends"), whenText(options.ending));
        fields.add(Words::tr("Left out first"), spanText(options.omit));
        fields.add(Words::tr("Block"), formatBytesBinary(options.blockSize));
        fields.add(Words::tr("Congestion control"), options.congestionControl);
    }
    void operator()(const ConnectOptions& options) const
    {
        fields.add(Words::tr("Attempts"), QLocale().toString(options.attempts));
        fields.add(Words::tr("Interval"), spanText(options.interval));
        fields.add(Words::tr("Time limit"), spanText(options.timeout));
    }
    void operator()(const LatencyOptions& options) const
    {
        fields.add(Words::tr("Method"), echoMethodText(options.method));
        fields.add(Words::tr("Waiting"), waitModeText(options.wait));
        fields.add(Words::tr("Message"), exactBytes(options.messageSize));
        fields.add(Words::tr("Time"), spanText(options.duration));
        fields.add(Words::tr("Ends"), whenText(options.ending));
        fields.add(Words::tr("Interval"), intervalText(options.interval));
        fields.add(Words::tr("Time limit"), spanText(options.timeout));
    }
    void operator()(const SweepOptions& options) const
    {
        fields.add(Words::tr("Waiting"), waitModeText(options.wait));
        fields.add(Words::tr("Messages"), rangeText(options));
        fields.add(Words::tr("Rounds"), QLocale().toString(options.rounds));
        fields.add(Words::tr("Time"), spanText(options.duration));
    }
    void operator()(const LoadedLatencyOptions& options) const
    {
        fields.add(Words::tr("Method"), echoMethodText(options.method));
        fields.add(Words::tr("Message"), exactBytes(options.messageSize));
        fields.add(Words::tr("Each phase"), spanText(options.phase));
        fields.add(Words::tr("Interval"), intervalText(options.interval));
        fields.add(Words::tr("Time limit"), spanText(options.timeout));
        fields.add(Words::tr("Streams"), QLocale().toString(options.streams));
    }
    void operator()(const PathMtuOptions& options) const
    {
        fields.add(Words::tr("Attempts a size"), QLocale().toString(options.attempts));
        fields.add(Words::tr("Time limit"), spanText(options.timeout));
        fields.add(Words::tr("Large transfer"),
                   options.bulkCheck ? Words::tr("where there is a port") : Words::tr("left out"));
    }
    void operator()(const UdpOptions& options) const
    {
        fields.add(Words::tr("Direction"), flowText(options.flow));
        fields.add(Words::tr("Rate"), formatRating(options.rate));
        fields.add(Words::tr("Datagram"), datagramText(options.datagramSize));
        fields.add(Words::tr("Streams"), QLocale().toString(options.streams));
        fields.add(Words::tr("Time"), spanText(options.duration));
        fields.add(Words::tr("Left out first"), spanText(options.omit));
    }
    void operator()(const MemoryOptions& options) const
    {
        fields.add(Words::tr("Threads"), threadsText(options.threads));
        fields.add(Words::tr("Time"), spanText(options.duration));
    }
    void operator()(const StorageOptions& options) const
    {
        fields.add(Words::tr("File"), options.file);
        fields.add(Words::tr("Time"), Words::tr("at most %1").arg(spanText(options.duration)));
        fields.add(Words::tr("Request"), exactBytes(options.request));
        fields.add(Words::tr("Requests under way"), QLocale().toString(options.depth));
    }

    void operator()(const SoakOptions& options) const
    {
        fields.add(Words::tr("Direction"), flowText(options.flow));
        fields.add(Words::tr("Rate"), capText(options.rateCap));
        fields.add(Words::tr("Time"), formatDuration(options.duration));
        fields.add(Words::tr("Block"), exactBytes(options.blockSize));
        fields.add(Words::tr("A stall after"), spanText(options.stallAfter));
        fields.add(Words::tr("Given up after"), spanText(options.lostAfter));
    }
};

} // namespace

void addOptions(Fields& fields, const ProbeOptions& options)
{
    std::visit(Adding{fields}, options);
}

QString optionsTitle(const ProbeOptions& options)
{
    return std::visit(TitleOf{}, options);
}

} // namespace napkin::cli
