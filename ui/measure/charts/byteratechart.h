// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/memory.h"
#include "core/results/storage.h"
#include "ui/measure/charts/plotview.h"

#include <vector>

namespace napkin {

// Bytes per second over time, of a machine's memory pass by pass, or of its storage interval by
// interval. A dashed line is the figure of record; the warm-up is faint.
class ByteRateChart : public PlotView
{
    Q_OBJECT
public:
    enum class Of { Memory, Storage };
    explicit ByteRateChart(Of of, QWidget* parent = nullptr);

    void begin(double expectedSeconds);
    void setData(const MemoryData& data);
    void setData(const StorageData& data);
    [[nodiscard]] int pointCount() const { return static_cast<int>(m_points.size()); }

protected:
    void paintPlot(QPainter& painter) override;

private:
    struct Point
    {
        double start = 0; // seconds
        double end = 0;
        double rate = 0; // bytes per second
        bool isFaint = false;
    };
    void tell(const QString& words);
    void drawPoints(QPainter& painter, const PlotPanel& panel) const;
    void drawFigure(QPainter& painter, const PlotPanel& panel) const;
    void drawReadout(QPainter& painter, const PlotPanel& panel) const;

    Of m_of;
    std::vector<Point> m_points;
    std::optional<ByteRate> m_figure; // median of the passes, mean of the reading
    double m_expected = 5;
};

} // namespace napkin
