// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/taskscope.h"
#include "core/catalogue/catalogue.h"
#include "core/measure/session.h"
#include "core/notebook/notebook.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <optional>
#include <vector>

namespace napkin {

class DrawingDocument;
class DrawingSaver;
class MeasureController;
class PeerDesk;
class WorksheetFeed;

// What the window is given by the program. Values and shared, unchanging things.
struct Services
{
    std::shared_ptr<const Catalogue> catalogue;
    std::shared_ptr<const Clock> clock;
    ProbeSet probes;
    std::shared_ptr<PeerDesk> peers = {}; // null: the program knows no paired machines
};

// One open notebook and everything that works on it.
class Workspace : public QObject
{
    Q_OBJECT
public:
    // Opens the notebook and loads its newest drawing; a notebook without one gets the template.
    static QCoro::Task<Result<std::unique_ptr<Workspace>>> open(QString path, Notebook::Mode mode,
                                                                Services services);
    ~Workspace() override;

    // Cancels what runs, keeps it as partial, and writes out the drawing and the runs that could
    // not be written before. Ends within `limit`. After a fault something is not written, and the
    // workspace goes on as before.
    static QCoro::Task<Result<void>> close(QPointer<Workspace> workspace,
                                           std::chrono::milliseconds limit);
    // The notebook in a new file, together with what is not written yet.
    static QCoro::Task<Result<void>> saveCopy(QPointer<Workspace> workspace, QString path);

    [[nodiscard]] Notebook& notebook() { return *m_notebook; }
    [[nodiscard]] DrawingDocument& document() { return *m_document; }
    [[nodiscard]] MeasureController& controller() { return *m_controller; }
    [[nodiscard]] WorksheetFeed& feed() { return *m_feed; }
    [[nodiscard]] const Services& services() const { return m_services; }
    [[nodiscard]] QString name() const; // the file's, without its suffix

Q_SIGNALS:
    void saveFailed(const napkin::Error& error);
    void runsWritten(); // what writeRuns() could

private:
    Workspace(std::unique_ptr<Notebook> notebook, Services services);
    static QCoro::Task<Result<void>> writeOut(QPointer<Workspace> workspace,
                                              std::chrono::milliseconds limit);
    static QCoro::Task<void> writeRuns(QPointer<Workspace> workspace);
    static QCoro::Task<Result<DrawingWithLayout>> newestDrawing(Notebook* notebook);

    // In the order of who uses whom: destroyed from the last to the first.
    Services m_services;
    std::unique_ptr<Notebook> m_notebook;
    std::unique_ptr<DrawingDocument> m_document;
    std::unique_ptr<DrawingSaver> m_saver;
    std::unique_ptr<WorksheetFeed> m_feed;
    std::unique_ptr<MeasureController> m_controller;
    std::vector<ProbeResult> m_unwritten; // runs whose figures are here and nowhere else
    std::optional<Error> m_runFault;      // why
    TaskScope m_scope;
};

} // namespace napkin
