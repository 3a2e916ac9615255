// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/topology/topology.h"
#include "ui/canvas/canvasstyle.h"

#include <QGraphicsObject>

#include <vector>

namespace napkin {

// A machine as a rounded box, centred on its position: name, type, ports that have a name or an
// address. Shows; does not decide: input goes to the tools.
class MachineItem final : public QGraphicsObject
{
    Q_OBJECT
public:
    enum { Type = UserType + 1 };

    explicit MachineItem(MachineId id);

    void setContent(const Machine& machine, const QString& typeName, const CanvasStyle& style);
    void setCurrent(bool current); // has the keyboard focus of the canvas
    void setTarget(bool target);   // a cable being drawn would end here

    [[nodiscard]] MachineId id() const { return m_id; }
    [[nodiscard]] QSizeF boxSize() const { return m_size; }
    [[nodiscard]] QRectF box() const; // in scene units

    [[nodiscard]] int type() const override { return Type; }
    [[nodiscard]] QRectF boundingRect() const override;
    [[nodiscard]] QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    struct PortLine
    {
        QString name;
        QString address;
    };

    void paintText(QPainter* painter) const;
    void paintDistant(QPainter* painter, qreal zoom) const;
    void layOut(const Machine& machine, const QString& typeName);

    MachineId m_id;
    CanvasStyle m_style;
    QString m_fullName;
    QString m_name;
    QString m_typeName;
    std::vector<PortLine> m_ports;
    qreal m_portNameWidth = 0;
    QSizeF m_size;
    bool m_current = false;
    bool m_target = false;
};

} // namespace napkin
