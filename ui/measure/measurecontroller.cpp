// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measurecontroller.h"

#include <algorithm>

namespace napkin {

MeasureController::MeasureController(ProbeSet probes, Notebook* notebook, QObject* parent)
    : QObject(parent)
    , m_probes(std::move(probes))
    , m_notebook(notebook)
{}

MeasureController::~MeasureController()
{
    if (m_current)
        m_current->cancel.request_stop();
}

std::optional<int> MeasureController::measure(ProbeSpec spec, std::optional<InterruptedSoak> before)
{
    if (m_shutDown)
        return std::nullopt;
    const int number = m_next++;
    Job job{number, std::move(spec), {}, std::move(before)};
    Q_EMIT queued(number, job.spec);
    m_queue.push_back(std::move(job));
    if (!m_current)
        startNext();
    return number;
}

void MeasureController::cancel(int job)
{
    if (m_current && m_current->number == job) {
        m_current->cancel.request_stop();
        return;
    }
    const auto it = std::find_if(m_queue.begin(), m_queue.end(),
                                 [job](const Job& j) { return j.number == job; });
    if (it == m_queue.end())
        return;
    m_queue.erase(it);
    Q_EMIT ended(job);
}

void MeasureController::cancelAll()
{
    while (!m_queue.empty())
        cancel(m_queue.back().number);
    if (m_current)
        cancel(m_current->number);
}

void MeasureController::shutDown()
{
    m_shutDown = true;
    cancelAll();
}

void MeasureController::resume()
{
    m_shutDown = false;
}

void MeasureController::startNext()
{
    if (m_queue.empty()) {
        Q_EMIT idle();
        return;
    }
    m_current = std::move(m_queue.front());
    m_queue.pop_front();
    ProbeSpec shown = m_current->spec;
    if (m_current->before) // the whole of what this goes on with
        shown.options = m_current->before->soak.result.spec.options;
    Q_EMIT started(m_current->number, shown);
    Job job = *m_current;
    m_current->before.reset(); // the run has it
    m_scope.start(run(this, std::move(job), m_probes, m_notebook));
}

QCoro::Task<void> MeasureController::run(QPointer<MeasureController> self, Job job, ProbeSet probes,
                                         QPointer<Notebook> notebook)
{
    const int number = job.number;
    MeasureEvents events;
    events.progress = [self, number](int, const Progress& progress) {
        if (self)
            Q_EMIT self->progressed(number, progress);
    };
    events.recorded = [self, number](int, std::int64_t record, const ProbeResult& result) {
        if (self)
            Q_EMIT self->recorded(number, record, result);
    };
    events.unrecorded = [self, number](int, const ProbeResult& result) {
        if (self)
            Q_EMIT self->unrecorded(number, result);
    };
    bool told = false; // lives as long as the events that write it: this frame awaits them
    events.failed = [self, number, &told](int, const Error& error) {
        told = true;
        if (self)
            Q_EMIT self->failed(number, error);
    };
    std::vector<ProbeSpec> specs{job.spec};
    const SessionOutcome outcome = co_await measureAndRecord(
        std::move(probes), std::move(specs), notebook.data(), job.cancel.get_token(), events,
        std::nullopt, std::exchange(job.before, std::nullopt));
    if (!self)
        co_return;
    if (outcome.error && !told)
        Q_EMIT self->failed(number, *outcome.error);
    if (self)
        self->finish(number);
}

void MeasureController::finish(int job)
{
    m_current.reset();
    Q_EMIT ended(job);
    if (!m_current) // a receiver may have asked for the next one already
        startNext();
}

} // namespace napkin
