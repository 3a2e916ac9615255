// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/pathsummary.h"
#include "core/results/spec.h"
#include "ui/measure/charts/plotview.h"

namespace napkin {

// The packet sizes tried, the largest first, one bar each: what passed is filled, what a machine
// said is too big is hollow, what vanished without a word is hatched in the colour of a problem. A
// dashed line is the sender's own interface. Each direction has a half.
class PathMtuChart : public PlotView
{
    Q_OBJECT
public:
    explicit PathMtuChart(QWidget* parent = nullptr);

    void begin();
    void setData(const PathMtuData& data);
    void setSummary(const PathMtuSummary& summary);
    [[nodiscard]] int barCount() const { return static_cast<int>(m_data.probes.size()); }

protected:
    void paintPlot(QPainter& painter) override;

private:
    [[nodiscard]] std::vector<SizeProbe> tried(Direction direction) const; // the largest first
    [[nodiscard]] std::optional<int> interfaceMtu(Direction direction) const;
    [[nodiscard]] static QString fateWords(const SizeProbe& probe);
    [[nodiscard]] QString sideWords(Direction direction) const;
    void tell();
    void paintSide(QPainter& painter, const QRectF& outer, Direction direction,
                   const QString& title);
    void drawBar(QPainter& painter, const QRectF& bar, const SizeProbe& probe) const;
    // Which of them have their words beside them, where a bar is that high.
    [[nodiscard]] std::vector<std::size_t> named(const std::vector<SizeProbe>& probes,
                                                 double height) const;
    // The size in `names` pixels at the left, what became of it in `room` at the right.
    void drawWords(QPainter& painter, const PlotPanel& panel, double y, double names, double room,
                   const SizeProbe& probe) const;
    void drawInterface(QPainter& painter, const PlotPanel& panel, Direction direction,
                       int mtu) const;
    [[nodiscard]] double largestSize() const; // tried or allowed, either way

    PathMtuData m_data;
    std::optional<PathMtuSummary> m_summary;
};

} // namespace napkin
