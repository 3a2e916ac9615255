// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/mainwindow.h"

#include "ui/canvas/napkinpage.h"
#include "ui/document/drawingdocument.h"
#include "ui/inspector/inspector.h"
#include "ui/measure/measurepage.h"
#include "ui/measure/measurewords.h"
#include "ui/peers/peerspage.h"
#include "ui/peers/servestrip.h"
#include "ui/widgets/errorbanner.h"
#include "ui/widgets/taskstrip.h"
#include "ui/window/gotobox.h"
#include "ui/window/modebar.h"
#include "ui/window/startpage.h"
#include "ui/worksheet/worksheetfeed.h"
#include "ui/worksheet/worksheetpage.h"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>

namespace napkin {

MainWindow::MainWindow(Services services, QWidget* parent)
    : QMainWindow(parent)
    , m_services(std::move(services))
{
    setWindowIcon(QIcon(QStringLiteral(":/icons/napkin-app.svg")));
    setWindowTitle(tr("Napkin"));
    setMinimumSize(800, 500);
    makeFrame();
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makeMeasureMenu();
    makeHelpMenu();
    makeCorner();
    restoreWindow();
    updateActions();
}

MainWindow::~MainWindow()
{
    dropWorkspace();
}

void MainWindow::makeFrame()
{
    m_modeBar = new ModeBar;
    m_stack = new QStackedWidget;
    m_banner = new ErrorBanner;
    m_tasks = new TaskStrip;
    m_start = new StartPage;
    m_stack->addWidget(m_start);
    m_goTo = new GoToBox(this);
    connect(m_start, &StartPage::retryRequested, this, [this] { openNotebook(m_path); });
    connect(m_start, &StartPage::readOnlyRequested, this,
            [this] { openNotebook(m_path, Notebook::Mode::ReadOnly); });
    connect(m_start, &StartPage::openRequested, this, [this] { askForNotebook(false); });
    connect(m_start, &StartPage::newRequested, this, [this] { askForNotebook(true); });

    auto* middle = new QVBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_banner);
    middle->addWidget(m_stack, 1);
    auto* centre = new QWidget;
    auto* row = new QHBoxLayout(centre);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_modeBar);
    row->addLayout(middle, 1);
    setCentralWidget(centre);

    m_dock = new QDockWidget(tr("Inspector"));
    m_dock->setObjectName(QStringLiteral("inspector"));
    m_dock->setAllowedAreas(Qt::RightDockWidgetArea | Qt::LeftDockWidgetArea);
    m_dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    addDockWidget(Qt::RightDockWidgetArea, m_dock);
    m_dock->hide();

    // The strip spans the whole width, below the dock too.
    statusBar()->setSizeGripEnabled(false);
    auto* strips = new QWidget;
    auto* lines = new QVBoxLayout(strips);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    if (m_services.peers) {
        m_serving = new ServeStrip(m_services.peers.get());
        lines->addWidget(m_serving);
        connect(m_serving, &ServeStrip::shownOrHidden, this, &MainWindow::showStatusBar);
        connect(m_serving, &ServeStrip::peersRequested, this,
                [this] { setMode(WindowMode::Peers); });
    }
    lines->addWidget(m_tasks);
    statusBar()->addPermanentWidget(strips, 1);
    showStatusBar();
}

void MainWindow::showStatusBar()
{
    statusBar()->setVisible(m_tasks->taskCount() > 0 || (m_serving && !m_serving->isHidden()));
}

void MainWindow::openNotebook(const QString& path, Notebook::Mode mode)
{
    if (m_opening || m_closing)
        return;
    m_opening = true;
    m_scope.start(openTask(this, path, mode, false));
}

QCoro::Task<void> MainWindow::openTask(QPointer<MainWindow> self, QString path, Notebook::Mode mode,
                                       bool remember)
{
    if (!self->m_workspace) {
        self->m_path = path;
        self->m_start->showOpening(path);
        self->m_stack->setCurrentWidget(self->m_start);
    }
    const Services services = self->m_services;
    auto opened = co_await Workspace::open(path, mode, services);
    if (!self)
        co_return;
    if (!opened) {
        self->m_opening = false;
        if (self->m_workspace)
            self->m_banner->showError(opened.error());
        else
            self->m_start->showError(opened.error());
        Q_EMIT self->openFailed(opened.error());
        co_return;
    }
    if (self->m_workspace) {
        const auto closed = co_await Workspace::close(self->m_workspace.get(), leaveLimit);
        if (!self)
            co_return;
        if (!closed) {
            self->m_opening = false;
            self->offerToLeave(closed.error(), Destination{path, mode, remember});
            co_return;
        }
        self->dropWorkspace();
    }
    self->m_path = path;
    self->m_opening = false;
    self->takeWorkspace(std::move(*opened));
    if (remember)
        self->rememberRecent(path);
}

void MainWindow::takeWorkspace(std::unique_ptr<Workspace> workspace)
{
    m_workspace = std::move(workspace);
    m_banner->dismiss();
    setWindowTitle(tr("%1 - Napkin").arg(m_workspace->name()));
    makePages();
    connectPages();
    connectTasks();
    restorePages();
    onDrawingChanged();
    updateActions();
    setMode(m_mode);
    if (m_workspace->notebook().mode() == Notebook::Mode::ReadOnly) {
        m_banner->showText({tr("This notebook is open for reading only."),
                            {},
                            tr("Nothing you draw or measure will be kept in it.")},
                           ErrorBanner::Kind::Caution);
    }
    lookForInterrupted();
    Q_EMIT opened();
}

void MainWindow::dropWorkspace()
{
    if (!m_workspace)
        return;
    for (const auto& [job, task] : m_taskOfJob)
        m_tasks->removeTask(task);
    m_taskOfJob.clear();
    delete m_inspector;
    delete m_peers;
    delete m_worksheet;
    delete m_measure;
    delete m_napkin;
    m_inspector = nullptr;
    m_peers = nullptr;
    m_worksheet = nullptr;
    m_measure = nullptr;
    m_napkin = nullptr;
    m_workspace.reset();
}

void MainWindow::makePages()
{
    DrawingDocument* document = &m_workspace->document();
    const Catalogue* catalogue = m_services.catalogue.get();
    m_undo.addStack(document->undoStack());
    m_undo.setActiveStack(document->undoStack());
    m_napkin = new NapkinPage(document, catalogue);
    m_measure = new MeasurePage(&m_workspace->controller(), catalogue);
    m_worksheet =
        new WorksheetPage(&m_workspace->feed(), &m_workspace->notebook(), m_services.clock);
    m_inspector = new Inspector(document, catalogue);
    m_stack->addWidget(m_napkin);
    m_stack->addWidget(m_measure);
    m_stack->addWidget(m_worksheet);
    if (m_services.peers) {
        m_peers = new PeersPage(m_services.peers.get(), m_services.clock);
        m_stack->addWidget(m_peers);
    }
    m_dock->setWidget(m_inspector);
    m_viewMenu->insertActions(m_zoomPlace, m_napkin->zoomActions());
}

void MainWindow::connectPages()
{
    DrawingDocument* document = &m_workspace->document();
    connect(document, &DrawingDocument::edited, m_measure, [this] { onDrawingChanged(); });
    connect(&m_workspace->feed(), &WorksheetFeed::changed, m_napkin, [this] { onFeedChanged(); });
    connect(m_workspace.get(), &Workspace::saveFailed, m_banner, &ErrorBanner::showError);

    connect(m_napkin, &NapkinPage::selectionChanged, m_inspector, &Inspector::setSelection);
    connect(m_napkin, &NapkinPage::selectionChanged, this, &MainWindow::updateActions);
    connect(m_napkin, &NapkinPage::measureRequested, this,
            [this](LinkId link) { measureLink(link); });
    connect(m_inspector, &Inspector::measureRequested, this, &MainWindow::measureLink);
    if (m_peers) {
        connect(m_services.peers.get(), &PeerDesk::peersChanged, m_inspector,
                [this] { onPeersChanged(); });
        m_services.peers->refresh();
        onPeersChanged();
    }
    const auto card = [this](MachineId machine) {
        const Machine* known = m_workspace->document().drawing().machine(machine);
        showFarEndCard(known ? known->name : QString());
    };
    connect(m_napkin, &NapkinPage::farEndCardRequested, this, card);
    connect(m_inspector, &Inspector::farEndCardRequested, this, card);
    connect(m_napkin, &NapkinPage::inspectorRequested, this, [this] {
        showInInspector();
        m_inspector->focusFirstField();
    });
    connect(m_napkin, &NapkinPage::nameEditRequested, this, [this] {
        showInInspector();
        m_inspector->focusName();
    });
    connect(m_inspector, &Inspector::left, m_napkin->canvas(), [this] {
        if (m_mode == WindowMode::Napkin)
            m_napkin->canvas()->setFocus();
    });
    connect(m_measure, &MeasurePage::worksheetRequested, this, &MainWindow::showRecord);
    connect(m_worksheet, &WorksheetPage::linkSelected, this,
            [this](LinkId link) { m_napkin->canvas()->select({{}, {link}}); });
    connect(m_worksheet, &WorksheetPage::drawRequested, this,
            [this] { setMode(WindowMode::Napkin); });
    connect(m_worksheet, &WorksheetPage::measureRequested, this,
            [this](std::optional<LinkId> link) {
                if (link) {
                    measureLink(*link);
                    return;
                }
                setMode(WindowMode::Measure);
                m_measure->focusAddress();
            });
}

void MainWindow::connectTasks()
{
    MeasureController* controller = &m_workspace->controller();
    connect(controller, &MeasureController::queued, m_tasks,
            [this](int job, const ProbeSpec& spec) {
                m_taskOfJob[job] = m_tasks->addTask(runTitle(spec));
                showStatusBar();
                updateActions();
            });
    connect(controller, &MeasureController::started, m_tasks, [this](int job) {
        m_tasks->setProgress(m_taskOfJob[job], phaseWords(Phase::Connecting), std::nullopt);
        updateActions(); // busy only now
    });
    connect(controller, &MeasureController::progressed, m_tasks,
            [this](int job, const Progress& progress) {
                const bool waiting =
                    progress.phase == Phase::Resolving || progress.phase == Phase::Connecting;
                m_tasks->setProgress(m_taskOfJob[job], phaseWords(progress.phase),
                                     waiting ? std::nullopt : std::optional(progress.fraction));
            });
    connect(controller, &MeasureController::ended, m_tasks, [this](int job) {
        m_tasks->removeTask(m_taskOfJob[job]);
        m_taskOfJob.erase(job);
        showStatusBar();
        updateActions();
    });
    connect(m_tasks, &TaskStrip::focusLeft, controller, [this] { focusPage(); });
    connect(m_tasks, &TaskStrip::cancelRequested, controller, [this, controller](int task) {
        for (const auto& [job, number] : m_taskOfJob) {
            if (number == task) {
                controller->cancel(job);
                return;
            }
        }
    });
}

} // namespace napkin
