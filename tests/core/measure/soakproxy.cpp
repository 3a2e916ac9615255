// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/measure/soakproxy.h"

#include "core/measure/listener.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

namespace napkin::test {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

void setLinger(const Socket& socket)
{
    const linger atOnce{1, 0};
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
}

} // namespace

// One direction of the connection that stands.
struct SoakProxy::Way
{
    int from = -1;
    int to = -1;
    Direction direction = Direction::Forward;
    std::int64_t offset = 0; // of what is read next
    std::vector<char> held;  // read, and not yet passed on
};

SoakProxy::SoakProxy(int target, std::vector<Mischief> plan)
    : m_target(target)
    , m_plan(std::move(plan))
{
    auto listener = openListener(QStringLiteral("127.0.0.1"), 0);
    if (!listener)
        throw std::runtime_error("no listener");
    m_listener = std::move(*listener);
    m_port = localAddress(m_listener)->port();
    m_thread = std::thread([this] { loop(); });
}

SoakProxy::~SoakProxy()
{
    m_stop.request_stop();
    m_thread.join();
}

std::vector<Deed> SoakProxy::book()
{
    const std::lock_guard lock(m_mutex);
    return m_book;
}

Clock::time_point SoakProxy::accepted()
{
    const std::lock_guard lock(m_mutex);
    return m_accepted.value_or(Clock::time_point());
}

void SoakProxy::note(const Deed& deed)
{
    const std::lock_guard lock(m_mutex);
    m_book.push_back(deed);
}

void SoakProxy::loop()
{
    while (!m_stop.stop_requested()) {
        if (waitReady(m_listener.fd(), POLLIN, Deadline(1h), m_interrupt) != Ready::Yes)
            continue;
        if (auto near = acceptTcp(m_listener)) {
            {
                const std::lock_guard lock(m_mutex);
                if (!m_accepted)
                    m_accepted = Clock::now();
            }
            serve(std::move(*near));
            ++m_connections;
        }
    }
}

// What is to be done to the whole connection now.
std::optional<Mischief> SoakProxy::due()
{
    const auto since = Clock::now() - accepted();
    const auto found = std::ranges::find_if(m_plan, [&](const Mischief& one) {
        return one.kind != Mischief::Kind::Flip && since >= one.at;
    });
    if (found == m_plan.end())
        return std::nullopt;
    const Mischief one = *found;
    m_plan.erase(found);
    return one;
}

void SoakProxy::serve(Socket near)
{
    auto far = connectTcp(*addressFromText(QStringLiteral("127.0.0.1"), m_target), {}, Deadline(2s),
                          m_interrupt);
    if (!far) {
        setLinger(near);
        return;
    }
    setNoDelay(near);
    setNoDelay(*far);
    std::array ways{Way{near.fd(), far->fd(), Direction::Forward, 0, {}},
                    Way{far->fd(), near.fd(), Direction::Reverse, 0, {}}};
    while (!m_stop.stop_requested()) {
        if (const auto mischief = due()) {
            Deed deed{*mischief, Clock::now(), Clock::now(), 0, 0};
            if (mischief->kind == Mischief::Kind::Stall)
                (void)waitReady(-1, 0, Deadline(mischief->length), m_interrupt);
            if (mischief->kind == Mischief::Kind::Reset) {
                setLinger(near);
                setLinger(*far);
            }
            deed.ended = Clock::now();
            if (mischief->kind == Mischief::Kind::Stall) {
                note(deed);
                continue;
            }
            if (mischief->kind == Mischief::Kind::Close) { // no reset, though bytes wait unread
                ::shutdown(near.fd(), SHUT_WR);
                ::shutdown(far->fd(), SHUT_WR);
                note(deed);
                std::array<char, 65'536> rest{};
                const Deadline drained(300ms);
                while (!drained.hasPassed()) {
                    if (::recv(near.fd(), rest.data(), rest.size(), MSG_DONTWAIT) == 0 &&
                        ::recv(far->fd(), rest.data(), rest.size(), MSG_DONTWAIT) == 0)
                        break;
                    (void)waitReady(-1, 0, Deadline(1ms), m_interrupt);
                    (void)::recv(far->fd(), rest.data(), rest.size(), MSG_DONTWAIT);
                }
                return;
            }
            note(deed);
            return;
        }
        std::array polled{pollfd{ways[0].from, POLLIN, 0}, pollfd{ways[1].from, POLLIN, 0}};
        for (std::size_t i = 0; i < 2; ++i) {
            if (!ways[i].held.empty())
                polled[i] = pollfd{ways[i].to, POLLOUT, 0};
        }
        (void)::poll(polled.data(), polled.size(), 10);
        if (!pump(ways[0]) || !pump(ways[1]))
            return;
    }
}

// False when the connection is over.
bool SoakProxy::pump(Way& way)
{
    if (way.held.empty()) {
        way.held.resize(65'536);
        const ssize_t got = ::recv(way.from, way.held.data(), way.held.size(), MSG_DONTWAIT);
        way.held.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        for (const Mischief& one : m_plan) {
            const std::int64_t at = one.offset - way.offset;
            const bool isHere = one.kind == Mischief::Kind::Flip && m_connections == 0 &&
                                one.direction == way.direction && at >= 0 &&
                                at < static_cast<std::int64_t>(way.held.size());
            if (!isHere)
                continue;
            char& byte = way.held[static_cast<std::size_t>(at)];
            Deed deed{one, Clock::now(), Clock::now(), static_cast<unsigned char>(byte), 0};
            byte = static_cast<char>(static_cast<unsigned char>(byte) ^ one.mask);
            deed.became = static_cast<unsigned char>(byte);
            note(deed);
        }
        way.offset += static_cast<std::int64_t>(way.held.size());
    }
    if (way.held.empty())
        return true;
    const ssize_t sent =
        ::send(way.to, way.held.data(), way.held.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0)
        return errno == EAGAIN || errno == EINTR;
    way.held.erase(way.held.begin(), way.held.begin() + sent);
    (way.direction == Direction::Forward ? m_forward : m_reverse) += sent;
    return true;
}

} // namespace napkin::test
