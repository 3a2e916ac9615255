// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/latencysummary.h"
#include "ui/measure/charts/plotview.h"

namespace napkin {

// RTT idle, while sending, while receiving and both, one below the other on one scale: the messages
// as dots, the middle four fifths as a box with the median, a line to the 99th percentile; beside
// it the rates that flowed meanwhile.
class LoadChart : public PlotView
{
    Q_OBJECT
public:
    explicit LoadChart(QWidget* parent = nullptr);

    void begin();
    // As far as it has come; the summaries are those of the same data.
    void setData(const LoadedLatencyData& data, std::vector<LoadedPhaseSummary> summaries);
    [[nodiscard]] int phaseCount() const { return static_cast<int>(m_rows.size()); }

protected:
    void paintPlot(QPainter& painter) override;

private:
    struct Row
    {
        LoadedPhaseSummary summary;
        std::vector<double> times; // ascending, seconds
        double p10 = 0;
    };
    [[nodiscard]] QString inWords() const;
    [[nodiscard]] static QString ratesText(const LoadedPhaseSummary& summary);
    [[nodiscard]] static QString figuresText(const LoadedPhaseSummary& summary);
    void setScale(PlotAxis& axis) const;
    void drawRow(QPainter& painter, const PlotPanel& panel, const Row& row, QRectF place) const;
    void drawNames(QPainter& painter, const Row& row, QRectF place) const;

    std::vector<Row> m_rows;
};

} // namespace napkin
