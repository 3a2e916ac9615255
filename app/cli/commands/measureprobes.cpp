// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/measureprobes.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::MeasureProbes)
};

// Half a thousand echoes a second: enough for a p99.9 within seconds, and little to the far end.
constexpr std::chrono::microseconds echoInterval = 2ms;

auto timeWithUnit(const QString& bareUnit)
{
    return [bareUnit](const QString& option, const QString& text) {
        return parseTime(option, text, bareUnit);
    };
}

Flow flowFrom(const MeasureOptions& options, Filling& filling)
{
    if (options.reverse && options.bidirectional)
        filling.refuse(Words::tr("--reverse together with --bidirectional"),
                       Words::tr("choose one of them"));
    if (options.bidirectional)
        return Flow::Bidirectional;
    return options.reverse ? Flow::Reverse : Flow::Forward;
}

EchoMethod methodFrom(const MeasureOptions& options, Filling& filling)
{
    const std::string& given = options.method;
    if (given == "tcp")
        return EchoMethod::Tcp;
    if (given == "udp")
        return EchoMethod::Udp;
    if (!given.empty() && given != "icmp")
        filling.refuse(QStringLiteral("--method “%1”").arg(QString::fromStdString(given)),
                       Words::tr("icmp, tcp and udp are possible"));
    return EchoMethod::Icmp;
}

ThroughputOptions throughputFrom(const MeasureOptions& options, Filling& filling)
{
    ThroughputOptions throughput;
    throughput.flow = flowFrom(options, filling);
    using Options = ThroughputOptions;
    const auto time = timeWithUnit(QStringLiteral(" s"));
    throughput.ending = options.whenSure ? Ending::WhenSure : Ending::FixedTime;
    filling.option(throughput, &Options::streams, "--streams", options.streams, parseWhole);
    filling.option(throughput, &Options::duration, "--time", options.time, time);
    filling.option(throughput, &Options::omit, "--omit", options.omit, time);
    filling.option(throughput, &Options::blockSize, "--bytes-per-block", options.block, parseSize);
    throughput.congestionControl = QString::fromStdString(options.congestion);
    return throughput;
}

ConnectOptions connectFrom(const MeasureOptions& options, Filling& filling)
{
    ConnectOptions connect;
    using Options = ConnectOptions;
    const auto time = timeWithUnit(QString());
    filling.option(connect, &Options::attempts, "--count", options.count, parseWhole);
    filling.option(connect, &Options::interval, "--interval", options.interval, time);
    filling.option(connect, &Options::timeout, "--timeout", options.timeout, time);
    return connect;
}

LatencyOptions latencyFrom(const MeasureOptions& options, Filling& filling)
{
    LatencyOptions latency;
    using Options = LatencyOptions;
    latency.method = methodFrom(options, filling);
    latency.interval = latency.method == EchoMethod::Icmp ? echoInterval : 0us;
    latency.ending = options.fixedTime ? Ending::FixedTime : Ending::WhenSure;
    if (options.busyPoll && latency.method == EchoMethod::Icmp)
        filling.refuse(QStringLiteral("--busy-poll"),
                       Words::tr("the far end’s kernel answers ICMP; choose --method tcp or udp"));
    latency.wait = options.busyPoll ? WaitMode::BusyPoll : WaitMode::Blocking;
    filling.option(latency, &Options::messageSize, "--size", options.size, parseSize);
    filling.option(latency, &Options::duration, "--time", options.time,
                   timeWithUnit(QStringLiteral(" s")));
    filling.option(latency, &Options::interval, "--interval", options.interval, parseInterval);
    filling.option(latency, &Options::timeout, "--timeout", options.timeout,
                   timeWithUnit(QString()));
    return latency;
}

// From and to are checked together, by validate().
SweepOptions sweepFrom(const MeasureOptions& options, Filling& filling)
{
    SweepOptions sweep;
    using Options = SweepOptions;
    sweep.wait = options.busyPoll ? WaitMode::BusyPoll : WaitMode::Blocking;
    if (!options.from.empty())
        filling.set(sweep.least,
                    parseSize(QStringLiteral("--from"), QString::fromStdString(options.from)));
    if (!options.to.empty())
        filling.set(sweep.most,
                    parseSize(QStringLiteral("--to"), QString::fromStdString(options.to)));
    const auto least = ByteCount::bytes(1);
    const auto most = ByteCount::mebibytes(16);
    if (sweep.least < least || sweep.most > most || sweep.least > sweep.most)
        filling.refuse(QStringLiteral("--from, --to"),
                       Words::tr("from 1 byte to 16 MiB, the smaller first, are possible"));
    filling.option(sweep, &Options::rounds, "--rounds", options.rounds, parseWhole);
    filling.option(sweep, &Options::duration, "--time", options.time,
                   timeWithUnit(QStringLiteral(" s")));
    return sweep;
}

LoadedLatencyOptions loadedFrom(const MeasureOptions& options, Filling& filling)
{
    LoadedLatencyOptions loaded;
    using Options = LoadedLatencyOptions;
    loaded.method = methodFrom(options, filling);
    if (loaded.method == EchoMethod::Tcp)
        filling.refuse(QStringLiteral("--method “tcp”"),
                       Words::tr("under load icmp and udp are possible"));
    filling.option(loaded, &Options::messageSize, "--size", options.size, parseSize);
    filling.option(loaded, &Options::phase, "--phase", options.phase,
                   timeWithUnit(QStringLiteral(" s")));
    filling.option(loaded, &Options::interval, "--interval", options.interval, parseInterval);
    filling.option(loaded, &Options::timeout, "--timeout", options.timeout,
                   timeWithUnit(QString()));
    filling.option(loaded, &Options::streams, "--streams", options.streams, parseWhole);
    return loaded;
}

PathMtuOptions pathMtuFrom(const MeasureOptions& options, Filling& filling)
{
    PathMtuOptions path;
    using Options = PathMtuOptions;
    path.bulkCheck = !options.noBulk;
    filling.option(path, &Options::attempts, "--attempts", options.count, parseWhole);
    filling.option(path, &Options::timeout, "--timeout", options.timeout, timeWithUnit(QString()));
    return path;
}

UdpOptions udpFrom(const MeasureOptions& options, Filling& filling)
{
    UdpOptions udp;
    using Options = UdpOptions;
    const auto time = timeWithUnit(QStringLiteral(" s"));
    udp.flow = flowFrom(options, filling);
    filling.option(udp, &Options::rate, "--rate", options.rate, parseRate);
    filling.option(udp, &Options::datagramSize, "--length", options.length, parseSize);
    filling.option(udp, &Options::streams, "--streams", options.streams, parseWhole);
    filling.option(udp, &Options::duration, "--time", options.time, time);
    filling.option(udp, &Options::omit, "--omit", options.omit, time);
    return udp;
}

MemoryOptions memoryFrom(const MeasureOptions& options, Filling& filling)
{
    MemoryOptions memory;
    using Options = MemoryOptions;
    filling.option(memory, &Options::duration, "--time", options.time,
                   timeWithUnit(QStringLiteral(" s")));
    filling.option(memory, &Options::threads, "--threads", options.streams, parseWhole);
    return memory;
}

StorageOptions storageFrom(const MeasureOptions& options, Filling& filling)
{
    StorageOptions storage;
    using Options = StorageOptions;
    storage.file = QString::fromLocal8Bit(options.file);
    if (storage.file.isEmpty())
        filling.refuse(QStringLiteral("FILE"), Words::tr("it is required and missing"));
    filling.option(storage, &Options::duration, "--time", options.time,
                   timeWithUnit(QStringLiteral(" s")));
    filling.option(storage, &Options::request, "--bytes-per-block", options.block, parseSize);
    filling.option(storage, &Options::depth, "--depth", options.depth, parseWhole);
    return storage;
}

Flow soakFlowFrom(const MeasureOptions& options, Filling& filling)
{
    if (options.forward && options.reverse)
        filling.refuse(Words::tr("--forward together with --reverse"),
                       Words::tr("without either, both directions are loaded"));
    if (options.forward)
        return Flow::Forward;
    return options.reverse ? Flow::Reverse : Flow::Bidirectional;
}

SoakOptions soakFrom(const MeasureOptions& options, Filling& filling)
{
    SoakOptions soak;
    using Options = SoakOptions;
    const auto time = timeWithUnit(QStringLiteral(" s"));
    soak.flow = soakFlowFrom(options, filling);
    filling.option(soak, &Options::duration, "--time", options.time, time);
    filling.option(soak, &Options::blockSize, "--bytes-per-block", options.block, parseSize);
    // Each alone may contradict the default of the other.
    if (!options.lostAfter.empty())
        filling.set(soak.lostAfter, time(QStringLiteral("--lost-after"),
                                         QString::fromStdString(options.lostAfter)));
    if (!options.stallAfter.empty())
        filling.set(soak.stallAfter, time(QStringLiteral("--stall-after"),
                                          QString::fromStdString(options.stallAfter)));
    if (!options.rate.empty()) { // no rate is written as 0
        filling.set(soak.rateCap,
                    parseRate(QStringLiteral("--rate"), QString::fromStdString(options.rate)));
        if (soak.rateCap == BitRate())
            filling.refuse(QStringLiteral("--rate"), Words::tr("1 Mb/s to 400 Gb/s are possible"));
    }
    return soak;
}

} // namespace

ProbeOptions probeOptionsFrom(const MeasureOptions& options, Filling& filling)
{
    switch (options.kind) {
    case ProbeKind::Throughput:
        return throughputFrom(options, filling);
    case ProbeKind::ConnectTime:
        return connectFrom(options, filling);
    case ProbeKind::Latency:
        return latencyFrom(options, filling);
    case ProbeKind::MessageSweep:
        return sweepFrom(options, filling);
    case ProbeKind::LoadedLatency:
        return loadedFrom(options, filling);
    case ProbeKind::PathMtu:
        return pathMtuFrom(options, filling);
    case ProbeKind::Soak:
        return soakFrom(options, filling);
    case ProbeKind::UdpThroughput:
        break;
    case ProbeKind::Memory:
        return memoryFrom(options, filling);
    case ProbeKind::Storage:
        return storageFrom(options, filling);
    }
    return udpFrom(options, filling);
}

} // namespace napkin::cli
