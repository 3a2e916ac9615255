// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/cablelabel.h"

#include "ui/widgets/badge.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>

namespace napkin {

namespace {

constexpr qreal sidePadding = 6;
constexpr qreal topPadding = 3;
constexpr qreal badgeGap = 4;
constexpr qreal runGap = 8;
constexpr qreal lineGap = 2;
constexpr qreal readableFrom = 7.5; // pixels of text on screen below which labels vanish

} // namespace

CableLabel::CableLabel(LinkId link)
    : m_link(link)
{
    setAcceptedMouseButtons(Qt::NoButton);
    setZValue(2);
}

void CableLabel::setContent(const std::vector<LabelLine>& lines, const CanvasStyle& style)
{
    prepareGeometryChange();
    m_lines = lines;
    m_style = style;
    m_runs.clear();
    const QFontMetricsF metrics(style.text);
    const QSizeF badge = badgeSize(metrics);
    const qreal lineHeight = std::ceil(metrics.height());
    qreal widest = 0;
    qreal top = topPadding;
    for (const LabelLine& line : lines) {
        qreal x = sidePadding;
        const qreal baseline = top + metrics.ascent();
        for (const LabelRun& run : line) {
            PlacedRun placed{run, {}, {}};
            if (run.mark) {
                placed.badge = QRectF(QPointF(x, top + (lineHeight - badge.height()) / 2), badge);
                x += badge.width() + badgeGap;
            }
            placed.baseline = {x, baseline};
            x += metrics.horizontalAdvance(run.text) + runGap;
            m_runs.push_back(std::move(placed));
        }
        widest = std::max(widest, x - runGap + sidePadding);
        top += lineHeight + lineGap;
    }
    m_size = lines.empty() ? QSizeF() : QSizeF(std::ceil(widest), top - lineGap + topPadding);
    update();
}

void CableLabel::setMarked(bool marked)
{
    if (m_marked == marked)
        return;
    m_marked = marked;
    update();
}

QString CableLabel::text() const
{
    QStringList lines;
    for (const LabelLine& line : m_lines) {
        QStringList runs;
        for (const LabelRun& run : line)
            runs << run.text;
        lines << runs.join(u' ');
    }
    return lines.join(u'\n');
}

QRectF CableLabel::boundingRect() const
{
    QRectF rect(QPointF(), m_size);
    rect.moveCenter({0, 0});
    return rect.adjusted(-2, -2, 2, 2);
}

void CableLabel::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    const qreal zoom =
        QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    if (m_runs.empty() || m_style.text.pixelSize() * zoom < readableFrom)
        return;
    QRectF ground(QPointF(), m_size);
    ground.moveCenter({0, 0});
    const bool marked = m_marked && m_style.marks == CanvasStyle::Marks::Shown;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(marked ? QPen(m_style.color(ColorRole::Accent), 1.5) : QPen(Qt::NoPen));
    painter->setBrush(m_style.color(ColorRole::Ground));
    painter->drawRoundedRect(ground, 4, 4);
    painter->translate(ground.topLeft());
    painter->setFont(m_style.text);
    for (const PlacedRun& placed : m_runs) {
        if (placed.run.mark) {
            paintBadge(*painter, placed.badge, placed.run.mark->provenance, placed.run.mark->origin,
                       m_style.palette);
        }
        painter->setPen(m_style.color(placed.run.color));
        painter->drawText(placed.baseline, placed.run.text);
    }
}

} // namespace napkin
