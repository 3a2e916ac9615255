// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/linkchoice.h"
#include "app/cli/listtext.h"
#include "app/cli/measurerun.h"
#include "app/cli/textreport.h"
#include "app/cli/worksheetrows.h"
#include "core/measure/throughput/iperf3server.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Demo)
};

struct DemoOptions
{
    std::string time;
};

std::vector<ProbeSpec> demoSpecs(int port, std::chrono::milliseconds time)
{
    ProbeSpec spec;
    spec.controller = thisMachine();
    spec.near = thisMachine();
    spec.far.host = QStringLiteral("127.0.0.1");
    spec.far.port = port;
    spec.label = Words::tr("demo on loopback");
    ThroughputOptions throughput;
    throughput.duration = time;
    std::vector<ProbeSpec> specs(3, spec);
    specs[0].options = throughput;
    throughput.flow = Flow::Reverse;
    specs[1].options = throughput;
    specs[2].options = ConnectOptions{};
    return specs;
}

QString demoText(const MeasuredRuns& runs, const std::vector<WorksheetRow>& rows,
                 const Context& context, const QString& notebook)
{
    QStringList lines;
    for (const KeptRun& run : runs.kept)
        lines << runText(run.number, run.result, {}, notebook, context.textWidth()) << QString();
    lines << Words::tr("The worksheet of this notebook") << QString()
          << worksheetText(rows, context.terminal->width(), notebook) << QString()
          << wrapped(
                 Words::tr("This machine measured itself. Loopback is no link: the figures tell "
                           "how fast this machine is with its own network code, and nothing "
                           "about a cable. For a real link, start napkin-cli serve on another "
                           "machine, and measure with napkin-cli measure throughput HOST."),
                 context.textWidth());
    return lines.join(u'\n');
}

QCoro::Task<int> demo(std::shared_ptr<const Context> context, DemoOptions options)
{
    std::chrono::milliseconds time = 3s;
    if (!options.time.empty()) {
        const auto wanted = parseTime(QStringLiteral("--time"),
                                      QString::fromStdString(options.time), QStringLiteral(" s"));
        if (!wanted)
            co_return context->fail(wanted.error());
        time = *wanted;
    }
    if (const auto valid = validate(demoSpecs(1, time).front()); !valid)
        co_return context->fail(
            wrongUse(QStringLiteral("--time “%1”").arg(QString::fromStdString(options.time)),
                     valid.error().detail)
                .value());
    auto opened = co_await openNotebook(context, Notebook::Mode::ReadWrite);
    if (!opened)
        co_return context->fail(opened.error());
    const std::shared_ptr<Notebook> notebook = std::move(*opened);
    Iperf3ServerOptions farEnd;
    farEnd.bindAddress = QStringLiteral("127.0.0.1");
    farEnd.port = 0;
    const auto server = Iperf3Server::start(farEnd);
    if (!server)
        co_return context->fail(server.error());

    const MeasuredRuns runs = co_await measureRuns(context, notebook, context->peerStore(),
                                                   demoSpecs((*server)->port(), time));
    const auto rows = co_await worksheetRows(notebook);
    if (!rows)
        co_return context->fail(rows.error());
    Json payload;
    payload["notebook"] = jsonText(notebook->path());
    payload["records"] = Json::array();
    for (const KeptRun& run : runs.kept)
        payload["records"].push_back(jsonRecord(run.number, run.result));
    if (runs.unrecorded) {
        payload["unrecorded"] = jsonUnrecorded(*runs.unrecorded);
        if (!context->isJson())
            context->terminal->print(runText(std::nullopt, *runs.unrecorded, {}, notebook->path(),
                                             context->textWidth()));
    }
    if (runs.exitCode() == ExitCode::Interrupted)
        co_return context->interrupted(Words::tr("Interrupted; what had been measured is kept."),
                                       payload);
    if (const auto fault = runs.fault())
        co_return context->fail(runs.exitCode(), *fault, payload);
    payload["rows"] = Json::array();
    for (const WorksheetRow& row : *rows)
        payload["rows"].push_back(jsonWorksheetRow(row));
    co_return context->finish(ExitCode::Complete, payload,
                              demoText(runs, *rows, *context, notebook->path()));
}

} // namespace

void addDemo(CommandLine& line)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("demo"),
        Words::tr("Try everything once on this machine alone\n"
                  "Starts a far end on loopback, measures it in both directions and its connect "
                  "time, records the runs and prints the worksheet. It tells nothing about any "
                  "cable."),
        Words::tr("Examples:\n"
                  "  napkin-cli demo\n"
                  "  napkin-cli demo --time 1 --notebook trial.napkin"));
    auto options = std::make_shared<DemoOptions>();
    CommandLine::addText(app, "-t,--time", options->time,
                         Words::tr("How long each direction takes; a bare number is seconds (3 s)"),
                         "T");
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return demo(std::move(context), *options);
    });
}

} // namespace napkin::cli
