// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::NotebookCommand)
};

QCoro::Task<int> printPath(std::shared_ptr<const Context> context)
{
    if (context->notebookPath().isEmpty()) { // the fault says why
        const auto opened = co_await openNotebook(context, Notebook::Mode::ReadOnly);
        co_return context->fail(opened.error());
    }
    const QString path = QFileInfo(context->notebookPath()).absoluteFilePath();
    Json payload;
    payload["path"] = jsonText(path);
    payload["exists"] = QFileInfo::exists(path);
    co_return context->finish(ExitCode::Complete, payload, path);
}

// For a file that cannot even be opened; checking it again would say no more.
QString rescue(const QString& path)
{
    return Words::tr("Keep a copy of the file, with those named %1-wal and %1-shm if they are "
                     "there, and go on with a backup. Without one, the program sqlite3 copies what "
                     "can still be read: sqlite3 %1 .recover | sqlite3 rescued.db")
        .arg(path);
}

QCoro::Task<int> verify(std::shared_ptr<const Context> context)
{
    const auto notebook = co_await openNotebook(context, Notebook::Mode::ReadOnly);
    if (!notebook)
        co_return context->fail(notebook.error(), notebook.error().code == ErrorCode::StorageCorrupt
                                                      ? rescue(context->notebookPath())
                                                      : QString());
    const auto report = co_await (*notebook)->verify();
    if (!report)
        co_return context->fail(report.error());
    Json payload;
    payload["notebook"] = jsonText((*notebook)->path());
    payload["records"] = report->records;
    payload["problems"] = Json::array();
    const int count = static_cast<int>(report->records);
    const auto problems = static_cast<qlonglong>(report->problems.size());
    QStringList lines;
    if (report->problems.empty())
        lines << Words::tr("%1: %Ln runs checked, no problem found.", nullptr, count)
                     .arg((*notebook)->path());
    else
        lines << Words::tr("%1: %Ln runs checked, problems found: %2", nullptr, count)
                     .arg((*notebook)->path(), QLocale().toString(problems));
    payload["outdated"] = report->outdated;
    if (!report->outdated.empty())
        lines << Words::tr(
            "The figures that lists show of %Ln runs were computed by another version "
            "of Napkin and would come out otherwise now. The runs are whole. Bring "
            "the lists up to date with: napkin-cli notebook refresh",
            nullptr, static_cast<int>(report->outdated.size()));
    for (const QString& problem : report->problems) {
        payload["problems"].push_back(jsonText(problem));
        lines << QStringLiteral("  ") + problem;
    }
    if (!report->problems.empty())
        lines << Words::tr("Keep a copy of the file before anything else writes to it.");
    co_return context->finish(report->problems.empty() ? ExitCode::Complete
                                                       : ExitCode::ProblemsFound,
                              payload, lines.join(u'\n'));
}

QCoro::Task<int> refresh(std::shared_ptr<const Context> context)
{
    const auto notebook = co_await openNotebook(context, Notebook::Mode::ReadWrite);
    if (!notebook)
        co_return context->fail(notebook.error());
    const auto count = co_await (*notebook)->refreshFigures();
    if (!count)
        co_return context->fail(count.error());
    Json payload;
    payload["notebook"] = jsonText((*notebook)->path());
    payload["refreshed"] = *count;
    const QString text =
        *count == 0 ? Words::tr("%1: nothing to bring up to date.").arg((*notebook)->path())
                    : Words::tr("%1: the figures of %Ln runs were computed anew.", nullptr,
                                static_cast<int>(*count))
                          .arg((*notebook)->path());
    co_return context->finish(ExitCode::Complete, payload, text);
}

} // namespace

void addNotebook(CommandLine& line)
{
    CLI::App* group = line.addGroup(QStringLiteral("notebook"),
                                    Words::tr("Check the notebook, or tell where it is"),
                                    Words::tr("Examples:\n"
                                              "  napkin-cli notebook verify\n"
                                              "  napkin-cli notebook refresh\n"
                                              "  napkin-cli notebook path"));
    CLI::App* check = line.addCommand(
        QStringLiteral("verify"),
        Words::tr("Check that every run is still as it was recorded\n"
                  "SQLite's own check of the file, and the SHA-256 of every run. Exit code 6 when "
                  "something is wrong."),
        Words::tr("Example:\n"
                  "  napkin-cli notebook verify --notebook lab.napkin"),
        group);
    line.onChosen(
        check, [](std::shared_ptr<const Context> context) { return verify(std::move(context)); });
    CLI::App* refreshing =
        line.addCommand(QStringLiteral("refresh"),
                        Words::tr("Compute anew what lists show of runs of another version\n"
                                  "The runs themselves stay as they were recorded."),
                        Words::tr("Example:\n"
                                  "  napkin-cli notebook refresh --notebook lab.napkin"),
                        group);
    line.onChosen(refreshing, [](std::shared_ptr<const Context> context) {
        return refresh(std::move(context));
    });
    CLI::App* path =
        line.addCommand(QStringLiteral("path"), Words::tr("Print where the notebook is"),
                        Words::tr("Example:\n"
                                  "  ls -l \"$(napkin-cli notebook path)\""),
                        group);
    line.onChosen(
        path, [](std::shared_ptr<const Context> context) { return printPath(std::move(context)); });
}

} // namespace napkin::cli
