// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/liveprogress.h"

#include "app/cli/textreport.h"
#include "core/quantity/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <map>

namespace napkin::cli {

namespace {

using namespace std::chrono_literals;

constexpr Duration window = 1s;
constexpr Duration kept = 3s; // of the samples, for rates over the last second or two

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::LiveProgress)
};

// Of a run of one machine by itself.
QString phaseText(Phase phase)
{
    switch (phase) {
    case Phase::Resolving:
    case Phase::Connecting:
        return Words::tr("Preparing …");
    case Phase::Omitting:
        return Words::tr("Warming up, left out of the figures …");
    case Phase::Measuring:
        return Words::tr("Measuring …");
    case Phase::Finishing:
        return Words::tr("Checking what was measured …");
    }
    return {};
}

QString phaseText(Phase phase, const QString& far)
{
    switch (phase) {
    case Phase::Resolving:
        return Words::tr("Looking up %1 …").arg(far);
    case Phase::Connecting:
        return Words::tr("Connecting to %1 …").arg(far);
    case Phase::Omitting:
        return Words::tr("Warming up, left out of the figures …");
    case Phase::Measuring:
        return Words::tr("Measuring …");
    case Phase::Finishing:
        return Words::tr("Fetching the far end's figures …");
    }
    return {};
}

} // namespace

LiveProgress::LiveProgress(std::shared_ptr<Terminal> terminal, ProbeSpec spec, ProgressStyle style)
    : m_terminal(std::move(terminal))
    , m_spec(std::move(spec))
    , m_style(style)
    , m_text(ProgressText::of(m_spec.options))
{
    if (m_style == ProgressStyle::Lines)
        m_terminal->note(Words::tr("Measuring: %1").arg(specTitle(m_spec)));
}

void LiveProgress::say(const QString& line) const
{
    if (m_style == ProgressStyle::Live)
        m_terminal->showLive(line);
    else if (m_style == ProgressStyle::Lines)
        m_terminal->note(line);
}

void LiveProgress::update(const Progress& progress)
{
    const bool isNewPhase = m_phase != progress.phase;
    m_phase = progress.phase;
    if (m_text)
        m_text->take(progress.data);
    else if (const auto* connect = std::get_if<ConnectData>(&progress.data))
        take(*connect);
    else if (const auto* throughput = std::get_if<ThroughputData>(&progress.data))
        take(*throughput);

    const bool moves = progress.phase == Phase::Omitting || progress.phase == Phase::Measuring;
    if (m_style == ProgressStyle::Live && isNewPhase && !moves)
        say(isOfMachine(m_spec.kind()) ? phaseText(progress.phase)
                                       : phaseText(progress.phase, farTitle(m_spec.far)));
    else if (moves && m_text)
        showText();
    else if (const auto* options = std::get_if<ThroughputOptions>(&m_spec.options);
             moves && options)
        showThroughput(progress.phase, *options);
    else if (const auto* connect = std::get_if<ConnectOptions>(&m_spec.options); moves && connect)
        showConnect(connect->attempts);
}

void LiveProgress::end()
{
    m_terminal->clearLive();
}

void LiveProgress::take(const ThroughputData& data)
{
    for (const ThroughputSample& sample : data.samples) {
        m_recent.push_back(sample);
        m_elapsed = std::max(m_elapsed, sample.start + sample.length);
        if (sample.retransmits && !sample.omitted)
            m_retransmits = m_retransmits.value_or(0) + *sample.retransmits;
    }
    while (!m_recent.empty() && m_recent.front().start + kept < m_elapsed)
        m_recent.pop_front();
}

void LiveProgress::take(const ConnectData& data)
{
    m_attempts += static_cast<int>(data.samples.size());
    if (!data.samples.empty())
        m_lastAttempt = data.samples.back();
}

std::optional<BitRate> LiveProgress::rate(Direction direction, Duration from, Duration to) const
{
    ByteCount bytes;
    std::map<int, Duration> covered; // by stream
    for (const ThroughputSample& sample : m_recent) {
        const Duration middle = sample.start + sample.length / 2;
        if (sample.direction != direction || middle < from || middle >= to)
            continue;
        bytes += sample.bytes;
        covered[sample.stream] += sample.length;
    }
    Duration longest{};
    for (const auto& [stream, time] : covered)
        longest = std::max(longest, time);
    if (longest <= Duration::zero())
        return std::nullopt;
    return BitRate::of(bytes, longest);
}

QString LiveProgress::rates(Duration from, Duration to) const
{
    QStringList parts;
    const std::array directions{std::pair{Direction::Forward, Words::tr("forward")},
                                std::pair{Direction::Reverse, Words::tr("reverse")}};
    for (const auto& [direction, word] : directions) {
        if (const auto value = rate(direction, from, to))
            parts << QStringLiteral("%1 %2").arg(word, formatBitRate(*value).rightJustified(9));
    }
    if (m_retransmits)
        parts << Words::tr("%Ln retransmissions", nullptr, static_cast<int>(*m_retransmits));
    return parts.join(QStringLiteral("   "));
}

void LiveProgress::showText()
{
    const auto now = std::chrono::steady_clock::now();
    const QString line = m_text->line();
    const bool isDue =
        m_style == ProgressStyle::Live || !m_saidAt || now - *m_saidAt >= m_text->pace();
    if (line.isEmpty() || !isDue)
        return;
    m_saidAt = now;
    say(line);
}

void LiveProgress::showThroughput(Phase phase, const ThroughputOptions& options)
{
    const std::int64_t whole =
        std::chrono::duration_cast<std::chrono::seconds>(options.duration + options.omit).count();
    const QString state = phase == Phase::Omitting ? Words::tr(" (warming up)") : QString();
    if (m_style == ProgressStyle::Live) {
        const double seconds =
            std::min(static_cast<double>(m_elapsed.count()) / 1e9, static_cast<double>(whole));
        say(Words::tr("%1 of %2 s%3   %4")
                .arg(QLocale().toString(seconds, 'f', 1))
                .arg(whole)
                .arg(state, rates(m_elapsed - window, m_elapsed)));
        return;
    }
    while (m_saidSeconds < whole && m_elapsed >= (m_saidSeconds + 1) * window) {
        const QString text = rates(m_saidSeconds * window, (m_saidSeconds + 1) * window);
        ++m_saidSeconds;
        say(Words::tr("%1 of %2 s%3   %4").arg(m_saidSeconds).arg(whole).arg(state, text));
    }
}

void LiveProgress::showConnect(int wanted)
{
    const int step = std::max(1, wanted / 10);
    const bool due = m_style == ProgressStyle::Live || m_attempts >= m_saidAttempts + step;
    if (!m_lastAttempt || !due || m_attempts == m_saidAttempts)
        return;
    m_saidAttempts = m_attempts;
    say(Words::tr("%1 of %Ln attempts   %2 %3", nullptr, wanted)
            .arg(m_attempts)
            .arg(outcomeText(m_lastAttempt->outcome), formatDuration(m_lastAttempt->time)));
}

} // namespace napkin::cli
