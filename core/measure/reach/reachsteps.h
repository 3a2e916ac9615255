// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/reach/reachreport.h"

#include <QString>

#include <vector>

namespace napkin {

// What may stand at a far end, each bringing more than the one before.
enum class FarEndStep {
    Nothing,     // an ordinary machine
    Iperf3,      // iperf3 --server
    NapkinServe, // napkin-cli serve
    NapkinPeer,  // napkin-cli serve --peer, paired
};

struct FarEndStepText
{
    FarEndStep step = FarEndStep::Nothing;
    QString what;    // "iperf3 server"
    QString brings;  // one sentence
    QString command; // to be typed there; empty where nothing is to be done
};

// The steps in order, translated. The one place of these sentences.
[[nodiscard]] std::vector<FarEndStepText> farEndSteps();

enum class StepState {
    There,
    Perhaps, // its port takes connections; what listens there was not asked
    Absent,
};

[[nodiscard]] StepState stateOf(FarEndStep step, const ReachReport& report);

// What can be measured now, a sentence each; never empty.
[[nodiscard]] std::vector<QString> possibleNow(const ReachReport& report);

[[nodiscard]] QString farEndStepName(FarEndStep step); // stable: "nothing", "iperf3", ...

} // namespace napkin
