// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/results/hostfacts.h"

namespace napkin {

// What an interface's driver tells about it: the questions of the ethtool program that need no
// privileges. A reading without a value says why.
class Ethtool
{
public:
    explicit Ethtool(const QString& interfaceName);

    [[nodiscard]] QString driver() const; // empty: not told
    // Both as negotiated. `carrier` only words the reason.
    [[nodiscard]] Reading<BitRate> speed(bool carrier) const;
    [[nodiscard]] Reading<Duplex> duplex(bool carrier) const;
    [[nodiscard]] Reading<Coalescing> coalescing() const;
    [[nodiscard]] Reading<PauseFrames> pause() const;
    // Those that matter to how fast and how busily data moves, by the kernel's names.
    [[nodiscard]] Reading<std::vector<Offload>> offloads() const;

private:
    struct LinkMode
    {
        std::uint32_t megabits = 0;
        std::uint8_t duplex = 0;
    };
    // `question` starts with the command; it takes the answer. Else the errno.
    [[nodiscard]] int ask(void* question) const;
    [[nodiscard]] tl::expected<LinkMode, int> linkMode() const;
    [[nodiscard]] tl::expected<QStringList, int> featureNames() const;

    Socket m_socket;
    QByteArray m_name;
};

} // namespace napkin
