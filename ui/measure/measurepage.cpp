// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measurepage.h"

#include "ui/measure/fittedscroll.h"
#include "ui/measure/measureform.h"
#include "ui/measure/measurewords.h"
#include "ui/measure/resultcard.h"
#include "ui/measure/runcharts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/errorbanner.h"
#include "ui/widgets/farendcard.h"
#include "ui/widgets/headings.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>

namespace napkin {

MeasurePage::MeasurePage(MeasureController* controller, const Catalogue* catalogue, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_catalogue(catalogue)
    , m_form(new MeasureForm)
    , m_banner(new ErrorBanner)
    , m_stack(new QStackedWidget)
    , m_empty(new EmptyState(themeIcon(u"measure"), tr("Nothing measured in this window yet"),
                             tr("Choose a cable or type the address of the other machine, then "
                                "press Measure. The rate appears here as it arrives. The other "
                                "machine needs a server first; the far-end card has the lines.")))
{
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_form);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(300);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setAccessibleName(tr("What to measure"));
    auto* line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);

    QPushButton* step = m_empty->addStep(tr("Show the far-end card"));
    connect(step, &QPushButton::clicked, this, &MeasurePage::showFarEndCard);
    m_stack->addWidget(m_empty);
    m_runView = makeRunView();
    m_stack->addWidget(m_runView);
    m_cardView = makeCardView();
    m_stack->addWidget(m_cardView);
    m_stack->setBackgroundRole(QPalette::Base);
    m_stack->setAutoFillBackground(true);

    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_banner);
    right->addWidget(m_stack, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(scroll);
    row->addWidget(line);
    row->addLayout(right, 1);

    connect(m_form, &MeasureForm::measureRequested, this, &MeasurePage::measure);
    connect(m_form, &MeasureForm::farEndCardRequested, this, &MeasurePage::showFarEndCard);
    connect(m_form, &MeasureForm::linkChosen, this, &MeasurePage::forgetFault);
    connect(m_form, &MeasureForm::portChanged, m_card, &FarEndCard::setPort);
    connect(m_controller, &MeasureController::started, this, &MeasurePage::onStarted);
    connect(m_controller, &MeasureController::progressed, this, &MeasurePage::onProgress);
    connect(m_controller, &MeasureController::recorded, this, &MeasurePage::onRecorded);
    connect(m_controller, &MeasureController::unrecorded, this, &MeasurePage::onUnrecorded);
    connect(m_controller, &MeasureController::failed, this, &MeasurePage::onFailed);
    connect(m_controller, &MeasureController::ended, this, &MeasurePage::onEnded);
}

QWidget* MeasurePage::makeRunView()
{
    auto* view = new QWidget;
    m_runTitle = new TypeLabel({}, TypeSize::Heading);
    m_runTitle->setTextFormat(Qt::PlainText);
    m_runTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_now = new TypeLabel({}, TypeSize::Title);
    m_now->setAccessibleName(tr("Rate at this moment"));
    m_cancel = new QPushButton(themeIcon(u"stop"), tr("Cancel"));
    QSizePolicy kept = m_cancel->sizePolicy();
    kept.setRetainSizeWhenHidden(true); // the chart does not jump when a run ends
    m_cancel->setSizePolicy(kept);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_job)
            m_controller->cancel(*m_job);
    });
    auto* head = new QHBoxLayout;
    head->setContentsMargins(gap(4), gap(3), gap(4), gap(1));
    head->setSpacing(gap(4));
    head->addWidget(m_runTitle, 1);
    head->addWidget(m_now);
    head->addWidget(m_cancel);

    m_charts = new RunCharts;
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_charts, 1);
    column->addWidget(makeResult());
    return view;
}

QWidget* MeasurePage::makeResult()
{
    m_result = new ResultCard;
    connect(m_result, &ResultCard::worksheetRequested, this, &MeasurePage::worksheetRequested);
    m_resultScroll = new FittedScroll(m_result);
    m_resultScroll->setAccessibleName(tr("Result"));
    m_resultScroll->hide();
    return m_resultScroll;
}

QWidget* MeasurePage::makeCardView()
{
    auto* view = new QWidget;
    m_card = new FarEndCard;
    auto* title = new TypeLabel(tr("Make the other machine a far end"), TypeSize::Heading);
    auto* back = new QPushButton(tr("Close"));
    back->setAccessibleName(tr("Close the far-end card"));
    connect(back, &QPushButton::clicked, this,
            [this] { m_stack->setCurrentWidget(m_beforeCard ? m_beforeCard : m_empty); });
    auto* head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(back);
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(gap(4), gap(3), gap(4), gap(3));
    column->setSpacing(gap(2));
    column->addLayout(head);
    column->addWidget(m_card, 1);
    return view;
}

void MeasurePage::setDrawing(const Drawing& drawing)
{
    m_drawing = drawing;
    m_form->setDrawing(drawing);
}

void MeasurePage::selectLink(std::optional<LinkId> link)
{
    m_form->selectLink(link);
}

void MeasurePage::measure()
{
    const auto spec = m_form->spec();
    if (!spec) {
        m_banner->showError(spec.error());
        return;
    }
    forgetFault();
    if (!m_controller->measure(*spec))
        m_banner->showText({tr("The window is closing: nothing more is measured."), {}, {}},
                           ErrorBanner::Kind::Caution);
}

void MeasurePage::showFarEndCard()
{
    if (m_stack->currentWidget() != m_cardView)
        m_beforeCard = m_stack->currentWidget();
    m_card->setPort(m_form->port());
    m_stack->setCurrentWidget(m_cardView);
}

RateChart* MeasurePage::rateChart() const
{
    return m_charts->rateChart();
}

ConnectChart* MeasurePage::connectChart() const
{
    return m_charts->connectChart();
}

void MeasurePage::forgetFault()
{
    m_banner->dismiss();
}

void MeasurePage::focusAddress()
{
    m_form->focusHost();
}

std::vector<Fact<BitRate>> MeasurePage::ratingsOf(const ProbeSpec& spec) const
{
    const Link* link = spec.link ? m_drawing.link(*spec.link) : nullptr;
    const LinkClass* known = link ? m_catalogue->linkClass(link->classId) : nullptr;
    return known ? known->ratings() : std::vector<Fact<BitRate>>();
}

void MeasurePage::onStarted(int job, const ProbeSpec& spec)
{
    m_job = job;
    m_spec = spec;
    forgetFault();
    m_resultScroll->hide();
    m_cancel->show();
    m_runTitle->setText(runTitle(spec));
    m_runTitle->setToolTip(runTitle(spec));
    m_now->setText(QStringLiteral("–"));
    m_charts->begin(spec, ratingsOf(spec));
    m_stack->setCurrentWidget(m_runView);
}

void MeasurePage::onProgress(int job, const Progress& progress)
{
    if (job != m_job)
        return;
    if (const QString now = m_charts->add(progress.data); !now.isEmpty())
        m_now->setText(now);
}

void MeasurePage::onRecorded(int job, qint64 number, const ProbeResult& result)
{
    if (job == m_job)
        showFinal(number, result);
}

void MeasurePage::onUnrecorded(int job, const ProbeResult& result)
{
    if (job == m_job)
        showFinal(std::nullopt, result);
}

void MeasurePage::showFinal(std::optional<qint64> number, const ProbeResult& result)
{
    m_charts->finish(result);
    m_result->showResult(number, result, ratingsOf(m_spec));
    m_resultScroll->scrollToTop();
    m_resultScroll->show();
}

void MeasurePage::onFailed(int job, const Error& error)
{
    if (m_job && job != *m_job)
        return;
    m_banner->showError(error);
}

void MeasurePage::onEnded(int job)
{
    if (job != m_job)
        return;
    m_job.reset();
    if (m_cancel->hasFocus()) // it goes, and the keyboard would land anywhere
        m_form->focusMeasure();
    m_cancel->hide();
    m_now->clear(); // the card has the figures of record
    if (!m_charts->hasHeard() && m_stack->currentWidget() == m_runView) {
        m_empty->setTexts(
            tr("Nothing was measured"),
            isOfMachine(m_spec.kind())
                ? tr("The run ended before there was a figure, and nothing was recorded.")
                : tr("The run ended before anything arrived, and nothing was recorded. If the "
                     "other "
                     "machine has no server yet, the far-end card has the lines that start one."));
        m_stack->setCurrentWidget(m_empty);
    }
}

} // namespace napkin
