// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakchecker.h"

#include <algorithm>
#include <cstring>

namespace napkin::soak {

namespace {

constexpr int mostWrongInHeader = 8;
// Where nobody takes them, they do not pile up.
constexpr std::size_t mostHeld = 10'000;

int differences(std::span<const unsigned char> a, std::span<const unsigned char> b)
{
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        count += a[i] != b[i] ? 1 : 0;
    return count;
}

// Of a report only its place is known before, not what it says.
void passOverChecks(HeaderBytes& expected, std::span<const unsigned char> got)
{
    std::copy_n(got.begin() + checkAt, sizeof(std::uint32_t), expected.begin() + checkAt);
    std::copy_n(got.begin() + ownCheckAt, sizeof(std::uint32_t), expected.begin() + ownCheckAt);
}

} // namespace

Checker::Checker(const BlockPlace& first, std::size_t blockSize)
    : m_place(first)
    , m_blockSize(blockSize)
    , m_bytes(headerSize + std::max(blockSize, reportSize))
    , m_expected(blockSize)
{}

Counts Checker::counts() const
{
    Counts counts = m_counts;
    counts.received = received();
    return counts;
}

std::span<unsigned char> Checker::room()
{
    return std::span(m_bytes).subspan(m_filled, m_needed - m_filled);
}

Checker::Frame Checker::took(std::size_t bytes, Duration now)
{
    m_now = now;
    m_filled += bytes;
    if (m_isAfterHeader && m_header.kind == FrameKind::Block)
        m_received += static_cast<std::int64_t>(bytes);
    if (m_filled < m_needed)
        return Frame::None;
    return m_isAfterHeader ? takePayload() : takeHeader();
}

Checker::Frame Checker::takeHeader()
{
    const auto bytes = std::span<const unsigned char, headerSize>(m_bytes.data(), headerSize);
    const auto header = decode(bytes);
    m_isHeaderBad = !header;
    if (header)
        m_header = *header;
    else if (!guessHeader())
        return Frame::Broken;
    constexpr std::uint64_t farthest = 1ULL << 40;
    const bool isBeyond = m_header.sequence > m_place.sequence + farthest;
    if (m_header.connection != m_place.connection ||
        (isBeyond && m_header.kind != FrameKind::Report))
        return Frame::Broken;
    if (m_header.kind == FrameKind::End)
        return m_header.length == 0 ? takeEnd() : Frame::Broken;
    const std::size_t length = m_header.kind == FrameKind::Block ? m_blockSize : reportSize;
    if (m_header.length != length)
        return Frame::Broken;
    if (m_header.kind == FrameKind::Block)
        takeSequence();
    m_isAfterHeader = true;
    m_needed = headerSize + length;
    return Frame::None;
}

// Which of those that may come now it is most like.
bool Checker::guessHeader()
{
    const auto got = std::span<const unsigned char>(m_bytes).first(headerSize);
    makeExpected(m_place.sequence);
    const Header block{FrameKind::Block, m_place.connection, m_place.sequence,
                       static_cast<std::uint32_t>(m_blockSize), checkOf(m_expected)};
    const Header report{FrameKind::Report, m_place.connection, m_nextReport,
                        static_cast<std::uint32_t>(reportSize), 0};
    const Header end{FrameKind::End, m_place.connection, m_place.sequence, 0, 0};
    int least = mostWrongInHeader + 1;
    HeaderBytes nearest{};
    for (const Header& candidate : {block, report, end}) {
        HeaderBytes bytes = encode(candidate);
        if (candidate.kind == FrameKind::Report)
            passOverChecks(bytes, got);
        const int wrong = differences(bytes, got);
        if (wrong >= least)
            continue;
        least = wrong;
        nearest = bytes;
        m_header = candidate;
    }
    if (least > mostWrongInHeader)
        return false;
    const bool isReport = m_header.kind == FrameKind::Report;
    if (m_header.kind == FrameKind::End)
        ++m_counts.corrupted;
    SoakEvent event =
        corruption(isReport ? SoakEvent::Part::Report : SoakEvent::Part::Header, nearest, got);
    event.block = static_cast<std::int64_t>(isReport ? m_nextReport : m_place.sequence);
    tell(event);
    return true;
}

void Checker::takeSequence()
{
    if (m_header.sequence > m_place.sequence)
        missing(m_header.sequence);
    if (m_header.sequence < m_place.sequence) {
        ++m_counts.duplicated;
        SoakEvent event;
        event.kind = SoakEvent::Kind::OutOfSequence;
        event.block = static_cast<std::int64_t>(m_header.sequence);
        event.wantedBlock = static_cast<std::int64_t>(m_place.sequence);
        tell(event);
        return;
    }
    m_place.sequence = m_header.sequence + 1;
}

void Checker::missing(std::uint64_t upTo)
{
    m_counts.lost += static_cast<std::int64_t>(upTo - m_place.sequence);
    SoakEvent event;
    event.kind = SoakEvent::Kind::OutOfSequence;
    event.block = static_cast<std::int64_t>(upTo);
    event.wantedBlock = static_cast<std::int64_t>(m_place.sequence);
    tell(event);
    m_place.sequence = upTo;
}

Checker::Frame Checker::takePayload()
{
    m_isAfterHeader = false;
    m_filled = 0;
    m_needed = headerSize;
    if (m_header.kind == FrameKind::Report)
        return takeReport();
    checkBlock();
    return Frame::Block;
}

void Checker::checkBlock()
{
    const auto got = std::span<const unsigned char>(m_bytes).subspan(headerSize, m_blockSize);
    makeExpected(m_header.sequence);
    const bool isGood = std::memcmp(got.data(), m_expected.data(), m_blockSize) == 0;
    ++m_counts.blocks;
    m_counts.checked += static_cast<std::int64_t>(m_blockSize);
    if (!isGood || m_isHeaderBad)
        ++m_counts.corrupted;
    if (isGood)
        return;
    SoakEvent event = corruption(SoakEvent::Part::Payload, m_expected, got);
    event.block = static_cast<std::int64_t>(m_header.sequence);
    event.isSenders = !m_isHeaderBad && checkOf(got) == m_header.check;
    tell(event);
}

Checker::Frame Checker::takeReport()
{
    ++m_nextReport;
    if (m_isHeaderBad) {
        ++m_counts.corrupted;
        return Frame::Passed;
    }
    const auto got = std::span<const unsigned char>(m_bytes).subspan(headerSize, reportSize);
    if (checkOf(got) != m_header.check) {
        ++m_counts.corrupted;
        SoakEvent event;
        event.kind = SoakEvent::Kind::Corrupted;
        event.part = SoakEvent::Part::Report;
        event.block = static_cast<std::int64_t>(m_nextReport - 1);
        tell(event);
        return Frame::Passed;
    }
    const auto report = decodeReport(got);
    if (!report)
        return Frame::Broken;
    m_report = *report;
    return Frame::Report;
}

Checker::Frame Checker::takeEnd()
{
    m_filled = 0;
    if (m_header.sequence > m_place.sequence)
        missing(m_header.sequence);
    return Frame::End;
}

void Checker::makeExpected(std::uint64_t sequence)
{
    BlockPlace place = m_place;
    place.sequence = sequence;
    fillPayload(place, m_expected);
}

SoakEvent Checker::corruption(SoakEvent::Part part, std::span<const unsigned char> expected,
                              std::span<const unsigned char> got) const
{
    SoakEvent event;
    event.kind = SoakEvent::Kind::Corrupted;
    event.part = part;
    const auto [e, g] = std::ranges::mismatch(expected, got);
    if (e != expected.end()) {
        event.offset = e - expected.begin();
        event.expected = *e;
        event.got = *g;
        event.wrongBytes = differences(expected, got);
    }
    return event;
}

void Checker::tell(SoakEvent event)
{
    event.start = m_now;
    event.direction = m_place.direction;
    event.connection = static_cast<int>(m_place.connection);
    if (m_events.size() < mostHeld)
        m_events.push_back(event);
}

} // namespace napkin::soak
