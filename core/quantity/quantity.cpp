// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/quantity.h"

namespace napkin {

BitRate BitRate::of(ByteCount amount, Duration time)
{
    // long double: 64 bits of mantissa hold every byte count, so the result is right to the last
    // bit.
    const long double bits = static_cast<long double>(amount.bytes()) * 8.0L;
    return bitsPerSecond(std::llround(bits * 1e9L / static_cast<long double>(time.count())));
}

ByteRate BitRate::toByteRate() const
{
    return ByteRate::bytesPerSecond((m_bits + (m_bits < 0 ? -4 : 4)) / 8);
}

Ratio Ratio::of(BitRate part, BitRate whole)
{
    return of(static_cast<double>(part.bitsPerSecond()) /
              static_cast<double>(whole.bitsPerSecond()));
}

} // namespace napkin
