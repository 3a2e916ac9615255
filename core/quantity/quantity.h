// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>

namespace napkin {

using Duration = std::chrono::nanoseconds; // 64-bit

// For arithmetic and charts, not for keeping.
[[nodiscard]] constexpr double inSeconds(Duration time)
{
    return std::chrono::duration<double>(time).count();
}

// A count of bytes. May be negative only as a difference.
class ByteCount
{
public:
    constexpr ByteCount() = default;
    [[nodiscard]] static constexpr ByteCount bytes(std::int64_t n) { return ByteCount(n); }
    [[nodiscard]] static constexpr ByteCount kibibytes(std::int64_t n)
    {
        return ByteCount(n * 1024);
    }
    [[nodiscard]] static constexpr ByteCount mebibytes(std::int64_t n)
    {
        return ByteCount(n * 1024 * 1024);
    }
    [[nodiscard]] static constexpr ByteCount gigabytes(std::int64_t n)
    {
        return ByteCount(n * 1'000'000'000);
    }

    [[nodiscard]] constexpr std::int64_t bytes() const { return m_bytes; }
    [[nodiscard]] constexpr double gigabytes() const { return static_cast<double>(m_bytes) / 1e9; }

    constexpr ByteCount& operator+=(ByteCount other)
    {
        m_bytes += other.m_bytes;
        return *this;
    }
    friend constexpr ByteCount operator+(ByteCount a, ByteCount b)
    {
        return ByteCount(a.m_bytes + b.m_bytes);
    }
    friend constexpr ByteCount operator-(ByteCount a, ByteCount b)
    {
        return ByteCount(a.m_bytes - b.m_bytes);
    }
    auto operator<=>(const ByteCount&) const = default;

private:
    explicit constexpr ByteCount(std::int64_t n)
        : m_bytes(n)
    {}
    std::int64_t m_bytes = 0;
};

class ByteRate;

// Bits per second, as links are sold. Whole bits, so that text and database give back exactly what
// was put in.
class BitRate
{
public:
    constexpr BitRate() = default;
    [[nodiscard]] static constexpr BitRate bitsPerSecond(std::int64_t n) { return BitRate(n); }
    [[nodiscard]] static BitRate megabitsPerSecond(double n)
    {
        return BitRate(std::llround(n * 1e6));
    }
    [[nodiscard]] static BitRate gigabitsPerSecond(double n)
    {
        return BitRate(std::llround(n * 1e9));
    }
    // `time` must be positive.
    [[nodiscard]] static BitRate of(ByteCount amount, Duration time);

    [[nodiscard]] constexpr std::int64_t bitsPerSecond() const { return m_bits; }
    [[nodiscard]] constexpr double megabitsPerSecond() const
    {
        return static_cast<double>(m_bits) / 1e6;
    }
    [[nodiscard]] constexpr double gigabitsPerSecond() const
    {
        return static_cast<double>(m_bits) / 1e9;
    }
    [[nodiscard]] ByteRate toByteRate() const;
    auto operator<=>(const BitRate&) const = default;

private:
    explicit constexpr BitRate(std::int64_t n)
        : m_bits(n)
    {}
    std::int64_t m_bits = 0;
};

// Bytes per second, as everything else is counted.
class ByteRate
{
public:
    constexpr ByteRate() = default;
    [[nodiscard]] static constexpr ByteRate bytesPerSecond(std::int64_t n) { return ByteRate(n); }
    [[nodiscard]] static ByteRate gigabytesPerSecond(double n)
    {
        return ByteRate(std::llround(n * 1e9));
    }

    [[nodiscard]] constexpr std::int64_t bytesPerSecond() const { return m_bytes; }
    [[nodiscard]] constexpr double gigabytesPerSecond() const
    {
        return static_cast<double>(m_bytes) / 1e9;
    }
    [[nodiscard]] constexpr BitRate toBitRate() const
    {
        return BitRate::bitsPerSecond(m_bytes * 8);
    }
    auto operator<=>(const ByteRate&) const = default;

private:
    explicit constexpr ByteRate(std::int64_t n)
        : m_bytes(n)
    {}
    std::int64_t m_bytes = 0;
};

// One value over another of the same kind: 0.94 is 94 %.
class Ratio
{
public:
    constexpr Ratio() = default;
    [[nodiscard]] static constexpr Ratio of(double value) { return Ratio(value); }
    // `whole` must be positive.
    [[nodiscard]] static Ratio of(BitRate part, BitRate whole);

    [[nodiscard]] constexpr double value() const { return m_value; }
    [[nodiscard]] constexpr double percent() const { return m_value * 100.0; }
    auto operator<=>(const Ratio&) const = default;

private:
    explicit constexpr Ratio(double value)
        : m_value(value)
    {}
    double m_value = 0;
};

} // namespace napkin
