// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/linkchoice.h"
#include "app/cli/recordtext.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Show)
};

struct ShowOptions
{
    std::string record;
    bool samples = false;
};

// The link the record belongs to, with the class it had then.
QCoro::Task<Result<LinkOfRun>> linkOf(std::shared_ptr<Notebook> notebook, ProbeSpec spec)
{
    if (!spec.link)
        co_return LinkOfRun{};
    RecordQuery query;
    query.link = spec.link;
    const auto records = co_await notebook->records(query);
    if (!records)
        co_return tl::unexpected(records.error());
    const auto catalogue = Catalogue::load();
    if (!catalogue)
        co_return tl::unexpected(catalogue.error());
    const auto found =
        std::find_if(records->begin(), records->end(), [&spec](const RecordSummary& record) {
            return record.linkPeriod == spec.linkPeriod;
        });
    if (found == records->end())
        co_return LinkOfRun{};
    co_return linkOfRun(found->linkName, found->linkClassId, *catalogue);
}

QCoro::Task<int> show(std::shared_ptr<const Context> context, ShowOptions options)
{
    auto opened = co_await openNotebook(context, Notebook::Mode::ReadOnly);
    if (!opened)
        co_return context->fail(opened.error());
    const std::shared_ptr<Notebook> notebook = std::move(*opened);
    const auto id = co_await notebook->find(QString::fromStdString(options.record));
    if (!id)
        co_return context->fail(id.error(), Words::tr("napkin-cli list shows the numbers."));
    const auto record = co_await notebook->load(*id);
    if (!record)
        co_return context->fail(record.error());
    const auto link = co_await linkOf(notebook, record->result.spec);
    if (!link)
        co_return context->fail(link.error());
    Json payload;
    payload["notebook"] = jsonText(notebook->path());
    payload["record"] = jsonRecord(*record);
    co_return context->finish(ExitCode::Complete, payload,
                              recordText(*record, *link,
                                         options.samples ? Samples::Shown : Samples::Left,
                                         context->textWidth()));
}

} // namespace

void addShow(CommandLine& line)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("show"),
        Words::tr("Show everything of one run\n"
                  "Figures, options, what was known of both ends, notes, and with --samples each "
                  "sample. With --json the samples are always there."),
        Words::tr("Examples:\n"
                  "  napkin-cli show 12\n"
                  "  napkin-cli show 12 --samples\n"
                  "  napkin-cli show 3f0c"));
    auto options = std::make_shared<ShowOptions>();
    CommandLine::addText(app, "ID", options->record,
                         Words::tr("Number of the run as list shows it, or its id, or the "
                                   "beginning of the id"),
                         "ID", Need::Required);
    CommandLine::addFlag(app, "--samples", options->samples,
                         Words::tr("Also every sample, as a table"));
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return show(std::move(context), *options);
    });
}

} // namespace napkin::cli
