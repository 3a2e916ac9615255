// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/measurements.h"
#include "app/cli/commands/measureparties.h"
#include "app/cli/commands/measuresoak.h"
#include "app/cli/linkchoice.h"
#include "app/cli/measurerun.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Measure)
};

QString peerNeeding(ProbeKind kind)
{
    if (kind == ProbeKind::Soak)
        return Words::tr("A soak against “%1”");
    return kind == ProbeKind::MessageSweep ? Words::tr("A sweep of message sizes against “%1”")
                                           : Words::tr("Latency with TCP or UDP against “%1”");
}

Error peerMissing(const ProbeSpec& spec)
{
    const QString what = peerNeeding(spec.kind());
    return wrongUse(what.arg(spec.far.host),
                    Words::tr("it needs a paired machine that runs a Napkin peer at the far end"))
        .value();
}

QString peerAdvice()
{
    return Words::tr(
        "There: napkin-cli serve --peer, and napkin-cli peers invite. Here: napkin-cli "
        "peers pair HOST CODE, and then --far with its name. With ICMP, latency needs "
        "nothing at the far end.");
}

QCoro::Task<int> measure(std::shared_ptr<const Context> context, MeasureOptions options)
{
    if (options.resume || options.keep)
        co_return co_await settleSoak(std::move(context), std::move(options));
    const auto store = context->peerStore();
    const auto parties = partiesFrom(options, *store);
    if (!parties)
        co_return context->fail(parties.error().error, parties.error().advice);
    auto spec = specFrom(options);
    if (!spec)
        co_return context->fail(
            spec.error(),
            Words::tr("napkin-cli %1 --help lists the options.").arg(context->command));
    const bool isNamed = !options.host.empty();
    if (isNamed && needsPeer(spec->options) && !parties->far)
        co_return context->fail(peerMissing(*spec), peerAdvice());
    auto loaded = Catalogue::load();
    if (!loaded)
        co_return context->fail(ExitCode::InternalFault, loaded.error(), Json::object());
    const auto catalogue = std::make_shared<const Catalogue>(std::move(*loaded));
    auto opened = co_await openNotebook(context, Notebook::Mode::ReadWrite);
    if (!opened)
        co_return context->fail(opened.error());
    const std::shared_ptr<Notebook> notebook = std::move(*opened);
    if (spec->kind() == ProbeKind::Soak) {
        if (const auto kept = co_await keepInterrupted(context, notebook); !kept)
            co_return context->fail(kept.error());
    } else {
        co_await tellInterrupted(context, notebook.get());
    }

    LinkOfRun link;
    std::optional<LinkEntry> newLink;
    if (!options.link.empty()) {
        const auto chosen =
            co_await chooseLink(notebook, catalogue, QString::fromStdString(options.link),
                                QString::fromStdString(options.linkClass));
        if (!chosen)
            co_return context->fail(chosen.error().error, chosen.error().advice);
        spec->link = chosen->link.id;
        spec->linkPeriod = chosen->link.period;
        link = linkOfRun(chosen->link.name, chosen->link.classId, *catalogue);
        if (chosen->isNew)
            newLink = chosen->link;
    }
    addParties(*spec, *parties);
    if (options.host.empty()) {
        spec = co_await drawnSpec(notebook, *spec, *parties);
        if (!spec)
            co_return context->fail(spec.error());
    }
    if (needsPeer(spec->options) && !spec->far.peer)
        co_return context->fail(peerMissing(*spec), peerAdvice());
    std::vector<ProbeSpec> specs{*spec};
    const MeasuredRuns runs =
        co_await measureRuns(context, notebook, store, std::move(specs), std::move(newLink));
    co_return reportRun(*context, runs, link, notebook->path());
}

void addCommonOptions(CLI::App* app, MeasureOptions& options)
{
    using Line = CommandLine;
    Line::addText(app, "HOST", options.host,
                  Words::tr("The other machine: a name, an IPv4 or IPv6 address (fe80::1%eth0 with "
                            "its interface), also as host:port or [address]:port; or the name of a "
                            "paired machine. With --link of a drawn cable it may be left out: the "
                            "drawing says where the ends are"),
                  "HOST");
    Line::addText(app, "--near", options.near,
                  Words::tr("The paired machine that measures, instead of this one; the far end "
                            "must be a paired machine, too"),
                  "PEER");
    Line::addText(app, "--far", options.far,
                  Words::tr("The paired machine at the far end; HOST is then its address on the "
                            "cable to be measured"),
                  "PEER");
    Line::addText(app, "-p,--port", options.port,
                  Words::tr("Port of the far end (5201; none where its kernel answers by itself)"),
                  "N");
    Line::addText(app, "--interface", options.interfaceName,
                  Words::tr("Send through this network interface, whatever the routes say"),
                  "NAME");
    Line::addText(app, "--source", options.source,
                  Words::tr("Send from this address of this machine"), "ADDR");
    Line::addFlag(app, "-4", options.v4, Words::tr("IPv4 only"));
    Line::addFlag(app, "-6", options.v6, Words::tr("IPv6 only"));
    Line::addText(app, "--label", options.label,
                  Words::tr("A few words to find the run by, such as “new cable”"), "TEXT");
    Line::addText(app, "--link", options.link,
                  Words::tr("File the run under the link of this name in the notebook, so that it "
                            "is held against the link's rating"),
                  "NAME");
    Line::addText(app, "--class", options.linkClass,
                  Words::tr("With --link: create the link with this class if it is not there; "
                            "napkin-cli classes lists the ids"),
                  "ID");
}

} // namespace

CLI::App* addMeasurement(CommandLine& line, CLI::App* group, const MeasurementHelp& help,
                         const std::shared_ptr<MeasureOptions>& options)
{
    CLI::App* app =
        line.addCommand(probeKindName(options->kind), help.description, help.examples, group);
    addCommonOptions(app, *options);
    line.addPeersFile(app);
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return measure(std::move(context), *options);
    });
    return app;
}

void addMeasure(CommandLine& line)
{
    CLI::App* group = line.addGroup(
        QStringLiteral("measure"),
        Words::tr("Measure the link to another machine, or a machine, and record the run"),
        Words::tr("napkin-cli measure throughput --help tells the options of a measurement."));
    addThroughput(line, group);
    addConnect(line, group);
    addLatency(line, group);
    addSweep(line, group);
    addLoadedLatency(line, group);
    addPathMtu(line, group);
    addUdp(line, group);
    addMemory(line, group);
    addStorage(line, group);
    addSoak(line, group);
}

} // namespace napkin::cli
