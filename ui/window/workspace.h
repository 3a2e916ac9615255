// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/catalogue/catalogue.h"
#include "core/measure/session.h"
#include "core/notebook/notebook.h"

#include <QObject>
#include <QPointer>

#include <memory>

namespace napkin {

class DrawingDocument;
class DrawingSaver;
class MeasureController;
class WorksheetFeed;

// What the window is given by the program. Values and shared, unchanging things.
struct Services
{
    std::shared_ptr<const Catalogue> catalogue;
    std::shared_ptr<const Clock> clock;
    ProbeSet probes;
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

    // Cancels what runs, keeps it as partial, and writes the drawing out. Ends within `limit`.
    static QCoro::Task<void> close(QPointer<Workspace> workspace, std::chrono::milliseconds limit);

    [[nodiscard]] Notebook& notebook() { return *m_notebook; }
    [[nodiscard]] DrawingDocument& document() { return *m_document; }
    [[nodiscard]] MeasureController& controller() { return *m_controller; }
    [[nodiscard]] WorksheetFeed& feed() { return *m_feed; }
    [[nodiscard]] const Services& services() const { return m_services; }
    [[nodiscard]] QString name() const; // the file's, without its suffix

Q_SIGNALS:
    void saveFailed(const napkin::Error& error);

private:
    Workspace(std::unique_ptr<Notebook> notebook, Services services);
    static QCoro::Task<Result<DrawingWithLayout>> newestDrawing(Notebook* notebook);

    // In the order of who uses whom: destroyed from the last to the first.
    Services m_services;
    std::unique_ptr<Notebook> m_notebook;
    std::unique_ptr<DrawingDocument> m_document;
    std::unique_ptr<DrawingSaver> m_saver;
    std::unique_ptr<WorksheetFeed> m_feed;
    std::unique_ptr<MeasureController> m_controller;
};

} // namespace napkin
