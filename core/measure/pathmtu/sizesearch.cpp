// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/sizesearch.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PathMtu)
};

// Ethernet; jumbo frames; PPPoE; a tunnel in IPv4; WireGuard; the least of IPv6.
constexpr std::array common{1'500, 9'000, 1'492, 1'480, 1'420, 1'280};

bool isCommon(int size)
{
    return std::ranges::find(common, size) != common.end();
}

} // namespace

int largestPacket(int ipVersion)
{
    constexpr int longest = 65'535;
    return ipVersion == 4 ? longest : longest + 40;
}

int smallPacket(int ipVersion)
{
    return ipVersion == 4 ? 576 : 1'280;
}

SizeSearch::SizeSearch(int ipVersion, int most)
    : m_least(ipVersion == 4 ? 68 : 1'280)
    , m_small(smallPacket(ipVersion))
    , m_most(std::clamp(most, m_least, largestPacket(ipVersion)))
    , m_failed(m_most + 1)
{
    m_small = std::min(m_small, m_most);
}

bool SizeSearch::isOpen(int size) const
{
    return size < m_failed && size > m_passed.value_or(m_least - 1) && !m_tried.contains(size);
}

// As long as nothing has passed.
std::optional<int> SizeSearch::nextBelow() const
{
    if (isOpen(m_small))
        return m_small;
    if (m_isSilent)
        return std::nullopt;
    if (m_told && isOpen(*m_told))
        return m_told;
    return isOpen(m_least) ? std::optional(m_least) : std::nullopt;
}

std::optional<int> SizeSearch::next() const
{
    if (!m_passed)
        return nextBelow();
    if (m_failed - *m_passed <= 1)
        return std::nullopt;
    if (isOpen(m_most))
        return m_most;
    if (m_told && isOpen(*m_told))
        return m_told;
    if (m_passed == m_told && isOpen(*m_passed + 1)) // a router's word, to be seen once more
        return *m_passed + 1;
    for (const int size : common) {
        if (isOpen(size))
            return size;
    }
    // What is likely has been tried: one byte more shows whether it is that.
    if (isCommon(*m_passed) && isOpen(*m_passed + 1))
        return *m_passed + 1;
    return *m_passed + (m_failed - *m_passed) / 2;
}

void SizeSearch::learn(const SizeProbe& probe)
{
    m_tried.insert(probe.size);
    if (probe.fate == SizeProbe::Fate::Passed) {
        m_passed = std::max(m_passed.value_or(0), probe.size);
        return;
    }
    m_failed = std::min(m_failed, probe.size);
    m_isSilent = probe.fate == SizeProbe::Fate::Silent;
    if (probe.told && *probe.told < probe.size)
        m_told = probe.told;
}

std::optional<int> SizeSearch::largest() const
{
    return m_passed;
}

double SizeSearch::fraction() const
{
    const double all = std::log2(m_most - m_small + 2);
    const double left = std::log2(std::max(1, m_failed - m_passed.value_or(m_small)));
    return std::clamp(1 - left / all, 0.0, 1.0);
}

Result<void> searchSizes(SizeSearch search, const TrySize& trySize,
                         const std::function<void(const SizeProbe&, double)>& found)
{
    while (const std::optional<int> size = search.next()) {
        const Result<SizeProbe> probe = trySize(*size);
        if (!probe)
            return tl::unexpected(probe.error());
        if (probe->fate == SizeProbe::Fate::Silent && search.largest()) {
            const Result<SizeProbe> again = trySize(*search.largest());
            if (!again)
                return tl::unexpected(again.error());
            if (again->fate != SizeProbe::Fate::Passed)
                return fail(ErrorCode::PeerSilent, {},
                            Words::tr("packets of %1 bytes passed before and do not any more")
                                .arg(*search.largest()));
        }
        search.learn(*probe);
        found(*probe, search.fraction());
    }
    return {};
}

} // namespace napkin
