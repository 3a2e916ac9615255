// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <span>

namespace napkin::test {

// A decoder of what comes from outside, as a fuzzer wants it: takes any bytes, and ends the program
// when what it made of them does not hold (decoding what was encoded gives the same again, nothing
// grows beyond its bounds).
struct Decoder
{
    const char* name;
    void (*feed)(QByteArrayView bytes);
};
[[nodiscard]] std::span<const Decoder> decoders();

} // namespace napkin::test
