// SPDX-License-Identifier: GPL-3.0-or-later
// The words and figures on a cable.

#include "core/quantity/format.h"
#include "ui/canvas/cablelabel.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::CableLabel)
};

constexpr qsizetype longestName = 32;

LabelRun factRun(const Fact<BitRate>& fact, const QString& text, ColorRole color)
{
    LabelRun run{text, color, LabelRun::Mark{fact.provenance(), fact.origin()}};
    if (fact.origin() != Origin::Mine && fact.provenance() == Provenance::Measured)
        run.text += u' ' + originWord(fact.origin());
    return run;
}

LabelLine classLine(const LinkClass* linkClass)
{
    if (!linkClass)
        return {{Words::tr("link class not set"), ColorRole::Secondary, {}}};
    LabelLine line{{linkClass->shortName, ColorRole::Text, {}}};
    const auto ratings = linkClass->ratings();
    if (ratings.empty()) {
        line.push_back({Words::tr("not rated"), ColorRole::Secondary, {}});
        return line;
    }
    QString text = formatRatings(ratings);
    if (linkClass->upTo && ratings.size() == 1)
        text = Words::tr("up to %1").arg(text);
    line.push_back(factRun(ratings.front(), text, ColorRole::Secondary));
    if (!linkClass->source.checked)
        line.push_back({Words::tr("unconfirmed"), ColorRole::Caution, {}});
    return line;
}

LabelLine measuredLine(const QString& arrow, const MeasuredRate& measured, const WorksheetRow& row)
{
    QString text = formatBitRate(measured.rate.value());
    const QString ratios = formatRatios(measured, row.ratings);
    if (!ratios.isEmpty())
        text = Words::tr("%1 (%2)", "rate (ratio)").arg(text, ratios);
    return {{arrow, ColorRole::Secondary, {}}, factRun(measured.rate, text, ColorRole::Text)};
}

} // namespace

QString formatRatings(const std::vector<Fact<BitRate>>& ratings)
{
    if (ratings.empty())
        return {};
    QString text = formatRating(ratings.front().value());
    if (ratings.size() < 2)
        return text;
    return Words::tr("%1 / %2", "two ratings of one link, the second with unit")
        .arg(formatRatedGigabits(ratings.front().value()), formatRating(ratings.back().value()));
}

QString formatRatios(const MeasuredRate& measured, const std::vector<Fact<BitRate>>& ratings)
{
    const std::size_t count = std::min(measured.ratios.size(), ratings.size());
    if (count == 0)
        return {};
    if (count == 1)
        return formatRatio(measured.ratios.front());
    QStringList parts;
    for (std::size_t i = 0; i < count; ++i) {
        parts << Words::tr("%1 of %2", "ratio of a rating in Gb/s")
                     .arg(formatRatio(measured.ratios[i]), formatRatedGigabits(ratings[i].value()));
    }
    return parts.join(Words::tr(", ", "between two ratios"));
}

std::vector<LabelLine> cableLabelLines(const Link& link, const LinkClass* linkClass,
                                       const WorksheetRow* row)
{
    std::vector<LabelLine> lines;
    if (!link.name.isEmpty()) {
        const QString name =
            link.name.size() <= longestName ? link.name : link.name.first(longestName - 1) + u'…';
        lines.push_back({{name, ColorRole::Text, {}}});
    }
    lines.push_back(classLine(linkClass));
    const std::size_t before = lines.size();
    if (row) {
        if (row->forward)
            lines.push_back(measuredLine(QStringLiteral("→"), *row->forward, *row));
        if (row->reverse)
            lines.push_back(measuredLine(QStringLiteral("←"), *row->reverse, *row));
        // A run with both ways at once says less of each: shown only where there is no other.
        if (lines.size() == before && row->bothForward)
            lines.push_back(measuredLine(QStringLiteral("⇄ →"), *row->bothForward, *row));
        if (!row->forward && !row->reverse && row->bothReverse)
            lines.push_back(measuredLine(QStringLiteral("⇄ ←"), *row->bothReverse, *row));
    }
    if (lines.size() == before) {
        lines.push_back(
            {{row && row->runs > 0 ? Words::tr("no run that counts") : Words::tr("not measured"),
              ColorRole::Secondary,
              {}}});
    }
    return lines;
}

} // namespace napkin
