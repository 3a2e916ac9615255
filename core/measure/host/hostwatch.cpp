// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/host/hostwatch.h"

#include "core/measure/host/hostfacts.h"
#include "core/measure/offthread.h"

namespace napkin {

QCoro::Task<std::shared_ptr<HostWatch>> HostWatch::begin(CancelToken cancel)
{
    const std::function<std::shared_ptr<HostWatch>()> read = [] {
        return std::make_shared<HostWatch>(readHostFacts());
    };
    const auto watch = co_await offThread<std::shared_ptr<HostWatch>>(read, std::move(cancel));
    co_return watch.value_or(nullptr);
}

QCoro::Task<std::optional<HostActivity>> HostWatch::end(std::shared_ptr<HostWatch> watch)
{
    const std::function<HostActivity()> read = [watch] { return watch->m_activity.stop(); };
    co_return co_await offThread<HostActivity>(read, CancelToken());
}

HostConditions conditionsFrom(const HostFacts& facts, const QString& interfaceName)
{
    HostConditions host;
    host.hostName = facts.hostName;
    host.operatingSystem = facts.operatingSystem;
    host.kernel = facts.kernel;
    host.cpu = facts.cpu;
    host.interfaceName = interfaceName;
    for (const InterfaceFacts& interface : facts.interfaces) {
        if (interface.name != interfaceName)
            continue;
        host.driver = interface.driver;
        host.negotiatedSpeed = interface.speed.value;
        host.mtu = interface.mtu;
    }
    host.facts = facts;
    return host;
}

} // namespace napkin
