// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoports.h"

#include <cerrno>
#include <random>
#include <utility>

namespace napkin::pingpong {

namespace {

SteadyTime now()
{
    return std::chrono::steady_clock::now();
}

// Nothing that a link could shorten.
std::vector<char> randomMessage(std::uint32_t size)
{
    std::vector<char> message(size);
    std::mt19937 random(std::random_device{}());
    for (char& byte : message)
        byte = static_cast<char>(random() & 0xff);
    return message;
}

class IcmpPort final : public Port
{
public:
    IcmpPort(IcmpSocket socket, const Interrupt& interrupt)
        : m_socket(std::move(socket))
        , m_interrupt(interrupt)
    {}

    Result<void> send(std::int64_t number) override
    {
        m_last = number;
        const auto sequence = static_cast<std::uint16_t>(number & 0xffff);
        Result<void> sent = m_socket.send(sequence);
        if (sent)
            return sent;
        // What came back for an earlier message is told by the next call, whatever that does.
        m_returned = sent.error();
        if (sent = m_socket.send(sequence); sent)
            return sent;
        const ErrorCode code = sent.error().code;
        const bool isPassing = code == ErrorCode::OutOfMemory || code == ErrorCode::HostUnreachable;
        m_returned = sent.error();
        return isPassing ? Result<void>() : sent;
    }

    Result<Heard> hear(SteadyTime until) override
    {
        while (true) {
            if (const auto heard = m_socket.receive()) {
                if (!heard->fault)
                    return Heard{Heard::What::Answer, numberOf(*heard->sequence), now()};
                m_returned = heard->fault;
                continue;
            }
            const Ready ready = waitReadable(m_socket.fd(), until, m_interrupt);
            if (ready == Ready::Interrupted)
                return Heard{Heard::What::Interrupted, 0, {}};
            if (ready == Ready::TimedOut)
                return Heard{};
        }
    }

    std::optional<Error> returned() const override { return m_returned; }
    std::optional<SocketAddress> local() const override { return m_socket.local(); }

private:
    // A sequence has 16 bits: the latest message that has it.
    std::int64_t numberOf(std::uint16_t sequence) const
    {
        return m_last - ((m_last - sequence) & 0xffff);
    }

    IcmpSocket m_socket;
    const Interrupt& m_interrupt;
    std::int64_t m_last = 0;
    std::optional<Error> m_returned;
};

class TcpPort final : public Port
{
public:
    TcpPort(EchoControl control, const PortOptions& options, const Interrupt& interrupt)
        : m_control(std::move(control))
        , m_interrupt(interrupt)
        , m_looks(looksOf(options.wait))
        , m_message(randomMessage(options.size))
        , m_answer(options.size)
    {
        setWait(m_control.socket(), options.wait, options.timeout);
    }

    Result<void> send(std::int64_t number) override
    {
        m_number = number;
        m_received = 0;
        size_t done = 0;
        const Limits limits{SteadyTime::max(), silenceLimit, m_looks};
        return made(sendRest(m_control.socket(), m_message, done, limits, m_interrupt));
    }

    Result<Heard> hear(SteadyTime until) override
    {
        const Moved moved = receiveRest(m_control.socket(), m_answer, m_received,
                                        {until, silenceLimit, m_looks}, m_interrupt);
        if (moved == Moved::Whole)
            return Heard{Heard::What::Answer, m_number, now()};
        if (moved == Moved::TimedOut)
            return Heard{};
        if (moved == Moved::Interrupted)
            return Heard{Heard::What::Interrupted, 0, {}};
        return tl::unexpected(made(moved).error());
    }

    bool isOrdered() const override { return true; }
    std::optional<SocketAddress> local() const override { return m_control.local(); }

private:
    static Result<void> made(Moved moved)
    {
        switch (moved) {
        case Moved::Whole:
            return {};
        case Moved::Interrupted:
            return fail(ErrorCode::Cancelled);
        case Moved::Closed:
            return fail(ErrorCode::ConnectionLost);
        case Moved::TimedOut:
        case Moved::Silent:
            return fail(ErrorCode::PeerSilent);
        case Moved::Failed:
            break;
        }
        const int error = errno;
        return fail(codeOfErrno(error), {}, textOfErrno(error));
    }

    EchoControl m_control;
    const Interrupt& m_interrupt;
    int m_looks;
    std::vector<char> m_message;
    std::vector<char> m_answer;
    size_t m_received = 0;
    std::int64_t m_number = 0;
};

class UdpPort final : public Port
{
public:
    UdpPort(Socket socket, const Marks& marks, std::optional<EchoControl> control,
            const PortOptions& options, const Interrupt& interrupt)
        : m_socket(std::move(socket))
        , m_marks(marks)
        , m_control(std::move(control))
        , m_interrupt(interrupt)
        , m_isBusy(options.wait == WaitMode::BusyPoll)
        , m_sleeps(!m_isBusy && options.interval.count() == 0)
        , m_run(std::uint64_t{std::random_device{}()} << 32)
        , m_message(randomMessage(options.size))
        , m_answer(size_t{options.size} + 1)
    {
        if (m_sleeps)
            setWait(m_socket, WaitMode::Blocking, options.timeout);
    }

    Result<void> send(std::int64_t number) override;
    Result<Heard> hear(SteadyTime until) override;
    std::optional<Error> returned() const override { return m_returned; }
    std::optional<SocketAddress> local() const override { return localAddress(m_socket); }

private:
    [[nodiscard]] std::optional<Heard> receive();
    [[nodiscard]] Result<void> checkControl() const
    {
        if (m_control && isClosed(m_control->socket()))
            return fail(ErrorCode::ConnectionLost);
        return {};
    }
    [[nodiscard]] Result<void> noteFault(int error);

    Socket m_socket;
    Marks m_marks;
    std::optional<EchoControl> m_control;
    const Interrupt& m_interrupt;
    bool m_isBusy;
    bool m_sleeps; // in the call that receives; otherwise in one that waits to the microsecond
    std::uint64_t m_run; // tells this run's datagrams from those of one before
    std::vector<char> m_message;
    std::vector<char> m_answer;
    std::optional<Error> m_returned;
};

// A refusal by ICMP is not the end: the far end may open its port in a moment, or close it as the
// run ends. That the control connection breaks is.
Result<void> UdpPort::noteFault(int error)
{
    m_returned = Error{codeOfErrno(error), textOfErrno(error), {}, nullptr};
    return checkControl();
}

Result<void> UdpPort::send(std::int64_t number)
{
    putDatagram(m_message, m_marks.request, m_run | static_cast<std::uint64_t>(number));
    for (int attempt = 0; attempt < 2; ++attempt) {
        if (::send(m_socket.fd(), m_message.data(), m_message.size(), MSG_NOSIGNAL) >= 0)
            return {};
        const int error = errno;
        if (error == EMSGSIZE || error == EPERM || error == EACCES)
            return fail(codeOfErrno(error), {}, textOfErrno(error));
        if (error == EAGAIN || error == ENOBUFS)
            return {};
        if (auto alive = noteFault(error); !alive)
            return alive;
    }
    return {};
}

// Nullopt: nothing that concerns this run.
std::optional<Port::Heard> UdpPort::receive()
{
    const ssize_t got = ::recv(m_socket.fd(), m_answer.data(), m_answer.size(), 0);
    if (got < 0)
        return std::nullopt;
    const SteadyTime at = now();
    errno = 0;
    if (static_cast<size_t>(got) != m_message.size())
        return std::nullopt;
    const auto number = numberIn({m_answer.data(), static_cast<size_t>(got)}, m_marks.reply);
    constexpr std::uint64_t mostNumbers = 0xffff'ffff;
    if (!number || (*number & ~mostNumbers) != m_run)
        return std::nullopt;
    return Heard{Heard::What::Answer, static_cast<std::int64_t>(*number & mostNumbers), at};
}

Result<Port::Heard> UdpPort::hear(SteadyTime until)
{
    const int looks = looksOf(m_isBusy ? WaitMode::BusyPoll : WaitMode::Blocking);
    for (int count = 1;; ++count) {
        if (const auto heard = receive())
            return *heard;
        const int error = errno;
        if (error != 0 && error != EAGAIN && error != EINTR) {
            if (auto alive = noteFault(error); !alive)
                return tl::unexpected(alive.error());
            continue;
        }
        if (count % looks != 0)
            continue;
        if (m_interrupt.isCancelled())
            return Heard{Heard::What::Interrupted, 0, {}};
        if (now() >= until) {
            return checkControl().map([] { return Heard{}; });
        }
        if (!m_isBusy && !m_sleeps)
            static_cast<void>(waitReadable(m_socket.fd(), until, m_interrupt));
    }
}

} // namespace

std::unique_ptr<Port> makeIcmpPort(IcmpSocket socket, const Interrupt& interrupt)
{
    return std::make_unique<IcmpPort>(std::move(socket), interrupt);
}

std::unique_ptr<Port> makeTcpPort(EchoControl control, const PortOptions& options,
                                  const Interrupt& interrupt)
{
    return std::make_unique<TcpPort>(std::move(control), options, interrupt);
}

Result<std::unique_ptr<Port>> makeUdpPort(const SocketAddress& to, const LeaveBy& by,
                                          const Marks& marks, std::optional<EchoControl> control,
                                          const PortOptions& options, const Interrupt& interrupt)
{
    Result<Socket> socket = connectUdp(to, by);
    if (!socket)
        return tl::unexpected(socket.error());
    return std::make_unique<UdpPort>(std::move(*socket), marks, std::move(control), options,
                                     interrupt);
}

} // namespace napkin::pingpong
