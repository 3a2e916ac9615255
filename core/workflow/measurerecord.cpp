// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/measurerecord.h"

#include "core/workflow/soakkeeper.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace napkin {

namespace {

using Recorded = std::function<void(int, std::int64_t, const ProbeResult&)>;
using Unrecorded = std::function<void(int, const ProbeResult&)>;

// The link that is still to be created, until the first record has done it.
using NewLink = std::shared_ptr<std::optional<LinkEntry>>;

// A run whose bytes took another wire says nothing of the link it was meant for.
void fileWhereItBelongs(ProbeResult& result)
{
    const bool isElsewhere = std::ranges::any_of(result.quality, [](const QualityNote& note) {
        return note.flag == QualityFlag::WrongInterface;
    });
    if (!isElsewhere || !result.spec.link)
        return;
    result.spec.intendedLink = std::exchange(result.spec.link, std::nullopt);
    result.spec.linkPeriod.reset();
}

// The soaks among the runs, by index; each from its start to its record.
class Soaks
{
public:
    Soaks(Notebook* notebook, std::vector<ProbeSpec> specs, NewLink newLink,
          std::optional<InterruptedSoak> before)
        : m_notebook(notebook)
        , m_specs(std::move(specs))
        , m_newLink(std::move(newLink))
        , m_before(std::move(before))
    {}
    void start(int index)
    {
        const ProbeSpec& spec = m_specs[static_cast<size_t>(index)];
        m_keeper.reset();
        if (std::holds_alternative<SoakOptions>(spec.options))
            m_keeper = std::make_shared<SoakKeeper>(*m_notebook, spec, *m_newLink,
                                                    std::exchange(m_before, std::nullopt));
    }
    // Of the run that goes on; null where it is no soak.
    [[nodiscard]] const std::shared_ptr<SoakKeeper>& keeper() const { return m_keeper; }

private:
    Notebook* m_notebook;
    std::vector<ProbeSpec> m_specs;
    NewLink m_newLink;
    std::optional<InterruptedSoak> m_before;
    std::shared_ptr<SoakKeeper> m_keeper;
};

QCoro::Task<Result<void>> keep(Notebook* notebook, int index, ProbeResult result, NewLink newLink,
                               Recorded recorded, Unrecorded unrecorded,
                               std::shared_ptr<SoakKeeper> keeper)
{
    if (keeper)
        result = keeper->whole(std::move(result));
    fileWhereItBelongs(result);
    const std::optional<LinkEntry> link = result.spec.link ? *newLink : std::nullopt;
    const auto number = co_await notebook->record(result, link);
    if (number && link)
        newLink->reset();
    if (!number) {
        if (unrecorded)
            unrecorded(index, result);
        co_return tl::unexpected(number.error());
    }
    if (keeper)
        co_await SoakKeeper::forget(keeper);
    if (recorded)
        recorded(index, *number, result);
    co_return Result<void>{};
}

} // namespace

QCoro::Task<SessionOutcome> measureAndRecord(ProbeSet probes, std::vector<ProbeSpec> specs,
                                             Notebook* notebook, CancelToken cancel,
                                             MeasureEvents events, std::optional<LinkEntry> newLink,
                                             std::optional<InterruptedSoak> before)
{
    SessionEvents session;
    if (before && !newLink)
        newLink = before->soak.newLink;
    const auto pending = std::make_shared<std::optional<LinkEntry>>(std::move(newLink));
    const auto soaks = std::make_shared<Soaks>(notebook, specs, pending, std::move(before));
    session.started = [soaks, started = std::move(events.started)](int index) {
        soaks->start(index);
        if (started)
            started(index);
    };
    session.progress = [soaks, progress = std::move(events.progress)](int index,
                                                                      const Progress& item) {
        const auto& keeper = soaks->keeper();
        const Progress told = keeper ? keeper->hear(item) : Progress();
        if (progress)
            progress(index, keeper ? told : item);
    };
    session.failed = std::move(events.failed);
    session.finished = [notebook, pending, soaks, recorded = std::move(events.recorded),
                        unrecorded = std::move(events.unrecorded)](int index, ProbeResult result) {
        return keep(notebook, index, std::move(result), pending, recorded, unrecorded,
                    soaks->keeper());
    };
    co_return co_await runSession(std::move(probes), std::move(specs), std::move(cancel),
                                  std::move(session));
}

} // namespace napkin
