// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/scriptedpeer.h"

#include <optional>

namespace napkin::test {

// A port of loopback at which no measurement is to be had: nobody listens, or who does is busy with
// another test and says so, for as long as this lives.
class Unwilling
{
public:
    explicit Unwilling(bool isBusy)
    {
        m_peer.emplace([](PeerTalk& talk) {
            while (true) {
                const int control = talk.accept();
                talk.writeState(control, -1);
                talk.close(control);
            }
        });
        m_port = m_peer->port();
        if (!isBusy)
            m_peer.reset();
    }
    [[nodiscard]] int port() const { return m_port; }

private:
    std::optional<ScriptedPeer> m_peer;
    int m_port = 0;
};

} // namespace napkin::test
