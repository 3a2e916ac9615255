// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/soak/soakframe.h"

#include <atomic>
#include <utility>

namespace napkin::soak {

// Takes the bytes of one direction of one connection apart and compares every block with what it
// should be. A header that was damaged in a few bytes is told and got over, since the one that has
// to come is known. For one thread, but for received().
class Checker
{
public:
    enum class Frame {
        None,   // not complete yet
        Block,  // taken in
        Report, // see report()
        Passed, // a report that was damaged
        End,
        Broken, // what came is no frame: there is no way on
    };

    Checker(const BlockPlace& first, std::size_t blockSize);

    // Where the next bytes are to go; never empty.
    [[nodiscard]] std::span<unsigned char> room();
    // So many have been put there, at that time since the connection began.
    [[nodiscard]] Frame took(std::size_t bytes, Duration now);

    [[nodiscard]] Counts counts() const;
    [[nodiscard]] std::int64_t received() const { return m_received.load(); } // any thread
    [[nodiscard]] std::vector<SoakEvent> takeEvents() { return std::exchange(m_events, {}); }
    [[nodiscard]] const Report& report() const { return m_report; }

private:
    [[nodiscard]] Frame takeHeader();
    [[nodiscard]] bool guessHeader();
    [[nodiscard]] Frame takePayload();
    [[nodiscard]] Frame takeReport();
    [[nodiscard]] Frame takeEnd();
    void takeSequence();
    void checkBlock();
    void missing(std::uint64_t upTo);
    void makeExpected(std::uint64_t sequence);
    void tell(SoakEvent event);
    [[nodiscard]] SoakEvent corruption(SoakEvent::Part part,
                                       std::span<const unsigned char> expected,
                                       std::span<const unsigned char> got) const;

    BlockPlace m_place; // `sequence`: the one whose turn it is
    std::size_t m_blockSize;
    std::vector<unsigned char> m_bytes;    // a header and a payload
    std::vector<unsigned char> m_expected; // payload
    std::size_t m_filled = 0;
    std::size_t m_needed = headerSize;
    Header m_header;
    bool m_isHeaderBad = false;
    bool m_isAfterHeader = false;
    std::uint64_t m_nextReport = 0;
    Duration m_now{};
    Counts m_counts; // without `received`
    std::atomic<std::int64_t> m_received{0};
    std::vector<SoakEvent> m_events; // at most a few: whoever reads takes them
    Report m_report;
};

} // namespace napkin::soak
