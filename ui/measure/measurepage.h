// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "ui/measure/measurecontroller.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace napkin {

class ConnectChart;
class EmptyState;
class ErrorBanner;
class FarEndCard;
class FittedScroll;
class MeasureForm;
class RateChart;
class ResultCard;
class RunCharts;

// Measure: the form on the left; beside it what comes of it, live and then as recorded.
class MeasurePage : public QWidget
{
    Q_OBJECT
public:
    MeasurePage(MeasureController* controller, const Catalogue* catalogue,
                QWidget* parent = nullptr);

    void setDrawing(const Drawing& drawing);
    void selectLink(std::optional<LinkId> link);
    void measure(); // what the form says
    void showFarEndCard();
    void focusAddress();

    [[nodiscard]] MeasureForm* form() const { return m_form; }
    [[nodiscard]] RunCharts* charts() const { return m_charts; }
    [[nodiscard]] RateChart* rateChart() const;
    [[nodiscard]] ConnectChart* connectChart() const;
    [[nodiscard]] ResultCard* resultCard() const { return m_result; }
    [[nodiscard]] ErrorBanner* banner() const { return m_banner; }

Q_SIGNALS:
    void worksheetRequested(napkin::RecordId record);

private:
    QWidget* makeRunView();
    QWidget* makeCardView();
    void onStarted(int job, const ProbeSpec& spec);
    void onProgress(int job, const Progress& progress);
    void onRecorded(int job, qint64 number, const ProbeResult& result);
    void onUnrecorded(int job, const ProbeResult& result);
    void onFailed(int job, const Error& error);
    void onEnded(int job);
    [[nodiscard]] QWidget* makeResult();
    void forgetFault(); // what was said of a run before says nothing of the next
    void showFinal(std::optional<qint64> number, const ProbeResult& result);
    [[nodiscard]] std::vector<Fact<BitRate>> ratingsOf(const ProbeSpec& spec) const;

    MeasureController* m_controller;
    const Catalogue* m_catalogue;
    Drawing m_drawing;
    MeasureForm* m_form;
    ErrorBanner* m_banner;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    FarEndCard* m_card = nullptr;
    QWidget* m_cardView = nullptr;
    QWidget* m_beforeCard = nullptr;
    QWidget* m_runView = nullptr;
    QLabel* m_runTitle = nullptr;
    QLabel* m_now = nullptr;
    QPushButton* m_cancel = nullptr;
    RunCharts* m_charts = nullptr;
    ResultCard* m_result = nullptr;
    FittedScroll* m_resultScroll = nullptr;

    std::optional<int> m_job; // the one shown while it runs
    ProbeSpec m_spec;
};

} // namespace napkin
