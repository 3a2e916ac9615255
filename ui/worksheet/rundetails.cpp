// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/worksheet/rundetails.h"

#include "core/base/errortext.h"
#include "core/quantity/format.h"
#include "core/results/summary.h"
#include "core/workflow/resulttext.h"
#include "ui/measure/fittedscroll.h"
#include "ui/measure/measurewords.h"
#include "ui/measure/resultview.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/errorbanner.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/ledger.h"
#include "ui/widgets/reltime.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace napkin {

namespace {

QString number(qint64 n)
{
    return QLocale().toString(n);
}

QString endName(const Endpoint& end, const HostConditions& host)
{
    if (!end.name.isEmpty())
        return end.name;
    return host.hostName.isEmpty() ? end.host : host.hostName;
}

QString partiesText(const ProbeResult& run)
{
    const QString near = endName(run.spec.near, run.conditions.near);
    const QString by = run.spec.controller.name;
    if (isOfMachine(run.spec.kind()))
        return by.isEmpty() || by == near
                   ? RunDetails::tr("%1 by itself").arg(near)
                   : RunDetails::tr("%1 by itself, steered from %2").arg(near, by);
    const QString far = endName(run.spec.far, run.conditions.far);
    const QString controller = run.spec.controller.name;
    const QString text = RunDetails::tr("%1 measured towards %2").arg(near, far);
    return controller.isEmpty() || controller == near
               ? text
               : RunDetails::tr("%1, steered from %2").arg(text, controller);
}

QString partialText(const ProbeResult& run)
{
    if (!run.fault)
        return RunDetails::tr("Partial: it ended before its time.");
    return run.fault->isCancelled()
               ? RunDetails::tr("Partial: it was cancelled.")
               : RunDetails::tr("Partial: %1", "sentences").arg(describe(*run.fault).joined());
}

} // namespace

const RecordSummary* runBefore(const Record& record, const std::vector<RecordSummary>& all)
{
    const ProbeSpec& spec = record.result.spec;
    const auto link = spec.link ? spec.link : spec.intendedLink;
    // Without a link, the name of the far end is all there is to go by; of a machine its own.
    QString far;
    QString near;
    for (const RecordSummary& one : all) {
        if (one.id == record.result.id) {
            far = one.farName;
            near = one.nearName;
        }
    }
    const bool isLone = isOfMachine(spec.kind());
    const auto isSame = [&](const RecordSummary& one) {
        if (isLone || isOfMachine(one.kind))
            return one.kind == spec.kind() && one.nearName == near;
        return link ? one.link == link : !one.link && one.farName == far;
    };
    const RecordSummary* newest = nullptr;
    for (const RecordSummary& one : all) {
        if (one.id == record.result.id || !isSame(one) || one.voided ||
            one.startedAt >= record.result.startedAt)
            continue;
        if (!newest || one.startedAt > newest->startedAt)
            newest = &one;
    }
    return newest;
}

RunDetails::RunDetails(Notebook* notebook, QWidget* parent)
    : QWidget(parent)
    , m_notebook(notebook)
    , m_model(new ConditionsModel(this))
    , m_view(new LedgerView)
    , m_title(new TypeLabel({}, TypeSize::Heading))
    , m_banner(new ErrorBanner)
    , m_holder(new QWidget)
    , m_wordsScroll(new FittedScroll(m_holder))
    , m_compared(new TypeLabel({}, TypeSize::Small))
{
    auto* back = new QPushButton(tr("Back to the worksheet"));
    back->setToolTip(tr("Back to the worksheet (Esc)"));
    connect(back, &QPushButton::clicked, this, &RunDetails::closeRequested);
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &RunDetails::closeRequested);
    auto* copyButton = new QPushButton(themeIcon(u"copy"), tr("Copy"));
    copyButton->setToolTip(tr("Copy the conditions as text for a spreadsheet"));
    connect(copyButton, &QPushButton::clicked, m_view, &LedgerView::copy);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(gap(3), gap(2), gap(3), gap(1));
    head->setSpacing(gap(2));
    head->addWidget(m_title, 1);
    head->addWidget(copyButton);
    head->addWidget(back);

    m_view->setModel(m_model);
    m_view->setSortingEnabled(false);
    m_view->setAccessibleName(tr("Conditions of the run"));
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    // The two ends beside each other, each with half of what the names of the rows leave.
    for (const int end : {ConditionsModel::Near, ConditionsModel::Far})
        m_view->horizontalHeader()->setSectionResizeMode(end, QHeaderView::Stretch);
    m_compared->setContentsMargins(gap(3), gap(1), gap(3), gap(2));
    m_compared->setWordWrap(true);
    (new QVBoxLayout(m_holder))->setContentsMargins(gap(3), 0, gap(3), 0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_banner);
    column->addLayout(head);
    column->addWidget(m_wordsScroll);
    column->addWidget(m_compared);
    column->addWidget(m_view, 1);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    clearWords();
}

void RunDetails::present(RecordId record, const std::vector<RecordSummary>& all)
{
    m_scope.start(load(this, m_notebook, record, all, ++m_turn));
}

QCoro::Task<void> RunDetails::load(QPointer<RunDetails> self, QPointer<Notebook> notebook,
                                   RecordId record, std::vector<RecordSummary> all, int turn)
{
    if (!notebook)
        co_return;
    auto loaded = co_await notebook->load(record);
    if (!self || turn != self->m_turn)
        co_return;
    if (!loaded) {
        self->m_banner->showError(loaded.error());
        Q_EMIT self->presented();
        co_return;
    }
    std::optional<Record> previous;
    if (const RecordSummary* before = runBefore(*loaded, all); before && notebook) {
        auto earlier = co_await notebook->load(before->id);
        if (!self || turn != self->m_turn)
            co_return;
        if (earlier)
            previous = std::move(*earlier);
        else
            self->m_banner->showError(earlier.error());
    }
    self->showRecord(*loaded, previous ? &*previous : nullptr);
    Q_EMIT self->presented();
}

void RunDetails::clearWords()
{
    delete m_words;
    m_words = new QWidget;
    m_lines = new QVBoxLayout(m_words);
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setSpacing(gap(1));
    m_holder->layout()->addWidget(m_words);
}

void RunDetails::showRecord(const Record& record, const Record* previous)
{
    const ProbeResult& run = record.result;
    clearWords();
    m_title->setText(tr("Run %1: %2").arg(number(record.number), runTitle(run.spec)));
    m_title->setToolTip(m_title->text());
    addLine(tr("%1, %2.").arg(partiesText(run), exactTime(run.startedAt)), false);
    if (record.voided)
        addLine(tr("Voided: %1").arg(*record.voided), true);
    const bool isLone = isOfMachine(run.spec.kind());
    if (run.completion == Completion::Partial)
        addLine(partialText(run), true);
    if (const QString unsure = unsureText(run); !unsure.isEmpty())
        addLine(unsure, true);
    if (!run.spec.link && !isLone) {
        addLine(run.spec.intendedLink ? tr("Not filed under its cable: the bytes took another way.")
                                      : tr("Filed under no cable: it was measured to an address."),
                run.spec.intendedLink.has_value());
    }
    for (const QualityNote& note : run.quality) {
        const QString text = qualityFlagText(note.flag);
        addLine(note.evidence.isEmpty() ? text : tr("%1 (%2)").arg(text, note.evidence), true);
    }
    addFigures(record);
    if (isLone)
        m_model->setMachine(endName(run.spec.near, run.conditions.near));
    else
        m_model->setEnds(endName(run.spec.near, run.conditions.near),
                         endName(run.spec.far, run.conditions.far));
    m_model->setRows(compareConditions(run, previous ? &previous->result : nullptr));
    m_view->setColumnHidden(ConditionsModel::Far, isLone);
    headGroups();
    m_view->scrollToTop(); // not where the run before was left
    m_wordsScroll->scrollToTop();
    if (previous) {
        const int changed = m_model->changes();
        m_compared->setText(
            tr("Compared with run %1, %2: %3.")
                .arg(number(previous->number), exactTime(previous->result.startedAt),
                     changed == 0 ? tr("no recorded condition changed")
                                  : tr("%n conditions changed, marked ≠", nullptr, changed)));
    } else {
        m_compared->setText(tr("There is no earlier run to compare it with."));
    }
    setAccessibleName(m_title->text());
    setAccessibleDescription(text());
}

void RunDetails::headGroups()
{
    m_view->clearSpans();
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (m_model->isHeading(row))
            m_view->setSpan(row, 0, 1, ConditionsModel::ColumnCount);
    }
    // Headings span all columns and say nothing of the first one's width.
    const QFontMetrics metrics(m_view->font());
    int names = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (!m_model->isHeading(row))
            names =
                std::max(names, metrics.horizontalAdvance(
                                    m_model->index(row, ConditionsModel::What).data().toString()));
    }
    m_view->setColumnWidth(ConditionsModel::What, names + gap(5));
}

void RunDetails::addLine(const QString& text, bool caution)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    if (caution) {
        QPalette p = palette();
        for (const auto role : {QPalette::WindowText, QPalette::Text})
            p.setColor(role, themeColor(ColorRole::Caution, p));
        label->setPalette(p);
    }
    m_lines->addWidget(label);
}

void RunDetails::addFigures(const Record& record)
{
    if (std::holds_alternative<ThroughputData>(record.result.data)) {
        const ThroughputSummary summary = summariseThroughput(record.result);
        for (const auto& [direction, one] : {std::pair(Direction::Forward, summary.forward),
                                             std::pair(Direction::Reverse, summary.reverse)}) {
            if (one)
                addFigure(record, arrow(direction), formatBitRate(one->throughput));
        }
        return;
    }
    if (const auto* connections = std::get_if<ConnectData>(&record.result.data)) {
        if (const ConnectSummary summary = summarise(*connections); summary.median)
            addFigure(record, tr("median"), formatDuration(*summary.median));
        return;
    }
    auto* figures = new ResultView(
        {record.result.origin, tr("run %1").arg(number(record.number)), record.result.startedAt});
    figures->addResult(record.result);
    m_lines->addSpacing(gap(1));
    m_lines->addWidget(figures);
}

void RunDetails::addFigure(const Record& record, const QString& arrow, const QString& value)
{
    auto* badge = new Badge;
    badge->setFact(Provenance::Measured, record.result.origin,
                   badgeText(Provenance::Measured, record.result.origin,
                             tr("run %1").arg(number(record.number)), record.result.startedAt));
    auto* row = new QHBoxLayout;
    row->setSpacing(gap(2));
    row->addWidget(new TypeLabel(arrow, TypeSize::Heading));
    row->addWidget(new TypeLabel(value, TypeSize::Heading));
    row->addWidget(badge);
    row->addStretch();
    m_lines->addLayout(row);
}

QString RunDetails::text() const
{
    QStringList words{m_title->text()};
    for (const QLabel* label : m_words->findChildren<QLabel*>())
        words << label->text();
    return (words << m_compared->text()).join(QLatin1Char(' '));
}

} // namespace napkin
