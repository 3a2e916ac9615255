// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/latencysummary.h"
#include "ui/measure/charts/latencybands.h"
#include "ui/measure/charts/plotview.h"

namespace napkin {

// RTT of each message over time, or how the RTTs are spread. Where there are more messages than
// pixels, a column shows the least, the median and the most of what falls into it. Lost messages
// are hollow squares at the top edge, in the colour of a problem.
class LatencyChart : public PlotView
{
    Q_OBJECT
public:
    enum class View {
        OverTime,
        Histogram,  // how many of them took how long
        Cumulative, // which share took at most how long; of all that were sent
    };

    explicit LatencyChart(QWidget* parent = nullptr);

    void begin(double expected); // seconds
    void add(const std::vector<RoundTrip>& fresh);
    void setSamples(std::vector<RoundTrip> samples);
    // At the end of the run: marks, and what was left out as warm-up.
    void setSummary(const LatencySummary& summary);
    void setView(View view);
    [[nodiscard]] View view() const { return m_view; }
    [[nodiscard]] int sampleCount() const { return static_cast<int>(m_samples.size()); }

protected:
    void paintPlot(QPainter& painter) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Mark
    {
        double value = 0; // seconds
        QString name;
        Qt::PenStyle style = Qt::SolidLine;
    };
    void prepare(); // what is drawn, from what is there
    void setTimeScale(PlotAxis& axis, bool titled);
    [[nodiscard]] QString timeText(double seconds) const;
    [[nodiscard]] std::vector<Mark> marks() const;
    [[nodiscard]] QString inWords() const;
    [[nodiscard]] std::size_t warmUp() const;
    void paintTime(QPainter& painter);
    void drawBands(QPainter& painter, const PlotPanel& panel) const;
    void drawDots(QPainter& painter, const PlotPanel& panel) const;
    void drawLost(QPainter& painter, const PlotPanel& panel) const;
    void drawMarksBeside(QPainter& painter, const PlotPanel& panel) const;
    // Named from `top` downwards, to the right of each line.
    void drawMarksAcross(QPainter& painter, const PlotPanel& panel, double top) const;
    void drawTimeReadout(QPainter& painter, const PlotPanel& panel) const;
    void paintHistogram(QPainter& painter);
    void paintCumulative(QPainter& painter);

    std::vector<RoundTrip> m_samples;
    std::optional<LatencySummary> m_summary;
    View m_view = View::OverTime;
    double m_expected = 1;
    std::vector<double> m_times; // of the answered ones after the warm-up, ascending
    bool m_decades = false;
    bool m_isStale = true;
    std::vector<LatencyBand> m_bands; // empty: dots
    PlotPanel m_panel;
};

} // namespace napkin
