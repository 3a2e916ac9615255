// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/echocontrol.h"
#include "core/measure/latency/echoio.h"
#include "core/measure/os/icmp.h"

#include <memory>
#include <vector>

namespace napkin::pingpong {

// One way to send a message and to hear what comes back. For one thread.
class Port
{
public:
    virtual ~Port() = default;

    // Sends the message of that number in one write. A fault means that no message can be sent any
    // more; one that is lost on the way out is no fault.
    [[nodiscard]] virtual Result<void> send(std::int64_t number) = 0;

    struct Heard
    {
        enum class What { Answer, Nothing, Interrupted };
        What what = What::Nothing;
        std::int64_t number = 0; // of the message that was answered
        SteadyTime at;           // when its answer was there, whole
    };
    // The next answer, or nothing until then. A fault ends the run.
    [[nodiscard]] virtual Result<Heard> hear(SteadyTime until) = 0;

    // Whether answers come in order and none gets lost: a late one must be waited for.
    [[nodiscard]] virtual bool isOrdered() const { return false; }
    // What came back instead of answers, if anything: why there may be none.
    [[nodiscard]] virtual std::optional<Error> returned() const { return std::nullopt; }
    [[nodiscard]] virtual std::optional<SocketAddress> local() const = 0;
};

// `timeout` is the limit of one message, `interval` what lies between two: 0 for ping-pong.
struct PortOptions
{
    WaitMode wait = WaitMode::Blocking;
    std::uint32_t size = 64;
    std::chrono::milliseconds timeout{1'000};
    std::chrono::microseconds interval{0};
};

[[nodiscard]] std::unique_ptr<Port> makeIcmpPort(IcmpSocket socket, const Interrupt& interrupt);
// On the control connection itself.
[[nodiscard]] std::unique_ptr<Port> makeTcpPort(EchoControl control, const PortOptions& options,
                                                const Interrupt& interrupt);
// Datagrams to that address. `control`, where there is one, ends the run when it breaks.
[[nodiscard]] Result<std::unique_ptr<Port>> makeUdpPort(const SocketAddress& to, const LeaveBy& by,
                                                        const Marks& marks,
                                                        std::optional<EchoControl> control,
                                                        const PortOptions& options,
                                                        const Interrupt& interrupt);

} // namespace napkin::pingpong
