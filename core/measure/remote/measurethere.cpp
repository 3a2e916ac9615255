// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/gate.h"
#include "core/measure/remote/peertalk.h"
#include "core/results/data.h"

#include <QCoreApplication>

#include <utility>

namespace napkin::remote {

namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Remote)
};

constexpr auto silence = 10s; // it tells that it is alive once a second

// What a near end tells while it measures; shared with the call's events, which may come late.
struct Relay
{
    ProbeKind kind = ProbeKind::Throughput;
    ProgressSink sink;
    ProbeData gathered;
    SteadyTime lastHeard = std::chrono::steady_clock::now();
    std::optional<Error> fault; // it told nonsense
    std::optional<Result<Json>> answer;
    std::function<void()> wake;

    void hear(const Json& event);
};

void Relay::hear(const Json& event)
{
    lastHeard = std::chrono::steady_clock::now();
    const auto found = event.find("progress");
    if (!event.is_object() || found == event.end() || fault)
        return;
    const auto progress = progressFrom(*found, kind);
    if (!progress) {
        fault = progress.error();
        if (wake)
            wake();
        return;
    }
    append(gathered, progress->data);
    if (sink)
        sink(*progress);
}

QCoro::Task<void> ask(Channel channel, MeasureRequest request, CancelToken cancel,
                      std::shared_ptr<Relay> relay)
{
    const PeerEvents events = [relay](const Json& event) { relay->hear(event); };
    auto answer = co_await channel->call(QStringLiteral("measure"), toJson(request),
                                         longest(request.spec), std::move(cancel), events);
    relay->answer.emplace(std::move(answer));
    if (relay->wake)
        relay->wake();
}

Result<ProbeResult> resultOf(const Json& answer, ProbeKind kind)
{
    const auto found = answer.find("result");
    if (!answer.is_object() || found == answer.end())
        return fail(ErrorCode::ProtocolViolation);
    Result<ProbeResult> result = resultFrom(*found);
    if (result && result->spec.kind() != kind)
        return fail(ErrorCode::ProtocolViolation);
    return result;
}

// As far as it was told before the near end went away.
Result<ProbeResult> partialOf(const Relay& relay, const ProbeSpec& spec, const Error& why)
{
    if (!hasMeasured(relay.gathered))
        return tl::unexpected(why);
    ProbeResult result;
    result.spec = spec;
    result.completion = Completion::Partial;
    result.fault = why;
    result.data = relay.gathered;
    return result;
}

} // namespace

QCoro::Task<Result<ProbeResult>> measureThere(Channel channel, MeasureRequest request,
                                              CancelToken cancel, ProgressSink sink)
{
    const ProbeSpec spec = request.spec;
    const auto relay = std::make_shared<Relay>();
    relay->kind = spec.kind();
    relay->sink = std::move(sink);
    relay->gathered = emptyData(spec.kind());
    CancelSource stop;
    const std::stop_callback linked(cancel, [stop]() mutable { stop.request_stop(); });
    std::optional<Error> why;
    ask(channel, std::move(request), stop.get_token(), relay);
    while (!relay->answer) {
        Gate gate;
        relay->wake = gate.opener();
        gate.after(1s);
        if (!relay->answer)
            co_await gate;
        relay->wake = nullptr;
        const bool isSilent = std::chrono::steady_clock::now() - relay->lastHeard > silence;
        if (!why && !relay->answer && (isSilent || relay->fault)) {
            why = relay->fault.value_or(
                Error{ErrorCode::PeerSilent, Words::tr("nothing was heard of it any more for 10 s"),
                      channel->peer().name, nullptr});
            stop.request_stop(); // the call then ends within 2 s
        }
    }
    relay->sink = nullptr;
    const Result<Json>& answer = *relay->answer;
    if (!answer)
        co_return partialOf(*relay, spec, why.value_or(answer.error()));
    Result<ProbeResult> result = resultOf(*answer, spec.kind());
    if (!result) {
        result.error().context = channel->peer().name;
        co_return partialOf(*relay, spec, result.error());
    }
    co_return result;
}

} // namespace napkin::remote
