// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/runcharts.h"

#include "core/quantity/format.h"
#include "core/results/data.h"
#include "core/results/latencysummary.h"
#include "core/results/machinesummary.h"
#include "core/results/pathsummary.h"
#include "core/results/summary.h"
#include "core/workflow/resulttext.h"
#include "ui/measure/charts/byteratechart.h"
#include "ui/measure/charts/latencychart.h"
#include "ui/measure/charts/loadchart.h"
#include "ui/measure/charts/pathmtuchart.h"
#include "ui/measure/charts/soakchart.h"
#include "ui/measure/charts/sweepchart.h"
#include "ui/measure/charts/udpchart.h"
#include "ui/measure/connectchart.h"
#include "ui/measure/measurewords.h"
#include "ui/measure/ratechart.h"
#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLocale>
#include <QStackedWidget>
#include <QToolButton>

namespace napkin {

namespace {

double secondsOf(const ThroughputOptions& options)
{
    return inSeconds(options.duration + options.omit);
}

double secondsOf(const ConnectOptions& options)
{
    return inSeconds(options.interval) * options.attempts;
}

double secondsOf(const LatencyOptions& options)
{
    return inSeconds(options.duration);
}

double secondsOf(const SweepOptions& options)
{
    return inSeconds(options.duration);
}

double secondsOf(const LoadedLatencyOptions& options)
{
    return 4 * inSeconds(options.phase);
}

double secondsOf(const PathMtuOptions& options)
{
    return inSeconds(options.timeout) * options.attempts;
}

double secondsOf(const UdpOptions& options)
{
    return inSeconds(options.duration + options.omit);
}

double secondsOf(const MemoryOptions& options)
{
    return inSeconds(options.duration);
}

double secondsOf(const StorageOptions& options)
{
    return inSeconds(options.duration);
}

double secondsOf(const SoakOptions& options)
{
    return inSeconds(options.duration);
}

QString ratesText(const auto& rateOf)
{
    QStringList now;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        if (const std::optional<BitRate> rate = rateOf(direction))
            now << arrow(direction) + QLatin1Char(' ') + formatBitRate(*rate);
    }
    return now.join(QStringLiteral("   "));
}

QString newestText(const std::vector<RoundTrip>& samples)
{
    for (auto it = samples.rbegin(); it != samples.rend(); ++it) {
        if (it->outcome == RoundTrip::Outcome::Answered)
            return RunCharts::tr("RTT %1").arg(formatDuration(it->time));
    }
    return {};
}

} // namespace

double expectedSeconds(const ProbeOptions& options)
{
    return std::visit([](const auto& one) { return secondsOf(one); }, options);
}

RunCharts::RunCharts(QWidget* parent)
    : QWidget(parent)
    , m_views(nullptr)
    , m_viewButtons(new QButtonGroup(this))
    , m_stack(new QStackedWidget)
    , m_rate(new RateChart)
    , m_connect(new ConnectChart)
    , m_latency(new LatencyChart)
    , m_sweep(new SweepChart)
    , m_load(new LoadChart)
    , m_pathMtu(new PathMtuChart)
    , m_udp(new UdpChart)
    , m_memory(new ByteRateChart(ByteRateChart::Of::Memory))
    , m_storage(new ByteRateChart(ByteRateChart::Of::Storage))
    , m_soak(new SoakChart)
{
    for (QWidget* chart : {static_cast<QWidget*>(m_rate), static_cast<QWidget*>(m_connect),
                           static_cast<QWidget*>(m_latency), static_cast<QWidget*>(m_sweep),
                           static_cast<QWidget*>(m_load), static_cast<QWidget*>(m_pathMtu),
                           static_cast<QWidget*>(m_udp), static_cast<QWidget*>(m_memory),
                           static_cast<QWidget*>(m_storage), static_cast<QWidget*>(m_soak)})
        m_stack->addWidget(chart); // in the order of ProbeKind
    m_views = makeViews();
    m_views->setBackgroundRole(QPalette::Base);
    m_views->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_views);
    column->addWidget(m_stack, 1);
    showViews(false);
}

QWidget* RunCharts::makeViews()
{
    auto* views = new QWidget;
    auto* row = new QHBoxLayout(views);
    row->setContentsMargins(gap(4), 0, gap(4), 0);
    row->setSpacing(gap(1));
    const auto add = [&](LatencyChart::View view, const QString& text, const QString& help) {
        auto* button = new QToolButton;
        button->setText(text);
        button->setToolTip(help);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        m_viewButtons->addButton(button, static_cast<int>(view));
        row->addWidget(button);
    };
    add(LatencyChart::View::OverTime, tr("Over time"), tr("Each message when it was sent"));
    add(LatencyChart::View::Histogram, tr("Histogram"), tr("How many of them took how long"));
    add(LatencyChart::View::Cumulative, tr("Cumulative"),
        tr("Which share was answered within a time; lost ones never are"));
    row->addStretch();
    m_viewButtons->setExclusive(true);
    connect(m_viewButtons, &QButtonGroup::idClicked, this,
            [this](int id) { m_latency->setView(static_cast<LatencyChart::View>(id)); });
    return views;
}

void RunCharts::showViews(bool visible)
{
    m_views->setVisible(visible);
    m_viewButtons->button(static_cast<int>(LatencyChart::View::OverTime))->setChecked(true);
}

void RunCharts::begin(const ProbeSpec& spec, std::vector<Fact<BitRate>> ratings)
{
    m_spec = spec;
    m_all = emptyData(spec.kind());
    m_heard = false;
    const double seconds = expectedSeconds(spec.options);
    if (const auto* throughput = std::get_if<ThroughputOptions>(&spec.options)) {
        m_history = RateHistory(throughput->streams, throughput->duration + throughput->omit);
        m_rate->begin(seconds, std::move(ratings));
    } else if (const auto* sweep = std::get_if<SweepOptions>(&spec.options)) {
        m_sweep->begin(*sweep);
    } else if (const auto* udp = std::get_if<UdpOptions>(&spec.options)) {
        m_udp->begin(*udp);
    } else if (const auto* soak = std::get_if<SoakOptions>(&spec.options)) {
        m_soak->begin(*soak);
    }
    m_connect->begin(seconds);
    m_latency->begin(seconds);
    m_load->begin();
    m_pathMtu->begin();
    m_memory->begin(seconds);
    m_storage->begin(seconds);
    showViews(false);
    m_stack->setCurrentIndex(static_cast<int>(spec.kind()));
}

QString RunCharts::add(const ProbeData& fresh)
{
    if (fresh.index() != m_spec.options.index())
        return {};
    return std::visit([this](const auto& data) { return take(data); }, fresh);
}

QString RunCharts::take(const ThroughputData& fresh)
{
    if (fresh.samples.empty())
        return {};
    m_heard = true;
    m_history.add(fresh.samples);
    m_rate->setHistory(m_history);
    return ratesText([this](Direction direction) { return m_history.newest(direction); });
}

QString RunCharts::take(const ConnectData& fresh)
{
    if (fresh.samples.empty())
        return {};
    m_heard = true;
    append(m_all, fresh);
    m_connect->setSamples(std::get<ConnectData>(m_all).samples);
    return formatDuration(fresh.samples.back().time);
}

QString RunCharts::take(const LatencyData& fresh)
{
    if (fresh.samples.empty())
        return {};
    m_heard = true;
    m_latency->add(fresh.samples);
    return newestText(fresh.samples);
}

QString RunCharts::take(const SweepData& fresh)
{
    if (fresh.samples.empty())
        return {};
    m_heard = true;
    m_sweep->add(fresh.samples);
    return tr("round %1").arg(QLocale().toString(fresh.samples.back().round));
}

QString RunCharts::take(const LoadedLatencyData& fresh)
{
    if (fresh.phases.empty())
        return {};
    m_heard = true;
    append(m_all, fresh);
    const auto& all = std::get<LoadedLatencyData>(m_all);
    m_load->setData(all, summarise(all));
    const LoadPhase& newest = fresh.phases.back();
    const QString time = newestText(newest.samples);
    return time.isEmpty()
               ? QString()
               : tr("%1, %2", "under which load, an RTT").arg(loadText(newest.load), time);
}

QString RunCharts::take(const PathMtuData& fresh)
{
    if (fresh.probes.empty() && fresh.bulk.empty())
        return {};
    m_heard = true;
    append(m_all, fresh);
    m_pathMtu->setData(std::get<PathMtuData>(m_all));
    return fresh.probes.empty() ? QString()
                                : tr("%1: %2", "a packet size, what became of it")
                                      .arg(exactBytes(ByteCount::bytes(fresh.probes.back().size)),
                                           fateText(fresh.probes.back().fate));
}

QString RunCharts::take(const UdpData& fresh)
{
    if (fresh.samples.empty())
        return {};
    m_heard = true;
    m_udp->add(fresh.samples);
    const QString arrived =
        ratesText([this](Direction direction) { return m_udp->newest(direction); });
    if (!arrived.isEmpty())
        return arrived;
    const QString offered =
        ratesText([this](Direction direction) { return m_udp->newestOffered(direction); });
    return offered.isEmpty() ? QString() : tr("%1 offered").arg(offered);
}

QString RunCharts::take(const MemoryData& fresh)
{
    if (fresh.samples.empty())
        return {};
    m_heard = true;
    append(m_all, fresh);
    m_memory->setData(std::get<MemoryData>(m_all));
    const auto rate = byteRateOf(bytesOfPass(fresh), fresh.samples.back().time);
    return rate ? formatByteRate(*rate) : QString();
}

QString RunCharts::take(const StorageData& fresh)
{
    if (fresh.samples.empty())
        return {};
    m_heard = true;
    append(m_all, fresh);
    m_storage->setData(std::get<StorageData>(m_all));
    const auto rate = byteRateOf(fresh.samples.back().bytes, fresh.samples.back().length);
    return rate ? formatByteRate(*rate) : QString();
}

QString RunCharts::take(const SoakData& fresh)
{
    if (fresh.totals.empty())
        return {};
    m_heard = true;
    append(m_all, fresh);
    m_soak->setData(std::get<SoakData>(m_all));
    const QString rates =
        ratesText([this](Direction direction) { return m_soak->newest(direction); });
    const QString faults = m_soak->faults() == 0
                               ? tr("no faults")
                               : tr("%Ln faults", nullptr, static_cast<int>(m_soak->faults()));
    return rates.isEmpty() ? faults : rates + QStringLiteral("   ") + faults;
}

void RunCharts::finish(const ProbeResult& result)
{
    if (result.data.index() != m_spec.options.index())
        return;
    m_heard = true;
    std::visit([this](const auto& data) { show(data); }, result.data);
}

void RunCharts::show(const ThroughputData& data)
{
    const auto& options = std::get<ThroughputOptions>(m_spec.options);
    m_history = RateHistory(options.streams, options.duration + options.omit);
    m_history.add(data.samples);
    m_rate->setHistory(m_history);
    m_rate->setSummary(summarise(data, options.ending));
}

void RunCharts::show(const ConnectData& data)
{
    m_connect->setSamples(data.samples);
}

void RunCharts::show(const LatencyData& data)
{
    m_latency->setSamples(data.samples);
    m_latency->setSummary(summarise(data));
    showViews(true);
}

void RunCharts::show(const SweepData& data)
{
    m_sweep->setSamples(data.samples);
    m_sweep->setSummary(summarise(data));
}

void RunCharts::show(const LoadedLatencyData& data)
{
    m_load->setData(data, summarise(data));
}

void RunCharts::show(const PathMtuData& data)
{
    m_pathMtu->setData(data);
    m_pathMtu->setSummary(summarise(data));
}

void RunCharts::show(const UdpData& data)
{
    m_udp->begin(std::get<UdpOptions>(m_spec.options));
    m_udp->add(data.samples);
    m_udp->setSummary(summarise(data));
}

void RunCharts::show(const MemoryData& data)
{
    m_memory->setData(data);
}

void RunCharts::show(const StorageData& data)
{
    m_storage->setData(data);
}

void RunCharts::show(const SoakData& data)
{
    m_soak->setData(data);
}

} // namespace napkin
