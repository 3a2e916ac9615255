// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/hostfacts.h"

// What a machine is and how it stands, without its interfaces. `root` is the file system's: "/" but
// in tests, where files like those of other machines lie below a folder.
namespace napkin {

[[nodiscard]] QString operatingSystemName(); // "Debian GNU/Linux 12 (bookworm)"
[[nodiscard]] QString kernelName();          // "Linux 6.1.0-18-amd64"
// The cores' own names, and on a board the board's in brackets; empty when nothing tells.
[[nodiscard]] QString readCpuModel(const QString& root = QStringLiteral("/"));
[[nodiscard]] int logicalCores();

[[nodiscard]] Reading<QString> readGovernor(const QString& root = QStringLiteral("/"));
[[nodiscard]] Reading<double> readLoad(const QString& root = QStringLiteral("/"));
[[nodiscard]] Reading<double> readTemperature(const QString& root = QStringLiteral("/"));
[[nodiscard]] Reading<bool> readClockDisciplined();
[[nodiscard]] Duration measureClockResolution(); // takes a few microseconds

} // namespace napkin
