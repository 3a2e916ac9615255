// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QByteArray>

#include <cstdint>
#include <optional>

namespace napkin {

// What travels inside the encrypted channel: four bytes of length (big-endian, of the payload
// alone), one byte of kind, the payload.
struct Frame
{
    enum class Kind : char {
        Message = 'J', // a JSON message, see message.h
        Bytes = 'B',   // four bytes of call number, then a piece of its long answer
    };
    static constexpr qsizetype largestMessage = 256 * 1024;
    static constexpr qsizetype largestPiece = 64 * 1024;            // of a long answer
    static constexpr std::int64_t longestAnswer = 64 * 1024 * 1024; // all pieces together

    Kind kind = Kind::Message;
    QByteArray payload;
    bool operator==(const Frame&) const = default;
};

// Empty when the payload is larger than its kind allows.
[[nodiscard]] QByteArray encodeFrame(const Frame& frame);
[[nodiscard]] Frame pieceOfAnswer(std::uint32_t call, QByteArrayView piece);

struct AnswerPiece
{
    std::uint32_t call = 0;
    QByteArray bytes; // never empty
};
[[nodiscard]] Result<AnswerPiece> answerPiece(const Frame& frame); // ProtocolViolation

// Takes bytes as they come and hands out whole frames. Holds at most one frame's worth beyond what
// was just fed, whatever length a header claims.
class FrameDecoder
{
public:
    void feed(QByteArrayView bytes);
    // The next whole frame; nothing when more bytes are needed. FrameTooLarge, ProtocolViolation:
    // then it stays broken.
    [[nodiscard]] Result<std::optional<Frame>> next();
    // Whether a frame has begun and is not complete.
    [[nodiscard]] bool hasBegun() const { return m_buffer.size() > m_read; }

private:
    QByteArray m_buffer;
    qsizetype m_read = 0; // bytes of the buffer that were handed out
    std::optional<Error> m_fault;
};

} // namespace napkin
