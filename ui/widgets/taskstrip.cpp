// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/taskstrip.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace napkin {

namespace {

constexpr int mostRows = 4;

QString timeLeftText(std::chrono::duration<double> left)
{
    const auto seconds = qRound(left.count());
    if (seconds < 100)
        return TaskStrip::tr("%n s left", nullptr, seconds);
    if (seconds < 6'000)
        return TaskStrip::tr("%n min left", nullptr, (seconds + 30) / 60);
    return TaskStrip::tr("%n h left", nullptr, (seconds + 1'800) / 3'600);
}

} // namespace

TaskStrip::TaskStrip(QWidget* parent)
    : QFrame(parent)
    , m_scroll(new QScrollArea)
{
    setAccessibleName(tr("Tasks that run"));
    auto* inner = new QWidget;
    m_list = new QVBoxLayout(inner);
    m_list->setContentsMargins(gap(3), gap(1), gap(3), gap(1));
    m_list->setSpacing(gap(1));
    m_scroll->setWidget(inner);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setAccessibleName(tr("Tasks that run"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_scroll);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* old, QWidget* now) {
        if (old && now && isAncestorOf(now) && !isAncestorOf(old))
            m_before = old;
    });
    hide();
}

void TaskStrip::giveFocusBack()
{
    if (m_before && m_before->isVisible() && m_before->isEnabled())
        m_before->setFocus();
    else
        Q_EMIT focusLeft();
}

int TaskStrip::addTask(const QString& title)
{
    const int task = m_next++;
    m_rows.emplace(task, makeRow(task, title));
    resizeToRows();
    return task;
}

TaskStrip::Row TaskStrip::makeRow(int task, const QString& title)
{
    Row row;
    row.widget = new QWidget;
    row.title = new QLabel(title);
    row.title->setTextFormat(Qt::PlainText);
    row.title->setToolTip(title);
    row.title->setMinimumWidth(80);
    row.title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row.phase = new QLabel(tr("waiting"));
    row.bar = new QProgressBar;
    row.bar->setRange(0, 0);
    row.bar->setMinimumWidth(120);
    row.bar->setMaximumWidth(260);
    row.bar->setAccessibleName(tr("Progress of %1").arg(title));
    row.left = new QLabel;
    row.left->setMinimumWidth(
        row.left->fontMetrics().horizontalAdvance(tr("%n min left", nullptr, 88)));
    row.cancel = new QPushButton(tr("Cancel"));
    row.cancel->setAccessibleName(tr("Cancel %1").arg(title));
    connect(row.cancel, &QPushButton::clicked, this, [this, task] {
        if (const auto it = m_rows.find(task); it != m_rows.end()) {
            if (it->second.cancel->hasFocus())
                giveFocusBack(); // a disabled button can not keep it
            it->second.cancel->setEnabled(false);
            it->second.phase->setText(tr("stopping"));
        }
        Q_EMIT cancelRequested(task);
    });
    auto* line = new QHBoxLayout(row.widget);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(gap(3));
    line->addWidget(row.title, 3);
    line->addWidget(row.phase, 1);
    line->addWidget(row.bar, 2);
    line->addWidget(row.left);
    line->addWidget(row.cancel);
    m_list->addWidget(row.widget);
    return row;
}

void TaskStrip::setProgress(int task, const QString& phase, std::optional<double> fraction)
{
    const auto it = m_rows.find(task);
    if (it == m_rows.end())
        return;
    Row& row = it->second;
    if (row.cancel->isEnabled())
        row.phase->setText(phase);
    const auto now = std::chrono::steady_clock::now();
    if (!row.begun)
        row.begun = now;
    if (!fraction) {
        row.bar->setRange(0, 0);
        row.left->clear();
        return;
    }
    const double share = std::clamp(*fraction, 0.0, 1.0);
    row.bar->setRange(0, 1'000);
    row.bar->setValue(static_cast<int>(share * 1'000));
    row.bar->setFormat(
        tr("%1 %", "percentage").arg(QLocale().toString(static_cast<int>(share * 100))));
    const std::chrono::duration<double> spent = now - *row.begun;
    if (share > 0.05 && spent.count() > 0.5)
        row.left->setText(timeLeftText(spent * ((1 - share) / share)));
}

void TaskStrip::removeTask(int task)
{
    const auto it = m_rows.find(task);
    if (it == m_rows.end())
        return;
    if (it->second.cancel->hasFocus())
        giveFocusBack();
    it->second.widget->hide();
    it->second.widget->deleteLater();
    m_rows.erase(it);
    resizeToRows();
}

void TaskStrip::resizeToRows()
{
    setVisible(!m_rows.empty());
    if (m_rows.empty())
        return;
    const int rows = std::min(taskCount(), mostRows);
    const int one = m_rows.begin()->second.widget->sizeHint().height();
    const QMargins margins = m_list->contentsMargins();
    setFixedHeight(rows * one + (rows - 1) * m_list->spacing() + margins.top() + margins.bottom());
}

} // namespace napkin
