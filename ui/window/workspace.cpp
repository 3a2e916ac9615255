// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/workspace.h"

#include "core/base/deadline.h"
#include "core/base/gate.h"
#include "ui/document/drawingdocument.h"
#include "ui/measure/measurecontroller.h"
#include "ui/window/drawingsaver.h"
#include "ui/worksheet/worksheetfeed.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace napkin {

Workspace::Workspace(std::unique_ptr<Notebook> notebook, Services services)
    : m_services(std::move(services))
    , m_notebook(std::move(notebook))
    , m_document(std::make_unique<DrawingDocument>())
    , m_saver(std::make_unique<DrawingSaver>(m_document.get(), m_notebook.get()))
    , m_feed(std::make_unique<WorksheetFeed>(m_notebook.get(), m_services.catalogue.get()))
    , m_controller(std::make_unique<MeasureController>(m_services.probes, m_notebook.get()))
{
    connect(m_saver.get(), &DrawingSaver::failed, this, &Workspace::saveFailed);
    // A run on a cable just drawn may end before the edits are written by themselves, and a
    // notebook that does not know the cable takes no run on it.
    connect(m_controller.get(), &MeasureController::queued, m_saver.get(), &DrawingSaver::saveNow);
    connect(m_controller.get(), &MeasureController::unrecorded, this,
            [this](int, const ProbeResult& result) { m_unwritten.push_back(result); });
}

Workspace::~Workspace() = default;

QString Workspace::name() const
{
    return QFileInfo(m_notebook->path()).completeBaseName();
}

QCoro::Task<Result<DrawingWithLayout>> Workspace::newestDrawing(Notebook* notebook)
{
    const auto drawings = co_await notebook->drawings();
    if (!drawings)
        co_return tl::unexpected(drawings.error());
    const auto newest = std::max_element(
        drawings->begin(), drawings->end(),
        [](const DrawingEntry& a, const DrawingEntry& b) { return a.changedAt < b.changedAt; });
    if (newest == drawings->end())
        co_return fail(ErrorCode::NotFound);
    const DrawingId id = newest->id;
    co_return co_await notebook->loadDrawing(id);
}

QCoro::Task<Result<std::unique_ptr<Workspace>>> Workspace::open(QString path, Notebook::Mode mode,
                                                                Services services)
{
    auto notebook = co_await Notebook::open(path, mode, services.clock);
    if (!notebook)
        co_return tl::unexpected(notebook.error());
    auto drawing = co_await newestDrawing(notebook->get());
    const bool fresh = !drawing && drawing.error().code == ErrorCode::NotFound;
    if (!drawing && !fresh)
        co_return tl::unexpected(drawing.error());
    std::unique_ptr<Workspace> workspace(new Workspace(std::move(*notebook), std::move(services)));
    workspace->m_document->load(fresh ? twoMachinesTemplate() : std::move(*drawing));
    if (mode == Notebook::Mode::ReadOnly) { // nothing is written, nor missed
        workspace->m_document->disconnect(workspace->m_saver.get());
        workspace->m_controller->disconnect(workspace.get());
    } else if (fresh) {
        // Written before the worksheet reads, so that its rows are there from the start.
        const DrawingWithLayout state = workspace->m_document->state();
        const auto saved = co_await workspace->m_notebook->saveDrawing(state.drawing, state.layout);
        if (!saved)
            co_return tl::unexpected(saved.error());
    }
    workspace->m_feed->refresh();
    co_return workspace;
}

QCoro::Task<Result<void>> Workspace::close(QPointer<Workspace> workspace,
                                           std::chrono::milliseconds limit)
{
    if (!workspace)
        co_return Result<void>{};
    workspace->m_controller->shutDown();
    auto done = co_await writeOut(workspace, limit);
    if (!done && workspace)
        workspace->m_controller->resume();
    co_return done;
}

QCoro::Task<Result<void>> Workspace::writeOut(QPointer<Workspace> workspace,
                                              std::chrono::milliseconds limit)
{
    const Deadline deadline(limit);
    const auto tooSlow = [path = workspace->notebook().path()] {
        return fail(ErrorCode::StorageUnavailable, path, tr("the disk did not answer in time"));
    };
    if (MeasureController* controller = workspace->m_controller.get(); controller->isBusy()) {
        Gate gate;
        gate.on(controller, &MeasureController::idle).after(deadline.remaining());
        co_await gate;
        if (!workspace)
            co_return Result<void>{};
    }
    // Before the runs: they may be on a cable that the notebook does not know yet.
    DrawingSaver* saver = workspace->m_saver.get();
    saver->saveNow();
    if (!saver->isClean()) {
        Gate gate;
        gate.on(saver, &DrawingSaver::settled).after(deadline.remaining());
        co_await gate;
        if (!workspace)
            co_return Result<void>{};
        if (saver->fault())
            co_return tl::unexpected(*saver->fault());
        if (!saver->isClean())
            co_return tooSlow();
    }
    if (workspace->m_unwritten.empty())
        co_return Result<void>{};
    Gate gate;
    gate.on(workspace.data(), &Workspace::runsWritten).after(deadline.remaining());
    workspace->m_scope.start(writeRuns(workspace));
    const auto how = co_await gate;
    if (!workspace || workspace->m_unwritten.empty())
        co_return Result<void>{};
    if (how == Gate::Opened::TimedOut)
        co_return tooSlow();
    co_return tl::unexpected(*workspace->m_runFault);
}

QCoro::Task<void> Workspace::writeRuns(QPointer<Workspace> workspace)
{
    const QPointer<Notebook> notebook = workspace->m_notebook.get();
    workspace->m_runFault.reset();
    while (workspace && notebook && !workspace->m_unwritten.empty() && !workspace->m_runFault) {
        const ProbeResult run = workspace->m_unwritten.front();
        const auto number = co_await notebook->record(run);
        if (!workspace)
            co_return;
        if (number)
            std::erase_if(workspace->m_unwritten,
                          [&run](const ProbeResult& one) { return one.id == run.id; });
        else
            workspace->m_runFault = number.error();
    }
    if (workspace)
        Q_EMIT workspace->runsWritten();
}

QCoro::Task<Result<void>> Workspace::saveCopy(QPointer<Workspace> workspace, QString path)
{
    const DrawingWithLayout state = workspace->m_document->state();
    const std::vector<ProbeResult> runs = workspace->m_unwritten;
    const auto clock = workspace->m_services.clock;
    if (auto copied = co_await workspace->m_notebook->copyTo(path); !copied)
        co_return copied;
    auto copy = co_await Notebook::open(path, Notebook::Mode::ReadWrite, clock);
    Result<void> done = copy ? Result<void>{} : tl::unexpected(copy.error());
    if (done)
        done = co_await (*copy)->saveDrawing(state.drawing, state.layout);
    for (std::size_t i = 0; done && i < runs.size(); ++i) {
        if (const auto number = co_await (*copy)->record(runs[i]); !number)
            done = tl::unexpected(number.error());
    }
    if (!done) { // half a copy is none; the file is our own, made a moment ago
        if (copy)
            copy->reset();
        for (const auto* suffix : {"", "-wal", "-shm"})
            QFile::remove(path + QLatin1String(suffix));
    }
    co_return done;
}

} // namespace napkin
