// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/results/pathmtu.h"

#include <functional>
#include <optional>
#include <set>

namespace napkin {

// The largest IP packet there is: 65,535 bytes, and with IPv6 65,535 after the header.
[[nodiscard]] int largestPacket(int ipVersion);
// The packet that every path should carry: 576 bytes with IPv4, 1,280 with IPv6.
[[nodiscard]] int smallPacket(int ipVersion);

// Which sizes to try, one after another, until it is known that one passes and the next does not:
// a small one, the largest, what a router named, those that are common, then halves.
class SizeSearch
{
public:
    // `most` is the largest that can be sent: the MTU of the sender's interface.
    SizeSearch(int ipVersion, int most);

    [[nodiscard]] std::optional<int> next() const; // nullopt: no further one would tell more
    void learn(const SizeProbe& probe);

    [[nodiscard]] std::optional<int> largest() const; // that passed
    [[nodiscard]] double fraction() const;            // of the search that is done, about

private:
    [[nodiscard]] std::optional<int> nextBelow() const;
    [[nodiscard]] bool isOpen(int size) const;

    int m_least; // nothing smaller makes sense
    int m_small;
    int m_most;
    std::optional<int> m_passed; // the largest that did
    int m_failed;                // the smallest that did not
    std::optional<int> m_told;   // the last MTU that a router named
    std::set<int> m_tried;
    bool m_isSilent = false; // the smallest that failed did so without a word
};

// Tries one size, as often as it takes. An error is none of the size: the way there, the far end or
// the wish to go on is gone.
using TrySize = std::function<Result<SizeProbe>(int size)>;

// Searches to the end. A size that met with silence counts only when a smaller one passes again
// afterwards: otherwise it is the path that is gone (PeerSilent), and no larger packet that was
// lost. `found` gets every probe that counts.
[[nodiscard]] Result<void> searchSizes(SizeSearch search, const TrySize& trySize,
                                       const std::function<void(const SizeProbe&, double)>& found);

} // namespace napkin
