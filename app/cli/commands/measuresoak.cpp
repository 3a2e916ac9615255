// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/measuresoak.h"

#include "app/cli/arguments.h"
#include "app/cli/commands/measurements.h"
#include "app/cli/linkchoice.h"
#include "core/base/clock.h"
#include "core/workflow/soakkeeper.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::MeasureSoak)
};

using Shared = std::shared_ptr<Notebook>;

QString keptText(std::int64_t number)
{
    return Words::tr("What it had measured is kept as number %1.").arg(number);
}

// What says how a soak is to be: nothing of it can be changed on the way.
bool isAsked(const MeasureOptions& options)
{
    const bool isGiven = options.forward || options.reverse || options.v4 || options.v6;
    for (const std::string* text :
         {&options.host, &options.near, &options.far, &options.port, &options.interfaceName,
          &options.source, &options.label, &options.link, &options.linkClass, &options.time,
          &options.rate, &options.block, &options.stallAfter, &options.lostAfter}) {
        if (!text->empty())
            return true;
    }
    return isGiven;
}

QCoro::Task<LinkOfRun> linkOf(Shared notebook, ProbeSpec spec)
{
    const auto links = co_await notebook->links();
    const auto catalogue = Catalogue::load();
    if (links && catalogue && spec.link) {
        for (const LinkEntry& link : *links) {
            if (link.id == *spec.link)
                co_return linkOfRun(link.name, link.classId, *catalogue);
        }
    }
    co_return LinkOfRun();
}

QCoro::Task<int> goOn(std::shared_ptr<const Context> context, Shared notebook, InterruptedSoak soak)
{
    if (!context->isJson())
        context->terminal->note(interruptedText(soak, SystemClock().now()) + u' ' +
                                Words::tr("It goes on."));
    std::vector<ProbeSpec> specs{remainingSpec(soak)};
    const LinkOfRun link = co_await linkOf(notebook, specs.front());
    const MeasuredRuns runs = co_await measureRuns(context, notebook, context->peerStore(),
                                                   std::move(specs), std::nullopt, std::move(soak));
    co_return reportRun(*context, runs, link, notebook->path());
}

QCoro::Task<int> keep(std::shared_ptr<const Context> context, Shared notebook, InterruptedSoak soak)
{
    const ProbeResult result = soak.soak.result;
    const auto number = co_await keepAsIs(notebook.get(), std::move(soak));
    if (!number)
        co_return context->fail(number.error());
    const auto id = co_await notebook->find(QString::number(*number));
    const auto record =
        id ? co_await notebook->load(*id) : Result<Record>(tl::unexpected(id.error()));
    if (!record)
        co_return context->fail(record.error());
    Json payload;
    payload["record"] = jsonRecord(*number, record->result);
    payload["notebook"] = jsonText(notebook->path());
    co_return context->finish(ExitCode::Complete, payload, keptText(*number));
}

} // namespace

QCoro::Task<int> settleSoak(std::shared_ptr<const Context> context, MeasureOptions options)
{
    if (options.resume && options.keep)
        co_return context->fail(
            wrongUse(Words::tr("--resume together with --keep"), Words::tr("choose one of them"))
                .value());
    if (isAsked(options))
        co_return context->fail(
            wrongUse(
                options.resume ? QStringLiteral("--resume") : QStringLiteral("--keep"),
                Words::tr("it takes an interrupted soak as it was begun; give no other option"))
                .value());
    auto opened = co_await openNotebook(context, Notebook::Mode::ReadWrite);
    if (!opened)
        co_return context->fail(opened.error());
    const Shared notebook = std::move(*opened);
    auto found = co_await interruptedSoaks(notebook.get());
    if (found.empty())
        co_return context->fail(
            fail(ErrorCode::NotFound, Words::tr("An interrupted soak"),
                 Words::tr("there is none beside %1, or another program goes on with it")
                     .arg(notebook->path()))
                .value());
    InterruptedSoak newest = std::move(found.back());
    found.clear(); // others are left as they are
    if (options.keep)
        co_return co_await keep(context, notebook, std::move(newest));
    co_return co_await goOn(context, notebook, std::move(newest));
}

QCoro::Task<Result<void>> keepInterrupted(std::shared_ptr<const Context> context, Shared notebook)
{
    auto found = co_await interruptedSoaks(notebook.get());
    for (InterruptedSoak& soak : found) {
        const QString what = interruptedText(soak, SystemClock().now());
        const auto number = co_await keepAsIs(notebook.get(), std::move(soak));
        if (!number)
            co_return tl::unexpected(number.error());
        if (!context->isJson())
            context->terminal->note(what + u' ' + keptText(*number));
    }
    co_return Result<void>{};
}

QCoro::Task<void> tellInterrupted(std::shared_ptr<const Context> context, Notebook* notebook)
{
    if (context->isJson())
        co_return;
    const auto found = co_await interruptedSoaks(notebook);
    for (const InterruptedSoak& soak : found)
        context->terminal->note(
            interruptedText(soak, SystemClock().now()) + u' ' +
            Words::tr("Continue it with napkin-cli measure soak --resume, or keep it as it is with "
                      "napkin-cli measure soak --keep."));
}

void addSoak(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Load the link for minutes to hours and check every byte\n"
                  "Both ends send blocks over TCP and compare every one with what it should be. "
                  "Stalls, drop-outs, resets, damaged blocks and drift are told. It connects again "
                  "after every drop-out, and a run whose program was ended can be continued. It "
                  "needs a paired machine at the far end."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure soak --far spark-b --time \"2 h\"\n"
                  "  napkin-cli measure soak 10.0.0.2 --far spark-b --link rack\n"
                  "  napkin-cli measure soak --far spark-b --rate \"500 Mb/s\" --forward\n"
                  "  napkin-cli measure soak --resume")};
    auto options = std::make_shared<MeasureOptions>();
    options->kind = ProbeKind::Soak;
    CLI::App* app = addMeasurement(line, group, help, options);
    using Line = CommandLine;
    Line::addText(app, "-t,--time", options->time,
                  Words::tr("How long, 10 s to 24 h: 600, \"10 min\", \"8 h\"; a bare number is "
                            "seconds (10 min)"),
                  "T");
    Line::addFlag(app, "--forward", options->forward,
                  Words::tr("Only from the near end to the far end (both ways at once)"));
    Line::addFlag(app, "-R,--reverse", options->reverse,
                  Words::tr("Only from the far end to the near end"));
    Line::addText(
        app, "-b,--rate", options->rate,
        Words::tr("At most so much in each direction, so that other work has room: 1 Mb/s "
                  "to 400 Gb/s (as fast as it goes)"),
        "RATE");
    Line::addText(app, "-l,--bytes-per-block", options->block,
                  Words::tr("Size of a block that is checked, 4 KiB to 4 MiB (256 KiB)"), "SIZE");
    Line::addText(app, "--stall-after", options->stallAfter,
                  Words::tr("A time without a byte that counts as a stall: \"500 ms\" (1 s)"), "T");
    Line::addText(app, "--lost-after", options->lostAfter,
                  Words::tr("A time without a byte after which the connection is given up (10 s)"),
                  "T");
    Line::addFlag(app, "--resume", options->resume,
                  Words::tr("Continue the soak whose program was ended; its record is one run, and "
                            "the time between is told"));
    Line::addFlag(app, "--keep", options->keep,
                  Words::tr("Record that soak as the partial run that it is"));
}

} // namespace napkin::cli
