// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/measure/storage/filereading.h"
#include "core/results/result.h"

#include <functional>

namespace napkin {

// One reading of a file. Blocks; for one thread of its own. Use once.
class StorageRun
{
public:
    using Tell = std::function<void(Progress)>; // called on the running thread

    StorageRun(ProbeSpec spec, CancelToken cancel, Tell tell);

    // As Probe::run; id, dates, tool and quality are left to the caller. Of the file's path the
    // result keeps the last part.
    [[nodiscard]] Result<ProbeResult> run();

private:
    enum class Waited { Ended, Cancelled, Late };
    [[nodiscard]] Waited wait(Duration longest);
    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] std::optional<Error> watch();
    void sample(SteadyTime now);
    void judge();
    [[nodiscard]] Error late(const QString& what) const;

    ProbeSpec m_spec;
    StorageOptions m_options;
    CancelToken m_cancel;
    Tell m_tell;
    std::shared_ptr<FileReading> m_reading;
    StorageData m_data;
    SteadyTime m_start;
    SteadyTime m_sampledAt;
    std::int64_t m_sampled = 0;
};

} // namespace napkin
