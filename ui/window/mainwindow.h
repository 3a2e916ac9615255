// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taskscope.h"
#include "core/topology/topology.h"
#include "core/workflow/linkspec.h"
#include "ui/theme/theme.h"
#include "ui/window/workspace.h"

#include <QMainWindow>
#include <QUndoGroup>

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <vector>

class QDockWidget;
class QStackedWidget;

namespace napkin {

class ErrorBanner;
class GoToBox;
struct GoToItem;
class Inspector;
struct InterruptedSoak;
class MeasurePage;
class ModeBar;
class NapkinPage;
class PeersPage;
class ServeStrip;
class StartPage;
class TaskStrip;
class WorksheetPage;

// How long closing waits for the disk: longer than a locked file is waited for.
inline constexpr std::chrono::seconds leaveLimit{8};

enum class WindowMode { Napkin, Measure, Worksheet, Peers };

// The window of `napkin`: modes on the left, the inspector on the right, what runs at the bottom.
// Appears at once; the notebook opens behind it. Closing it cancels what runs, writes out the
// drawing and then says closed(). What cannot be written keeps it open.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(Services services, QWidget* parent = nullptr);
    ~MainWindow() override;

    // The present notebook stays when the new one cannot be opened.
    void openNotebook(const QString& path, Notebook::Mode mode = Notebook::Mode::ReadWrite);
    // What the user opened last through the menu; the default notebook to begin with.
    [[nodiscard]] static QString lastNotebook();

    void setMode(WindowMode mode);
    [[nodiscard]] WindowMode mode() const { return m_mode; }
    void setAppearance(Appearance appearance); // remembered; whoever made the window applies it

    [[nodiscard]] Workspace* workspace() const { return m_workspace.get(); } // null: none open
    [[nodiscard]] NapkinPage* napkinPage() const { return m_napkin; }
    [[nodiscard]] MeasurePage* measurePage() const { return m_measure; }
    [[nodiscard]] WorksheetPage* worksheetPage() const { return m_worksheet; }
    [[nodiscard]] PeersPage* peersPage() const { return m_peers; } // null without peers
    [[nodiscard]] ServeStrip* serveStrip() const { return m_serving; }
    [[nodiscard]] StartPage* startPage() const { return m_start; }
    [[nodiscard]] TaskStrip* taskStrip() const { return m_tasks; }
    [[nodiscard]] ErrorBanner* banner() const { return m_banner; }
    [[nodiscard]] GoToBox* goToBox() const { return m_goTo; }
    void goToAnything();

Q_SIGNALS:
    void opened(); // a notebook is there, with its drawing and rows
    void openFailed(const napkin::Error& error);
    void appearanceChosen(napkin::Appearance appearance);
    void closed(); // all is written; quit now

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // mainwindow.cpp
    void makeFrame();
    static QCoro::Task<void> openTask(QPointer<MainWindow> self, QString path, Notebook::Mode mode,
                                      bool remember);
    void takeWorkspace(std::unique_ptr<Workspace> workspace);
    void dropWorkspace();
    void makePages();
    void connectPages();
    void connectTasks();
    void showStatusBar(); // where there is something in it

    // mainwindowactions.cpp
    QAction* makeAction(QMenu* menu, const QString& text, const QKeySequence& keys,
                        const QString& icon = {});
    void makeFileMenu();
    void makeEditMenu();
    void makeViewMenu();
    void makeAppearanceMenu(QMenu* view);
    void makeMeasureMenu();
    void makeHelpMenu();
    void makeCorner(); // buttons beside the menus
    void updateActions();
    void showAbout();
    void showKeys();

    // mainwindowmodes.cpp
    void offerSelectedCable();
    void measureLink(LinkId link, NearEnd near = NearEnd::Automatic);
    void onPeersChanged();
    void measureSelected();
    void showFarEndCard(const QString& machine);
    void showRecord(RecordId record);
    void showInInspector();
    void setInspectorWanted(bool wanted);
    void foldInspector();
    void focusPage(); // what a mode is about gets the keyboard
    void onDrawingChanged();
    void onFeedChanged();

    // goto.cpp
    [[nodiscard]] std::vector<GoToItem> goToItems();
    void addPeers(std::vector<GoToItem>& items);
    void addCommands(std::vector<GoToItem>& items);
    void addDrawn(std::vector<GoToItem>& items);
    void addRuns(std::vector<GoToItem>& items);

    // mainwindowstate.cpp
    void restoreWindow();
    void saveWindow();
    void restorePages();
    void askForNotebook(bool fresh);
    void savePicture();
    void rememberRecent(const QString& path);
    void fillRecentMenu();

    // mainwindowsoak.cpp
    void lookForInterrupted();
    static QCoro::Task<void> lookTask(QPointer<MainWindow> self, QPointer<Workspace> workspace);
    void offerToContinue(const std::shared_ptr<InterruptedSoak>& soak);
    static QCoro::Task<void> keepTask(QPointer<MainWindow> self, QPointer<Workspace> workspace,
                                      std::shared_ptr<InterruptedSoak> soak);

    // mainwindowleaving.cpp
    struct Destination // the notebook to open instead
    {
        QString path;
        Notebook::Mode mode = Notebook::Mode::ReadWrite;
        bool remember = false;
    };
    static QCoro::Task<void> closeTask(QPointer<MainWindow> self);
    static QCoro::Task<void> copyTask(QPointer<MainWindow> self, QString path,
                                      std::optional<Destination> to);
    void offerToLeave(const Error& error, const std::optional<Destination>& to);
    void askForCopy(const std::optional<Destination>& to);
    void leave(const std::optional<Destination>& to); // what is not written is gone
    void go(const std::optional<Destination>& to);

    Services m_services;
    TaskScope m_scope;
    std::unique_ptr<Workspace> m_workspace;
    QUndoGroup m_undo;
    WindowMode m_mode = WindowMode::Napkin;
    QString m_path; // of the notebook that opens or is open
    bool m_opening = false;
    bool m_closing = false;
    std::array<bool, 4> m_inspectorWanted{true, false, false, false}; // by mode
    std::array<bool, 4> m_inspectorInNarrow{}; // opened there, by mode, until it is wide again
    bool m_narrow = false;

    ModeBar* m_modeBar = nullptr;
    QStackedWidget* m_stack = nullptr;
    ErrorBanner* m_banner = nullptr;
    TaskStrip* m_tasks = nullptr;
    ServeStrip* m_serving = nullptr; // null without peers
    StartPage* m_start = nullptr;
    GoToBox* m_goTo = nullptr;
    QDockWidget* m_dock = nullptr;
    Inspector* m_inspector = nullptr;
    NapkinPage* m_napkin = nullptr;
    MeasurePage* m_measure = nullptr;
    WorksheetPage* m_worksheet = nullptr;
    PeersPage* m_peers = nullptr;
    std::map<int, int> m_taskOfJob;

    std::vector<QAction*> m_modeActions;
    std::vector<QAction*> m_needNotebook; // off while none is open
    QAction* m_inspectorAction = nullptr;
    QAction* m_copyAction = nullptr;
    QAction* m_measureAction = nullptr;
    QAction* m_stopAction = nullptr;
    QMenu* m_recentMenu = nullptr;
    QMenu* m_viewMenu = nullptr;
    QAction* m_zoomPlace = nullptr; // zoom actions of the page go before it
};

} // namespace napkin
