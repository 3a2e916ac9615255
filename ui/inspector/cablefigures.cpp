// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a cable in the inspector.

#include "core/quantity/format.h"
#include "ui/canvas/cablelabel.h"
#include "ui/inspector/cablepanel.h"
#include "ui/inspector/factrow.h"
#include "ui/inspector/panel.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/reltime.h"

#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace napkin {

void CablePanel::showRated(const LinkClass* kind)
{
    const auto ratings = kind ? kind->ratings() : std::vector<Fact<BitRate>>();
    m_ratedNote->setVisible(kind != nullptr);
    if (!kind) {
        m_rated->setUnknown(tr("choose a class first"));
        return;
    }
    QStringList notes;
    if (!kind->source.checked)
        notes << tr("Unconfirmed: this figure could not be checked.");
    if (!kind->note.isEmpty())
        notes << kind->note;
    notes << tr("Source: %1, looked up %2.")
                 .arg(kind->source.text,
                      QLocale().toString(kind->source.date, QLocale::ShortFormat));
    m_ratedNote->setText(notes.join(u'\n'));
    if (ratings.empty()) {
        m_rated->setUnknown(tr("not rated"));
        return;
    }
    QString text = formatRatings(ratings);
    if (kind->upTo && ratings.size() == 1)
        text = tr("up to %1").arg(text);
    const Fact<BitRate>& first = ratings.front();
    m_rated->setFact(first.provenance(), first.origin(), text, badgeText(first));
    QStringList bytes;
    for (const Fact<BitRate>& rating : ratings)
        bytes << formatRating(rating.value().toByteRate());
    m_rated->setBelow(bytes.join(tr(" / ", "between two ratings")));
}

void CablePanel::showMeasured(const Link& link)
{
    const WorksheetRow* known = row(link);
    const std::vector<Fact<BitRate>> none;
    const auto& ratings = known ? known->ratings : none;
    showRate(*m_forward, known ? known->forward : std::nullopt, ratings);
    showRate(*m_reverse, known ? known->reverse : std::nullopt, ratings);
    m_bothForward->setVisible(known && known->bothForward);
    m_bothReverse->setVisible(known && known->bothReverse);
    if (known && known->bothForward)
        showRate(*m_bothForward, known->bothForward, ratings);
    if (known && known->bothReverse)
        showRate(*m_bothReverse, known->bothReverse, ratings);
    m_connect->setVisible(known && known->connectMedian);
    if (known && known->connectMedian) {
        const Fact<Duration>& median = *known->connectMedian;
        m_connect->setFact(median.provenance(), median.origin(), formatDuration(median.value()),
                           badgeText(median));
        m_connect->setAside(relativeTime(median.date(), QDateTime::currentDateTimeUtc()),
                            exactTime(median.date()));
    }
    const int runs = known ? known->runs : 0;
    const bool isShown = known && (known->forward || known->reverse || known->bothForward ||
                                   known->bothReverse || known->connectMedian);
    if (runs == 0)
        m_runs->setText(tr("No runs yet in this class."));
    else if (!isShown)
        m_runs->setText(
            tr("%n runs, none that counts: cut short, voided, or over loopback.", nullptr, runs));
    else
        m_runs->setText(runs == 1 ? tr("1 run.")
                                  : tr("%n runs, the newest that count are shown.", nullptr, runs));
}

void CablePanel::showRate(FactRow& row, const std::optional<MeasuredRate>& rate,
                          const std::vector<Fact<BitRate>>& ratings)
{
    if (!rate) {
        row.setUnknown(tr("not measured"));
        return;
    }
    const Fact<BitRate>& fact = rate->rate;
    const QString run = tr("run %1").arg(QLocale().toString(rate->number));
    row.setFact(fact.provenance(), fact.origin(), formatBitRate(fact.value()),
                badgeText(fact.provenance(), fact.origin(), run, fact.date()));
    row.setAside(relativeTime(fact.date(), QDateTime::currentDateTimeUtc()),
                 exactTime(fact.date()));
    QStringList below{formatByteRate(fact.value().toByteRate())};
    if (rate->retransmits) {
        below << tr("%Ln\u00a0retransmissions", nullptr, static_cast<int>(*rate->retransmits));
    }
    const QString ratios = formatRatios(*rate, ratings);
    if (!ratios.isEmpty())
        below.prepend(ratings.size() > 1 ? ratios : tr("%1 of the rating").arg(ratios));
    row.setBelow(below.join(u'\n'));
}

} // namespace napkin
