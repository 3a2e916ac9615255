// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/pathsummary.h"
#include "core/results/spec.h"
#include "ui/measure/charts/plotview.h"
#include "ui/measure/ratehistory.h"

namespace napkin {

// What was offered and what arrived over time, below it the share that was lost. Offered is dashed
// and thin, arrived is full; where an end does not tell, there is no line.
class UdpChart : public PlotView
{
    Q_OBJECT
public:
    explicit UdpChart(QWidget* parent = nullptr);

    void begin(const UdpOptions& options);
    void add(const std::vector<UdpSample>& fresh);
    void setSummary(const UdpSummary& summary);
    [[nodiscard]] std::optional<BitRate> newest(Direction direction) const; // arrived
    [[nodiscard]] std::optional<BitRate> newestOffered(Direction direction) const;
    // What the panel of losses says where it has no bars: whether nothing was lost, or nothing is
    // known (yet). Empty where the bars speak.
    [[nodiscard]] QString lossWords() const;
    [[nodiscard]] int sampleCount() const { return m_count; }

protected:
    void paintPlot(QPainter& painter) override;

private:
    // Datagrams of a step of time, as the receivers counted them.
    struct Step
    {
        std::int64_t received = 0;
        std::int64_t lost = 0;
        bool isTold = false;
    };
    [[nodiscard]] std::vector<Step>& steps(Direction direction);
    [[nodiscard]] const std::vector<Step>& steps(Direction direction) const;
    // Of a line, at the rate where it ends.
    struct Name
    {
        double rate = 0;
        QString text;
        QColor ink;
    };
    [[nodiscard]] std::vector<Name> names() const; // the highest first
    void drawNames(QPainter& painter, const PlotPanel& panel) const;
    [[nodiscard]] QString inWords() const;
    [[nodiscard]] const UdpDirectionSummary* side(Direction direction) const; // null: none (yet)
    // What arrived over the whole run, where the receiver did not tell when.
    [[nodiscard]] std::optional<double> meanArrived(Direction direction) const;
    [[nodiscard]] bool isAsked(Direction direction) const;
    [[nodiscard]] QString lossWords(Direction direction) const;
    void setRateScale(PlotAxis& axis) const;
    void setTimeScale(PlotAxis& axis) const;
    void drawRates(QPainter& painter, const PlotPanel& panel) const;
    void drawLoss(QPainter& painter, const PlotPanel& panel) const;
    void drawReadout(QPainter& painter, const PlotPanel& panel) const;

    UdpOptions m_options;
    RateHistory m_offered;
    RateHistory m_arrived;
    std::vector<Step> m_forward;
    std::vector<Step> m_reverse;
    std::optional<UdpSummary> m_summary;
    double m_expected = 10; // seconds
    double m_step = 0.5;    // seconds of a step of the loss
    int m_count = 0;
};

} // namespace napkin
