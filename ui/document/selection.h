// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"

#include <variant>
#include <vector>

namespace napkin {

// What is selected in a drawing, in the drawing's order.
struct Selection
{
    std::vector<MachineId> machines;
    std::vector<LinkId> links;
    bool operator==(const Selection&) const = default;

    [[nodiscard]] bool isEmpty() const { return machines.empty() && links.empty(); }
};

// One thing of a drawing, or none.
using DrawnId = std::variant<std::monostate, MachineId, LinkId>;

} // namespace napkin
