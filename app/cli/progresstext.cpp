// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progresstext.h"

#include "app/cli/textreport.h"
#include "core/quantity/format.h"
#include "core/results/machinesummary.h"
#include "core/results/soaksummary.h"
#include "core/workflow/resulttext.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <map>

namespace napkin::cli {

namespace {

using namespace std::chrono_literals;

constexpr size_t keptTrips = 500; // of which the median is told

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::ProgressText)
};

QString gap()
{
    return QStringLiteral("   ");
}

QString ofTime(Duration elapsed, std::chrono::milliseconds whole)
{
    const double seconds = std::min(inSeconds(elapsed), inSeconds(whole));
    return Words::tr("%1 of %2").arg(QLocale().toString(seconds, 'f', 1), spanText(whole));
}

// The last round trips.
class Trips
{
public:
    void add(const RoundTrip& trip)
    {
        m_elapsed = std::max(m_elapsed, trip.start);
        if (trip.outcome == RoundTrip::Outcome::Lost) {
            ++m_lost;
            return;
        }
        ++m_answered;
        m_recent.push_back(trip.time);
        if (m_recent.size() > keptTrips)
            m_recent.pop_front();
    }
    [[nodiscard]] Duration elapsed() const { return m_elapsed; }
    [[nodiscard]] bool isEmpty() const { return m_answered == 0 && m_lost == 0; }
    [[nodiscard]] QString text() const
    {
        QStringList parts;
        if (!m_recent.empty()) {
            std::vector<Duration> sorted(m_recent.begin(), m_recent.end());
            const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
            std::ranges::nth_element(sorted, middle);
            parts << Words::tr("RTT %1").arg(formatDuration(*middle));
        }
        parts << Words::tr("%1 answered").arg(QLocale().toString(m_answered));
        if (m_lost > 0)
            parts << Words::tr("%1 lost").arg(QLocale().toString(m_lost));
        return parts.join(gap());
    }

private:
    std::deque<Duration> m_recent;
    Duration m_elapsed{};
    qlonglong m_answered = 0;
    qlonglong m_lost = 0;
};

class LatencyText final : public ProgressText
{
public:
    explicit LatencyText(const LatencyOptions& options)
        : m_options(options)
    {}
    void take(const ProbeData& fresh) override
    {
        if (const auto* data = std::get_if<LatencyData>(&fresh))
            std::ranges::for_each(data->samples,
                                  [this](const RoundTrip& trip) { m_trips.add(trip); });
    }
    [[nodiscard]] QString line() const override
    {
        return m_trips.isEmpty()
                   ? QString()
                   : ofTime(m_trips.elapsed(), m_options.duration) + gap() + m_trips.text();
    }

private:
    LatencyOptions m_options;
    Trips m_trips;
};

class SweepText final : public ProgressText
{
public:
    explicit SweepText(const SweepOptions& options)
        : m_options(options)
    {}
    void take(const ProbeData& fresh) override
    {
        const auto* data = std::get_if<SweepData>(&fresh);
        if (data && !data->samples.empty())
            m_last = data->samples.back();
    }
    [[nodiscard]] QString line() const override
    {
        if (!m_last)
            return {};
        const QString round =
            m_last->round == 0
                ? Words::tr("warming up")
                : Words::tr("round %1 of %2").arg(m_last->round).arg(m_options.rounds);
        return round + gap() +
               Words::tr("%1 in %2").arg(exactBytes(m_last->size), formatDuration(m_last->time));
    }

private:
    SweepOptions m_options;
    std::optional<SweepSample> m_last;
};

class LoadedText final : public ProgressText
{
public:
    void take(const ProbeData& fresh) override
    {
        const auto* data = std::get_if<LoadedLatencyData>(&fresh);
        if (!data)
            return;
        for (const LoadPhase& phase : data->phases) {
            if (m_load != phase.load)
                m_trips = {};
            m_load = phase.load;
            for (const RoundTrip& trip : phase.samples)
                m_trips.add(trip);
        }
    }
    [[nodiscard]] QString line() const override
    {
        if (!m_load)
            return {};
        return m_trips.isEmpty() ? loadText(*m_load) : loadText(*m_load) + gap() + m_trips.text();
    }

private:
    std::optional<Load> m_load;
    Trips m_trips;
};

class PathMtuText final : public ProgressText
{
public:
    void take(const ProbeData& fresh) override
    {
        const auto* data = std::get_if<PathMtuData>(&fresh);
        if (!data)
            return;
        m_count += data->probes.size();
        if (!data->probes.empty())
            m_last = data->probes.back();
        if (!data->bulk.empty())
            m_bulk = data->bulk.back();
    }
    [[nodiscard]] QString line() const override
    {
        if (m_bulk)
            return Words::tr("Large transfer: %1 of %2")
                .arg(formatBytes(m_bulk->arrived), formatBytes(m_bulk->asked));
        if (!m_last)
            return {};
        const QString size = QLocale().toString(m_last->size);
        const QString what = m_last->direction == Direction::Forward
                                 ? Words::tr("forward, %1 bytes: %2")
                                 : Words::tr("reverse, %1 bytes: %2");
        return Words::tr("%Ln sizes tried", nullptr, static_cast<int>(m_count)) + gap() +
               what.arg(size, fateText(m_last->fate));
    }

private:
    std::optional<SizeProbe> m_last;
    std::optional<BulkTransfer> m_bulk;
    size_t m_count = 0;
};

class UdpText final : public ProgressText
{
public:
    explicit UdpText(const UdpOptions& options)
        : m_options(options)
    {}
    void take(const ProbeData& fresh) override
    {
        const auto* data = std::get_if<UdpData>(&fresh);
        if (!data)
            return;
        for (const UdpSample& sample : data->samples) {
            m_elapsed = std::max(m_elapsed, sample.start + sample.length);
            if (sample.atReceiver && !sample.omitted && sample.lost)
                m_lost = m_lost.value_or(0) + *sample.lost;
            m_recent.push_back(sample);
        }
        while (!m_recent.empty() &&
               m_recent.front().start + m_recent.front().length + 1s < m_elapsed)
            m_recent.pop_front();
    }
    [[nodiscard]] QString line() const override
    {
        if (m_recent.empty())
            return {};
        QStringList parts{ofTime(m_elapsed, m_options.duration + m_options.omit)};
        addRate(parts, Direction::Forward);
        addRate(parts, Direction::Reverse);
        if (m_lost)
            parts << Words::tr("%1 lost").arg(QLocale().toString(static_cast<qlonglong>(*m_lost)));
        return parts.join(gap());
    }

private:
    // What arrived in the last second; where only the sender is seen, what it sent.
    void addRate(QStringList& parts, Direction direction) const
    {
        const bool isSeenArriving = std::ranges::any_of(m_recent, [direction](const UdpSample& s) {
            return s.direction == direction && s.atReceiver;
        });
        ByteCount bytes;
        std::map<int, Duration> covered; // by stream
        for (const UdpSample& sample : m_recent) {
            if (sample.direction != direction || sample.atReceiver != isSeenArriving)
                continue;
            bytes += sample.bytes;
            covered[sample.stream] += sample.length;
        }
        Duration longest{};
        for (const auto& [stream, time] : covered)
            longest = std::max(longest, time);
        if (longest <= Duration::zero())
            return;
        const QString rate = formatBitRate(BitRate::of(bytes, longest));
        const QString where =
            direction == Direction::Forward ? Words::tr("forward") : Words::tr("reverse");
        const QString words =
            isSeenArriving ? Words::tr("%1 %2 arriving") : Words::tr("%1 %2 sent");
        parts << words.arg(where, rate);
    }

    UdpOptions m_options;
    std::deque<UdpSample> m_recent;
    Duration m_elapsed{};
    std::optional<std::int64_t> m_lost;
};

class MemoryText final : public ProgressText
{
public:
    explicit MemoryText(const MemoryOptions& options)
        : m_options(options)
    {}
    void take(const ProbeData& fresh) override
    {
        const auto* data = std::get_if<MemoryData>(&fresh);
        if (!data || data->samples.empty())
            return;
        m_elapsed = data->samples.back().start + data->samples.back().time;
        m_rate = summarise(*data).median;
    }
    [[nodiscard]] QString line() const override
    {
        return m_rate ? ofTime(m_elapsed, m_options.duration) + gap() + formatByteRate(*m_rate)
                      : QString();
    }

private:
    MemoryOptions m_options;
    Duration m_elapsed{};
    std::optional<ByteRate> m_rate; // of the newest passes
};

class StorageText final : public ProgressText
{
public:
    void take(const ProbeData& fresh) override
    {
        const auto* data = std::get_if<StorageData>(&fresh);
        if (!data || data->samples.empty())
            return;
        m_size = data->fileSize;
        for (const StorageSample& sample : data->samples) {
            m_read += sample.bytes;
            m_rate = byteRateOf(sample.bytes, sample.length);
        }
    }
    [[nodiscard]] QString line() const override
    {
        return m_rate ? Words::tr("%1 of %2").arg(formatBytes(m_read), formatBytes(m_size)) +
                            gap() + formatByteRate(*m_rate)
                      : QString();
    }

private:
    ByteCount m_read;
    ByteCount m_size;
    std::optional<ByteRate> m_rate;
};

class SoakText final : public ProgressText
{
public:
    explicit SoakText(const SoakOptions& options)
        : m_options(options)
    {}
    void take(const ProbeData& fresh) override
    {
        const auto* data = std::get_if<SoakData>(&fresh);
        if (!data || data->totals.empty())
            return;
        m_newest = *data;
        m_newest.spans.clear();
        m_newest.events.clear();
        m_recent.push_back(m_newest);
        while (m_recent.size() > 1 && m_recent[1].elapsed + 1s <= m_newest.elapsed)
            m_recent.pop_front();
    }
    [[nodiscard]] QString line() const override
    {
        if (m_recent.empty())
            return {};
        const auto seconds = std::chrono::floor<std::chrono::seconds>(m_newest.elapsed);
        QStringList parts{Words::tr("%1 of %2")
                              .arg(seconds < 60s ? spanText(seconds) : formatDuration(seconds),
                                   m_options.duration < 60s ? spanText(m_options.duration)
                                                            : formatDuration(m_options.duration))};
        ByteCount checked;
        for (const SoakTotal& total : m_newest.totals) {
            addRate(parts, total);
            checked += total.checked;
        }
        parts << Words::tr("%1 checked").arg(formatBytes(checked));
        const std::int64_t faults = summarise(m_newest).faults;
        parts << (faults == 0 ? Words::tr("no faults")
                              : Words::tr("%Ln faults", nullptr, static_cast<int>(faults)));
        return parts.join(gap());
    }
    // Hours in lines that can still be read.
    [[nodiscard]] std::chrono::seconds pace() const override
    {
        if (m_newest.elapsed < 30s)
            return 1s;
        return m_newest.elapsed < 10min ? 10s : 60s;
    }

private:
    void addRate(QStringList& parts, const SoakTotal& total) const
    {
        const auto& before = m_recent.front();
        const auto same = std::ranges::find(before.totals, total.direction, &SoakTotal::direction);
        const Duration time = m_newest.elapsed - before.elapsed;
        if (same == before.totals.end() || time <= Duration::zero())
            return;
        const QString rate = formatBitRate(BitRate::of(total.received - same->received, time));
        parts << (total.direction == Direction::Forward ? Words::tr("forward %1")
                                                        : Words::tr("reverse %1"))
                     .arg(rate.rightJustified(9));
    }

    SoakOptions m_options;
    SoakData m_newest;             // without spans and events
    std::deque<SoakData> m_recent; // of about a second
};

struct TextOf
{
    using Text = std::unique_ptr<ProgressText>;

    Text operator()(const ThroughputOptions&) const { return {}; }
    Text operator()(const ConnectOptions&) const { return {}; }
    Text operator()(const LatencyOptions& options) const
    {
        return std::make_unique<LatencyText>(options);
    }
    Text operator()(const SweepOptions& options) const
    {
        return std::make_unique<SweepText>(options);
    }
    Text operator()(const LoadedLatencyOptions&) const { return std::make_unique<LoadedText>(); }
    Text operator()(const PathMtuOptions&) const { return std::make_unique<PathMtuText>(); }
    Text operator()(const UdpOptions& options) const { return std::make_unique<UdpText>(options); }
    Text operator()(const MemoryOptions& options) const
    {
        return std::make_unique<MemoryText>(options);
    }
    Text operator()(const StorageOptions&) const { return std::make_unique<StorageText>(); }
    Text operator()(const SoakOptions& options) const
    {
        return std::make_unique<SoakText>(options);
    }
};

} // namespace

std::unique_ptr<ProgressText> ProgressText::of(const ProbeOptions& options)
{
    return std::visit(TextOf{}, options);
}

} // namespace napkin::cli
