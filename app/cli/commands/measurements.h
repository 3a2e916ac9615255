// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandline.h"
#include "app/cli/commands/measureoptions.h"
#include "app/cli/measurerun.h"
#include "app/cli/textreport.h"

#include <QString>

#include <memory>

namespace napkin::cli {

struct MeasurementHelp
{
    QString description;
    QString examples;
};

// `measure KIND`, with the options that all kinds have; those of its own are added to what comes
// back.
[[nodiscard]] CLI::App* addMeasurement(CommandLine& line, CLI::App* group,
                                       const MeasurementHelp& help,
                                       const std::shared_ptr<MeasureOptions>& options);

void addThroughput(CommandLine& line, CLI::App* group);
void addConnect(CommandLine& line, CLI::App* group);
void addLatency(CommandLine& line, CLI::App* group);
void addSweep(CommandLine& line, CLI::App* group);
void addLoadedLatency(CommandLine& line, CLI::App* group);
void addPathMtu(CommandLine& line, CLI::App* group);
void addUdp(CommandLine& line, CLI::App* group);
void addMemory(CommandLine& line, CLI::App* group);
void addStorage(CommandLine& line, CLI::App* group);
void addSoak(CommandLine& line, CLI::App* group);

} // namespace napkin::cli
