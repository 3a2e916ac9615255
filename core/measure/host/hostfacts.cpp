// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/host/hostfacts.h"

#include "core/measure/os/interfaces.h"
#include "core/measure/os/kernelroute.h"
#include "core/measure/os/machine.h"

#include <QSysInfo>

namespace napkin {

HostFacts readHostFacts(FactsOptions options)
{
    HostFacts facts;
    facts.readAt = QDateTime::currentDateTimeUtc();
    facts.hostName = QSysInfo::machineHostName();
    facts.operatingSystem = operatingSystemName();
    facts.kernel = kernelName();
    facts.cpu = readCpuModel();
    facts.logicalCores = logicalCores();
    facts.governor = readGovernor();
    facts.load = readLoad();
    facts.temperature = readTemperature();
    facts.clockDisciplined = readClockDisciplined();
    facts.clockResolution = measureClockResolution();
    facts.interfaces = readInterfaces(options.withSsid ? Ssid::Read : Ssid::Left);
    facts.routes = defaultRoutes().value_or(std::vector<RouteFacts>());
    return facts;
}

} // namespace napkin
