// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/protocol.h"
#include "core/measure/throughput/sampler.h"
#include "core/quantity/quantity.h"

#include <optional>

namespace napkin {

// What moves in a test that is served. For the test's own thread.
class ServedTraffic
{
public:
    virtual ~ServedTraffic() = default;

    virtual void start() = 0;                             // counts from now
    virtual void look() {}                                // again and again while bytes move
    virtual void cut() = 0;                               // counts anew: the omit period is over
    [[nodiscard]] virtual std::int64_t moved() const = 0; // bytes so far, either way
    // The client has ended the test: counts what is still under way, then ends. CPU time and
    // program are left to the caller.
    [[nodiscard]] virtual iperf3::Results conclude() = 0;

    // After conclude(): all streams of a direction together, where there are any.
    [[nodiscard]] std::optional<BitRate> received() const { return m_received; }
    [[nodiscard]] std::optional<BitRate> sent() const { return m_sent; }

protected:
    ServedTraffic() = default;
    ServedTraffic(const ServedTraffic&) = default;
    ServedTraffic(ServedTraffic&&) = default;
    ServedTraffic& operator=(const ServedTraffic&) = default;
    ServedTraffic& operator=(ServedTraffic&&) = default;

    void addRate(StreamRole role, std::int64_t bytes, Duration time);

private:
    std::optional<BitRate> m_received;
    std::optional<BitRate> m_sent;
};

// What becomes of the number-th stream that a client opens.
[[nodiscard]] StreamPlan servedPlan(const iperf3::Parameters& parameters, int number);

// Data connections over TCP.
class ServedConnections final : public ServedTraffic
{
public:
    explicit ServedConnections(const iperf3::Parameters& parameters);

    void add(Socket socket);
    [[nodiscard]] int count() const { return static_cast<int>(m_streams.size()); }

    void start() override;
    void cut() override;
    [[nodiscard]] std::int64_t moved() const override;
    [[nodiscard]] iperf3::Results conclude() override;

private:
    void tune(const Socket& socket) const;

    iperf3::Parameters m_parameters;
    Block m_block;
    DataStreams m_streams; // after the block: their threads read it
    std::optional<Sampler> m_sampler;
};

} // namespace napkin
