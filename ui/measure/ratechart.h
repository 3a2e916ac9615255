// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/provenance.h"
#include "core/results/summary.h"
#include "ui/measure/chartframe.h"
#include "ui/measure/ratehistory.h"

QT_BEGIN_NAMESPACE
class QLineSeries;
QT_END_NAMESPACE

namespace napkin {

// Rate over time, a line a direction. The axis starts at zero and reaches to the highest rating, so
// that the eye reads the ratio; ratings are dashed lines, the omit period is shaded.
class RateChart : public ChartFrame
{
    Q_OBJECT
public:
    explicit RateChart(QWidget* parent = nullptr);

    // Empties it for a run of that length.
    void begin(double seconds, std::vector<Fact<BitRate>> ratings);
    void setHistory(const RateHistory& history);
    // The figures of a run that ended, for those who do not see the lines.
    void setSummary(const ThroughputSummary& summary);

    [[nodiscard]] int pointCount() const; // drawn
    [[nodiscard]] QString unit() const { return m_unit; }
    // → is always the first colour, ← always the second.
    [[nodiscard]] static QColor colorOf(Direction direction, const QPalette& palette);

protected:
    void restyle() override;
    void drawNotes(QPainter& painter) override;

private:
    void fill(Direction direction, std::vector<QLineSeries*>& lines);
    void chooseUnit(double highest);
    void drawRatings(QPainter& painter);
    void drawReadout(QPainter& painter);

    RateHistory m_history;
    std::vector<Fact<BitRate>> m_ratings;
    std::vector<QLineSeries*> m_forward;
    std::vector<QLineSeries*> m_reverse;
    QString m_unit;
    double m_scale = 1e9; // bits per second of one unit
    double m_expected = 10;
};

} // namespace napkin
