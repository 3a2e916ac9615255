// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/deadline.h"
#include "core/peer/framesocket.h"
#include "core/peer/tls.h"

#include <QCoroTask>

#include <deque>
#include <memory>

namespace napkin {

// Where to, as whom, and with which key.
struct TlsTarget
{
    QString host;
    int port = 0;
    TlsIdentity identity;
    QByteArray key;

    [[nodiscard]] QString text() const; // "spark-b:5210"
};

// Connects and encrypts. ConnectionRefused, HostUnreachable, NameNotResolved, TimedOut, Cancelled;
// PeerRefused when the far end does not prove the key.
[[nodiscard]] QCoro::Task<Result<std::unique_ptr<QSslSocket>>>
connectTls(TlsTarget target, Deadline deadline, CancelToken cancel);

// What comes over a frame socket before anybody knows what to do with it: kept in order.
class Inbox : public QObject
{
    Q_OBJECT
public:
    explicit Inbox(FrameSocket* frames);

    // The next message, or why there is none. The inbox must outlive the wait.
    [[nodiscard]] static QCoro::Task<Result<Message>> next(Inbox* inbox, Deadline deadline,
                                                           CancelToken cancel);

Q_SIGNALS:
    void arrived();

private:
    std::deque<Message> m_messages;
    std::optional<Error> m_closed;
};

// A frame socket after both ends said hello.
struct Greeted
{
    std::unique_ptr<FrameSocket> frames;
    std::unique_ptr<Inbox> inbox; // first to go
    HelloMessage theirs;
};
[[nodiscard]] QCoro::Task<Result<Greeted>> greet(TlsTarget target, HelloMessage ours,
                                                 Deadline deadline, CancelToken cancel);

} // namespace napkin
