// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/workspace.h"

#include "core/base/deadline.h"
#include "core/base/gate.h"
#include "ui/document/drawingdocument.h"
#include "ui/measure/measurecontroller.h"
#include "ui/window/drawingsaver.h"
#include "ui/worksheet/worksheetfeed.h"

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
    if (mode == Notebook::Mode::ReadOnly) {
        workspace->m_document->disconnect(workspace->m_saver.get());
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

QCoro::Task<void> Workspace::close(QPointer<Workspace> workspace, std::chrono::milliseconds limit)
{
    if (!workspace)
        co_return;
    const Deadline deadline(limit);
    MeasureController* controller = workspace->m_controller.get();
    controller->shutDown();
    if (controller->isBusy()) {
        Gate gate;
        gate.on(controller, &MeasureController::idle).after(deadline.remaining());
        co_await gate;
    }
    if (!workspace)
        co_return;
    DrawingSaver* saver = workspace->m_saver.get();
    saver->saveNow();
    if (!saver->isClean()) {
        Gate gate;
        gate.on(saver, &DrawingSaver::settled).after(deadline.remaining());
        co_await gate;
    }
}

} // namespace napkin
