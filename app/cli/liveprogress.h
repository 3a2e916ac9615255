// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/progresstext.h"
#include "app/cli/terminal.h"
#include "core/results/result.h"

#include <QString>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>

namespace napkin::cli {

// How a run is shown while it goes on: one line written over on a terminal, else one line a second.
enum class ProgressStyle { Live, Lines, None };

class LiveProgress
{
public:
    LiveProgress(std::shared_ptr<Terminal> terminal, ProbeSpec spec, ProgressStyle style);

    void update(const Progress& progress);
    void end();

private:
    void take(const ThroughputData& data);
    void take(const ConnectData& data);
    void showThroughput(Phase phase, const ThroughputOptions& options);
    void showConnect(int wanted);
    void showText();
    void say(const QString& line) const;
    [[nodiscard]] QString rates(Duration from, Duration to) const;
    // What arrived in a span of time; nothing when no sample lies in it.
    [[nodiscard]] std::optional<BitRate> rate(Direction direction, Duration from,
                                              Duration to) const;

    std::shared_ptr<Terminal> m_terminal;
    ProbeSpec m_spec;
    ProgressStyle m_style;
    std::unique_ptr<ProgressText> m_text; // of the kinds that have one
    std::optional<std::chrono::steady_clock::time_point> m_saidAt;
    std::optional<Phase> m_phase;
    std::deque<ThroughputSample> m_recent;
    Duration m_elapsed{};
    std::int64_t m_saidSeconds = 0;
    std::optional<std::int64_t> m_retransmits;
    int m_attempts = 0;
    int m_saidAttempts = 0;
    std::optional<ConnectSample> m_lastAttempt;
};

} // namespace napkin::cli
