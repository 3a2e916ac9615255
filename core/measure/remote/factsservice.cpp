// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/factsservice.h"

#include "core/measure/host/hostfacts.h"
#include "core/measure/offthread.h"
#include "core/results/hostfactsjson.h"

#include <chrono>

namespace napkin {

QStringList FactsService::methods() const
{
    return {QStringLiteral("facts"), QStringLiteral("clock")};
}

QCoro::Task<Result<nlohmann::json>>
FactsService::answer(PeerIdentity, QString method, nlohmann::json, CancelToken cancel, PeerEvents)
{
    if (method == QStringLiteral("clock")) {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        co_return nlohmann::json{
            {"nanoseconds", std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()}};
    }
    const std::function<HostFacts()> read = [] { return readHostFacts(); };
    const auto facts = co_await offThread<HostFacts>(read, cancel);
    if (!facts)
        co_return fail(cancel.stop_requested() ? ErrorCode::Cancelled : ErrorCode::Internal);
    co_return hostFactsToJson(*facts);
}

} // namespace napkin
