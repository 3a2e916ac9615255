// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/measureoptions.h"

#include "app/cli/arguments.h"
#include "core/workflow/linkspec.h"
#include "core/workflow/measurerecord.h"

#include <QCoreApplication>
#include <QHostAddress>

#include <optional>

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
    void whole(int& target, const char* option, const std::string& text)
    {
        if (!text.empty())
            set(target, parseWhole(QString::fromLatin1(option), QString::fromStdString(text)));
    }
    void time(std::chrono::milliseconds& target, const char* option, const std::string& text,
              const QString& bareUnit)
    {
        if (!text.empty())
            set(target,
                parseTime(QString::fromLatin1(option), QString::fromStdString(text), bareUnit));
    }
    void refuse(const QString& what, const QString& why)
    {
        if (!m_fault)
            m_fault = wrongUse(what, why).value();
    }
    [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }

private:
    std::optional<Error> m_fault;
};

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
    filling.whole(throughput.streams, "--streams", options.streams);
    filling.time(throughput.duration, "--time", options.time, seconds);
    filling.time(throughput.omit, "--omit", options.omit, seconds);
    if (!options.block.empty())
        filling.set(throughput.blockSize, parseSize(QStringLiteral("--bytes-per-block"),
                                                    QString::fromStdString(options.block)));
    throughput.congestionControl = QString::fromStdString(options.congestion);
    return throughput;
}

ConnectOptions connectFrom(const MeasureOptions& options, Filling& filling)
{
    ConnectOptions connect;
    filling.whole(connect.attempts, "--count", options.count);
    filling.time(connect.interval, "--interval", options.interval, QString());
    filling.time(connect.timeout, "--timeout", options.timeout, QString());
    return connect;
}

void setFarEnd(ProbeSpec& spec, const MeasureOptions& options, Filling& filling)
{
    FarAddress address;
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
    return validate(spec).map([&spec] { return spec; });
}

} // namespace napkin::cli
