// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <QString>

#include <deque>
#include <memory>

namespace napkin::cli {

// What is said of a run of delays, sizes or datagrams while it goes on: kept small, however long
// the run.
class ProgressText
{
public:
    virtual ~ProgressText() = default;

    virtual void take(const ProbeData& fresh) = 0;  // of another kind: nothing
    [[nodiscard]] virtual QString line() const = 0; // empty: nothing to say yet
    // From one line to the next, where each stays.
    [[nodiscard]] virtual std::chrono::seconds pace() const { return std::chrono::seconds(1); }

    // Null for throughput and connect time.
    [[nodiscard]] static std::unique_ptr<ProgressText> of(const ProbeOptions& options);

protected:
    ProgressText() = default;
    ProgressText(const ProgressText&) = default;
    ProgressText& operator=(const ProgressText&) = default;
    ProgressText(ProgressText&&) = default;
    ProgressText& operator=(ProgressText&&) = default;
};

} // namespace napkin::cli
