// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/fittedscroll.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>

#include <algorithm>

namespace napkin {

namespace {

constexpr int leastHeight = 96; // a few lines, however low the window is

} // namespace

FittedScroll::FittedScroll(QWidget* content, QWidget* parent)
    : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setWidget(content);
    content->setAutoFillBackground(false); // the ground is that of what it stands on
    viewport()->setAutoFillBackground(false);
    content->installEventFilter(this);
}

void FittedScroll::scrollToTop()
{
    verticalScrollBar()->setValue(0);
}

void FittedScroll::fit()
{
    const QWidget* content = widget();
    if (!content || !m_host || width() <= 0)
        return;
    const QLayout* layout = content->layout();
    const bool wraps = layout && layout->hasHeightForWidth();
    const int wanted =
        wraps ? layout->totalHeightForWidth(viewport()->width()) : content->sizeHint().height();
    const int most = std::max(leastHeight, m_host->height() / 2);
    const bool scrolls = content->minimumSizeHint().width() > viewport()->width();
    const int bar = scrolls ? horizontalScrollBar()->sizeHint().height() : 0;
    setFixedHeight(std::min(wanted + bar, most));
}

bool FittedScroll::eventFilter(QObject* object, QEvent* event)
{
    const bool result = QScrollArea::eventFilter(object, event);
    if ((object == widget() && event->type() == QEvent::LayoutRequest) ||
        (object == m_host && event->type() == QEvent::Resize))
        fit();
    return result;
}

void FittedScroll::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

void FittedScroll::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    if (parentWidget() != m_host) {
        m_host = parentWidget();
        if (m_host)
            m_host->installEventFilter(this);
    }
    fit();
}

} // namespace napkin
