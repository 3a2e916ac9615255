// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/measure/session.h"
#include "core/measure/throughput/throughputprobe.h"
#include "core/results/summary.h"
#include "tests/support/sync.h"

#include <QTest>

#include <vector>

namespace napkin::test {

inline ProbeSpec throughputSpec(const QString& host, int port, ThroughputOptions options = {})
{
    ProbeSpec spec;
    spec.far.host = host;
    spec.far.port = port;
    if (options.duration == ThroughputOptions{}.duration)
        options.duration = std::chrono::seconds(1);
    spec.options = options;
    return spec;
}

// A run, what it told on the way, and how long it took.
struct Observed
{
    Result<ProbeResult> result;
    std::vector<Progress> progress;
    std::chrono::milliseconds took{};

    [[nodiscard]] const ThroughputData& data() const
    {
        return std::get<ThroughputData>(result->data);
    }
    [[nodiscard]] QByteArray fault() const
    {
        if (result)
            return result->fault ? errorCodeName(result->fault->code).toUtf8() : "none";
        return (errorCodeName(result.error().code) + QLatin1Char(' ') + result.error().context +
                QLatin1Char(' ') + result.error().detail)
            .toUtf8();
    }
};

inline Observed observe(Probe& probe, ProbeSpec spec, CancelToken cancel = {},
                        std::chrono::milliseconds limit = std::chrono::seconds(30))
{
    Observed seen{fail(ErrorCode::Internal), {}, {}};
    const auto begin = std::chrono::steady_clock::now();
    seen.result = sync(probe.run(std::move(spec), std::move(cancel),
                                 [&seen](const Progress& item) { seen.progress.push_back(item); }),
                       limit);
    seen.took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - begin);
    return seen;
}

inline Observed observeThroughput(ProbeSpec spec, CancelToken cancel = {})
{
    ThroughputProbe probe;
    return observe(probe, std::move(spec), std::move(cancel));
}

} // namespace napkin::test
