// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/frame.h"

#include "core/peer/peerwords.h"

#include <QtEndian>

#include <array>

namespace napkin {

namespace {

constexpr qsizetype lengthBytes = 4;
constexpr qsizetype headerBytes = lengthBytes + 1;
constexpr qsizetype callBytes = 4;

std::optional<qsizetype> largest(char kind)
{
    switch (static_cast<Frame::Kind>(kind)) {
    case Frame::Kind::Message:
        return Frame::largestMessage;
    case Frame::Kind::Bytes:
        return callBytes + Frame::largestPiece;
    }
    return std::nullopt;
}

QByteArray bigEndian(std::uint32_t number)
{
    std::array<char, sizeof number> bytes{};
    qToBigEndian(number, bytes.data());
    return {bytes.data(), static_cast<qsizetype>(bytes.size())};
}

} // namespace

QByteArray encodeFrame(const Frame& frame)
{
    const char kind = static_cast<char>(frame.kind);
    if (frame.payload.size() > largest(kind).value_or(-1))
        return {};
    return bigEndian(static_cast<std::uint32_t>(frame.payload.size())) + kind + frame.payload;
}

Frame pieceOfAnswer(std::uint32_t call, QByteArrayView piece)
{
    return {Frame::Kind::Bytes, bigEndian(call).append(piece)};
}

Result<AnswerPiece> answerPiece(const Frame& frame)
{
    if (frame.kind != Frame::Kind::Bytes || frame.payload.size() <= callBytes)
        return fail(ErrorCode::ProtocolViolation, {}, PeerWords::tr("a piece without bytes"));
    return AnswerPiece{qFromBigEndian<std::uint32_t>(frame.payload.constData()),
                       frame.payload.sliced(callBytes)};
}

void FrameDecoder::feed(QByteArrayView bytes)
{
    if (m_fault)
        return;
    if (m_read > 0) {
        m_buffer.remove(0, m_read);
        m_read = 0;
    }
    m_buffer.append(bytes);
}

Result<std::optional<Frame>> FrameDecoder::next()
{
    if (m_fault)
        return tl::unexpected(*m_fault);
    const QByteArrayView rest = QByteArrayView(m_buffer).sliced(m_read);
    if (rest.size() < headerBytes)
        return std::optional<Frame>();
    const qsizetype length = qFromBigEndian<std::uint32_t>(rest.data());
    const char kind = rest[lengthBytes];
    const auto limit = largest(kind);
    if (!limit || length > *limit) {
        m_fault = Error{limit ? ErrorCode::FrameTooLarge : ErrorCode::ProtocolViolation,
                        limit ? PeerWords::tr("%1 bytes, %2 are allowed").arg(length).arg(*limit)
                              : PeerWords::tr("a frame of an unknown kind"),
                        {},
                        nullptr};
        m_buffer.clear();
        m_read = 0;
        return tl::unexpected(*m_fault);
    }
    if (rest.size() - headerBytes < length)
        return std::optional<Frame>();
    m_read += headerBytes + length;
    return std::optional(
        Frame{static_cast<Frame::Kind>(kind), rest.sliced(headerBytes, length).toByteArray()});
}

} // namespace napkin
