// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/machineitem.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

constexpr qreal padding = 12;
constexpr qreal leastWidth = 128;
constexpr qreal mostTextWidth = 216;
constexpr qreal radius = 8;
constexpr qreal portsGap = 8; // above the ports, with a line in its middle
constexpr qreal columnGap = 8;
constexpr std::size_t mostPorts = 4;
constexpr qreal detailFrom =
    7.5; // pixels of small text on screen below which only the name is drawn
constexpr qreal leastPixels = 7; // of a name on screen
constexpr qreal ringDistance = 4;

qreal roundedUp(qreal value, qreal step)
{
    return std::ceil(value / step) * step;
}

} // namespace

MachineItem::MachineItem(MachineId id)
    : m_id(id)
{
    setFlag(ItemIsSelectable);
    setAcceptedMouseButtons(Qt::NoButton);
    setAcceptHoverEvents(true);
    setZValue(1);
}

void MachineItem::setContent(const Machine& machine, const QString& typeName,
                             const CanvasStyle& style)
{
    prepareGeometryChange();
    m_style = style;
    m_fullName = machine.name;
    layOut(machine, typeName);
    update();
}

void MachineItem::layOut(const Machine& machine, const QString& typeName)
{
    const QFontMetricsF nameMetrics(m_style.name);
    const QFontMetricsF small(m_style.small);
    m_name = nameMetrics.elidedText(machine.name, Qt::ElideMiddle, mostTextWidth);
    m_typeName = small.elidedText(typeName, Qt::ElideRight, mostTextWidth);
    m_ports.clear();
    m_portNameWidth = 0;
    std::vector<const Port*> told;
    for (const Port& port : machine.ports) {
        if (!port.name.isEmpty() || !port.address.isEmpty())
            told.push_back(&port);
    }
    const std::size_t shown = told.size() > mostPorts ? mostPorts - 1 : told.size();
    qreal addressWidth = 0;
    for (std::size_t i = 0; i < shown; ++i) {
        const PortLine line{
            small.elidedText(told[i]->name, Qt::ElideMiddle, mostTextWidth * 0.45),
            small.elidedText(told[i]->address, Qt::ElideMiddle, mostTextWidth * 0.55)};
        m_portNameWidth = std::max(m_portNameWidth, small.horizontalAdvance(line.name));
        addressWidth = std::max(addressWidth, small.horizontalAdvance(line.address));
        m_ports.push_back(line);
    }
    const qreal columns =
        m_portNameWidth + addressWidth + (m_portNameWidth > 0 && addressWidth > 0 ? columnGap : 0);
    if (shown < told.size()) {
        m_ports.push_back(
            {tr("%n more", "ports", static_cast<int>(told.size() - shown)), QString()});
    }
    const qreal width = std::max({nameMetrics.horizontalAdvance(m_name),
                                  small.horizontalAdvance(m_typeName), columns}) +
                        2 * padding;
    qreal height = 2 * padding + std::ceil(nameMetrics.height());
    if (!m_typeName.isEmpty())
        height += std::ceil(small.height());
    if (!m_ports.empty())
        height += portsGap + std::ceil(small.height()) * static_cast<qreal>(m_ports.size());
    // Even multiples of the grid, so that edges of centred boxes fall on it too.
    m_size = {roundedUp(std::max(width, leastWidth), 16), roundedUp(std::max(height, 48.0), 16)};
}

void MachineItem::setCurrent(bool current)
{
    if (m_current == current)
        return;
    m_current = current;
    update();
}

void MachineItem::setTarget(bool target)
{
    if (m_target == target)
        return;
    m_target = target;
    update();
}

QRectF MachineItem::box() const
{
    QRectF rect(QPointF(), m_size);
    rect.moveCenter(pos());
    return rect;
}

QRectF MachineItem::boundingRect() const
{
    QRectF rect(QPointF(), m_size);
    rect.moveCenter({0, 0});
    const qreal out = ringDistance + 2;
    return rect.adjusted(-out, -out, out, out);
}

QPainterPath MachineItem::shape() const
{
    QRectF rect(QPointF(), m_size);
    rect.moveCenter({0, 0});
    QPainterPath path;
    path.addRect(rect);
    return path;
}

void MachineItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*)
{
    const bool marks = m_style.marks == CanvasStyle::Marks::Shown;
    const bool chosen = marks && (isSelected() || m_target);
    const bool hovered = marks && option->state.testFlag(QStyle::State_MouseOver);
    const qreal zoom =
        QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    QRectF rect(QPointF(), m_size);
    rect.moveCenter({0, 0});
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor accent = m_style.color(ColorRole::Accent);
    QPen pen(chosen ? accent : m_style.color(hovered ? ColorRole::Secondary : ColorRole::Outline),
             chosen ? 2 : 1);
    pen.setCosmetic(zoom < 1);
    painter->setPen(pen);
    painter->setBrush(m_style.color(ColorRole::Surface));
    const qreal inset = pen.widthF() / 2;
    painter->drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius);
    if (marks && m_current) {
        QPen ring(accent, 1.5, Qt::DotLine);
        ring.setCosmetic(zoom < 1);
        painter->setPen(ring);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(
            rect.adjusted(-ringDistance, -ringDistance, ringDistance, ringDistance),
            radius + ringDistance, radius + ringDistance);
    }
    const bool readable = m_style.small.pixelSize() * zoom >= detailFrom;
    readable ? paintText(painter) : paintDistant(painter, zoom);
}

void MachineItem::paintText(QPainter* painter) const
{
    const QFontMetricsF nameMetrics(m_style.name);
    const QFontMetricsF small(m_style.small);
    const qreal nameHeight = std::ceil(nameMetrics.height());
    const qreal lineHeight = std::ceil(small.height());
    const qreal ports =
        m_ports.empty() ? 0 : portsGap + lineHeight * static_cast<qreal>(m_ports.size());
    const qreal content = nameHeight + (m_typeName.isEmpty() ? 0 : lineHeight) + ports;
    const qreal left = -m_size.width() / 2 + padding;
    qreal y = -content / 2;
    painter->setFont(m_style.name);
    painter->setPen(m_style.color(ColorRole::Text));
    painter->drawText(QPointF(left, y + nameMetrics.ascent()), m_name);
    y += nameHeight;
    painter->setFont(m_style.small);
    painter->setPen(m_style.color(ColorRole::Secondary));
    if (!m_typeName.isEmpty()) {
        painter->drawText(QPointF(left, y + small.ascent()), m_typeName);
        y += lineHeight;
    }
    if (m_ports.empty())
        return;
    const qreal middle = std::round(y + portsGap / 2) + 0.5;
    painter->setPen(QPen(m_style.color(ColorRole::Line), 1));
    painter->drawLine(QPointF(left, middle), QPointF(-left, middle));
    y += portsGap;
    const qreal second = left + (m_portNameWidth > 0 ? m_portNameWidth + columnGap : 0);
    for (const PortLine& port : m_ports) {
        painter->setPen(m_style.color(ColorRole::Secondary));
        painter->drawText(QPointF(left, y + small.ascent()), port.name);
        painter->setPen(m_style.color(ColorRole::Text));
        painter->drawText(QPointF(second, y + small.ascent()), port.address);
        y += lineHeight;
    }
}

// Zoomed out, the name alone, as large as the box has room for.
void MachineItem::paintDistant(QPainter* painter, qreal zoom) const
{
    QRectF rect(QPointF(), m_size);
    rect.moveCenter({0, 0});
    rect.adjust(4, 0, -4, 0);
    QFont font(m_style.name);
    const int least = static_cast<int>(std::ceil(leastPixels / zoom));
    int pixels =
        static_cast<int>(std::min(m_style.name.pixelSize() * 0.9 / zoom, m_size.height() * 0.6));
    if (pixels < least)
        return;
    font.setPixelSize(pixels);
    while (pixels > least && QFontMetricsF(font).horizontalAdvance(m_fullName) > rect.width())
        font.setPixelSize(--pixels);
    painter->setFont(font);
    painter->setPen(m_style.color(ColorRole::Text));
    painter->drawText(rect, Qt::AlignCenter,
                      QFontMetricsF(font).elidedText(m_fullName, Qt::ElideMiddle, rect.width()));
}

} // namespace napkin
