// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scriptedpeer.h"

#include <QtEndian>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace napkin::test {

namespace {

using namespace std::chrono_literals;
constexpr auto callLimit = 5s;

[[noreturn]] void give(const char* why)
{
    throw std::runtime_error(why);
}

sockaddr_in loopback(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

} // namespace

PeerTalk::~PeerTalk()
{
    closeAll();
    if (m_listener >= 0)
        ::close(m_listener);
}

int PeerTalk::add(int fd)
{
    const std::lock_guard lock(m_mutex);
    m_fds.push_back(fd);
    return static_cast<int>(m_fds.size()) - 1;
}

int PeerTalk::fdOf(int connection)
{
    const std::lock_guard lock(m_mutex);
    return m_fds.at(static_cast<size_t>(connection));
}

void PeerTalk::wait(int fd, short events)
{
    const auto end = std::chrono::steady_clock::now() + callLimit;
    while (true) {
        if (m_stopped)
            give("the test is over");
        pollfd polled{fd, events, 0};
        if (::poll(&polled, 1, 20) > 0)
            return;
        if (std::chrono::steady_clock::now() > end)
            give("nothing came in time");
    }
}

int PeerTalk::listen()
{
    m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(m_listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(m_listener, 300) != 0 ||
        ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        give("cannot listen");
    return ntohs(address.sin_port);
}

int PeerTalk::accept()
{
    wait(m_listener, POLLIN);
    const int fd = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        give("cannot accept");
    return add(fd);
}

int PeerTalk::connect(int port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    const int connection = add(fd);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        give("cannot connect");
    return connection;
}

QByteArray PeerTalk::read(int connection, qsizetype count)
{
    const int fd = fdOf(connection);
    QByteArray bytes(count, '\0');
    qsizetype done = 0;
    while (done < count) {
        wait(fd, POLLIN);
        const ssize_t got =
            ::recv(fd, bytes.data() + done, static_cast<size_t>(count - done), MSG_DONTWAIT);
        if (got == 0)
            give("closed by the other side");
        if (got < 0 && errno != EAGAIN)
            give("reset by the other side");
        done += std::max<ssize_t>(0, got);
    }
    return bytes;
}

QByteArray PeerTalk::readFrame(int connection)
{
    const QByteArray prefix = read(connection, 4);
    return read(connection, qFromBigEndian<quint32>(prefix.constData()));
}

void PeerTalk::write(int connection, const QByteArray& bytes)
{
    const int fd = fdOf(connection);
    qsizetype done = 0;
    while (done < bytes.size()) {
        wait(fd, POLLOUT);
        const ssize_t sent =
            ::send(fd, bytes.constData() + done, static_cast<size_t>(bytes.size() - done),
                   MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN)
            give("reset by the other side");
        done += std::max<ssize_t>(0, sent);
    }
}

void PeerTalk::writeFrame(int connection, const QByteArray& json)
{
    QByteArray frame(4, '\0');
    qToBigEndian(static_cast<quint32>(json.size()), frame.data());
    write(connection, frame + json);
}

std::vector<qint64> PeerTalk::drainUntil(const std::vector<int>& connections, int until)
{
    std::vector<qint64> counts(connections.size(), 0);
    std::vector<char> buffer(256 * 1024);
    std::vector<pollfd> polled;
    for (const int connection : connections)
        polled.push_back({fdOf(connection), POLLIN, 0});
    polled.push_back({fdOf(until), POLLIN, 0});
    while (polled.back().revents == 0) {
        if (m_stopped)
            give("the test is over");
        ::poll(polled.data(), polled.size(), 20);
        for (size_t i = 0; i < connections.size(); ++i) {
            if (polled[i].revents == 0)
                continue;
            const ssize_t got = ::recv(polled[i].fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
            counts[i] += std::max<ssize_t>(0, got);
        }
    }
    return counts;
}

void PeerTalk::fillUntil(const std::vector<int>& connections, int until)
{
    const QByteArray block(64 * 1024, 'x');
    std::vector<pollfd> polled;
    for (const int connection : connections)
        polled.push_back({fdOf(connection), POLLOUT, 0});
    polled.push_back({fdOf(until), POLLIN, 0});
    while (polled.back().revents == 0) {
        if (m_stopped)
            give("the test is over");
        ::poll(polled.data(), polled.size(), 20);
        for (size_t i = 0; i < connections.size(); ++i) {
            if ((polled[i].revents & POLLOUT) != 0)
                ::send(polled[i].fd, block.constData(), static_cast<size_t>(block.size()),
                       MSG_NOSIGNAL | MSG_DONTWAIT);
        }
    }
}

bool PeerTalk::isClosedByPeer(int connection)
{
    const int fd = fdOf(connection);
    std::array<char, 4096> buffer{};
    while (true) {
        try {
            wait(fd, POLLIN);
        } catch (const std::runtime_error&) {
            return false;
        }
        const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN))
            return true;
    }
}

void PeerTalk::close(int connection)
{
    const std::lock_guard lock(m_mutex);
    int& fd = m_fds.at(static_cast<size_t>(connection));
    ::close(fd);
    fd = -1;
}

void PeerTalk::reset(int connection)
{
    const linger atOnce{1, 0};
    ::setsockopt(fdOf(connection), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
    close(connection);
}

void PeerTalk::hold()
{
    while (!m_stopped)
        std::this_thread::sleep_for(10ms);
}

void PeerTalk::pause(std::chrono::milliseconds time)
{
    std::this_thread::sleep_for(time);
}

void PeerTalk::closeAll()
{
    const std::lock_guard lock(m_mutex);
    for (int& fd : m_fds) {
        if (fd >= 0)
            ::close(fd);
        fd = -1;
    }
}

void PeerTalk::stop()
{
    m_stopped = true;
}

ScriptedPeer::ScriptedPeer(Script script)
    : m_port(m_talk.listen())
    , m_thread([this, script = std::move(script)] {
        try {
            script(m_talk);
        } catch (const std::exception& e) {
            m_fault = e.what();
        }
        m_talk.closeAll();
    })
{}

ScriptedPeer::~ScriptedPeer()
{
    m_talk.stop();
    if (m_thread.joinable())
        m_thread.join();
}

std::string ScriptedPeer::fault()
{
    if (m_thread.joinable())
        m_thread.join();
    return m_fault;
}

} // namespace napkin::test
