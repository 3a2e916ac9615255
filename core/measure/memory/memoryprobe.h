// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"

namespace napkin {

// How fast this machine's cores together read and write its memory: the triad of STREAM. It keeps
// every core busy, and takes no more memory than planMemory() allows. check() says whether there is
// enough.
class MemoryProbe final : public Probe
{
public:
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::Memory; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;
};

} // namespace napkin
