// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/measure/os/tcpinfo.h"
#include "core/measure/soak/soakchecker.h"

#include <deque>
#include <memory>

namespace napkin::soak {

// What a service has counted over all of its connections until now.
struct Tally
{
    std::uint64_t instance = 0;
    Counts counts;
    std::optional<std::int64_t> retransmits;
    std::uint32_t events = 0;
    std::deque<SoakEvent> newest; // at most mostToldEvents
};

struct PipeOptions
{
    Direction sends = Direction::Forward;
    std::uint64_t seed = 0;
    std::uint32_t connection = 0;
    std::size_t blockSize = 0;
    BitRate rateCap; // 0: none
    bool sendsBlocks = true;
    bool sendsReports = false; // the far end; it also answers an End with its own
    Tally before;
};

struct PipeEnd
{
    SoakEvent::Cause cause = SoakEvent::Cause::Other;
    QString detail;
};

// What there is to know of a pipe at one moment.
struct PipeView
{
    std::int64_t heard = 0;        // bytes of any kind that came
    std::int64_t handed = 0;       // bytes of any kind that were given to the socket
    Counts counts;                 // of this connection
    std::vector<SoakEvent> events; // since the last look; `start` since the connection began
    std::vector<Report> reports;   // since the last look
    bool isEnded = false;          // the other end's End came
    std::optional<PipeEnd> end;    // the connection is no more
    TcpState tcp;
};

// One connection of a soak at either end: a thread that sends blocks (and reports), one that
// receives and checks. All functions are for one thread, which is another one.
class Pipe
{
public:
    Pipe(Socket socket, PipeOptions options);
    ~Pipe(); // closes at once, with a reset when something is still under way, and joins
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    Pipe(Pipe&&) = delete;
    Pipe& operator=(Pipe&&) = delete;

    [[nodiscard]] PipeView look();
    [[nodiscard]] Tally tally(); // with what this connection added
    void finish();               // no block follows the one under way
    [[nodiscard]] SteadyTime began() const { return m_began; }

private:
    class Private;
    SteadyTime m_began = std::chrono::steady_clock::now();
    std::unique_ptr<Private> m_d;
};

} // namespace napkin::soak
