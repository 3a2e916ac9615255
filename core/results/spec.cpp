// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/spec.h"

#include <QCoreApplication>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ProbeSpec)
};

Result<void> refuse(const QString& what, const QString& allowed)
{
    return fail(ErrorCode::InvalidArgument, what, allowed);
}

double inSeconds(std::chrono::milliseconds time)
{
    return static_cast<double>(time.count()) / 1000;
}

Result<void> checkStreams(int streams)
{
    if (streams < 1 || streams > 128)
        return refuse(Words::tr("A number of %1 streams").arg(streams),
                      Words::tr("1 to 128 are possible"));
    return {};
}

Result<void> checkWholeSeconds(std::chrono::milliseconds duration, std::chrono::milliseconds omit)
{
    if (duration < 1s || duration > 86'400s || duration % 1s != 0ms)
        return refuse(Words::tr("A duration of %1 s").arg(inSeconds(duration)),
                      Words::tr("whole seconds from 1 to 86,400 are possible"));
    if (omit < 0s || omit > 600s || omit % 1s != 0ms)
        return refuse(Words::tr("Leaving out %1 s").arg(inSeconds(omit)),
                      Words::tr("whole seconds from 0 to 600 are possible"));
    return {};
}

Result<void> checkTimeout(std::chrono::milliseconds timeout, std::chrono::milliseconds least)
{
    if (timeout < least || timeout > 60s)
        return refuse(Words::tr("A time limit of %1 ms").arg(timeout.count()),
                      Words::tr("%1 ms to 60 s are possible").arg(least.count()));
    return {};
}

Result<void> checkMessage(EchoMethod method, ByteCount size)
{
    const bool isTcp = method == EchoMethod::Tcp;
    const auto least = ByteCount::bytes(isTcp ? 1 : 16);
    const auto most = isTcp ? ByteCount::mebibytes(4) : ByteCount::bytes(65'507);
    if (size < least || size > most)
        return refuse(Words::tr("A message of %1 bytes").arg(size.bytes()),
                      isTcp ? Words::tr("1 byte to 4 MiB are possible with TCP")
                            : Words::tr("16 to 65,507 bytes are possible with ICMP and UDP"));
    return {};
}

Result<void> checkInterval(EchoMethod method, std::chrono::microseconds interval)
{
    const bool isIcmp = method == EchoMethod::Icmp;
    if (interval < (isIcmp ? 2ms : 0ms) || interval > 60s)
        return refuse(
            Words::tr("An interval of %1 ms").arg(static_cast<double>(interval.count()) / 1000),
            isIcmp ? Words::tr("2 ms to 60 s are possible with ICMP")
                   : Words::tr("0 ms to 60 s are possible"));
    return {};
}

Result<void> validateOptions(const ThroughputOptions& options)
{
    if (const auto streams = checkStreams(options.streams); !streams)
        return streams;
    if (const auto times = checkWholeSeconds(options.duration, options.omit); !times)
        return times;
    if (options.ending == Ending::WhenSure && options.duration < 2s)
        return refuse(Words::tr("A duration of %1 s").arg(inSeconds(options.duration)),
                      Words::tr("a run that ends when the result is known needs 2 s at least"));
    if (options.blockSize < ByteCount::bytes(4) || options.blockSize > ByteCount::mebibytes(1))
        return refuse(Words::tr("A block of %1 bytes").arg(options.blockSize.bytes()),
                      Words::tr("4 bytes to 1 MiB are possible"));
    return {};
}

Result<void> validateOptions(const ConnectOptions& options)
{
    if (options.attempts < 1 || options.attempts > 10'000)
        return refuse(Words::tr("A number of %1 attempts").arg(options.attempts),
                      Words::tr("1 to 10,000 are possible"));
    if (options.interval < 0ms || options.interval > 60s)
        return refuse(Words::tr("An interval of %1 ms").arg(options.interval.count()),
                      Words::tr("0 ms to 60 s are possible"));
    return checkTimeout(options.timeout, 10ms);
}

Result<void> validateOptions(const LatencyOptions& options)
{
    if (options.method == EchoMethod::Icmp && options.wait == WaitMode::BusyPoll)
        return refuse(Words::tr("Busy polling with ICMP"),
                      Words::tr("the far end’s kernel answers; choose TCP or UDP"));
    if (const auto size = checkMessage(options.method, options.messageSize); !size)
        return size;
    if (options.duration < 1s || options.duration > 3'600s)
        return refuse(Words::tr("A duration of %1 s").arg(inSeconds(options.duration)),
                      Words::tr("1 s to 3,600 s are possible"));
    if (const auto interval = checkInterval(options.method, options.interval); !interval)
        return interval;
    return checkTimeout(options.timeout, 10ms);
}

Result<void> validateOptions(const SweepOptions& options)
{
    if (options.least < ByteCount::bytes(1) || options.most > ByteCount::mebibytes(16) ||
        options.least > options.most)
        return refuse(Words::tr("Messages from %1 to %2 bytes")
                          .arg(options.least.bytes())
                          .arg(options.most.bytes()),
                      Words::tr("from 1 byte to 16 MiB, the smaller first, are possible"));
    if (options.rounds < 5 || options.rounds > 1'000)
        return refuse(Words::tr("A number of %1 rounds").arg(options.rounds),
                      Words::tr("5 to 1,000 are possible"));
    if (options.duration < 2s || options.duration > 3'600s)
        return refuse(Words::tr("A duration of %1 s").arg(inSeconds(options.duration)),
                      Words::tr("2 s to 3,600 s are possible"));
    return {};
}

Result<void> validateOptions(const LoadedLatencyOptions& options)
{
    if (options.method == EchoMethod::Tcp)
        return refuse(Words::tr("Latency under load with TCP"),
                      Words::tr("choose ICMP, or UDP with a paired machine"));
    if (const auto size = checkMessage(options.method, options.messageSize); !size)
        return size;
    if (options.phase < 2s || options.phase > 600s || options.phase % 1s != 0ms)
        return refuse(Words::tr("Phases of %1 s").arg(inSeconds(options.phase)),
                      Words::tr("whole seconds from 2 to 600 are possible"));
    if (const auto interval = checkInterval(EchoMethod::Icmp, options.interval); !interval)
        return interval;
    if (const auto timeout = checkTimeout(options.timeout, 10ms); !timeout)
        return timeout;
    return checkStreams(options.streams);
}

Result<void> validateOptions(const PathMtuOptions& options)
{
    if (options.attempts < 1 || options.attempts > 10)
        return refuse(Words::tr("A number of %1 attempts").arg(options.attempts),
                      Words::tr("1 to 10 are possible"));
    return checkTimeout(options.timeout, 50ms);
}

Result<void> validateOptions(const UdpOptions& options)
{
    if (const auto streams = checkStreams(options.streams); !streams)
        return streams;
    if (const auto times = checkWholeSeconds(options.duration, options.omit); !times)
        return times;
    if (options.rate < BitRate::bitsPerSecond(10'000) ||
        options.rate > BitRate::bitsPerSecond(400'000'000'000))
        return refuse(Words::tr("A rate of %1 Mb/s").arg(options.rate.megabitsPerSecond()),
                      Words::tr("10 kb/s to 400 Gb/s are possible"));
    const bool isChosen = options.datagramSize != ByteCount::bytes(0);
    if (isChosen && (options.datagramSize < ByteCount::bytes(16) ||
                     options.datagramSize > ByteCount::bytes(65'507)))
        return refuse(Words::tr("Datagrams of %1 bytes").arg(options.datagramSize.bytes()),
                      Words::tr("16 to 65,507 bytes are possible"));
    return {};
}

Result<void> validateOptions(const MemoryOptions& options)
{
    if (options.duration < 1s || options.duration > 60s)
        return refuse(Words::tr("A duration of %1 s").arg(inSeconds(options.duration)),
                      Words::tr("1 s to 60 s are possible"));
    if (options.threads < 0 || options.threads > 1'024)
        return refuse(Words::tr("A number of %1 threads").arg(options.threads),
                      Words::tr("1 to 1,024 are possible, or 0 for one a core"));
    return {};
}

Result<void> validateOptions(const StorageOptions& options)
{
    if (options.file.isEmpty())
        return refuse(Words::tr("An empty name"), Words::tr("name the file to read"));
    if (options.duration < 1s || options.duration > 600s)
        return refuse(Words::tr("A duration of %1 s").arg(inSeconds(options.duration)),
                      Words::tr("1 s to 600 s are possible"));
    const std::int64_t step = ByteCount::kibibytes(64).bytes();
    if (options.request < ByteCount::bytes(step) || options.request > ByteCount::mebibytes(64) ||
        options.request.bytes() % step != 0)
        return refuse(Words::tr("Requests of %1 bytes").arg(options.request.bytes()),
                      Words::tr("64 KiB to 64 MiB in steps of 64 KiB are possible"));
    if (options.depth < 1 || options.depth > 64)
        return refuse(Words::tr("%1 requests at once").arg(options.depth),
                      Words::tr("1 to 64 are possible"));
    return {};
}

// Where something is to be sent to.
Result<void> validateFarEnd(const ProbeSpec& spec)
{
    if (spec.far.host.trimmed().isEmpty())
        return refuse(Words::tr("An empty address"),
                      Words::tr("name the machine to measure against"));
    if (spec.far.port < (needsPort(spec.options) ? 1 : 0) || spec.far.port > 65'535)
        return refuse(Words::tr("Port %1").arg(spec.far.port),
                      Words::tr("1 to 65,535 are possible"));
    return {};
}

Result<void> validateOptions(const SoakOptions& options)
{
    if (options.duration < 10s || options.duration > 86'400s || options.duration % 1s != 0ms)
        return refuse(Words::tr("A duration of %1 s").arg(inSeconds(options.duration)),
                      Words::tr("whole seconds from 10 to 86,400 are possible"));
    const bool isCapped = options.rateCap != BitRate();
    if (isCapped && (options.rateCap < BitRate::bitsPerSecond(1'000'000) ||
                     options.rateCap > BitRate::bitsPerSecond(400'000'000'000)))
        return refuse(Words::tr("A rate of %1 Mb/s").arg(options.rateCap.megabitsPerSecond()),
                      Words::tr("1 Mb/s to 400 Gb/s are possible"));
    if (options.blockSize < ByteCount::kibibytes(4) ||
        options.blockSize > ByteCount::mebibytes(4) || options.blockSize.bytes() % 64 != 0)
        return refuse(Words::tr("A block of %1 bytes").arg(options.blockSize.bytes()),
                      Words::tr("multiples of 64 bytes from 4 KiB to 4 MiB are possible"));
    if (options.stallAfter < 200ms || options.stallAfter > 60s)
        return refuse(Words::tr("A stall after %1 s").arg(inSeconds(options.stallAfter)),
                      Words::tr("0.2 s to 60 s are possible"));
    if (options.lostAfter < 2s || options.lostAfter > 120s ||
        options.lostAfter <= options.stallAfter)
        return refuse(
            Words::tr("Giving a connection up after %1 s").arg(inSeconds(options.lostAfter)),
            Words::tr("2 s to 120 s are possible, and longer than a stall"));
    return {};
}

} // namespace

bool needsPort(const ProbeOptions& options)
{
    if (const auto* latency = std::get_if<LatencyOptions>(&options))
        return latency->method != EchoMethod::Icmp;
    return !std::holds_alternative<PathMtuOptions>(options) &&
           !isOfMachine(static_cast<ProbeKind>(options.index()));
}

bool usesPort(const ProbeOptions& options)
{
    const auto* path = std::get_if<PathMtuOptions>(&options);
    return needsPort(options) || (path != nullptr && path->bulkCheck);
}

bool needsPeer(const ProbeOptions& options)
{
    if (const auto* latency = std::get_if<LatencyOptions>(&options))
        return latency->method != EchoMethod::Icmp;
    if (const auto* loaded = std::get_if<LoadedLatencyOptions>(&options))
        return loaded->method != EchoMethod::Icmp;
    return std::holds_alternative<SweepOptions>(options) ||
           std::holds_alternative<SoakOptions>(options);
}

Result<void> validate(const ProbeSpec& spec)
{
    const bool isLone = isOfMachine(spec.kind());
    if (const auto reached = isLone ? Result<void>() : validateFarEnd(spec); !reached)
        return reached;
    if (isLone && (spec.link || spec.intendedLink))
        return refuse(Words::tr("A link"),
                      Words::tr("what a machine can do by itself is filed under no link"));
    return std::visit([](const auto& options) { return validateOptions(options); }, spec.options);
}

QString endpointText(const QString& host, int port)
{
    const QString plain = host.trimmed();
    if (port == 0)
        return plain;
    const bool isV6 = plain.contains(u':');
    return (isV6 ? QStringLiteral("[%1]:") : QStringLiteral("%1:")).arg(plain) +
           QString::number(port);
}

QString probeKindName(ProbeKind kind)
{
    switch (kind) {
    case ProbeKind::Throughput:
        return QStringLiteral("throughput");
    case ProbeKind::ConnectTime:
        return QStringLiteral("connect");
    case ProbeKind::Latency:
        return QStringLiteral("latency");
    case ProbeKind::MessageSweep:
        return QStringLiteral("sweep");
    case ProbeKind::LoadedLatency:
        return QStringLiteral("loaded-latency");
    case ProbeKind::PathMtu:
        return QStringLiteral("path-mtu");
    case ProbeKind::UdpThroughput:
        return QStringLiteral("udp");
    case ProbeKind::Memory:
        return QStringLiteral("memory");
    case ProbeKind::Storage:
        return QStringLiteral("storage");
    case ProbeKind::Soak:
        return QStringLiteral("soak");
    }
    return {};
}

Result<ProbeKind> probeKindFromName(QStringView name)
{
    for (const ProbeKind kind : probeKinds) {
        if (name == probeKindName(kind))
            return kind;
    }
    return fail(ErrorCode::ParseFailed, name.toString(), Words::tr("not a kind of measurement"));
}

QString flowName(Flow flow)
{
    switch (flow) {
    case Flow::Forward:
        return QStringLiteral("forward");
    case Flow::Reverse:
        return QStringLiteral("reverse");
    case Flow::Bidirectional:
        return QStringLiteral("bidirectional");
    }
    return {};
}

QString directionName(Direction direction)
{
    return direction == Direction::Forward ? QStringLiteral("forward") : QStringLiteral("reverse");
}

} // namespace napkin
