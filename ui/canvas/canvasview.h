// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/canvasscene.h"

#include <QAccessible>
#include <QGraphicsView>
#include <QImage>

#include <array>
#include <memory>
#include <vector>

class QLabel;
class QMenu;
class QTimer;

namespace napkin {

class CanvasTool;
class CableTool;

enum class ToolKind { Select, Machine, Cable };

// The napkin: shows a drawing and edits it by mouse and keyboard.
//
// Keys: Tab and Shift+Tab go from item to item (and out at the ends), arrows move the selected
// machines by 8 (with Shift by 1), B or Insert adds a machine, C begins a cable, Enter opens the
// inspector, F2 renames, Delete removes, Escape goes back to selecting. Ctrl with wheel, +, - and 0
// zooms, Ctrl+9 fits; space or the middle button drags the view.
class CanvasView final : public QGraphicsView
{
    Q_OBJECT
public:
    enum class Follow { Yes, No }; // whether the selection becomes the current item

    static constexpr qreal grid = 8;
    [[nodiscard]] static QPointF snapped(const QPointF& point);

    CanvasView(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent = nullptr);
    ~CanvasView() override;

    void setWorksheet(const std::vector<WorksheetRow>& rows);

    [[nodiscard]] ToolKind tool() const { return m_tool; }
    void setTool(ToolKind kind);
    void startCable(MachineId from); // chooses the cable tool

    [[nodiscard]] Selection selection() const { return m_scene->selection(); }
    void select(const Selection& selection);
    void selectAll();
    void removeSelected();
    // The item that has the keyboard's attention.
    [[nodiscard]] const DrawnId& current() const { return m_current; }
    void setCurrent(const DrawnId& item, Follow follow = Follow::Yes);

    [[nodiscard]] qreal zoom() const; // 1 is 100 %
    void setZoom(qreal wanted);
    void zoomIn();
    void zoomOut();
    void fit();

    MachineId addMachineByKeyboard(); // on a free place near the current one

    // The drawing without selection and focus, in the view's colours; `scale` 1 is one pixel a
    // unit.
    [[nodiscard]] QImage renderPicture(qreal scale) const;
    // By suffix: ".png" (at twice the size) or ".svg". InvalidArgument for others,
    // StorageUnavailable when it cannot be written.
    [[nodiscard]] Result<void> savePicture(const QString& path) const;

    // For tools.
    [[nodiscard]] CanvasScene& canvasScene() const { return *m_scene; }
    [[nodiscard]] DrawingDocument& document() const { return *m_document; }
    [[nodiscard]] DrawnId drawnAt(const QPoint& viewPoint) const;
    void say(const QString& text); // a line at the bottom, for some seconds
    void growSceneRect();

Q_SIGNALS:
    void selectionChanged(const napkin::Selection& selection);
    void currentChanged();
    void toolChanged(napkin::ToolKind tool);
    void zoomChanged(qreal zoom);
    void nameEditRequested();  // of the selected item
    void inspectorRequested(); // its first field
    void measureRequested(napkin::LinkId link);
    void farEndCardRequested(napkin::MachineId machine);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    void restyle();
    void onSelectionChanged();
    void onItemGone(QGraphicsObject* item);
    void showCurrent();
    void announce(QAccessible::Event kind, QGraphicsObject* item);
    [[nodiscard]] QGraphicsObject* currentItem() const;
    [[nodiscard]] CanvasTool& activeTool() const;
    bool handleEditKey(QKeyEvent* event);
    bool handleZoomKey(QKeyEvent* event);
    void moveSelected(const QPointF& by);
    void beginPan(const QPoint& at);
    void panTo(const QPoint& at);
    void endPan();
    void placeMessage();
    void updateCursor();
    void fillMachineMenu(QMenu& menu, MachineId machine);
    void fillLinkMenu(QMenu& menu, LinkId link);
    void fillClassMenu(QMenu& menu, LinkId link);
    void fillGroundMenu(QMenu& menu, const QPointF& scene);

    DrawingDocument* m_document;
    const Catalogue* m_catalogue;
    CanvasScene* m_scene;
    std::vector<WorksheetRow> m_rows;
    std::array<std::unique_ptr<CanvasTool>, 3> m_tools;
    ToolKind m_tool = ToolKind::Select;
    DrawnId m_current;
    QLabel* m_message;
    QTimer* m_messageTimer;
    std::optional<QPoint> m_panFrom;
    bool m_fitWhenShown = false; // the size is not known before
    bool m_spaceHeld = false;
    bool m_pressed = false; // the left button, for the tool
};

} // namespace napkin
