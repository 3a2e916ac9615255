// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/servedcalls.h"

#include <QCoreApplication>
#include <QPointer>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PeerServer)
};

using Json = nlohmann::json;

// Independent of the channel, which may be gone when the service ends.
QCoro::Task<void> run(std::shared_ptr<PeerService> service, PeerIdentity caller, QString method,
                      Json arguments, CancelToken cancel, PeerEvents events,
                      QPointer<ServedCalls> calls, std::uint32_t call)
{
    Result<Json> outcome = fail(ErrorCode::Internal, method);
    try {
        outcome = co_await service->answer(std::move(caller), method, std::move(arguments),
                                           std::move(cancel), std::move(events));
    } catch (const std::exception& error) {
        outcome = fail(ErrorCode::Internal, method, QString::fromUtf8(error.what()));
    }
    if (calls)
        calls->finish(call, std::move(outcome));
}

} // namespace

ServedCalls::ServedCalls(std::vector<std::shared_ptr<PeerService>> services, PeerIdentity caller,
                         PeerLimits limits, TaskScope* tasks, FrameSocket* frames, QObject* parent)
    : QObject(parent)
    , m_services(std::move(services))
    , m_caller(std::move(caller))
    , m_limits(limits)
    , m_tasks(tasks)
    , m_frames(frames)
{}

ServedCalls::~ServedCalls()
{
    stopAll();
}

void ServedCalls::stopAll()
{
    for (auto& [number, call] : m_calls) {
        call.timer->stop();
        call.cancel.request_stop();
    }
}

std::shared_ptr<PeerService> ServedCalls::serviceFor(const QString& method) const
{
    for (const auto& service : m_services) {
        if (service->methods().contains(method))
            return service;
    }
    return nullptr;
}

void ServedCalls::start(const CallMessage& message)
{
    const auto refuse = [&](ErrorCode code, const QString& why) {
        m_frames->send(ErrorMessage{message.call, Error{code, why, message.method, nullptr}});
    };
    if (m_calls.contains(message.call)) {
        m_frames->close(Error{ErrorCode::ProtocolViolation,
                              Words::tr("a call of the same number runs"),
                              {},
                              nullptr});
        return;
    }
    if (m_calls.size() >= static_cast<size_t>(m_limits.calls))
        return refuse(
            ErrorCode::PeerBusy,
            Words::tr("%1 calls of one machine at a time are allowed").arg(m_limits.calls));
    const auto service = serviceFor(message.method);
    if (!service)
        return refuse(ErrorCode::Unsupported,
                      Words::tr("this version of Napkin (%1) does not know it")
                          .arg(QStringLiteral(NAPKIN_VERSION)));
    const std::uint32_t number = message.call;
    Running& call = m_calls[number];
    call.method = message.method;
    call.timer = std::make_unique<QTimer>();
    call.timer->setSingleShot(true);
    connect(call.timer.get(), &QTimer::timeout, this,
            [this, number] { stop(number, ErrorCode::TimedOut); });
    call.timer->start(message.limit);
    const CancelToken token = call.cancel.get_token();
    Q_EMIT started(message.method);
    m_tasks->start(run(
        service, m_caller, message.method, message.arguments, token,
        [self = QPointer<ServedCalls>(this), number](Json value) {
            if (self)
                self->tell(number, std::move(value));
        },
        this, number));
}

void ServedCalls::cancel(std::uint32_t call)
{
    stop(call, ErrorCode::Cancelled);
}

void ServedCalls::stop(std::uint32_t number, ErrorCode why)
{
    const auto found = m_calls.find(number);
    if (found == m_calls.end())
        return; // it was answered while the cancellation was under way
    Running& call = found->second;
    if (call.stopped) { // the grace is over
        if (why == ErrorCode::TimedOut)
            answer(number, call, fail(*call.stopped, call.method));
        return;
    }
    call.stopped = why;
    call.timer->start(m_limits.graceAfterCancel);
    call.cancel.request_stop(); // may end the call
}

void ServedCalls::tell(std::uint32_t call, Json value)
{
    const auto found = m_calls.find(call);
    if (found != m_calls.end() && !found->second.isAnswered && !m_frames->isCongested())
        m_frames->send(EventMessage{call, std::move(value)});
}

void ServedCalls::answer(std::uint32_t number, Running& call, const Result<Json>& outcome)
{
    if (call.isAnswered)
        return;
    call.isAnswered = true;
    call.timer->stop();
    std::optional<Error> fault;
    if (outcome) {
        if (const auto sent = m_frames->sendAnswer(number, *outcome); !sent)
            fault = sent.error();
    } else {
        fault = outcome.error();
        if (call.stopped && fault->isCancelled())
            fault->code = *call.stopped;
    }
    if (fault)
        m_frames->send(ErrorMessage{number, *fault});
    Q_EMIT ended(call.method, fault);
}

void ServedCalls::finish(std::uint32_t number, Result<Json> outcome)
{
    const auto found = m_calls.find(number);
    if (found == m_calls.end())
        return;
    const QPointer<ServedCalls> alive(this);
    answer(number, found->second, outcome);
    if (alive)
        m_calls.erase(number);
}

} // namespace napkin
