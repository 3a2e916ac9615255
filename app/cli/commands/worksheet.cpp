// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/listtext.h"
#include "app/cli/worksheetrows.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Worksheet)
};

struct WorksheetOptions
{
    bool csv = false;
};

int show(const Context& context, const std::vector<WorksheetRow>& rows,
         const WorksheetOptions& options)
{
    if (options.csv) {
        context.terminal->printBytes(worksheetCsv(rows).toUtf8());
        return static_cast<int>(ExitCode::Complete);
    }
    Json payload;
    payload["notebook"] = jsonText(context.notebookPath());
    payload["rows"] = Json::array();
    for (const WorksheetRow& row : rows)
        payload["rows"].push_back(jsonWorksheetRow(row));
    return context.finish(ExitCode::Complete, payload,
                          worksheetText(rows, context.terminal->width(), context.notebookPath()));
}

QCoro::Task<int> worksheet(std::shared_ptr<const Context> context, WorksheetOptions options)
{
    if (options.csv && context->isJson())
        co_return context->fail(fail(ErrorCode::InvalidArgument,
                                     Words::tr("--csv together with --json"),
                                     Words::tr("choose one of them"))
                                    .value());
    if (context->isFirstUse())
        co_return show(*context, {}, options);
    auto opened = co_await openNotebook(context, Notebook::Mode::ReadOnly);
    if (!opened)
        co_return context->fail(opened.error());
    const std::shared_ptr<Notebook> notebook = std::move(*opened);
    const auto rows = co_await worksheetRows(notebook);
    if (!rows)
        co_return context->fail(rows.error());
    co_return show(*context, *rows, options);
}

} // namespace

void addWorksheet(CommandLine& line)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("worksheet"),
        Words::tr("Show rated beside measured, one line a link\n"
                  "The newest complete run of each direction stands for its link; runs that were "
                  "voided or ended early do not count. Runs without a link stand under their far "
                  "end. Every figure tells what it is by a letter: R rated, M measured."),
        Words::tr("Examples:\n"
                  "  napkin-cli worksheet\n"
                  "  napkin-cli worksheet --csv > links.csv"));
    auto options = std::make_shared<WorksheetOptions>();
    CommandLine::addFlag(app, "--csv", options->csv,
                         Words::tr("Comma-separated values in full precision, for a spreadsheet"));
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return worksheet(std::move(context), *options);
    });
}

} // namespace napkin::cli
