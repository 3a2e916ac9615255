// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/base32.h"

namespace napkin {

namespace {

constexpr const char* alphabet = "abcdefghijklmnopqrstuvwxyz234567";
constexpr int bitsPerLetter = 5;
constexpr unsigned letterMask = 31;

std::optional<unsigned> valueOf(QChar letter)
{
    const char16_t c = letter.unicode();
    if (c >= u'a' && c <= u'z')
        return c - u'a';
    if (c >= u'A' && c <= u'Z')
        return c - u'A';
    if (c >= u'2' && c <= u'7')
        return c - u'2' + 26U;
    return std::nullopt;
}

} // namespace

QString toBase32(const QByteArray& bytes)
{
    QString text;
    unsigned bits = 0;
    int held = 0;
    for (const char byte : bytes) {
        bits = (bits << 8U) | static_cast<unsigned char>(byte);
        held += 8;
        while (held >= bitsPerLetter) {
            held -= bitsPerLetter;
            text += QLatin1Char(alphabet[(bits >> held) & letterMask]);
        }
        bits &= (1U << held) - 1;
    }
    if (held > 0)
        text += QLatin1Char(alphabet[(bits << (bitsPerLetter - held)) & letterMask]);
    return text;
}

std::optional<QByteArray> fromBase32(QStringView text)
{
    QByteArray bytes;
    unsigned bits = 0;
    int held = 0;
    for (const QChar letter : text) {
        const auto value = valueOf(letter);
        if (!value)
            return std::nullopt;
        bits = (bits << bitsPerLetter) | *value;
        held += bitsPerLetter;
        if (held >= 8) {
            held -= 8;
            bytes += static_cast<char>(bits >> held);
            bits &= (1U << held) - 1;
        }
    }
    if (held >= bitsPerLetter || bits != 0)
        return std::nullopt;
    return bytes;
}

} // namespace napkin
