// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/measure/host/activitywatch.h"
#include "core/results/result.h"

#include <QCoroTask>

#include <memory>
#include <optional>

namespace napkin {

// This machine while something is measured: what it is, read before, and what it does until the
// end. For an event loop's thread; the reading is done on others.
class HostWatch
{
public:
    // Null when the token was stopped, or when there is no thread to be had.
    [[nodiscard]] static QCoro::Task<std::shared_ptr<HostWatch>> begin(CancelToken cancel);
    [[nodiscard]] static QCoro::Task<std::optional<HostActivity>>
    end(std::shared_ptr<HostWatch> watch);

    explicit HostWatch(HostFacts facts)
        : m_facts(std::move(facts))
    {}
    [[nodiscard]] const HostFacts& facts() const { return m_facts; }

private:
    HostFacts m_facts;
    ActivityWatch m_activity;
};

// What facts say of a machine as one end of a run; with those of the interface of that name.
[[nodiscard]] HostConditions conditionsFrom(const HostFacts& facts, const QString& interfaceName);

} // namespace napkin
