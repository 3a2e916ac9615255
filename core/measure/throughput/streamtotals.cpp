// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/streamtotals.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Throughput)
};

Result<StreamTotal> forwardTotal(const Sampler::Span& span, const iperf3::StreamResult& far)
{
    // Whatever it received we had handed over before, in the omit period at the earliest. The block
    // under way when the run ended is not in our count.
    if (far.bytes > span.stream->bytes() + span.stream->blockSize())
        return fail(ErrorCode::ProtocolViolation, {},
                    Words::tr("it claims to have received more than was sent"));
    const Result<Duration> time = receiversTime(span.to - span.from, far);
    if (!time)
        return tl::unexpected(time.error());
    StreamTotal total;
    total.received = ByteCount::bytes(far.bytes);
    total.sent = ByteCount::bytes(span.moved);
    total.duration = *time;
    total.retransmits = span.retransmits;
    return total;
}

StreamTotal reverseTotal(const Sampler::Span& span, const iperf3::StreamResult& far,
                         bool knowsRetransmits)
{
    StreamTotal total;
    total.received = ByteCount::bytes(span.moved);
    total.sent = ByteCount::bytes(far.bytes);
    total.duration = span.to - span.from;
    if (knowsRetransmits)
        total.retransmits = far.retransmits;
    return total;
}

} // namespace

Result<Duration> receiversTime(Duration own, const iperf3::StreamResult& far)
{
    if (!far.startTime || !far.endTime)
        return own;
    const Duration told(std::llround((*far.endTime - *far.startTime) * 1e9));
    if (told < own * 4 / 5 - 500ms || told > own * 6 / 5 + 15s)
        return fail(ErrorCode::ProtocolViolation, {},
                    Words::tr("it counted for %1 s in a run of %2 s")
                        .arg(inSeconds(told), 0, 'f', 1)
                        .arg(inSeconds(own), 0, 'f', 1));
    return told;
}

const iperf3::StreamResult* resultOf(const iperf3::Results& far, int id)
{
    const auto match = std::ranges::find(far.streams, id, &iperf3::StreamResult::id);
    return match == far.streams.end() ? nullptr : &*match;
}

iperf3::StreamResult streamResult(const Sampler::Span& span)
{
    iperf3::StreamResult result;
    result.id = span.stream->plan().id;
    result.bytes = span.moved;
    result.retransmits = span.retransmits;
    result.startTime = inSeconds(span.from);
    result.endTime = inSeconds(span.to);
    return result;
}

Result<std::vector<StreamTotal>> streamTotals(const std::vector<Sampler::Span>& spans,
                                              const iperf3::Results& far)
{
    std::vector<StreamTotal> totals;
    for (const Sampler::Span& span : spans) {
        const DataStream::Plan& plan = span.stream->plan();
        const auto* match = resultOf(far, plan.id);
        if (match == nullptr)
            return fail(ErrorCode::ProtocolViolation, {},
                        Words::tr("its results leave out stream %1").arg(plan.id));
        Result<StreamTotal> total =
            reverseTotal(span, *match, far.senderHasRetransmits.value_or(false));
        if (plan.role == StreamRole::Sends)
            total = forwardTotal(span, *match);
        if (!total)
            return tl::unexpected(total.error());
        total->stream = plan.index;
        total->direction = plan.direction;
        totals.push_back(*total);
    }
    return totals;
}

} // namespace napkin
