// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/cablegeometry.h"

#include <QLineF>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace napkin {

namespace {

constexpr qreal endSpacing = 14; // between lanes at the edge of a box
constexpr qreal corner = 12;     // lanes keep this far from a box's corners

QPointF unit(const QPointF& vector)
{
    const qreal length = std::hypot(vector.x(), vector.y());
    return length > 0 ? vector / length : QPointF(1, 0);
}

// Where the line from `inside` in that direction leaves the box.
QPointF leave(const QRectF& box, const QPointF& inside, const QPointF& direction)
{
    const auto reach = [](qreal from, qreal step, qreal low, qreal high) {
        if (step > 0)
            return (high - from) / step;
        return step < 0 ? (low - from) / step : std::numeric_limits<qreal>::infinity();
    };
    const qreal t = std::min(reach(inside.x(), direction.x(), box.left(), box.right()),
                             reach(inside.y(), direction.y(), box.top(), box.bottom()));
    return std::isfinite(t) ? inside + direction * t : inside;
}

// The centre moved sideways, but not past the corners.
QPointF shifted(const QRectF& box, const QPointF& by)
{
    if (by.isNull())
        return box.center();
    const QRectF inner = box.adjusted(corner, corner, -corner, -corner);
    const QPointF at = box.center() + by;
    return {std::clamp(at.x(), inner.left(), inner.right()),
            std::clamp(at.y(), inner.top(), inner.bottom())};
}

qreal overlap(const QRectF& rect, std::span<const QRectF> obstacles)
{
    qreal area = 0;
    for (const QRectF& obstacle : obstacles) {
        const QRectF both = rect.intersected(obstacle);
        area += both.isValid() ? both.width() * both.height() : 0;
    }
    return area;
}

} // namespace

QPainterPath CableCurve::path() const
{
    QPainterPath path(start);
    path.cubicTo(control1, control2, end);
    return path;
}

QPointF CableCurve::at(qreal t) const
{
    const qreal u = 1 - t;
    return start * (u * u * u) + control1 * (3 * u * u * t) + control2 * (3 * u * t * t) +
           end * (t * t * t);
}

QPointF CableCurve::normalAt(qreal t) const
{
    const qreal u = 1 - t;
    const QPointF along = unit((control1 - start) * (u * u) + (control2 - control1) * (2 * u * t) +
                               (end - control2) * (t * t));
    return {-along.y(), along.x()};
}

CableCurve cableCurve(const QRectF& a, const QRectF& b, CableLane lane, qreal labelHeight)
{
    QPointF along = unit(b.center() - a.center());
    // One sense for both orders of the boxes, so that lanes keep their sides.
    const bool swapped = along.x() < 0 || (along.x() == 0 && along.y() < 0);
    const QPointF sense = swapped ? -along : along;
    const QPointF normal(-sense.y(), sense.x());
    const qreal place = lane.index - (lane.count - 1) / 2.0;
    const qreal spacing = std::max(24.0, (labelHeight + 8) * std::abs(normal.y()));

    const QPointF start = leave(a, shifted(a, normal * (place * endSpacing)), along);
    const QPointF end = leave(b, shifted(b, normal * (place * endSpacing)), -along);
    // A cubic passes its middle at three quarters of the controls' offset.
    const QPointF bulge = normal * ((place * spacing - place * endSpacing) / 0.75);
    return {start, start + (end - start) / 3 + bulge, start + (end - start) * 2 / 3 + bulge, end};
}

QPointF placeLabel(const CableCurve& curve, QSizeF label, std::span<const QRectF> obstacles)
{
    static constexpr std::array along{0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74};
    static constexpr std::array aside{0.0, 1.0, -1.0, 2.0, -2.0};
    QPointF best = curve.at(0.5);
    qreal least = std::numeric_limits<qreal>::infinity();
    for (const qreal side : aside) {
        for (const qreal t : along) {
            const QPointF normal = curve.normalAt(t);
            const qreal half = std::abs(normal.x()) * label.width() / 2 +
                               std::abs(normal.y()) * label.height() / 2;
            QRectF rect(QPointF(), label + QSizeF(4, 4));
            rect.moveCenter(curve.at(t) + normal * (side * (half + 6)));
            const qreal covered = overlap(rect, obstacles);
            if (covered < least) {
                least = covered;
                best = rect.center();
            }
            if (covered <= 0)
                return best;
        }
    }
    return best;
}

} // namespace napkin
