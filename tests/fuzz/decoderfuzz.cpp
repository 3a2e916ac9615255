// SPDX-License-Identifier: GPL-3.0-or-later
// The entry that libFuzzer calls: the first byte chooses the decoder, the rest is its input.
#include "tests/core/peer/decoders.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const auto all = napkin::test::decoders();
    all[data[0] % all.size()].feed(QByteArrayView(data + 1, static_cast<qsizetype>(size - 1)));
    return 0;
}
