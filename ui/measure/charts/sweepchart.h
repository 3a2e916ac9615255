// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/latencysummary.h"
#include "ui/measure/charts/plotview.h"

namespace napkin {

// RTT by message size, both axes logarithmic: every message a faint dot, the median of each size
// with a line from the least to what 90 % stay under, the fitted line, and where it breaks.
class SweepChart : public PlotView
{
    Q_OBJECT
public:
    explicit SweepChart(QWidget* parent = nullptr);

    void begin(const SweepOptions& options);
    void add(const std::vector<SweepSample>& fresh);
    void setSamples(std::vector<SweepSample> samples);
    void setSummary(const SweepSummary& summary);
    [[nodiscard]] int sampleCount() const { return static_cast<int>(m_samples.size()); }
    [[nodiscard]] int pointCount() const { return static_cast<int>(m_summary.points.size()); }

protected:
    void paintPlot(QPainter& painter) override;

private:
    [[nodiscard]] QString inWords() const;
    void tell();
    void drawSamples(QPainter& painter, const PlotPanel& panel) const;
    void drawPoints(QPainter& painter, const PlotPanel& panel) const;
    void drawFit(QPainter& painter, const PlotPanel& panel) const;
    void drawBreaks(QPainter& painter, const PlotPanel& panel) const;
    void drawReadout(QPainter& painter, const PlotPanel& panel) const;

    SweepOptions m_options;
    std::vector<SweepSample> m_samples;
    SweepSummary m_summary;
};

} // namespace napkin
