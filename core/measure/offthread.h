// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/gate.h"
#include "core/base/logging.h"

#include <QCoroTask>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace napkin {

// Runs `job`, which reads something of this machine, on a thread of its own and resumes here with
// what it returned. Nullopt as soon as the token is stopped (the job then ends unheeded), when
// there is no thread to be had, or when the job throws. The job must end by itself.
template <typename T>
QCoro::Task<std::optional<T>> offThread(std::function<T()> job, CancelToken cancel)
{
    struct Slot
    {
        std::mutex mutex;
        std::optional<T> value;
    };
    const auto slot = std::make_shared<Slot>();
    Gate gate;
    const auto work = [slot, job = std::move(job), open = gate.opener()] {
        try {
            T value = job();
            const std::lock_guard lock(slot->mutex);
            slot->value.emplace(std::move(value));
        } catch (const std::exception& error) {
            qCWarning(lcMeasure, "reading this machine: %s", error.what());
        }
        open();
    };
    try {
        std::thread(work).detach();
    } catch (const std::exception& error) {
        qCWarning(lcMeasure, "no thread to read this machine: %s", error.what());
        co_return std::nullopt;
    }
    gate.on(cancel);
    if (co_await gate == Gate::Opened::Cancelled)
        co_return std::nullopt;
    const std::lock_guard lock(slot->mutex);
    co_return std::move(slot->value);
}

} // namespace napkin
