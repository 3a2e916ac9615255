// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"

namespace napkin {

// How fast a file of this machine is read, once and from its start, past the page cache. Only of
// files of this machine, and only when it is asked here: what paired machines ask for does not come
// this way.
class StorageProbe final : public Probe
{
public:
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::Storage; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;
};

} // namespace napkin
