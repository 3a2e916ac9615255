// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <QString>

#include <vector>

namespace napkin {

// What was known of one end in one respect.
struct ConditionCell
{
    QString text;         // empty: not known
    QString whyNot;       // then why, a sentence without a full stop; empty when nobody said
    QString before;       // in the run before; empty: not known then, or there was none
    bool changed = false; // known both times, and different by more than is usual from run to run

    [[nodiscard]] bool isKnown() const { return !text.isEmpty(); }
    bool operator==(const ConditionCell&) const = default;
};

enum class ConditionGroup { Machine, Interface, Wifi, Adapter, Route, Traffic };

// One respect in which conditions are told, both ends beside each other.
struct ConditionRow
{
    ConditionGroup group = ConditionGroup::Machine;
    QString name; // translated
    ConditionCell near;
    ConditionCell far;
    bool operator==(const ConditionRow&) const = default;
};

[[nodiscard]] QString conditionGroupText(ConditionGroup group); // translated

// The conditions of a run in words and figures, with what is different from an earlier one. Rows
// that make no sense for either end are left out (Wi-Fi for a cable). Where the earlier run was
// made the other way round its ends change places, so that a machine is compared with itself; an
// end that is another machine now is compared with nothing. What moves from run to run anyway is
// marked only when it moved much: load by one or more, temperature by 10 °C, Wi-Fi's signal by
// 6 dB and its rates by a fifth, the clock by more than both uncertainties. Traffic never is. Of a
// run that measured a machine there are the rows of the machine, and nothing in the far cells.
[[nodiscard]] std::vector<ConditionRow> compareConditions(const ProbeResult& now,
                                                          const ProbeResult* previous);

} // namespace napkin
