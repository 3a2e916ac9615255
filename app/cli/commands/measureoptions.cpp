// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/measureoptions.h"

#include "app/cli/arguments.h"
#include "core/workflow/linkspec.h"
#include "core/workflow/measurerecord.h"

#include <QCoreApplication>
#include <QHostAddress>

#include <optional>
#include <type_traits>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::MeasureOptions)
};

// Takes what parses and keeps the first fault, so that a spec is filled without a ladder of checks.
class Filling
{
public:
    template <typename Target, typename Parsed>
    void set(Target& target, Result<Parsed> parsed)
    {
        if (parsed)
            target = *parsed;
        else if (!m_fault)
            m_fault = parsed.error();
    }
    // One option of a probe by its name on the command line: what does not parse or is out of its
    // range is refused under that name, with what is possible.
    template <typename Options, typename Value, typename Parse>
    void option(Options& options, Value Options::* member, const char* name,
                const std::string& given, Parse parse)
    {
        if (given.empty())
            return;
        const QString what = QString::fromLatin1(name);
        const QString text = QString::fromStdString(given);
        const Result<Value> parsed = parse(what, text);
        Options alone;
        alone.*member = parsed.value_or(outOfRange<Value>());
        const auto valid = validateAlone(alone);
        if (parsed && valid)
            options.*member = *parsed;
        else if (parsed)
            refuse(QStringLiteral("%1 “%2”").arg(what, text), valid.error().detail);
        else
            refuse(parsed.error().context,
                   QStringLiteral("%1; %2").arg(parsed.error().detail, valid.error().detail));
    }
    void whole(int& target, const char* option, const std::string& text)
    {
        if (!text.empty())
            set(target, parseWhole(QString::fromLatin1(option), QString::fromStdString(text)));
    }
    void refuse(const QString& what, const QString& why)
    {
        if (!m_fault)
            m_fault = wrongUse(what, why).value();
    }
    [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }

private:
    template <typename Value>
    static Value outOfRange()
    {
        if constexpr (std::is_same_v<Value, ByteCount>)
            return ByteCount::bytes(0);
        else
            return Value(-1);
    }
    static Result<void> validateAlone(const ProbeOptions& options)
    {
        ProbeSpec spec;
        spec.far.host = QStringLiteral("host");
        spec.far.port = defaultThroughputPort;
        spec.options = options;
        return validate(spec);
    }

    std::optional<Error> m_fault;
};

auto timeWithUnit(const QString& bareUnit)
{
    return [bareUnit](const QString& option, const QString& text) {
        return parseTime(option, text, bareUnit);
    };
}

ThroughputOptions throughputFrom(const MeasureOptions& options, Filling& filling)
{
    static const QString seconds = QStringLiteral(" s");
    ThroughputOptions throughput;
    if (options.reverse && options.bidirectional)
        filling.refuse(Words::tr("--reverse together with --bidirectional"),
                       Words::tr("choose one of them"));
    if (options.reverse)
        throughput.flow = Flow::Reverse;
    if (options.bidirectional)
        throughput.flow = Flow::Bidirectional;
    using Options = ThroughputOptions;
    filling.option(throughput, &Options::streams, "--streams", options.streams, parseWhole);
    filling.option(throughput, &Options::duration, "--time", options.time, timeWithUnit(seconds));
    filling.option(throughput, &Options::omit, "--omit", options.omit, timeWithUnit(seconds));
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

void setFarEnd(ProbeSpec& spec, const MeasureOptions& options, Filling& filling)
{
    FarAddress address;
    if (options.host.empty()) {
        spec.far.port = defaultThroughputPort;
        filling.whole(spec.far.port, "--port", options.port);
        return;
    }
    filling.set(address, parseFarAddress(QString::fromStdString(options.host)));
    int port = address.port.value_or(defaultThroughputPort);
    filling.whole(port, "--port", options.port);
    if (address.port && port != *address.port)
        filling.refuse(Words::tr("Port %1 together with --port %2").arg(*address.port).arg(port),
                       Words::tr("give the port once"));
    spec.far.host = address.host;
    spec.far.port = port;
}

// An address that is written out must fit what else was asked for.
void checkAddress(ProbeSpec& spec, Filling& filling)
{
    QHostAddress address;
    if (!address.setAddress(spec.far.host))
        return; // a name
    const bool isV6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    if (spec.ipVersion != IpVersion::Any && isV6 != (spec.ipVersion == IpVersion::V6))
        filling.refuse(Words::tr("%1 together with %2")
                           .arg(spec.far.host, isV6 ? QStringLiteral("-4") : QStringLiteral("-6")),
                       Words::tr("it is an address of the other IP version"));
    if (!isV6 || !address.isLinkLocal() || !address.scopeId().isEmpty())
        return;
    if (spec.interfaceName.isEmpty())
        filling.refuse(
            Words::tr("The address “%1”").arg(spec.far.host),
            Words::tr("it is local to a link and needs the interface, as in %1%eth0 with eth0 the "
                      "interface of this machine")
                .arg(spec.far.host));
    else
        spec.far.host += u'%' + spec.interfaceName;
}

} // namespace

Result<ProbeSpec> specFrom(const MeasureOptions& options)
{
    Filling filling;
    ProbeSpec spec;
    spec.controller = thisMachine();
    spec.near = thisMachine();
    setFarEnd(spec, options, filling);
    if (options.v4 && options.v6)
        filling.refuse(Words::tr("-4 together with -6"), Words::tr("choose one of them"));
    if (options.v4 || options.v6)
        spec.ipVersion = options.v4 ? IpVersion::V4 : IpVersion::V6;
    if (!options.linkClass.empty() && options.link.empty())
        filling.refuse(Words::tr("--class without --link"),
                       Words::tr("the class belongs to the link that it creates"));
    spec.interfaceName = QString::fromStdString(options.interfaceName);
    spec.sourceAddress = QString::fromStdString(options.source);
    checkAddress(spec, filling);
    spec.label = QString::fromStdString(options.label);
    if (options.kind == ProbeKind::Throughput)
        spec.options = throughputFrom(options, filling);
    else
        spec.options = connectFrom(options, filling);
    if (filling.fault())
        return tl::unexpected(*filling.fault());
    ProbeSpec complete = spec;
    if (options.host.empty())
        complete.far.host = QStringLiteral("host");
    return validate(complete).map([&spec] { return spec; });
}

} // namespace napkin::cli
