// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/table.h"
#include "core/catalogue/catalogue.h"
#include "core/quantity/format.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Classes)
};

QString ratedText(const LinkClass& linkClass)
{
    QStringList rates;
    for (const Fact<BitRate>& rating : linkClass.ratings())
        rates << formatRatedGigabits(rating.value());
    if (rates.isEmpty())
        return QStringLiteral("–");
    return (linkClass.upTo ? QStringLiteral("≤ ") : QString()) + rates.join(u'/');
}

QCoro::Task<int> classes(std::shared_ptr<const Context> context)
{
    const auto catalogue = Catalogue::load();
    if (!catalogue)
        co_return context->fail(ExitCode::InternalFault, catalogue.error(), Json::object());
    Table table({{Words::tr("Id"), {}},
                 {Words::tr("Rated"), QStringLiteral("Gb/s"), Align::Right},
                 {Words::tr("Name"), {}, Align::Left, 0, true},
                 {Words::tr("Source"), {}, Align::Left, 1}});
    Json payload;
    payload["classes"] = Json::array();
    for (const LinkClass& linkClass : catalogue->linkClasses()) {
        payload["classes"].push_back(jsonLinkClass(linkClass));
        table.add({linkClass.id, ratedText(linkClass), linkClass.name,
                   linkClass.source.checked ? QString() : Words::tr("unconfirmed")});
    }
    const QString legend =
        Words::tr("Ratings are the standards' and vendors' own; ≤ marks a best case, unconfirmed "
                  "one that nobody checked yet. Two figures: one way, and both ways at once.");
    QStringList lines{table.render(context->terminal->width()).text, QString(),
                      wrapped(legend, context->textWidth())};
    co_return context->finish(ExitCode::Complete, payload, lines.join(u'\n'));
}

} // namespace

void addClasses(CommandLine& line)
{
    CLI::App* app =
        line.addCommand(QStringLiteral("classes"),
                        Words::tr("List the kinds of link there are, with their ratings"),
                        Words::tr("The ids are for: napkin-cli measure throughput HOST --link NAME "
                                  "--class ID"));
    line.onChosen(
        app, [](std::shared_ptr<const Context> context) { return classes(std::move(context)); });
}

} // namespace napkin::cli
