// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <vector>

#include "playediperf3.h"

namespace napkin::test {

// A UDP socket of a script, on 127.0.0.1 or another address of this machine.
class UdpDoor
{
public:
    explicit UdpDoor(int port, const char* address = "127.0.0.1"); // 0: any
    ~UdpDoor();
    UdpDoor(const UdpDoor&) = delete;
    UdpDoor& operator=(const UdpDoor&) = delete;
    UdpDoor(UdpDoor&&) = delete;
    UdpDoor& operator=(UdpDoor&&) = delete;

    // Empty when none came in time. From then on send() goes back to where it came from.
    QByteArray receive(std::chrono::milliseconds limit);
    void sendTo(int port, const QByteArray& bytes); // to 127.0.0.1
    void send(const QByteArray& bytes);
    [[nodiscard]] int fd() const { return m_fd; }

private:
    int m_fd = -1;
    int m_peerPort = 0;
};

// A datagram as iperf3 sends it, numbered with 64 bits.
[[nodiscard]] QByteArray datagram(quint64 number, int size);

// A server of one UDP stream, as stock iperf3 plays it.
struct PlayedUdp
{
    QByteArray answer = "6789";  // to the first datagram; empty: none
    std::vector<quint64> sends;  // reverse: these numbers, once the test runs
    QByteArray results;          // its one stream's: "%b" stands for bytes, "%p" for packets
    Stage leaves = Stage::Never; // Streams: instead of taking the first datagram
    std::function<void(PeerTalk&, int control)> leave; // instead of going on
    QByteArray parametersSeen;

    std::atomic<int> port = 0; // set once the peer listens

    [[nodiscard]] ScriptedPeer::Script script();

private:
    void play(PeerTalk& talk);
    [[nodiscard]] bool leavesAt(Stage stage, PeerTalk& talk, int control) const;
};

} // namespace napkin::test
