// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"

#include <QString>

#include <algorithm>
#include <vector>

namespace napkin {

// A machine that a drawn one can be said to be: this machine, or one that it is paired with.
struct PeerChoice
{
    enum class Kind { ThisMachine, Paired };

    PeerId id;
    QString name;
    Kind kind = Kind::Paired;
    bool operator==(const PeerChoice&) const = default;
};

[[nodiscard]] inline bool isPaired(const std::vector<PeerChoice>& choices, PeerId id)
{
    return std::ranges::any_of(choices, [id](const PeerChoice& choice) {
        return choice.id == id && choice.kind == PeerChoice::Kind::Paired;
    });
}

} // namespace napkin
