// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/measure/memory/memorycrew.h"
#include "core/results/result.h"

#include <functional>

namespace napkin {

// One measurement of this machine's memory. Blocks; for one thread of its own. Use once.
class MemoryRun
{
public:
    using Tell = std::function<void(Progress)>; // called on the running thread

    MemoryRun(ProbeSpec spec, MemoryPlan plan, CancelToken cancel, Tell tell,
              MemoryCrew::Meddle meddle = {});

    // As Probe::run; id, dates, tool and quality are left to the caller. WrongValues when the
    // arrays did not hold what they should, whatever was measured.
    [[nodiscard]] Result<ProbeResult> run();

private:
    [[nodiscard]] bool watchOthers();
    [[nodiscard]] bool watch(MemoryCrew& crew);
    void take(MemoryCrew& crew);

    ProbeSpec m_spec;
    MemoryOptions m_options;
    MemoryPlan m_plan;
    CancelToken m_cancel;
    Tell m_tell;
    MemoryCrew::Meddle m_meddle;
    MemoryData m_data;
};

} // namespace napkin
