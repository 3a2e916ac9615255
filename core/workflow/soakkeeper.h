// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/worker.h"
#include "core/notebook/notebook.h"
#include "core/workflow/soakfile.h"

#include <QPointer>

namespace napkin {

// Keeps a soak while it goes on, every few seconds, on a thread of its own; and puts the part of an
// earlier program before it where it goes on with that. For one thread.
class SoakKeeper
{
public:
    // `before`: what this run goes on with. It keeps nothing beside a notebook that is read only.
    SoakKeeper(const Notebook& notebook, ProbeSpec spec, std::optional<LinkEntry> newLink,
               std::optional<InterruptedSoak> before);

    // The same as it stands in the whole run.
    [[nodiscard]] Progress hear(const Progress& progress);
    // The whole run, under the id that it was kept under.
    [[nodiscard]] ProbeResult whole(ProbeResult result) const;
    // It is recorded: nothing is kept any more.
    static QCoro::Task<void> forget(std::shared_ptr<SoakKeeper> keeper);

private:
    struct Place // of the thread that writes
    {
        QString notebook;
        RecordId id;
        std::shared_ptr<SoakFile> file;
        bool isBroken = false;
    };
    void save();

    std::shared_ptr<Place> m_place;
    bool m_isKept;
    std::optional<LinkEntry> m_newLink;
    SoakData m_before;                  // with the gap after it; empty: there was nothing before
    std::optional<SoakOptions> m_asked; // of the whole run, where this is a part
    bool m_isBeforeTold = true;
    ProbeResult m_soFar;
    SteadyTime m_savedAt;
    Worker m_worker;
};

// What is left to do of it: for measureAndRecord().
[[nodiscard]] ProbeSpec remainingSpec(const InterruptedSoak& soak);

// The soaks of this notebook whose programs are gone and that are in no record, held for the
// caller. None once the notebook is gone.
QCoro::Task<std::vector<InterruptedSoak>> interruptedSoaks(QPointer<Notebook> notebook);

// Records it as a partial run that ended when its program did. Its number.
QCoro::Task<Result<std::int64_t>> keepAsIs(QPointer<Notebook> notebook, InterruptedSoak soak);

// "A soak with spark-b was interrupted 12 min ago, after 34 min of 2 h." Translated.
[[nodiscard]] QString interruptedText(const InterruptedSoak& soak, const QDateTime& now);

} // namespace napkin
