// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/framesocket.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PeerChannel)
};

constexpr qint64 readAtOnce = 64 * 1024;
constexpr qint64 readAhead = 256 * 1024;
constexpr qint64 congested = 256 * 1024;

Error lost(const QString& why)
{
    return Error{ErrorCode::ConnectionLost, why, {}, nullptr};
}

} // namespace

FrameSocket::FrameSocket(QSslSocket* socket, FrameLimits limits, QObject* parent)
    : QObject(parent)
    , m_socket(socket)
    , m_limits(limits)
{
    socket->setParent(this);
    socket->setReadBufferSize(readAhead);
    m_frameTimer.setSingleShot(true);
    m_idleTimer.setSingleShot(true);
    connect(&m_frameTimer, &QTimer::timeout, this, [this] {
        close(Error{ErrorCode::TimedOut, Words::tr("a message came too slowly"), {}, nullptr});
    });
    connect(&m_idleTimer, &QTimer::timeout, this, [this] {
        close(Error{ErrorCode::PeerSilent, Words::tr("it said nothing for too long"), {}, nullptr});
    });
    connect(socket, &QSslSocket::readyRead, this, &FrameSocket::read);
    connect(socket, &QSslSocket::bytesWritten, this, &FrameSocket::writePieces);
    connect(socket, &QSslSocket::encryptedBytesWritten, this, &FrameSocket::writePieces);
    connect(socket, &QSslSocket::disconnected, this, [this] { finish(lost({})); });
    connect(socket, &QSslSocket::errorOccurred, this, [this, socket](auto error) {
        finish(lost(error == QAbstractSocket::RemoteHostClosedError ? QString()
                                                                    : socket->errorString()));
    });
}

void FrameSocket::start()
{
    m_idleTimer.start(m_limits.idle);
    QMetaObject::invokeMethod(
        this,
        [this] {
            const QPointer<FrameSocket> alive(this);
            read();
            // Gone before anybody listened.
            if (alive && m_socket && m_socket->state() == QAbstractSocket::UnconnectedState)
                finish(lost({}));
        },
        Qt::QueuedConnection);
}

void FrameSocket::setIdleLimit(std::chrono::milliseconds limit)
{
    m_limits.idle = limit;
    if (!m_closed)
        m_idleTimer.start(limit);
}

void FrameSocket::read()
{
    const QPointer<FrameSocket> alive(this);
    while (alive && !m_closed && m_socket && m_socket->bytesAvailable() > 0) {
        m_decoder.feed(m_socket->read(readAtOnce));
        readFrames();
    }
    if (!alive || m_closed)
        return;
    if (!m_decoder.hasBegun()) {
        m_frameTimer.stop();
        m_begun = false;
    } else if (!m_begun) {
        m_frameTimer.start(m_limits.frame);
        m_begun = true;
    }
}

void FrameSocket::readFrames()
{
    const QPointer<FrameSocket> alive(this);
    while (alive && !m_closed) {
        const auto frame = m_decoder.next();
        if (!frame) {
            close(frame.error());
            return;
        }
        if (!*frame)
            return;
        m_begun = false; // what follows is another frame, with its own time
        m_frameTimer.stop();
        m_idleTimer.start(m_limits.idle);
        take(**frame);
    }
}

void FrameSocket::take(const Frame& frame)
{
    if (frame.kind == Frame::Kind::Bytes) {
        const auto piece = answerPiece(frame);
        if (!piece)
            return close(piece.error());
        Q_EMIT receivedPiece(*piece);
        return;
    }
    const auto message = decodeMessage(frame.payload);
    if (!message)
        return close(message.error());
    if (const auto* bye = std::get_if<ByeMessage>(&*message))
        return finish(bye->error);
    Q_EMIT received(*message);
}

void FrameSocket::write(const Frame& frame)
{
    if (m_closed || !m_socket)
        return;
    m_socket->write(encodeFrame(frame));
    if (unsent() > m_limits.unsent)
        finish(lost(Words::tr("it does not read what it is sent")));
}

void FrameSocket::send(const Message& message)
{
    if (auto payload = encodeMessage(message))
        write({Frame::Kind::Message, std::move(*payload)});
}

Result<void> FrameSocket::sendAnswer(std::uint32_t call, const nlohmann::json& value)
{
    ResultMessage result{call, value, std::nullopt};
    if (auto payload = encodeMessage(result)) {
        write({Frame::Kind::Message, std::move(*payload)});
        return {};
    }
    QByteArray bytes = jsonBytes(value);
    if (m_waiting + bytes.size() > m_limits.answers)
        return fail(ErrorCode::FrameTooLarge, {},
                    Words::tr("the answer has %1 bytes, %2 are allowed")
                        .arg(bytes.size())
                        .arg(m_limits.answers));
    result.value = nullptr;
    result.bytes = bytes.size();
    m_waiting += bytes.size();
    m_answers.push_back({call, std::move(bytes), 0});
    send(result);
    writePieces();
    return {};
}

void FrameSocket::writePieces()
{
    while (!m_closed && m_socket && !m_answers.empty() && unsent() < congested) {
        LongAnswer& answer = m_answers.front();
        const qsizetype size = std::min(Frame::largestPiece, answer.bytes.size() - answer.sent);
        const Frame piece =
            pieceOfAnswer(answer.call, QByteArrayView(answer.bytes).sliced(answer.sent, size));
        answer.sent += size;
        m_waiting -= size;
        if (answer.sent == answer.bytes.size())
            m_answers.pop_front();
        write(piece);
    }
}

qint64 FrameSocket::unsent() const
{
    return m_socket->bytesToWrite() + m_socket->encryptedBytesToWrite();
}

bool FrameSocket::isCongested() const
{
    return m_closed || !m_socket || !m_answers.empty() || unsent() > congested;
}

void FrameSocket::close(const Error& why)
{
    if (m_closed)
        return;
    if (m_socket) {
        send(ByeMessage{why});
        if (m_closed) // it did not even read the rest
            return;
        m_socket->flush();
    }
    finish(why);
}

void FrameSocket::finish(const Error& why)
{
    if (m_closed)
        return;
    m_closed = true;
    m_frameTimer.stop();
    m_idleTimer.stop();
    m_answers.clear();
    if (m_socket) {
        // The last words leave by themselves, with a deadline and without this object.
        QSslSocket* socket = m_socket;
        socket->disconnect(this);
        socket->setParent(nullptr);
        m_socket.clear();
        if (socket->state() == QAbstractSocket::UnconnectedState) {
            socket->deleteLater();
        } else {
            QObject::connect(socket, &QSslSocket::disconnected, socket, &QObject::deleteLater);
            QTimer::singleShot(m_limits.parting, socket, &QObject::deleteLater);
            socket->disconnectFromHost();
        }
    }
    Q_EMIT closed(why);
}

} // namespace napkin
