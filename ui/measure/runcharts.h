// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/provenance.h"
#include "core/results/result.h"
#include "ui/measure/ratehistory.h"

#include <QWidget>

class QButtonGroup;
class QStackedWidget;

namespace napkin {

class ByteRateChart;
class ConnectChart;
class LatencyChart;
class LoadChart;
class PathMtuChart;
class RateChart;
class SoakChart;
class SweepChart;
class UdpChart;

// The chart of the run that is shown, of whatever kind: live while it runs, then as recorded.
class RunCharts : public QWidget
{
    Q_OBJECT
public:
    explicit RunCharts(QWidget* parent = nullptr);

    void begin(const ProbeSpec& spec, std::vector<Fact<BitRate>> ratings);
    // What came since. The words for this moment, "→ 9.42 Gb/s"; empty when there are no new ones.
    QString add(const ProbeData& fresh);
    void finish(const ProbeResult& result);

    [[nodiscard]] bool hasHeard() const { return m_heard; } // the run told something
    [[nodiscard]] RateChart* rateChart() const { return m_rate; }
    [[nodiscard]] ConnectChart* connectChart() const { return m_connect; }
    [[nodiscard]] LatencyChart* latencyChart() const { return m_latency; }
    [[nodiscard]] SweepChart* sweepChart() const { return m_sweep; }
    [[nodiscard]] LoadChart* loadChart() const { return m_load; }
    [[nodiscard]] PathMtuChart* pathMtuChart() const { return m_pathMtu; }
    [[nodiscard]] UdpChart* udpChart() const { return m_udp; }
    [[nodiscard]] ByteRateChart* memoryChart() const { return m_memory; }
    [[nodiscard]] ByteRateChart* storageChart() const { return m_storage; }
    [[nodiscard]] SoakChart* soakChart() const { return m_soak; }

private:
    [[nodiscard]] QWidget* makeViews();
    void showViews(bool visible);

    QString take(const ThroughputData& fresh);
    QString take(const ConnectData& fresh);
    QString take(const LatencyData& fresh);
    QString take(const SweepData& fresh);
    QString take(const LoadedLatencyData& fresh);
    QString take(const PathMtuData& fresh);
    QString take(const UdpData& fresh);
    QString take(const MemoryData& fresh);
    QString take(const StorageData& fresh);
    QString take(const SoakData& fresh);
    void show(const ThroughputData& data);
    void show(const ConnectData& data);
    void show(const LatencyData& data);
    void show(const SweepData& data);
    void show(const LoadedLatencyData& data);
    void show(const PathMtuData& data);
    void show(const UdpData& data);
    void show(const MemoryData& data);
    void show(const StorageData& data);
    void show(const SoakData& data);

    QWidget* m_views;
    QButtonGroup* m_viewButtons;
    QStackedWidget* m_stack;
    RateChart* m_rate;
    ConnectChart* m_connect;
    LatencyChart* m_latency;
    SweepChart* m_sweep;
    LoadChart* m_load;
    PathMtuChart* m_pathMtu;
    UdpChart* m_udp;
    ByteRateChart* m_memory;
    ByteRateChart* m_storage;
    SoakChart* m_soak;

    ProbeSpec m_spec;
    ProbeData m_all; // of the kinds whose chart is drawn anew each time
    RateHistory m_history;
    bool m_heard = false;
};

// How long a run takes as far as its options tell, in seconds; for a time axis.
[[nodiscard]] double expectedSeconds(const ProbeOptions& options);

} // namespace napkin
