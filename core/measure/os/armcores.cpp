// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/armcores.h"

#include <algorithm>
#include <array>

namespace napkin {

namespace {

struct Core
{
    int implementer;
    int part;
    const char* name;
};

constexpr std::array cores{
    Core{0x41, 0xd03, "Cortex-A53"},
    Core{0x41, 0xd04, "Cortex-A35"},
    Core{0x41, 0xd05, "Cortex-A55"},
    Core{0x41, 0xd07, "Cortex-A57"},
    Core{0x41, 0xd08, "Cortex-A72"},
    Core{0x41, 0xd09, "Cortex-A73"},
    Core{0x41, 0xd0a, "Cortex-A75"},
    Core{0x41, 0xd0b, "Cortex-A76"},
    Core{0x41, 0xd0c, "Neoverse N1"},
    Core{0x41, 0xd0d, "Cortex-A77"},
    Core{0x41, 0xd40, "Neoverse V1"},
    Core{0x41, 0xd41, "Cortex-A78"},
    Core{0x41, 0xd42, "Cortex-A78AE"},
    Core{0x41, 0xd44, "Cortex-X1"},
    Core{0x41, 0xd46, "Cortex-A510"},
    Core{0x41, 0xd47, "Cortex-A710"},
    Core{0x41, 0xd48, "Cortex-X2"},
    Core{0x41, 0xd49, "Neoverse N2"},
    Core{0x41, 0xd4b, "Cortex-A78C"},
    Core{0x41, 0xd4d, "Cortex-A715"},
    Core{0x41, 0xd4e, "Cortex-X3"},
    Core{0x41, 0xd4f, "Neoverse V2"},
    Core{0x41, 0xd80, "Cortex-A520"},
    Core{0x41, 0xd81, "Cortex-A720"},
    Core{0x41, 0xd82, "Cortex-X4"},
    Core{0x41, 0xd85, "Cortex-X925"},
    Core{0x41, 0xd87, "Cortex-A725"},
    Core{0x41, 0xd8e, "Neoverse N3"},
    Core{0x4e, 0x004, "NVIDIA Carmel"},
    Core{0x51, 0x001, "Qualcomm Oryon"},
    Core{0x61, 0x022, "Apple M1 (Icestorm)"},
    Core{0x61, 0x023, "Apple M1 (Firestorm)"},
    Core{0x61, 0x032, "Apple M2 (Blizzard)"},
    Core{0x61, 0x033, "Apple M2 (Avalanche)"},
    Core{0xc0, 0xac3, "Ampere-1"},
    Core{0xc0, 0xac4, "Ampere-1A"},
};

} // namespace

QString armCoreName(int implementer, int part)
{
    const auto* const found = std::ranges::find_if(cores, [&](const Core& core) {
        return core.implementer == implementer && core.part == part;
    });
    if (found != cores.end())
        return QString::fromLatin1(found->name);
    return QStringLiteral("ARM 0x%1/0x%2")
        .arg(implementer, 2, 16, QLatin1Char('0'))
        .arg(part, 3, 16, QLatin1Char('0'));
}

} // namespace napkin
