// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/measuresoak.h"
#include "app/cli/listtext.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::List)
};

struct ListOptions
{
    std::string limit;
    std::string link;
};

Result<LinkId> linkCalled(const std::vector<LinkEntry>& links, const QString& name)
{
    QStringList names;
    for (const LinkEntry& link : links) {
        if (link.name == name)
            return link.id;
        names << link.name;
    }
    return fail(
        ErrorCode::NotFound, Words::tr("The link “%1”").arg(name),
        names.isEmpty()
            ? Words::tr("the notebook has no links yet")
            : Words::tr("the notebook has these links: %1").arg(names.join(QStringLiteral(", "))));
}

int show(const Context& context, const std::vector<RecordSummary>& records)
{
    Json payload;
    payload["notebook"] = jsonText(context.notebookPath());
    payload["records"] = Json::array();
    for (const RecordSummary& record : records)
        payload["records"].push_back(jsonListed(record));
    return context.finish(ExitCode::Complete, payload,
                          listText(records, context.terminal->width(), context.notebookPath()));
}

QCoro::Task<int> list(std::shared_ptr<const Context> context, ListOptions options)
{
    RecordQuery query;
    if (!options.limit.empty()) {
        const auto limit =
            parseWhole(QStringLiteral("--limit"), QString::fromStdString(options.limit));
        if (!limit)
            co_return context->fail(limit.error());
        if (*limit < 1)
            co_return context->fail(
                wrongUse(QStringLiteral("--limit %1").arg(*limit), Words::tr("1 is the least"))
                    .value());
        query.limit = *limit;
    }
    if (context->isFirstUse() && options.link.empty())
        co_return show(*context, {});
    const auto notebook = co_await openNotebook(context, Notebook::Mode::ReadOnly);
    if (!notebook)
        co_return context->fail(notebook.error());
    if (!options.link.empty()) {
        const auto links = co_await (*notebook)->links();
        if (!links)
            co_return context->fail(links.error());
        const auto link = linkCalled(*links, QString::fromStdString(options.link));
        if (!link)
            co_return context->fail(link.error());
        query.link = *link;
    }
    const auto records = co_await (*notebook)->records(query);
    if (!records)
        co_return context->fail(records.error());
    co_await tellInterrupted(context, notebook->get());
    co_return show(*context, *records);
}

} // namespace

void addList(CommandLine& line)
{
    CLI::App* app = line.addCommand(QStringLiteral("list"),
                                    Words::tr("List what was measured, the newest run first"),
                                    Words::tr("Examples:\n"
                                              "  napkin-cli list --limit 10\n"
                                              "  napkin-cli list --link rack"));
    auto options = std::make_shared<ListOptions>();
    CommandLine::addText(app, "-n,--limit", options->limit,
                         Words::tr("At most so many runs (all of them)"), "N");
    CommandLine::addText(app, "--link", options->link, Words::tr("Only runs on this link"), "NAME");
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return list(std::move(context), *options);
    });
}

} // namespace napkin::cli
