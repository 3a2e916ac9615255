// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/storage/storageprobe.h"

#include "core/measure/probethread.h"
#include "core/measure/storage/storagerun.h"

#include <utility>

namespace napkin {

QCoro::Task<Result<void>> StorageProbe::check(ProbeSpec spec, CancelToken)
{
    if (spec.kind() != ProbeKind::Storage)
        co_return fail(ErrorCode::InvalidArgument);
    co_return validate(spec); // opening may wait for a disk or a server: the run does
}

QCoro::Task<Result<ProbeResult>> StorageProbe::run(ProbeSpec spec, CancelToken cancel,
                                                   ProgressSink sink)
{
    if (spec.kind() != ProbeKind::Storage)
        co_return fail(ErrorCode::InvalidArgument);
    if (const auto valid = validate(spec); !valid)
        co_return tl::unexpected(valid.error());
    ProbeJob job = [spec = std::move(spec), cancel](const StorageRun::Tell& tell) {
        return StorageRun(spec, cancel, tell).run();
    };
    co_return co_await runOnThread(std::move(job), std::move(sink));
}

} // namespace napkin
