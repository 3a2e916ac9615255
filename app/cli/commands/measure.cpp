// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/measureoptions.h"
#include "app/cli/commands/measureparties.h"
#include "app/cli/linkchoice.h"
#include "app/cli/measurerun.h"
#include "app/cli/textreport.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Measure)
};

// The report of one run, and its fault where there was one.
int report(const Context& context, const MeasuredRuns& runs, const LinkOfRun& link,
           const QString& notebook)
{
    const ExitCode code = runs.exitCode();
    Json payload;
    payload["record"] = nullptr;
    if (runs.unrecorded) {
        payload["unrecorded"] = jsonUnrecorded(*runs.unrecorded);
        if (!context.isJson())
            context.terminal->print(
                runText(std::nullopt, *runs.unrecorded, link, notebook, context.textWidth()));
        return context.fail(code, *runs.fault(), payload);
    }
    if (runs.kept.empty()) {
        if (code == ExitCode::Interrupted)
            return context.interrupted(
                Words::tr("Interrupted before anything was measured; nothing was recorded."),
                payload);
        const Error fault = runs.fault().value_or(
            fail(ErrorCode::Internal, context.command, QStringLiteral("no outcome")).value());
        return context.fail(exitCodeFor(fault), fault, payload);
    }
    const KeptRun& run = runs.kept.back();
    payload["record"] = jsonRecord(run.number, run.result);
    payload["notebook"] = jsonText(notebook);
    const QString text = runText(run.number, run.result, link, notebook, context.textWidth());
    if (code == ExitCode::Complete)
        return context.finish(code, payload, text);
    if (!context.isJson())
        context.terminal->print(text);
    if (code == ExitCode::Interrupted)
        return context.interrupted(
            Words::tr("Interrupted; what had been measured is kept as number %1.").arg(run.number),
            payload);
    return context.fail(code, *runs.fault(), payload);
}

QCoro::Task<int> measure(std::shared_ptr<const Context> context, MeasureOptions options)
{
    const auto store = context->peerStore();
    const auto parties = partiesFrom(options, *store);
    if (!parties)
        co_return context->fail(parties.error().error, parties.error().advice);
    auto spec = specFrom(options);
    if (!spec)
        co_return context->fail(
            spec.error(),
            Words::tr("napkin-cli %1 --help lists the options.").arg(context->command));
    auto loaded = Catalogue::load();
    if (!loaded)
        co_return context->fail(ExitCode::InternalFault, loaded.error(), Json::object());
    const auto catalogue = std::make_shared<const Catalogue>(std::move(*loaded));
    auto opened = co_await openNotebook(context, Notebook::Mode::ReadWrite);
    if (!opened)
        co_return context->fail(opened.error());
    const std::shared_ptr<Notebook> notebook = std::move(*opened);

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
    std::vector<ProbeSpec> specs{*spec};
    const MeasuredRuns runs =
        co_await measureRuns(context, notebook, store, std::move(specs), std::move(newLink));
    co_return report(*context, runs, link, notebook->path());
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
    Line::addText(app, "-p,--port", options.port, Words::tr("Port of the far end (5201)"), "N");
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

void addThroughput(CommandLine& line, CLI::App* group)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("throughput"),
        Words::tr("Measure how much arrives per second over TCP\n"
                  "Bytes are sent for some seconds, and what arrived is counted at the receiver. "
                  "The far end runs napkin-cli serve, or iperf3 --server. Forward is from this "
                  "machine to HOST. Progress goes to standard error, the result to standard "
                  "output and into the notebook."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure throughput spark-b\n"
                  "  napkin-cli measure throughput spark-b --reverse --streams 4 --time 30\n"
                  "  napkin-cli measure throughput 10.0.0.2:5202 --link rack --class ethernet-10g\n"
                  "  napkin-cli measure throughput fe80::1%eth0 --omit 2 --label \"new cable\"\n"
                  "  napkin-cli measure throughput spark-b --json > run.json\n"
                  "\n"
                  "Ctrl-C ends the run early and keeps what was measured as a partial run."),
        group);
    auto options = std::make_shared<MeasureOptions>();
    using Line = CommandLine;
    addCommonOptions(app, *options);
    line.addPeersFile(app);
    Line::addText(app, "-t,--time", options->time,
                  Words::tr("How long to measure: 10, \"10 s\", \"2 min\"; a bare number is "
                            "seconds (10 s)"),
                  "T");
    Line::addText(app, "--omit", options->omit,
                  Words::tr("Run this long before, and leave it out of every figure: TCP needs a "
                            "moment to get up to speed (0 s)"),
                  "T");
    Line::addText(app, "-P,--streams", options->streams,
                  Words::tr("Parallel TCP connections in each direction, 1 to 128 (1)"), "N");
    Line::addFlag(app, "-R,--reverse", options->reverse,
                  Words::tr("The far end sends and this machine receives"));
    Line::addFlag(app, "--bidirectional", options->bidirectional,
                  Words::tr("Both directions at once"));
    Line::addText(app, "--bytes-per-block", options->block,
                  Words::tr("Size of each write: 131072, \"128 KiB\"; a bare number is bytes "
                            "(128 KiB, at most 1 MiB)"),
                  "SIZE");
    Line::addText(app, "--congestion", options->congestion,
                  Words::tr("TCP congestion control, such as cubic or bbr (the system's)"), "NAME");
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return measure(std::move(context), *options);
    });
}

void addConnect(CommandLine& line, CLI::App* group)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("connect"),
        Words::tr("Measure how long a TCP handshake takes\n"
                  "Opens and closes connections to a port of HOST and reports the median and "
                  "spread of the time until each was established. Any listening port will do; "
                  "refused and unanswered attempts are counted."),
        Words::tr(
            "Examples:\n"
            "  napkin-cli measure connect spark-b\n"
            "  napkin-cli measure connect spark-b --port 22 --count 100 --interval \"20 ms\""),
        group);
    auto options = std::make_shared<MeasureOptions>();
    options->kind = ProbeKind::ConnectTime;
    using Line = CommandLine;
    addCommonOptions(app, *options);
    line.addPeersFile(app);
    Line::addText(app, "-c,--count", options->count,
                  Words::tr("How many attempts, 1 to 10,000 (20)"), "N");
    Line::addText(app, "--interval", options->interval,
                  Words::tr("From one attempt to the next, at least: \"50 ms\" (50 ms)"), "T");
    Line::addText(app, "--timeout", options->timeout,
                  Words::tr("How long to wait for each: \"500 ms\", \"2 s\" (2 s)"), "T");
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return measure(std::move(context), *options);
    });
}

} // namespace

void addMeasure(CommandLine& line)
{
    CLI::App* group = line.addGroup(
        QStringLiteral("measure"),
        Words::tr("Measure the link to another machine and record the run"),
        Words::tr("napkin-cli measure throughput --help tells the options of a measurement."));
    addThroughput(line, group);
    addConnect(line, group);
}

} // namespace napkin::cli
