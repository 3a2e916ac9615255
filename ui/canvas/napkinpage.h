// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/canvasview.h"

#include <QWidget>

class QAction;
class QActionGroup;
class QToolBar;
class QToolButton;

namespace napkin {

// The *Napkin* mode: a toolbar above the canvas.
class NapkinPage final : public QWidget
{
    Q_OBJECT
public:
    // Both outlive the page; `catalogue` may be null.
    NapkinPage(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent = nullptr);

    [[nodiscard]] CanvasView* canvas() const { return m_canvas; }
    void setWorksheet(const std::vector<WorksheetRow>& rows) { m_canvas->setWorksheet(rows); }

    // For menus: the same actions as in the toolbar.
    [[nodiscard]] QList<QAction*> toolActions() const;
    [[nodiscard]] QList<QAction*> zoomActions() const;

Q_SIGNALS:
    void selectionChanged(const napkin::Selection& selection);
    void measureRequested(napkin::LinkId link);
    void farEndCardRequested(napkin::MachineId machine);
    void nameEditRequested();  // show the inspector with the name of what is selected
    void inspectorRequested(); // show the inspector with its first field

private:
    QAction* addTool(ToolKind kind, const QString& icon, const QString& text, const QString& help);
    QAction* addZoom(const QString& icon, const QString& text, const QList<QKeySequence>& keys,
                     void (CanvasView::*slot)());
    void showTool(ToolKind kind);
    void showZoom(qreal zoom);

    QToolBar* m_bar;
    CanvasView* m_canvas;
    QActionGroup* m_tools;
    QList<QAction*> m_zooms;
    QToolButton* m_percent;
};

} // namespace napkin
