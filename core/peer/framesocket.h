// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/frame.h"
#include "core/peer/message.h"

#include <QObject>
#include <QPointer>
#include <QSslSocket>
#include <QTimer>

#include <chrono>
#include <deque>

namespace napkin {

struct FrameLimits
{
    std::chrono::milliseconds frame{10'000};     // from the first byte of a frame to its last
    std::chrono::milliseconds idle{60'000};      // from one frame to the next
    std::chrono::milliseconds parting{1'000};    // for the last words to leave
    qint64 unsent = 4 * 1024 * 1024;             // a far end that reads nothing is given up
    std::int64_t answers = Frame::longestAnswer; // long answers that wait to be sent
};

// Messages over an encrypted socket, for either end. Ends by itself, with `closed` exactly once,
// when the socket does, when the far end breaks the protocol, sends a frame too slowly, is silent
// for too long or does not read.
class FrameSocket : public QObject
{
    Q_OBJECT
public:
    // The socket is encrypted and becomes this one's child.
    FrameSocket(QSslSocket* socket, FrameLimits limits, QObject* parent = nullptr);

    void start(); // begins to read, also what has arrived already

    void send(const Message& message);
    // The answer to a call; a long one goes in pieces, as fast as the far end reads them.
    // FrameTooLarge when it is longer than allowed, or does not fit beside those that wait.
    [[nodiscard]] Result<void> sendAnswer(std::uint32_t call, const nlohmann::json& value);
    [[nodiscard]] bool isCongested() const; // events are better left out
    void close(const Error& why);           // tells the far end
    [[nodiscard]] bool isClosed() const { return m_closed; }
    void setIdleLimit(std::chrono::milliseconds limit);

Q_SIGNALS:
    void received(napkin::Message message);
    void receivedPiece(napkin::AnswerPiece piece);
    void closed(napkin::Error why);

private:
    struct LongAnswer
    {
        std::uint32_t call = 0;
        QByteArray bytes;
        qsizetype sent = 0;
    };
    void read();
    void readFrames();
    void take(const Frame& frame);
    void write(const Frame& frame);
    void writePieces();
    void finish(const Error& why); // without a word
    [[nodiscard]] qint64 unsent() const;

    QPointer<QSslSocket> m_socket;
    FrameLimits m_limits;
    FrameDecoder m_decoder;
    std::deque<LongAnswer> m_answers;
    std::int64_t m_waiting = 0; // bytes of answers
    QTimer m_frameTimer;
    QTimer m_idleTimer;
    bool m_closed = false;
    bool m_begun = false; // the frame timer is for the frame that is coming
};

} // namespace napkin
