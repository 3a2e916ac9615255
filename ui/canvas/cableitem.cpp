// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/cableitem.h"

#include <QPainter>
#include <QPainterPathStroker>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

constexpr qreal grasp = 12; // how wide a cable is for the mouse
constexpr qreal plug = 3;   // radius of its ends

qreal widthFor(std::optional<BitRate> rated)
{
    if (!rated || rated->bitsPerSecond() <= 0)
        return 1.5;
    return std::clamp(1.5 + 0.9 * std::log10(rated->gigabitsPerSecond()), 1.5, 4.0);
}

} // namespace

CableItem::CableItem(LinkId id)
    : m_id(id)
{
    setFlag(ItemIsSelectable);
    setAcceptedMouseButtons(Qt::NoButton);
    setAcceptHoverEvents(true);
}

void CableItem::setCurve(const CableCurve& curve)
{
    prepareGeometryChange();
    m_curve = curve;
    m_path = curve.path();
    QPainterPathStroker stroker;
    stroker.setWidth(grasp);
    m_shape = stroker.createStroke(m_path);
    m_bounds = m_path.boundingRect().adjusted(-grasp, -grasp, grasp, grasp);
    update();
}

void CableItem::setLook(std::optional<BitRate> rated, Known known, const CanvasStyle& style)
{
    m_width = widthFor(rated);
    m_known = known;
    m_style = style;
    update();
}

void CableItem::setCurrent(bool current)
{
    if (m_current == current)
        return;
    m_current = current;
    update();
}

void CableItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*)
{
    const bool marks = m_style.marks == CanvasStyle::Marks::Shown;
    const bool hovered = marks && option->state.testFlag(QStyle::State_MouseOver);
    const qreal zoom =
        QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    const QColor accent = m_style.color(ColorRole::Accent);
    QColor color = m_style.color(m_known == Known::Measured || hovered ? ColorRole::Text
                                                                       : ColorRole::Secondary);
    if (marks && isSelected())
        color = accent;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    if (marks && m_current) {
        QColor halo = accent;
        halo.setAlphaF(0.25F);
        painter->setPen(QPen(halo, m_width + 8, Qt::SolidLine, Qt::RoundCap));
        painter->drawPath(m_path);
    }
    QPen pen(color, m_width + (marks && isSelected() ? 0.5 : 0.0), Qt::SolidLine, Qt::FlatCap);
    if (m_known == Known::Unmeasured)
        pen.setDashPattern({6 / pen.widthF(), 4 / pen.widthF()});
    painter->setPen(pen);
    painter->drawPath(m_path);
    if (zoom < 0.4)
        return;
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawEllipse(m_curve.start, plug, plug);
    painter->drawEllipse(m_curve.end, plug, plug);
}

} // namespace napkin
