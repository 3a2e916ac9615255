// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvasview.h"

#include "ui/canvas/canvasaccessible.h"
#include "ui/canvas/tools/cabletool.h"
#include "ui/canvas/tools/machinetool.h"
#include "ui/canvas/tools/selecttool.h"

#include <QAccessible>
#include <QLabel>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace napkin {

namespace {

constexpr qreal leastZoom = 0.1;
constexpr qreal mostZoom = 4;
constexpr qreal zoomStep = 1.25;
constexpr qreal sceneMargin = 480; // room to draw around what is there
constexpr qreal fitMargin = 40;
constexpr std::chrono::seconds messageTime(8);

} // namespace

QPointF CanvasView::snapped(const QPointF& point)
{
    return {std::round(point.x() / grid) * grid, std::round(point.y() / grid) * grid};
}

CanvasView::CanvasView(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent)
    : QGraphicsView(parent)
    , m_document(document)
    , m_catalogue(catalogue)
    , m_scene(new CanvasScene(document, catalogue, this))
    , m_message(new QLabel(this))
    , m_messageTimer(new QTimer(this))
{
    installCanvasAccessibility();
    setScene(m_scene);
    setObjectName(QStringLiteral("canvas"));
    setAccessibleName(tr("Napkin drawing"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    setViewportUpdateMode(SmartViewportUpdate);
    setTransformationAnchor(AnchorUnderMouse);
    setResizeAnchor(AnchorViewCenter);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setMinimumSize(200, 160);

    m_tools = {std::make_unique<SelectTool>(*this), std::make_unique<MachineTool>(*this),
               std::make_unique<CableTool>(*this)};
    m_message->setObjectName(QStringLiteral("canvasMessage"));
    m_message->setAccessibleName(tr("Message"));
    m_message->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_message->setContentsMargins(gap(3), gap(1), gap(3), gap(1));
    m_message->setAutoFillBackground(true);
    m_message->hide();
    m_messageTimer->setSingleShot(true);
    connect(m_messageTimer, &QTimer::timeout, m_message, &QWidget::hide);

    connect(m_scene, &QGraphicsScene::selectionChanged, this, &CanvasView::onSelectionChanged);
    connect(m_scene, &CanvasScene::aboutToRemove, this, &CanvasView::onItemGone);
    connect(m_scene, &CanvasScene::itemsChanged, this, [this] {
        growSceneRect();
        viewport()->update();
    });
    connect(document, &DrawingDocument::wasReset, this, [this] {
        setTool(ToolKind::Select);
        fit();
    });
    restyle();
    growSceneRect();
    fit();
}

CanvasView::~CanvasView()
{
    disconnect(m_scene, nullptr, this, nullptr);
    disconnect(m_document, nullptr, this, nullptr);
    m_tools[static_cast<std::size_t>(m_tool)]->stop();
}

void CanvasView::setWorksheet(const std::vector<WorksheetRow>& rows)
{
    m_rows = rows;
    m_scene->setWorksheet(rows);
}

void CanvasView::restyle()
{
    const CanvasStyle style = CanvasStyle::from(palette(), font());
    setBackgroundBrush(style.color(ColorRole::Ground));
    m_scene->setStyle(style);
    growSceneRect();
}

CanvasTool& CanvasView::activeTool() const
{
    return *m_tools[static_cast<std::size_t>(m_tool)];
}

void CanvasView::setTool(ToolKind kind)
{
    if (kind == m_tool) {
        activeTool().cancel();
        return;
    }
    activeTool().stop();
    m_message->hide();
    m_tool = kind;
    activeTool().start();
    updateCursor();
    Q_EMIT toolChanged(kind);
}

void CanvasView::startCable(MachineId from)
{
    setTool(ToolKind::Cable);
    setCurrent(from);
    static_cast<CableTool&>(activeTool()).startFrom(from);
}

void CanvasView::select(const Selection& selection)
{
    m_scene->select(selection);
}

void CanvasView::selectAll()
{
    Selection all;
    for (const Machine& machine : m_document->drawing().machines)
        all.machines.push_back(machine.id);
    for (const Link& link : m_document->drawing().links)
        all.links.push_back(link.id);
    m_scene->select(all);
}

void CanvasView::removeSelected()
{
    const Selection gone = selection();
    m_document->remove(gone.machines, gone.links);
}

void CanvasView::onSelectionChanged()
{
    const Selection now = selection();
    // One selected item takes the focus along, so that mouse and keyboard agree.
    if (now.machines.size() + now.links.size() == 1) {
        setCurrent(now.machines.empty() ? DrawnId(now.links.front())
                                        : DrawnId(now.machines.front()),
                   Follow::No);
    }
    Q_EMIT selectionChanged(now);
}

void CanvasView::setCurrent(const DrawnId& item, Follow follow)
{
    const bool changed = m_current != item;
    m_current = item;
    if (follow == Follow::Yes) {
        Selection selection;
        if (const auto* machine = std::get_if<MachineId>(&item))
            selection.machines.push_back(*machine);
        if (const auto* link = std::get_if<LinkId>(&item))
            selection.links.push_back(*link);
        m_scene->select(selection);
    }
    showCurrent();
    if (!changed)
        return;
    viewport()->update(); // the frame that stands for no item, and all of the ring before
    if (QGraphicsObject* object = currentItem(); object && hasFocus())
        announce(QAccessible::Focus, object);
    activeTool().currentChanged();
    Q_EMIT currentChanged();
}

QGraphicsObject* CanvasView::currentItem() const
{
    if (const auto* machine = std::get_if<MachineId>(&m_current))
        return m_scene->machineItem(*machine);
    if (const auto* link = std::get_if<LinkId>(&m_current))
        return m_scene->cableItem(*link);
    return nullptr;
}

void CanvasView::showCurrent()
{
    const QGraphicsObject* current = hasFocus() ? currentItem() : nullptr;
    for (QGraphicsObject* object : m_scene->drawnItems()) {
        if (auto* machine = qobject_cast<MachineItem*>(object))
            machine->setCurrent(machine == current);
        else if (auto* cable = qobject_cast<CableItem*>(object))
            cable->setCurrent(cable == current);
    }
}

void CanvasView::onItemGone(QGraphicsObject* item)
{
    activeTool().cancel();
    announce(QAccessible::ObjectDestroyed, item);
    if (item == currentItem())
        setCurrent({}, Follow::No);
}

void CanvasView::announce(QAccessible::Event kind, QGraphicsObject* item)
{
    QAccessibleEvent event(item, kind);
    QAccessible::updateAccessibility(&event);
}

DrawnId CanvasView::drawnAt(const QPoint& viewPoint) const
{
    return m_scene->drawnAt(mapToScene(viewPoint), 4 / zoom());
}

qreal CanvasView::zoom() const
{
    return transform().m11();
}

void CanvasView::setZoom(qreal wanted)
{
    m_fitWhenShown = false;
    const qreal clamped = std::clamp(wanted, leastZoom, mostZoom);
    if (qFuzzyCompare(clamped, zoom()))
        return;
    setTransform(QTransform::fromScale(clamped, clamped));
    Q_EMIT zoomChanged(clamped);
}

void CanvasView::zoomIn()
{
    setZoom(zoom() * zoomStep);
}

void CanvasView::zoomOut()
{
    setZoom(zoom() / zoomStep);
}

// Everything in view, but nothing larger than life.
void CanvasView::fit()
{
    const QRectF bounds = m_scene->drawnBounds();
    growSceneRect();
    if (bounds.isEmpty()) {
        setZoom(1);
        centerOn(0, 0);
        return;
    }
    const QRectF wanted = bounds.adjusted(-fitMargin, -fitMargin, fitMargin, fitMargin);
    setZoom(std::min(
        {1.0, viewport()->width() / wanted.width(), viewport()->height() / wanted.height()}));
    centerOn(bounds.center());
    m_fitWhenShown = !isVisible();
}

// Only ever grows while one draws: shrinking would make the view jump.
void CanvasView::growSceneRect()
{
    const QRectF wanted = (m_scene->drawnBounds() | QRectF(-320, -240, 640, 480))
                              .adjusted(-sceneMargin, -sceneMargin, sceneMargin, sceneMargin);
    if (!sceneRect().contains(wanted))
        setSceneRect(sceneRect() | wanted);
}

void CanvasView::say(const QString& text)
{
    if (text.isEmpty())
        return;
    m_message->setText(text);
    m_message->show();
    placeMessage();
    m_messageTimer->start(messageTime);
    QAccessibleEvent event(m_message, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&event);
}

void CanvasView::placeMessage()
{
    const int room = std::max(80, width() - gap(8));
    m_message->setWordWrap(m_message->fontMetrics().horizontalAdvance(m_message->text()) + gap(6) >
                           room);
    const int wide = m_message->wordWrap() ? room : m_message->sizeHint().width();
    const int high =
        m_message->wordWrap() ? m_message->heightForWidth(wide) : m_message->sizeHint().height();
    m_message->setGeometry(gap(4), height() - high - gap(4), wide, high);
    m_message->raise();
}

} // namespace napkin
