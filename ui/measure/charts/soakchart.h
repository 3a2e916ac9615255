// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/soaksummary.h"
#include "core/results/spec.h"
#include "ui/measure/charts/plotview.h"

namespace napkin {

// The rate of a soak over minutes to hours: the median of each span as a line, from the slowest to
// the fastest second as a band; below it a lane a kind of event, each mark where it happened and as
// long as it took.
class SoakChart : public PlotView
{
    Q_OBJECT
public:
    explicit SoakChart(QWidget* parent = nullptr);

    void begin(const SoakOptions& options);
    void setData(const SoakData& data); // as far as it has come, or the whole
    // Over the last second or so.
    [[nodiscard]] std::optional<BitRate> newest(Direction direction) const;
    [[nodiscard]] std::int64_t faults() const { return m_summary.faults; }

protected:
    void paintPlot(QPainter& painter) override;

private:
    struct Lane
    {
        QString name;
        std::vector<SoakEvent::Kind> kinds;
        ColorRole role = ColorRole::Problem;
        std::int64_t count = 0;
    };
    [[nodiscard]] std::vector<Lane> lanes() const;
    [[nodiscard]] QString inWords() const;
    [[nodiscard]] QString noteAt(double when, double slack) const;
    void setTimeScale(PlotAxis& axis) const;
    void setRateScale(PlotAxis& axis) const;
    void drawRates(QPainter& painter, const PlotPanel& panel, Direction direction) const;
    void drawNames(QPainter& painter, const PlotPanel& panel) const;
    void drawLanes(QPainter& painter, const PlotPanel& panel, QRectF place) const;
    void drawReadout(QPainter& painter, const PlotPanel& panel) const;

    SoakData m_data;
    SoakSummary m_summary;
    SoakData m_before;       // totals of about a second before, for the rate of this moment
    double m_expected = 600; // seconds
};

} // namespace napkin
