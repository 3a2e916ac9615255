// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <span>

namespace napkin {

// Place of one cable among those between the same two machines.
struct CableLane
{
    int index = 0;
    int count = 1;
    bool operator==(const CableLane&) const = default;
};

// A cable as a cubic from the edge of one box to the edge of the other; straight when it is the
// only one.
struct CableCurve
{
    QPointF start;
    QPointF control1;
    QPointF control2;
    QPointF end;

    [[nodiscard]] QPainterPath path() const;
    [[nodiscard]] QPointF at(qreal t) const;
    [[nodiscard]] QPointF normalAt(qreal t) const; // unit length
};

// Lanes are told apart by at least the height of a label where labels would stand above each
// other. Swap of the boxes gives the same curve backwards.
[[nodiscard]] CableCurve cableCurve(const QRectF& a, const QRectF& b, CableLane lane,
                                    qreal labelHeight);

// Where a label of that size goes: on the curve near its middle, else beside it, so that it meets
// none of the obstacles; where there is no such place, the one it covers least. A centre.
[[nodiscard]] QPointF placeLabel(const CableCurve& curve, QSizeF label,
                                 std::span<const QRectF> obstacles);

} // namespace napkin
