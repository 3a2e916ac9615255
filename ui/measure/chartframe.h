// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCharts/QChartView>

#include <optional>

QT_BEGIN_NAMESPACE
class QValueAxis;
QT_END_NAMESPACE

namespace napkin {

// A chart in the colours of the palette: two value axes, faint lines, no legend (lines are labelled
// where they end), a value read under the pointer. Derived classes bring the data.
class ChartFrame : public QChartView
{
    Q_OBJECT
public:
    explicit ChartFrame(QWidget* parent = nullptr);

protected:
    [[nodiscard]] QValueAxis* timeAxis() const { return m_x; }
    [[nodiscard]] QValueAxis* valueAxis() const { return m_y; }
    void attach(QAbstractSeries* series);

    // Sets a range from zero whose ticks are round numbers.
    static void setRoundRange(QValueAxis* axis, double top);
    // Points that are drawn with a width are seen whole at the edges of the plot.
    void leaveRoomForDots();

    [[nodiscard]] QPointF place(double x, double y) const; // on the scene
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] std::optional<double> hoveredX() const { return m_hoveredX; }
    void drawNote(QPainter& painter, QPointF at, const QString& text, const QColor& color,
                  Qt::Alignment alignment) const;

    // Colours changed, or data: bring pens and brushes up to date.
    virtual void restyle();
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    virtual void drawNotes(QPainter& painter) = 0;

    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QValueAxis* m_x;
    QValueAxis* m_y;
    std::optional<double> m_hoveredX;
};

} // namespace napkin
