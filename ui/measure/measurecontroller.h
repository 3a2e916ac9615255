// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taskscope.h"
#include "core/workflow/measurerecord.h"

#include <QObject>
#include <QPointer>

#include <deque>
#include <optional>
#include <vector>

namespace napkin {

// Starts what the window measures, one run at a time; more wait in the order they came. What a run
// gathered before it was cancelled is recorded as partial. The notebook must outlive the last run:
// before destroying either, shutDown() and wait for idle().
class MeasureController : public QObject
{
    Q_OBJECT
public:
    MeasureController(ProbeSet probes, Notebook* notebook, QObject* parent = nullptr);
    ~MeasureController() override;

    // The job's number; started() follows, at once or later. nullopt, and nothing follows, after
    // shutDown().
    // `before` as in measureAndRecord().
    std::optional<int> measure(ProbeSpec spec,
                               std::optional<InterruptedSoak> before = std::nullopt);
    void cancel(int job); // running or waiting
    void cancelAll();
    void shutDown(); // cancels all and takes no more
    void resume();   // takes runs again

    [[nodiscard]] bool isBusy() const { return m_current.has_value(); }
    [[nodiscard]] int waiting() const { return static_cast<int>(m_queue.size()); }

Q_SIGNALS:
    void queued(int job, const napkin::ProbeSpec& spec);
    void started(int job, const napkin::ProbeSpec& spec);
    void progressed(int job, const napkin::Progress& progress);
    void recorded(int job, qint64 number, const napkin::ProbeResult& result);
    // Gathered, but the notebook could not be written: the figures are here and nowhere else.
    // failed() follows with the reason.
    void unrecorded(int job, const napkin::ProbeResult& result);
    void failed(int job, const napkin::Error& error); // nothing was recorded
    void ended(int job);                              // always, after the others
    void idle();                                      // nothing runs or waits any more

private:
    struct Job
    {
        int number = 0;
        ProbeSpec spec;
        CancelSource cancel;
        std::optional<InterruptedSoak> before{};
    };
    static QCoro::Task<void> run(QPointer<MeasureController> self, Job job, ProbeSet probes,
                                 QPointer<Notebook> notebook);
    void startNext();
    void finish(int job);

    ProbeSet m_probes;
    QPointer<Notebook> m_notebook;
    TaskScope m_scope;
    std::optional<Job> m_current;
    std::deque<Job> m_queue;
    int m_next = 1;
    bool m_shutDown = false;
};

} // namespace napkin
