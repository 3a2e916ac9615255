// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandline.h"

namespace napkin::cli {

// Each adds one command, or one family of them, with its options and its help.
void addServe(CommandLine& line);
void addFacts(CommandLine& line);
void addPeers(CommandLine& line);
void addMeasure(CommandLine& line);
void addReach(CommandLine& line);
void addDiscover(CommandLine& line);
void addList(CommandLine& line);
void addShow(CommandLine& line);
void addWorksheet(CommandLine& line);
void addAnnotations(CommandLine& line); // label, note, void
void addNotebook(CommandLine& line);
void addClasses(CommandLine& line);
void addDemo(CommandLine& line);

} // namespace napkin::cli
