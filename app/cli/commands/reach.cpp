// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/reach/reach.h"

#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/reachreport.h"
#include "core/measure/reach/reachsteps.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Reach)
};

struct ReachOptions
{
    std::string host;
    std::string port;
    std::string peerPort;
    std::string interfaceName;
    std::string source;
    bool v4 = false;
    bool v6 = false;
};

Result<int> portFrom(const char* option, const std::string& text, int usual)
{
    if (text.empty())
        return usual;
    const QString name = QString::fromLatin1(option);
    auto port = parseWhole(name, QString::fromStdString(text));
    if (port && (*port < 1 || *port > 65'535))
        return wrongUse(QStringLiteral("%1 %2").arg(name).arg(*port),
                        Words::tr("a port is a number from 1 to 65,535"));
    return port;
}

Result<ReachSpec> specFrom(const ReachOptions& options)
{
    const auto far = parseFarAddress(QString::fromStdString(options.host));
    if (!far)
        return tl::unexpected(far.error());
    if (options.v4 && options.v6)
        return wrongUse(Words::tr("-4 together with -6"), Words::tr("choose one of them"));
    ReachSpec spec;
    spec.host = far->host;
    const auto port = portFrom("--port", options.port, far->port.value_or(spec.iperfPort));
    const auto peerPort = portFrom("--peer-port", options.peerPort, spec.peerPort);
    if (!port || !peerPort)
        return tl::unexpected(port ? peerPort.error() : port.error());
    spec.iperfPort = *port;
    spec.peerPort = *peerPort;
    spec.interfaceName = QString::fromStdString(options.interfaceName);
    spec.sourceAddress = QString::fromStdString(options.source);
    if (options.v4 || options.v6)
        spec.ipVersion = options.v4 ? IpVersion::V4 : IpVersion::V6;
    return spec;
}

QCoro::Task<int> runReach(std::shared_ptr<const Context> context, ReachOptions options)
{
    const auto spec = specFrom(options);
    if (!spec)
        co_return context->fail(spec.error());
    const auto report = co_await reach(*spec, context->cancel);
    if (!report && report.error().isCancelled())
        co_return context->interrupted(Words::tr("Interrupted."), Json::object());
    if (!report)
        co_return context->fail(report.error());
    const Json payload = jsonReach(*report);
    if (report->hasAnswered())
        co_return context->finish(ExitCode::Complete, payload,
                                  reachText(*report, context->textWidth()));
    if (!context->isJson())
        context->terminal->print(reachText(*report, context->textWidth()));
    co_return context->fail(ExitCode::MeasurementFailed,
                            fail(ErrorCode::PeerSilent, report->host).value(), payload,
                            Words::tr("Check that the machine is on, the cable, and the address. "
                                      "A firewall may keep it silent."));
}

} // namespace

void addReach(CommandLine& line)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("reach"),
        Words::tr("Find out what can be measured towards another machine\n"
                  "Tries ICMP echo and two TCP ports at every address of HOST, says which way the "
                  "kernel takes and what each step up at the far end brings. Nothing of Napkin "
                  "needs to run there. Ends within 6 s; nothing is recorded. An iperf3 server logs "
                  "the connection that is closed at once, and one started with --one-off ends by "
                  "it."),
        Words::tr("Examples:\n"
                  "  napkin-cli reach spark-b\n"
                  "  napkin-cli reach fe80::1%eth0 --json\n"
                  "\n"
                  "Exit code 3: nothing at HOST answered anything."));
    auto options = std::make_shared<ReachOptions>();
    using Line = CommandLine;
    Line::addText(app, "HOST", options->host,
                  Words::tr("The other machine: a name, an IPv4 or IPv6 address (fe80::1%eth0 with "
                            "its interface), also as host:port or [address]:port"),
                  "HOST", Need::Required);
    Line::addText(app, "-p,--port", options->port, Words::tr("Port of an iperf3 server (5201)"),
                  "N");
    Line::addText(app, "--peer-port", options->peerPort, Words::tr("Port of a Napkin peer (5210)"),
                  "N");
    Line::addText(app, "--interface", options->interfaceName,
                  Words::tr("Leave through this network interface, whatever the routes say"),
                  "NAME");
    Line::addText(app, "--source", options->source,
                  Words::tr("Leave from this address of this machine"), "ADDR");
    Line::addFlag(app, "-4", options->v4, Words::tr("IPv4 only"));
    Line::addFlag(app, "-6", options->v6, Words::tr("IPv6 only"));
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return runReach(std::move(context), *options);
    });
}

} // namespace napkin::cli
