// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/napkinpage.h"

#include <QAction>
#include <QActionGroup>
#include <QLocale>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace napkin {

NapkinPage::NapkinPage(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent)
    : QWidget(parent)
    , m_bar(new QToolBar(this))
    , m_canvas(new CanvasView(document, catalogue, this))
    , m_tools(new QActionGroup(this))
    , m_percent(new QToolButton(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_canvas, 1);
    m_bar->setObjectName(QStringLiteral("napkinBar"));
    m_bar->setAccessibleName(tr("Drawing tools"));
    m_bar->setIconSize({20, 20});
    m_bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

    addTool(ToolKind::Select, QStringLiteral("select"), tr("Select"),
            tr("Select and move. Escape comes back here."));
    addTool(ToolKind::Machine, QStringLiteral("machine"), tr("Machine"),
            tr("Click where a machine stands. B adds one without the mouse."));
    addTool(ToolKind::Cable, QStringLiteral("cable"), tr("Cable"),
            tr("Drag from one machine to another. C begins at the focused machine."));

    auto* space = new QWidget(this);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_bar->addWidget(space);
    addZoom(QStringLiteral("zoom-out"), tr("Zoom out"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)},
            &CanvasView::zoomOut);
    m_percent->setAutoRaise(true);
    m_percent->setToolTip(tr("Back to 100 % (Ctrl+0)"));
    m_percent->setObjectName(QStringLiteral("zoomPercent"));
    m_bar->addWidget(m_percent);
    addZoom(QStringLiteral("zoom-in"), tr("Zoom in"),
            {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
            &CanvasView::zoomIn);
    addZoom(QStringLiteral("zoom-fit"), tr("Show everything"), {QKeySequence(Qt::CTRL | Qt::Key_9)},
            &CanvasView::fit);
    connect(m_percent, &QToolButton::clicked, m_canvas, [this] { m_canvas->setZoom(1); });

    connect(m_canvas, &CanvasView::toolChanged, this, &NapkinPage::showTool);
    connect(m_canvas, &CanvasView::zoomChanged, this, &NapkinPage::showZoom);
    connect(m_canvas, &CanvasView::selectionChanged, this, &NapkinPage::selectionChanged);
    connect(m_canvas, &CanvasView::measureRequested, this, &NapkinPage::measureRequested);
    connect(m_canvas, &CanvasView::farEndCardRequested, this, &NapkinPage::farEndCardRequested);
    connect(m_canvas, &CanvasView::nameEditRequested, this, &NapkinPage::nameEditRequested);
    connect(m_canvas, &CanvasView::inspectorRequested, this, &NapkinPage::inspectorRequested);
    showTool(m_canvas->tool());
    showZoom(m_canvas->zoom());
    setFocusProxy(m_canvas);
}

QList<QAction*> NapkinPage::toolActions() const
{
    return m_tools->actions();
}

QList<QAction*> NapkinPage::zoomActions() const
{
    return m_zooms;
}

QAction* NapkinPage::addTool(ToolKind kind, const QString& icon, const QString& text,
                             const QString& help)
{
    QAction* action = m_bar->addAction(themeIcon(icon), text);
    action->setCheckable(true);
    action->setToolTip(help);
    action->setData(QVariant::fromValue(static_cast<int>(kind)));
    m_tools->addAction(action);
    connect(action, &QAction::triggered, m_canvas, [this, kind] {
        m_canvas->setTool(kind);
        m_canvas->setFocus();
    });
    return action;
}

QAction* NapkinPage::addZoom(const QString& icon, const QString& text,
                             const QList<QKeySequence>& keys, void (CanvasView::*slot)())
{
    QAction* action = m_bar->addAction(themeIcon(icon), text);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(tr("%1 (%2)", "what a button does (its keys)")
                           .arg(text, keys.first().toString(QKeySequence::NativeText)));
    addAction(action); // the shortcut counts in the whole page
    m_zooms << action;
    connect(action, &QAction::triggered, m_canvas, slot);
    if (auto* button = qobject_cast<QToolButton*>(m_bar->widgetForAction(action)))
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    return action;
}

void NapkinPage::showTool(ToolKind kind)
{
    for (QAction* action : m_tools->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(kind));
}

void NapkinPage::showZoom(qreal zoom)
{
    const QString percent =
        tr("%1 %").arg(QLocale().toString(static_cast<int>(std::lround(zoom * 100))));
    m_percent->setText(percent);
    m_percent->setAccessibleName(tr("Zoom %1").arg(percent));
}

} // namespace napkin
