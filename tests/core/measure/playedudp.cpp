// SPDX-License-Identifier: GPL-3.0-or-later
#include "playedudp.h"

#include <QtEndian>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace napkin::test {

namespace {

sockaddr_in addressOf(const char* host, int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    ::inet_pton(AF_INET, host, &address.sin_addr);
    return address;
}

} // namespace

UdpDoor::UdpDoor(int port, const char* address)
    : m_fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0))
{
    const sockaddr_in local = addressOf(address, port);
    if (::bind(m_fd, reinterpret_cast<const sockaddr*>(&local), sizeof local) != 0)
        throw std::runtime_error("cannot bind UDP");
}

UdpDoor::~UdpDoor()
{
    ::close(m_fd);
}

QByteArray UdpDoor::receive(std::chrono::milliseconds limit)
{
    pollfd polled{m_fd, POLLIN, 0};
    if (::poll(&polled, 1, static_cast<int>(limit.count())) <= 0)
        return {};
    QByteArray bytes(65'536, '\0');
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t got = ::recvfrom(m_fd, bytes.data(), static_cast<size_t>(bytes.size()), 0,
                                   reinterpret_cast<sockaddr*>(&from), &size);
    m_peerPort = ntohs(from.sin_port);
    return bytes.left(std::max<ssize_t>(0, got));
}

void UdpDoor::sendTo(int port, const QByteArray& bytes)
{
    const sockaddr_in to = addressOf("127.0.0.1", port);
    ::sendto(m_fd, bytes.constData(), static_cast<size_t>(bytes.size()), 0,
             reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

void UdpDoor::send(const QByteArray& bytes)
{
    sendTo(m_peerPort, bytes);
}

QByteArray datagram(quint64 number, int size)
{
    QByteArray bytes(size, 'x');
    qToBigEndian(quint32(5), bytes.data());
    qToBigEndian(quint32(6), bytes.data() + 4);
    qToBigEndian(number, bytes.data() + 8);
    return bytes;
}

bool PlayedUdp::leavesAt(Stage stage, PeerTalk& talk, int control) const
{
    if (stage != leaves)
        return false;
    leave(talk, control);
    return true;
}

void PlayedUdp::play(PeerTalk& talk)
{
    const int control = talk.accept();
    (void)talk.read(control, 37);
    if (leavesAt(Stage::Cookie, talk, control))
        return;
    talk.writeState(control, 9);
    parametersSeen = talk.readFrame(control);
    if (leavesAt(Stage::Parameters, talk, control))
        return;
    if (leaves == Stage::Streams) {
        talk.writeState(control, 10);
        leave(talk, control);
        return;
    }
    UdpDoor door(port);
    talk.writeState(control, 10);
    if (door.receive(std::chrono::seconds(3)) != "9876")
        throw std::runtime_error("no first datagram");
    if (answer.isEmpty()) {
        talk.hold();
        return;
    }
    door.send(answer);
    talk.writeState(control, 1);
    talk.writeState(control, 2);
    for (const quint64 number : sends)
        door.send(datagram(number, 1000));
    if (leaves == Stage::Running) {
        talk.pause(std::chrono::milliseconds(500));
        leave(talk, control);
        return;
    }
    qint64 bytes = 0;
    qint64 packets = 0;
    while (sends.empty()) {
        const QByteArray got = door.receive(std::chrono::milliseconds(200));
        if (got.isEmpty())
            break;
        bytes += got.size();
        ++packets;
    }
    if (talk.readState(control) != 4)
        throw std::runtime_error("no TEST_END");
    talk.writeState(control, 13);
    (void)talk.readFrame(control);
    if (leavesAt(Stage::Results, talk, control))
        return;
    QByteArray stream = results;
    stream.replace("%b", QByteArray::number(bytes)).replace("%p", QByteArray::number(packets));
    talk.writeFrame(control, R"({"cpu_util_total":1,"cpu_util_user":1,"cpu_util_system":0,)"
                             R"("sender_has_retransmits":-1,"streams":[)" +
                                 stream + "]}");
    talk.writeState(control, 14);
    if (talk.readState(control) != 16)
        throw std::runtime_error("no IPERF_DONE");
}

ScriptedPeer::Script PlayedUdp::script()
{
    return [this](PeerTalk& talk) { play(talk); };
}

} // namespace napkin::test
