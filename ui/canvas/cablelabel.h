// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "core/notebook/worksheet.h"
#include "core/topology/topology.h"
#include "ui/canvas/canvasstyle.h"

#include <QGraphicsItem>
#include <QString>

#include <optional>
#include <vector>

namespace napkin {

// A stretch of a label in one colour; a badge stands before the text it speaks for.
struct LabelRun
{
    struct Mark
    {
        Provenance provenance;
        Origin origin;
        bool operator==(const Mark&) const = default;
    };
    QString text;
    ColorRole color = ColorRole::Text;
    std::optional<Mark> mark;
    bool operator==(const LabelRun&) const = default;
};
using LabelLine = std::vector<LabelRun>;

// What is written on a cable: its name if it has one; class and rating; what was measured each
// way, or that nothing was. `row` is the worksheet's for the link's present period, or null.
[[nodiscard]] std::vector<LabelLine> cableLabelLines(const Link& link, const LinkClass* linkClass,
                                                     const WorksheetRow* row);

// "120 Gb/s", or "120 / 80 Gb/s" where a class has two.
[[nodiscard]] QString formatRatings(const std::vector<Fact<BitRate>>& ratings);
// "94 %", or "62 % of 120, 94 % of 80"; empty without ratings.
[[nodiscard]] QString formatRatios(const MeasuredRate& measured,
                                   const std::vector<Fact<BitRate>>& ratings);

// A label with a ground of its own, centred on its position. Not drawn when zoomed out too far to
// be read.
class CableLabel final : public QGraphicsItem
{
public:
    enum { Type = UserType + 3 };

    explicit CableLabel(LinkId link);

    void setContent(const std::vector<LabelLine>& lines, const CanvasStyle& style);
    void setMarked(bool marked); // its cable is selected

    [[nodiscard]] LinkId link() const { return m_link; }
    [[nodiscard]] QSizeF size() const { return m_size; }
    [[nodiscard]] QString text() const; // without badges, for tests and tooltips

    [[nodiscard]] int type() const override { return Type; }
    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    struct PlacedRun
    {
        LabelRun run;
        QPointF baseline;
        QRectF badge;
    };

    LinkId m_link;
    std::vector<LabelLine> m_lines;
    std::vector<PlacedRun> m_runs;
    CanvasStyle m_style;
    QSizeF m_size;
    bool m_marked = false;
};

} // namespace napkin
