// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/doorkeeper.h"
#include "core/peer/peerserver.h"

namespace napkin::cli {

// Says what happens at the peer's door, in the doorkeeper's words and order.
class PeerDoorkeeper : public QObject
{
    Q_OBJECT
public:
    explicit PeerDoorkeeper(Doorkeeper* doorkeeper)
        : m_doorkeeper(doorkeeper)
    {}

    void watch(PeerServer* server);
    void sayListening(const QString& bindAddress, int port, const PeerBook& book,
                      const QString& file);

private:
    void say(const char* event, Json payload, const QString& text);
    void sayRefused(const QString& address, const Error& why, int leftOut);
    void sayCallEnded(const PeerIdentity& peer, const QString& method,
                      const std::optional<Error>& fault);

    Doorkeeper* m_doorkeeper;
};

} // namespace napkin::cli
