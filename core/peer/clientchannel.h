// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/conversation.h"
#include "core/peer/peerchannel.h"

#include <QObject>

#include <map>

namespace napkin {

// The asking end of a channel that is open.
class ClientChannel final : public QObject, public PeerChannel
{
    Q_OBJECT
public:
    ClientChannel(std::unique_ptr<FrameSocket> frames, PeerIdentity peer, QString context);
    ~ClientChannel() override;

    [[nodiscard]] const PeerIdentity& peer() const override { return m_peer; }
    [[nodiscard]] QString address() const override { return m_peer.address; }
    [[nodiscard]] QCoro::Task<Result<nlohmann::json>> call(QString method, nlohmann::json arguments,
                                                           std::chrono::milliseconds limit,
                                                           CancelToken cancel,
                                                           PeerEvents events) override;

private:
    // Shared with the coroutine that waits, which may outlive the channel.
    struct Pending
    {
        std::optional<Result<nlohmann::json>> outcome;
        PeerEvents events;
        std::function<void()> wake;
        std::optional<std::int64_t> awaited; // bytes of a long answer
        QByteArray bytes;
    };
    [[nodiscard]] static QCoro::Task<Result<nlohmann::json>>
    wait(QPointer<ClientChannel> channel, std::shared_ptr<Pending> pending, std::uint32_t number,
         QString method, std::chrono::milliseconds limit, CancelToken cancel);
    void take(const Message& message);
    void takePiece(const AnswerPiece& piece);
    void settle(std::uint32_t number, Result<nlohmann::json> outcome);
    void settleAll(const Error& why);
    [[nodiscard]] std::shared_ptr<Pending> pending(std::uint32_t number) const;
    [[nodiscard]] Error inContext(Error error) const;
    void breach(const QString& what);

    std::unique_ptr<FrameSocket> m_frames;
    PeerIdentity m_peer;
    QString m_context;
    std::map<std::uint32_t, std::shared_ptr<Pending>> m_pending;
    std::uint32_t m_last = 0; // number of the newest call
    std::optional<Error> m_closed;
    QTimer m_ping;
};

} // namespace napkin
