// SPDX-License-Identifier: GPL-3.0-or-later
// What one machine can do by itself: no far end, no link.
#include "app/cli/commands/commands.h"
#include "app/cli/commands/measurements.h"
#include "app/cli/commands/measureparties.h"
#include "app/cli/measurerun.h"
#include "core/workflow/linkspec.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::MeasureMachine)
};

// The machine as the notebook's drawings know it; the first that has it.
QCoro::Task<std::optional<MachineId>> drawnAs(std::shared_ptr<Notebook> notebook, Endpoint machine,
                                              LocalHost local)
{
    const auto drawings = co_await notebook->drawings();
    if (!drawings)
        co_return std::nullopt;
    for (const DrawingEntry& entry : *drawings) {
        const auto read = co_await notebook->loadDrawing(entry.id);
        const auto found =
            read ? drawnMachine(read->drawing, machine.peer, local) : std::optional<MachineId>();
        if (found)
            co_return found;
    }
    co_return std::nullopt;
}

QCoro::Task<int> measureMachine(std::shared_ptr<const Context> context, MeasureOptions options)
{
    const auto store = context->peerStore();
    auto spec = specFrom(options);
    if (!spec)
        co_return context->fail(
            spec.error(),
            Words::tr("napkin-cli %1 --help lists the options.").arg(context->command));
    if (!options.near.empty()) {
        const auto peer = namedPeer(*store, QString::fromStdString(options.near));
        if (!peer)
            co_return context->fail(peer.error().error, peer.error().advice);
        spec->near = machineEnd(*peer);
    }
    auto opened = co_await openNotebook(context, Notebook::Mode::ReadWrite);
    if (!opened)
        co_return context->fail(opened.error());
    const std::shared_ptr<Notebook> notebook = std::move(*opened);
    const auto book = store->read();
    const LocalHost local = book ? LocalHost::current(*book) : LocalHost::current();
    spec->near.machine = co_await drawnAs(notebook, spec->near, local);
    std::vector<ProbeSpec> specs{*spec};
    const MeasuredRuns runs =
        co_await measureRuns(context, notebook, store, std::move(specs), std::nullopt);
    co_return reportRun(*context, runs, LinkOfRun{}, notebook->path());
}

CLI::App* addMachineMeasurement(CommandLine& line, CLI::App* group, const MeasurementHelp& help,
                                const std::shared_ptr<MeasureOptions>& options)
{
    CLI::App* app =
        line.addCommand(probeKindName(options->kind), help.description, help.examples, group);
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return measureMachine(std::move(context), *options);
    });
    return app;
}

void addLabel(CLI::App* app, MeasureOptions& options)
{
    CommandLine::addText(app, "--label", options.label,
                         Words::tr("A few words to find the run by, such as “new cable”"), "TEXT");
}

} // namespace

void addMemory(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Measure how fast a machine reads and writes its memory\n"
                  "All cores together run the triad of STREAM, a = b + s * c, over three arrays "
                  "that are four times as large as the last-level caches and more. It says the "
                  "median and the best pass, and counts bytes as STREAM does: two arrays read and "
                  "one written, by ordinary stores. Nothing is sent to anybody. Every core is busy "
                  "for some seconds, and up to three quarters of the free memory may be taken."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure memory\n"
                  "  napkin-cli measure memory --near spark-b\n"
                  "  napkin-cli measure memory --threads 1 --time 10")};
    auto options = std::make_shared<MeasureOptions>();
    options->kind = ProbeKind::Memory;
    CLI::App* app = addMachineMeasurement(line, group, help, options);
    using Line = CommandLine;
    line.addPeersFile(app);
    Line::addText(app, "--near", options->near,
                  Words::tr("The paired machine whose memory is measured, instead of this one’s"),
                  "PEER");
    Line::addText(app, "-t,--time", options->time,
                  Words::tr("How long to measure, 1 s to 60 s, and ten passes at least (5 s)"),
                  "T");
    Line::addText(app, "--threads", options->streams,
                  Words::tr("Threads, each kept on its own core (one for each core that may be "
                            "used)"),
                  "N");
    addLabel(app, *options);
}

void addStorage(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Measure how fast a file of this machine is read\n"
                  "Reads FILE once from its start, past the page cache, so that it is the disk "
                  "that is measured: how fast a model can be loaded. What the page cache holds of "
                  "FILE is dropped before. Where the reading can not be kept past the cache, the "
                  "run says so and has no figure. FILE needs 64 MiB at least and is not changed; "
                  "the record keeps its name without the folders, and none of its content. Files "
                  "of other machines are not read: run this there."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure storage ~/models/llama-70b.gguf\n"
                  "  napkin-cli measure storage /dev/nvme0n1 --time 30 --depth 16")};
    auto options = std::make_shared<MeasureOptions>();
    options->kind = ProbeKind::Storage;
    CLI::App* app = addMachineMeasurement(line, group, help, options);
    using Line = CommandLine;
    Line::addText(app, "FILE", options->file,
                  Words::tr("A large file, such as a model; or a block device that you may read"),
                  "FILE");
    Line::addText(app, "-t,--time", options->time,
                  Words::tr("The longest it may take, 1 s to 600 s; the end of FILE ends it, too "
                            "(10 s)"),
                  "T");
    Line::addText(app, "--bytes-per-block", options->block,
                  Words::tr("Size of a request: \"1 MiB\", \"256 KiB\" (1 MiB)"), "SIZE");
    Line::addText(app, "--depth", options->depth,
                  Words::tr("Requests that are under way at once, 1 to 64 (4)"), "N");
    addLabel(app, *options);
}

} // namespace napkin::cli
