// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"
#include "core/quantity/quantity.h"
#include "ui/canvas/cablegeometry.h"
#include "ui/canvas/canvasstyle.h"

#include <QGraphicsObject>

#include <optional>

namespace napkin {

// A cable between the edges of two boxes: thicker the faster it is rated, dashed until it was
// measured.
class CableItem final : public QGraphicsObject
{
    Q_OBJECT
public:
    enum { Type = UserType + 2 };
    enum class Known { Unmeasured, Measured };

    explicit CableItem(LinkId id);

    void setCurve(const CableCurve& curve);
    void setLook(std::optional<BitRate> rated, Known known, const CanvasStyle& style);
    void setCurrent(bool current);

    [[nodiscard]] LinkId id() const { return m_id; }
    [[nodiscard]] const CableCurve& curve() const { return m_curve; }

    [[nodiscard]] int type() const override { return Type; }
    [[nodiscard]] QRectF boundingRect() const override { return m_bounds; }
    [[nodiscard]] QPainterPath shape() const override { return m_shape; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    LinkId m_id;
    CableCurve m_curve;
    QPainterPath m_path;
    QPainterPath m_shape;
    QRectF m_bounds;
    CanvasStyle m_style;
    qreal m_width = 1.5;
    Known m_known = Known::Unmeasured;
    bool m_current = false;
};

} // namespace napkin
