// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/measureoptions.h"

#include "app/cli/commands/measureprobes.h"
#include "core/workflow/measurerecord.h"

#include <QCoreApplication>
#include <QHostAddress>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::MeasureOptions)
};

// Where the far end's kernel answers by itself no port is needed, and none is taken unasked.
int defaultPort(const ProbeOptions& options)
{
    return needsPort(options) ? defaultThroughputPort : 0;
}

void setFarEnd(ProbeSpec& spec, const MeasureOptions& options, Filling& filling)
{
    FarAddress address;
    if (options.host.empty()) {
        spec.far.port = defaultPort(spec.options);
        filling.whole(spec.far.port, "--port", options.port);
        return;
    }
    filling.set(address, parseFarAddress(QString::fromStdString(options.host)));
    int port = address.port.value_or(defaultPort(spec.options));
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
    spec.options = probeOptionsFrom(options, filling);
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
    if (filling.fault())
        return tl::unexpected(*filling.fault());
    ProbeSpec complete = spec;
    if (options.host.empty())
        complete.far.host = QStringLiteral("host");
    return validate(complete).map([&spec] { return spec; });
}

} // namespace napkin::cli
