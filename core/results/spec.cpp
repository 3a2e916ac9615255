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

Result<void> validateThroughput(const ThroughputOptions& options)
{
    if (options.streams < 1 || options.streams > 128)
        return refuse(Words::tr("A number of %1 streams").arg(options.streams),
                      Words::tr("1 to 128 are possible"));
    if (options.duration < 1s || options.duration > 86'400s || options.duration % 1s != 0ms)
        return refuse(Words::tr("A duration of %1 s")
                          .arg(static_cast<double>(options.duration.count()) / 1000),
                      Words::tr("whole seconds from 1 to 86,400 are possible"));
    if (options.omit < 0s || options.omit > 600s || options.omit % 1s != 0ms)
        return refuse(
            Words::tr("Leaving out %1 s").arg(static_cast<double>(options.omit.count()) / 1000),
            Words::tr("whole seconds from 0 to 600 are possible"));
    if (options.blockSize < ByteCount::bytes(4) || options.blockSize > ByteCount::mebibytes(1))
        return refuse(Words::tr("A block of %1 bytes").arg(options.blockSize.bytes()),
                      Words::tr("4 bytes to 1 MiB are possible"));
    return {};
}

Result<void> validateConnect(const ConnectOptions& options)
{
    if (options.attempts < 1 || options.attempts > 10'000)
        return refuse(Words::tr("A number of %1 attempts").arg(options.attempts),
                      Words::tr("1 to 10,000 are possible"));
    if (options.interval < 0ms || options.interval > 60s)
        return refuse(Words::tr("An interval of %1 ms").arg(options.interval.count()),
                      Words::tr("0 ms to 60 s are possible"));
    if (options.timeout < 10ms || options.timeout > 60s)
        return refuse(Words::tr("A time limit of %1 ms").arg(options.timeout.count()),
                      Words::tr("10 ms to 60 s are possible"));
    return {};
}

} // namespace

Result<void> validate(const ProbeSpec& spec)
{
    if (spec.far.host.trimmed().isEmpty())
        return refuse(Words::tr("An empty address"),
                      Words::tr("name the machine to measure against"));
    if (spec.far.port < 1 || spec.far.port > 65'535)
        return refuse(Words::tr("Port %1").arg(spec.far.port),
                      Words::tr("1 to 65,535 are possible"));
    if (const auto* throughput = std::get_if<ThroughputOptions>(&spec.options))
        return validateThroughput(*throughput);
    return validateConnect(std::get<ConnectOptions>(spec.options));
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
    return kind == ProbeKind::Throughput ? QStringLiteral("throughput") : QStringLiteral("connect");
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
