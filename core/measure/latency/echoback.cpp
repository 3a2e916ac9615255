// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoback.h"

#include "core/measure/listener.h"

#include <cerrno>
#include <vector>

namespace napkin::pingpong {

namespace {

SteadyTime now()
{
    return std::chrono::steady_clock::now();
}

// Waits for the first datagram with the mark from an address that may send one, and stays with that
// sender: from then on the kernel drops everybody else's.
class DatagramEcho
{
public:
    DatagramEcho(const Socket& udp, const DatagramRules& rules)
        : m_udp(udp)
        , m_rules(rules)
        , m_bytes(rules.size + 1) // one more, to see what is too long
    {}

    // Whether one came and was answered.
    [[nodiscard]] bool step() { return m_isConnected ? answerNext() : meet(); }

private:
    [[nodiscard]] bool isOurs(ssize_t size) const
    {
        return size >= 0 && static_cast<size_t>(size) == m_rules.size &&
               numberIn({m_bytes.data(), m_rules.size}, m_rules.marks.request).has_value();
    }
    [[nodiscard]] bool meet();
    [[nodiscard]] bool answerNext();
    [[nodiscard]] bool answer();

    const Socket& m_udp;
    const DatagramRules& m_rules;
    std::vector<char> m_bytes;
    bool m_isConnected = false;
};

bool DatagramEcho::answer()
{
    putMark(m_bytes, m_rules.marks.reply);
    return ::send(m_udp.fd(), m_bytes.data(), m_rules.size, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

bool DatagramEcho::answerNext()
{
    const ssize_t got = ::recv(m_udp.fd(), m_bytes.data(), m_bytes.size(), 0);
    return isOurs(got) && answer();
}

bool DatagramEcho::meet()
{
    SocketAddress from;
    from.length = sizeof from.storage;
    const ssize_t got = ::recvfrom(m_udp.fd(), m_bytes.data(), m_bytes.size(), 0,
                                   reinterpret_cast<sockaddr*>(&from.storage), &from.length);
    if (!isOurs(got) || (!m_rules.clients.isEmpty() && !isAmong(from.text(), m_rules.clients)))
        return false;
    m_isConnected = ::connect(m_udp.fd(), from.raw(), from.length) == 0;
    return m_isConnected && answer();
}

} // namespace

void echoStream(const Socket& connection, const Plan& plan, SteadyTime end,
                const Interrupt& interrupt)
{
    setWait(connection, plan.wait, slice);
    Schedule schedule(plan.seed, plan.sizes);
    std::vector<char> message(plan.largest());
    const Limits limits{end, silenceLimit + plan.pause * 1ms, looksOf(plan.wait)};
    constexpr std::uint32_t often = 64;
    for (std::uint32_t i = 0; i < plan.messages; ++i) {
        // Where the next message is always there already, nothing else looks at these.
        if (interrupt.isCancelled() || (i % often == 0 && now() >= end))
            return;
        const std::span<char> next(message.data(), schedule.next());
        size_t received = 0;
        size_t sent = 0;
        if (receiveRest(connection, next, received, limits, interrupt) != Moved::Whole ||
            sendRest(connection, next, sent, limits, interrupt) != Moved::Whole)
            return;
    }
}

void echoDatagrams(const Socket& udp, const DatagramRules& rules, SteadyTime end,
                   const std::function<bool()>& isOver, const Interrupt& interrupt)
{
    setWait(udp, rules.wait, slice);
    DatagramEcho echo(udp, rules);
    const int looks = looksOf(rules.wait);
    SteadyTime heard = now();
    std::int64_t answered = 0;
    int quiet = 0;
    int busy = 0;
    while (answered < rules.messages) {
        errno = 0;
        if (echo.step()) {
            ++answered;
            quiet = 0;
            if (++busy % 256 != 0)
                continue;
            heard = now();
        } else if (++quiet % looks != 0) {
            continue;
        } else if (busy > 0) {
            heard = now();
            busy = 0;
        }
        const SteadyTime at = now();
        if (interrupt.isCancelled() || at >= end || isOver() ||
            (rules.silence && at - heard >= *rules.silence))
            return;
    }
}

} // namespace napkin::pingpong
