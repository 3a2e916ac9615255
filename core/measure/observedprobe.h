// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"

#include <memory>

namespace napkin {

// A probe of which this machine is the near end, with what this machine is and what it does
// meanwhile: fills conditions.near.facts and .activity. All of that is read on other threads.
class ObservedProbe final : public Probe
{
public:
    explicit ObservedProbe(std::shared_ptr<Probe> probe);

    [[nodiscard]] ProbeKind kind() const override { return m_probe->kind(); }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;

private:
    std::shared_ptr<Probe> m_probe;
};

} // namespace napkin
