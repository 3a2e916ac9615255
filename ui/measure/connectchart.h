// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"
#include "ui/measure/chartframe.h"

QT_BEGIN_NAMESPACE
class QScatterSeries;
QT_END_NAMESPACE

namespace napkin {

// Each attempt to connect is a point: when it began, how long it took. Connected ones are filled
// circles; refused, timed out and unreachable ones are hollow squares in the colour of a problem.
class ConnectChart : public ChartFrame
{
    Q_OBJECT
public:
    explicit ConnectChart(QWidget* parent = nullptr);

    void begin(double expected); // seconds
    void setSamples(const std::vector<ConnectSample>& samples);
    [[nodiscard]] int pointCount() const;

protected:
    void restyle() override;
    void drawNotes(QPainter& painter) override;

private:
    // A line across the chart and what it says, the highest first.
    struct Mark
    {
        Duration value{};
        QString text;
        Qt::PenStyle style = Qt::SolidLine;
    };
    [[nodiscard]] std::vector<Mark> marks() const;
    void makeRoomForMarks();
    void drawMarks(QPainter& painter) const;
    [[nodiscard]] QString inWords() const;

    QScatterSeries* m_connected;
    QScatterSeries* m_others;
    std::vector<ConnectSample> m_samples;
    double m_expected = 1;
    double m_scale = 1e-3; // seconds of one unit
};

} // namespace napkin
