// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakframe.h"

#include <QCoreApplication>
#include <QtEndian>

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace napkin::soak {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Soak)
};

constexpr std::uint32_t magic = 0x4e536b31; // "NSk1"
constexpr std::size_t lanes = 8;

template <typename Number>
void putAt(HeaderBytes& bytes, std::size_t at, Number number)
{
    qToBigEndian(number, bytes.data() + at);
}

std::uint64_t mixed(std::uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

class Writer
{
public:
    template <typename Number>
    void put(Number number)
    {
        const Number big = qToBigEndian(number);
        m_bytes.append(reinterpret_cast<const char*>(&big), sizeof big);
    }
    void put(std::optional<std::int64_t> number) { put<std::int64_t>(number.value_or(-1)); }
    [[nodiscard]] QByteArray take(std::size_t size)
    {
        m_bytes.resize(qsizetype(size), '\0');
        return m_bytes;
    }

private:
    QByteArray m_bytes;
};

// Of a size that was checked.
class Reader
{
public:
    explicit Reader(std::span<const unsigned char> bytes)
        : m_left(bytes)
    {}
    template <typename Number>
    Number take(Number most)
    {
        const auto number = qFromBigEndian<Number>(m_left.data());
        m_left = m_left.subspan(sizeof(Number));
        m_isGood = m_isGood && number >= 0 && number <= most;
        return m_isGood ? number : Number{0};
    }
    std::int64_t count() { return take<std::int64_t>(INT64_MAX / 1'000); }
    std::optional<std::int64_t> maybe()
    {
        const auto number = qFromBigEndian<std::int64_t>(m_left.data());
        if (number != -1)
            return count();
        m_left = m_left.subspan(sizeof number);
        return std::nullopt;
    }
    [[nodiscard]] bool isGood() const { return m_isGood; }

private:
    std::span<const unsigned char> m_left;
    bool m_isGood = true;
};

void putEvent(Writer& writer, const SoakEvent& event)
{
    writer.put(static_cast<std::uint8_t>(event.kind));
    writer.put(static_cast<std::uint8_t>(event.part));
    writer.put(static_cast<std::uint8_t>(event.expected));
    writer.put(static_cast<std::uint8_t>(event.got));
    writer.put(static_cast<std::uint8_t>(event.isSenders ? 1 : 0));
    writer.put(std::uint8_t{0});
    writer.put(std::uint16_t{0});
    writer.put(static_cast<std::uint32_t>(event.connection));
    writer.put(static_cast<std::uint32_t>(event.wrongBytes));
    writer.put(std::int64_t{event.start.count()});
    writer.put(event.block);
    writer.put(event.wantedBlock);
    writer.put(event.offset);
}

SoakEvent takeEvent(Reader& reader)
{
    using Kind = SoakEvent::Kind;
    SoakEvent event;
    const auto kind =
        reader.take<std::uint8_t>(static_cast<std::uint8_t>(SoakEvent::Kind::OutOfSequence));
    event.kind = kind == static_cast<std::uint8_t>(Kind::OutOfSequence) ? Kind::OutOfSequence
                                                                        : Kind::Corrupted;
    event.part = static_cast<SoakEvent::Part>(
        reader.take<std::uint8_t>(static_cast<std::uint8_t>(SoakEvent::Part::Report)));
    event.expected = reader.take<std::uint8_t>(UINT8_MAX);
    event.got = reader.take<std::uint8_t>(UINT8_MAX);
    event.isSenders = reader.take<std::uint8_t>(1) == 1;
    (void)reader.take<std::uint8_t>(0);
    (void)reader.take<std::uint16_t>(0);
    event.connection = static_cast<int>(reader.take<std::uint32_t>(1'000'000));
    event.wrongBytes = reader.take<std::uint32_t>(16 * 1024 * 1024);
    event.start = Duration(reader.count());
    event.block = reader.count();
    event.wantedBlock = reader.count();
    event.offset = reader.take<std::int64_t>(16 * 1024 * 1024);
    return event;
}

} // namespace

HeaderBytes encode(const Header& header)
{
    HeaderBytes bytes{};
    putAt(bytes, 0, magic);
    bytes[4] = static_cast<unsigned char>(header.kind);
    putAt(bytes, 8, header.sequence);
    putAt(bytes, 16, header.length);
    putAt(bytes, checkAt, header.check);
    putAt(bytes, 24, header.connection);
    putAt(bytes, ownCheckAt, checkOf(std::span(bytes).first(ownCheckAt)));
    return bytes;
}

std::optional<Header> decode(std::span<const unsigned char, headerSize> bytes)
{
    const auto isKind = [&bytes](FrameKind kind) {
        return bytes[4] == static_cast<unsigned char>(kind);
    };
    const bool isWhole =
        qFromBigEndian<std::uint32_t>(bytes.data()) == magic &&
        (isKind(FrameKind::Block) || isKind(FrameKind::Report) || isKind(FrameKind::End)) &&
        qFromBigEndian<std::uint32_t>(bytes.data() + ownCheckAt) ==
            checkOf(bytes.first(ownCheckAt));
    if (!isWhole)
        return std::nullopt;
    Header header;
    header.kind = static_cast<FrameKind>(bytes[4]);
    header.sequence = qFromBigEndian<std::uint64_t>(bytes.data() + 8);
    header.length = qFromBigEndian<std::uint32_t>(bytes.data() + 16);
    header.check = qFromBigEndian<std::uint32_t>(bytes.data() + checkAt);
    header.connection = qFromBigEndian<std::uint32_t>(bytes.data() + 24);
    return header;
}

std::uint32_t checkOf(std::span<const unsigned char> bytes)
{
    return static_cast<std::uint32_t>(::crc32_z(0, bytes.data(), bytes.size()));
}

void fillPayload(const BlockPlace& place, std::span<unsigned char> payload)
{
    constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
    const std::uint64_t way = place.direction == Direction::Forward ? 1 : 2;
    std::uint64_t start = mixed(place.seed + step * way);
    start = mixed(start + step * (place.connection + 1));
    start = mixed(start + step * (place.sequence + 1));
    std::array<std::uint64_t, lanes> state{};
    for (std::uint64_t& lane : state) {
        start += step;
        lane = mixed(start) | 1; // never zero
    }
    constexpr std::size_t stride = lanes * sizeof(std::uint64_t);
    for (std::size_t at = 0; at + stride <= payload.size(); at += stride) {
        for (std::uint64_t& lane : state) {
            lane ^= lane << 13;
            lane ^= lane >> 7;
            lane ^= lane << 17;
        }
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(payload.data() + at, state.data(), stride);
        } else {
            for (std::size_t i = 0; i < lanes; ++i)
                qToLittleEndian(state[i], payload.data() + at + i * sizeof(std::uint64_t));
        }
    }
}

QByteArray encode(const Report& report)
{
    Writer writer;
    writer.put(report.instance);
    writer.put(std::int64_t{report.time.count()});
    writer.put(report.receivedHere);
    const Counts& counts = report.counts;
    for (const std::int64_t count : {counts.received, counts.checked, counts.blocks,
                                     counts.corrupted, counts.lost, counts.duplicated})
        writer.put(count);
    writer.put(report.retransmits);
    writer.put(report.rtt ? std::optional<std::int64_t>(report.rtt->count()) : std::nullopt);
    writer.put(report.events);
    const auto told = std::min(report.newest.size(), mostToldEvents);
    writer.put(static_cast<std::uint32_t>(told));
    for (const SoakEvent& event : std::span(report.newest).last(told))
        putEvent(writer, event);
    return writer.take(reportSize);
}

Result<Report> decodeReport(std::span<const unsigned char> bytes)
{
    if (bytes.size() != reportSize)
        return fail(ErrorCode::ProtocolViolation, {}, Words::tr("a report of the wrong size"));
    Reader reader(bytes);
    Report report;
    report.instance = reader.take<std::uint64_t>(UINT64_MAX);
    report.time = Duration(reader.count());
    report.receivedHere = reader.count();
    Counts& counts = report.counts;
    for (std::int64_t* count : {&counts.received, &counts.checked, &counts.blocks,
                                &counts.corrupted, &counts.lost, &counts.duplicated})
        *count = reader.count();
    report.retransmits = reader.maybe();
    if (const auto rtt = reader.maybe())
        report.rtt = Duration(*rtt);
    report.events = reader.take<std::uint32_t>(UINT32_MAX);
    const auto told = reader.take<std::uint32_t>(mostToldEvents);
    for (std::uint32_t i = 0; i < told && reader.isGood(); ++i)
        report.newest.push_back(takeEvent(reader));
    if (!reader.isGood())
        return fail(ErrorCode::ProtocolViolation, {}, Words::tr("a report that makes no sense"));
    return report;
}

} // namespace napkin::soak
