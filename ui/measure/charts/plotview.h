// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/charts/plotaxis.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QWidget>

#include <optional>

namespace napkin {

// Two axes and the place on the widget that they span.
struct PlotPanel
{
    PlotAxis x;
    PlotAxis y;
    QRectF area; // of the data, without ticks and titles

    [[nodiscard]] QPointF place(double xValue, double yValue) const;
};

// A chart that is painted: colours of the palette, faint lines, small numbers, a note under the
// pointer. Derived classes bring the data and draw it in paintPlot().
class PlotView : public QWidget
{
    Q_OBJECT
public:
    explicit PlotView(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {640, 320}; }

protected:
    virtual void paintPlot(QPainter& painter) = 0;

    [[nodiscard]] QColor color(ColorRole role) const { return themeColor(role, palette()); }
    [[nodiscard]] QColor series(int n) const { return seriesColor(n, palette()); }
    [[nodiscard]] QFont smallFont() const;
    [[nodiscard]] double lineHeight() const; // of small words
    [[nodiscard]] double widthOf(const QString& text) const;
    [[nodiscard]] std::optional<QPointF> pointer() const { return m_pointer; }
    [[nodiscard]] QRectF inner() const; // the widget without its margins

    // Sets the panel's area inside `outer`, with room for ticks and titles, and `right` beside it.
    void layOut(PlotPanel& panel, const QRectF& outer, double right = 0) const;
    // Grid, numbers and titles of a panel that is laid out.
    enum class Grid { Horizontal, Vertical, Both };
    void drawAxes(QPainter& painter, const PlotPanel& panel, Grid grid) const;
    // Words on a ground of their own, kept within the area.
    void drawNote(QPainter& painter, const QRectF& area, QPointF at, const QString& text,
                  const QColor& ink, Qt::Alignment alignment) const;
    void drawEmpty(QPainter& painter, const QString& text) const;

    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    std::optional<QPointF> m_pointer;
};

} // namespace napkin
