// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/udptotals.h"

#include "core/measure/throughput/streamtotals.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Udp)
};

Duration fromSeconds(double seconds)
{
    return Duration(std::llround(seconds * 1e9));
}

tl::unexpected<Error> noCounts(int id)
{
    return fail(ErrorCode::ProtocolViolation, {},
                Words::tr("its results have no valid counts of stream %1").arg(id));
}

// Where next to nothing was lost, what came was sent at the rate that was offered: the wait at the
// end belongs to no rate. Where much was lost, a full queue went on delivering meanwhile.
bool waitedForNothing(const UdpTotal& total, const iperf3::Results& far)
{
    const bool isNapkin = far.program.startsWith(QLatin1StringView("napkin "));
    constexpr std::int64_t most = 100; // one in a hundred
    return !isNapkin && total.packetsSent &&
           *total.packetsSent - total.packetsReceived <= *total.packetsSent / most;
}

Result<UdpTotal> forwardTotal(const UdpSampler::Span& span, const iperf3::StreamResult& far,
                              const iperf3::Results& results, Duration wait)
{
    if (!far.datagrams)
        return noCounts(far.id);
    const iperf3::DatagramCounts& told = *far.datagrams;
    // An old far end does not say what came while omitting: then its counts are of the whole run,
    // and so are ours beside them.
    const std::int64_t omitted = told.omittedPackets.value_or(0);
    UdpTotal total;
    total.received = ByteCount::bytes(far.bytes);
    total.lost = told.errors - told.omittedErrors.value_or(0);
    total.packetsReceived = told.packets - omitted - total.lost;
    total.packetsSent = span.last.packets - omitted;
    total.sent =
        ByteCount::bytes(told.omittedPackets ? *total.packetsSent * span.stream->wire().datagramSize
                                             : span.last.bytes - span.first.bytes);
    if (span.active > Duration::zero())
        total.sentOver = span.active;
    total.outOfOrder = told.outOfOrder;
    if (total.packetsReceived > 1)
        total.jitter = fromSeconds(told.jitter);
    const Result<Duration> time = receiversTime(span.to - span.from, far);
    if (!time)
        return tl::unexpected(time.error());
    total.duration = *time;
    if (far.endTime && waitedForNothing(total, results))
        total.duration -= std::min(wait, total.duration / 2);
    return total;
}

// As the far end tells it of its sending; a time that can not be is none.
std::optional<Duration> toldTime(const UdpSampler::Span& span, const iperf3::StreamResult& far)
{
    if (!far.startTime || !far.endTime)
        return std::nullopt;
    const Result<Duration> told = receiversTime(span.watched, far);
    return told && *told > Duration::zero() ? std::optional(*told) : std::nullopt;
}

UdpTotal reverseTotal(const UdpSampler::Span& span, const iperf3::StreamResult& far)
{
    UdpTotal total;
    total.received = ByteCount::bytes(span.last.bytes - span.first.bytes);
    total.packetsReceived = span.last.packets - span.first.packets;
    total.lost = span.last.lost - span.first.lost;
    total.outOfOrder = span.last.outOfOrder - span.first.outOfOrder;
    total.jitter = span.last.jitter;
    total.duration = span.to - span.from;
    if (far.datagrams) {
        // Numbers are not begun anew at the omit border: what it sent beyond the last number that
        // had come by then.
        total.packetsSent = far.datagrams->packets - span.first.highest;
        total.sent = ByteCount::bytes(*total.packetsSent * span.stream->wire().datagramSize);
        total.sentOver = toldTime(span, far);
    }
    return total;
}

} // namespace

iperf3::StreamResult streamResult(const UdpSampler::Span& span)
{
    iperf3::StreamResult result;
    result.id = span.stream->plan().id;
    result.bytes = span.last.bytes - span.first.bytes;
    result.startTime = inSeconds(span.from);
    result.endTime = inSeconds(span.to);
    iperf3::DatagramCounts counts;
    if (span.stream->plan().role == StreamRole::Sends) {
        counts.packets = span.last.packets;
        counts.omittedPackets = span.first.packets;
        counts.omittedErrors = 0;
    } else {
        counts.packets = span.last.highest;
        counts.errors = span.last.lost;
        counts.jitter = inSeconds(span.last.jitter.value_or(0ns));
        counts.omittedPackets = span.first.highest;
        counts.omittedErrors = span.first.lost;
        counts.outOfOrder = span.last.outOfOrder - span.first.outOfOrder;
    }
    result.datagrams = counts;
    return result;
}

Result<std::vector<UdpTotal>> udpTotals(const std::vector<UdpSampler::Span>& spans,
                                        const iperf3::Results& far, Duration wait)
{
    std::vector<UdpTotal> totals;
    for (const UdpSampler::Span& span : spans) {
        const StreamPlan& plan = span.stream->plan();
        const auto* match = resultOf(far, plan.id);
        if (match == nullptr)
            return fail(ErrorCode::ProtocolViolation, {},
                        Words::tr("its results leave out stream %1").arg(plan.id));
        Result<UdpTotal> total = reverseTotal(span, *match);
        if (plan.role == StreamRole::Sends)
            total = forwardTotal(span, *match, far, wait);
        if (!total)
            return tl::unexpected(total.error());
        total->stream = plan.index;
        total->direction = plan.direction;
        totals.push_back(*total);
    }
    return totals;
}

} // namespace napkin
