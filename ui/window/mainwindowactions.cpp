// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/napkinpage.h"
#include "ui/measure/measurecontroller.h"
#include "ui/measure/measurepage.h"
#include "ui/widgets/headings.h"
#include "ui/window/mainwindow.h"
#include "ui/window/modebar.h"
#include "ui/worksheet/worksheetpage.h"

#include <QAction>
#include <QActionGroup>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMessageBox>
#include <QScrollArea>
#include <QSettings>
#include <QToolButton>

#include <array>
#include <utility>

namespace napkin {

namespace {

// What an action does, without its mnemonic.
QString plainText(const QAction& action)
{
    const QString fixed = action.data().toString();
    return fixed.isEmpty() ? action.text().remove(QLatin1Char('&')) : fixed;
}

} // namespace

QAction* MainWindow::makeAction(QMenu* menu, const QString& text, const QKeySequence& keys,
                                const QString& icon)
{
    QAction* action = menu->addAction(text);
    action->setShortcut(keys);
    if (!icon.isEmpty())
        action->setIcon(themeIcon(icon));
    return action;
}

void MainWindow::makeFileMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    connect(makeAction(menu, tr("&New notebook…"), QKeySequence::New), &QAction::triggered, this,
            [this] { askForNotebook(true); });
    connect(makeAction(menu, tr("&Open notebook…"), QKeySequence::Open), &QAction::triggered, this,
            [this] { askForNotebook(false); });
    m_recentMenu = menu->addMenu(tr("&Recent"));
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    menu->addSeparator();
    QAction* picture = makeAction(menu, tr("Save &picture of the drawing…"), {});
    connect(picture, &QAction::triggered, this, &MainWindow::savePicture);
    QAction* csv = makeAction(menu, tr("Save &worksheet as CSV…"), {});
    connect(csv, &QAction::triggered, this, [this] { m_worksheet->exportCsv(); });
    menu->addSeparator();
    connect(makeAction(menu, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q)), &QAction::triggered,
            this, &QWidget::close);
    m_needNotebook.insert(m_needNotebook.end(), {picture, csv});
}

void MainWindow::makeEditMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_undo.createUndoAction(this, tr("&Undo"));
    undo->setData(tr("Undo")); // without what would be undone at this moment
    undo->setShortcut(QKeySequence::Undo);
    undo->setIcon(themeIcon(u"undo"));
    QAction* redo = m_undo.createRedoAction(this, tr("&Redo"));
    redo->setData(tr("Redo"));
    redo->setShortcuts(QKeySequence::keyBindings(QKeySequence::Redo));
    redo->setIcon(themeIcon(u"redo"));
    menu->addAction(undo);
    menu->addAction(redo);
    menu->addSeparator();
    m_copyAction = makeAction(menu, tr("&Copy rows"), QKeySequence::Copy, QStringLiteral("copy"));
    connect(m_copyAction, &QAction::triggered, this, [this] { m_worksheet->copy(); });
}

void MainWindow::makeViewMenu()
{
    m_viewMenu = menuBar()->addMenu(tr("&View"));
    auto* group = new QActionGroup(this);
    struct Mode
    {
        WindowMode mode;
        QString text;
        QString icon;
        Qt::Key key;
    };
    std::vector<Mode> modes{
        {WindowMode::Napkin, tr("&Napkin"), QStringLiteral("napkin"), Qt::Key_1},
        {WindowMode::Measure, tr("&Measure"), QStringLiteral("measure"), Qt::Key_2},
        {WindowMode::Worksheet, tr("&Worksheet"), QStringLiteral("worksheet"), Qt::Key_3}};
    if (m_services.peers)
        modes.push_back({WindowMode::Peers, tr("&Peers"), QStringLiteral("peers"), Qt::Key_4});
    for (const Mode& one : modes) {
        QAction* action =
            makeAction(m_viewMenu, one.text, QKeySequence(Qt::CTRL | one.key), one.icon);
        action->setCheckable(true);
        action->setObjectName(one.icon);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, mode = one.mode] { setMode(mode); });
        m_modeActions.push_back(action);
        m_modeBar->addMode(action);
    }
    m_needNotebook.insert(m_needNotebook.end(), m_modeActions.begin(), m_modeActions.end());
    m_viewMenu->addSeparator();
    m_zoomPlace = m_viewMenu->addSeparator();
    makeAppearanceMenu(m_viewMenu);
    m_inspectorAction = makeAction(m_viewMenu, tr("&Inspector"), QKeySequence(Qt::CTRL | Qt::Key_I),
                                   QStringLiteral("inspector"));
    m_inspectorAction->setCheckable(true);
    connect(m_inspectorAction, &QAction::triggered, this, &MainWindow::setInspectorWanted);
    connect(m_dock, &QDockWidget::visibilityChanged, m_inspectorAction,
            [this] { m_inspectorAction->setChecked(m_dock->isVisibleTo(this)); });
    m_needNotebook.push_back(m_inspectorAction);
    QAction* goTo = makeAction(m_viewMenu, tr("&Go to anything"),
                               QKeySequence(Qt::CTRL | Qt::Key_K), QStringLiteral("search"));
    connect(goTo, &QAction::triggered, this, &MainWindow::goToAnything);
    m_needNotebook.push_back(goTo);
}

void MainWindow::makeAppearanceMenu(QMenu* view)
{
    QMenu* menu = view->addMenu(tr("&Appearance"));
    auto* group = new QActionGroup(this);
    const Appearance now =
        appearanceFromName(QSettings().value(QStringLiteral("window/appearance")).toString());
    const std::array choices{std::pair{Appearance::System, tr("As the &system")},
                             std::pair{Appearance::Light, tr("&Light")},
                             std::pair{Appearance::Dark, tr("&Dark")}};
    for (const auto& [appearance, text] : choices) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(appearance == now);
        group->addAction(action);
        connect(action, &QAction::triggered, this,
                [this, chosen = appearance] { setAppearance(chosen); });
    }
}

void MainWindow::setAppearance(Appearance appearance)
{
    QSettings().setValue(QStringLiteral("window/appearance"), appearanceName(appearance));
    Q_EMIT appearanceChosen(appearance);
}

void MainWindow::makeMeasureMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Measure"));
    m_measureAction = makeAction(menu, tr("&Measure selected cable"),
                                 QKeySequence(Qt::CTRL | Qt::Key_M), QStringLiteral("play"));
    connect(m_measureAction, &QAction::triggered, this, &MainWindow::measureSelected);
    m_stopAction = makeAction(menu, tr("&Stop"), QKeySequence(Qt::CTRL | Qt::Key_Period),
                              QStringLiteral("stop"));
    connect(m_stopAction, &QAction::triggered, this,
            [this] { m_workspace->controller().cancelAll(); });
    menu->addSeparator();
    QAction* card = makeAction(menu, tr("&Far-end card"), QKeySequence(Qt::CTRL | Qt::Key_F),
                               QStringLiteral("card"));
    connect(card, &QAction::triggered, this, [this] { showFarEndCard({}); });
}

void MainWindow::makeHelpMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    connect(makeAction(menu, tr("&Keyboard shortcuts"), QKeySequence::HelpContents),
            &QAction::triggered, this, &MainWindow::showKeys);
    connect(makeAction(menu, tr("&About Napkin"), {}), &QAction::triggered, this,
            &MainWindow::showAbout);
}

void MainWindow::makeCorner()
{
    auto* button = new QToolButton;
    button->setText(tr("Go to anything   Ctrl+K"));
    button->setIcon(themeIcon(u"search"));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    button->setMaximumHeight(menuBar()->sizeHint().height());
    button->setFocusPolicy(Qt::NoFocus);
    button->setAccessibleName(tr("Go to anything"));
    connect(button, &QToolButton::clicked, this, &MainWindow::goToAnything);
    // In a narrow window the inspector is folded away: this is where it is found again.
    auto* inspector = new QToolButton;
    inspector->setDefaultAction(m_inspectorAction);
    inspector->setToolButtonStyle(Qt::ToolButtonIconOnly);
    inspector->setAutoRaise(true);
    inspector->setMaximumHeight(menuBar()->sizeHint().height());
    inspector->setFocusPolicy(Qt::NoFocus);
    inspector->setAccessibleName(tr("Inspector"));
    inspector->setToolTip(
        tr("Show or fold the inspector (%1)")
            .arg(m_inspectorAction->shortcut().toString(QKeySequence::NativeText)));
    auto* corner = new QWidget;
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, gap(1), 0);
    row->setSpacing(gap(1));
    row->addWidget(button);
    row->addWidget(inspector);
    menuBar()->setCornerWidget(corner);
}

void MainWindow::updateActions()
{
    for (QAction* action : m_needNotebook)
        action->setEnabled(m_workspace != nullptr);
    m_copyAction->setEnabled(m_workspace && m_mode == WindowMode::Worksheet);
    m_stopAction->setEnabled(m_workspace && m_workspace->controller().isBusy());
    m_measureAction->setEnabled(m_napkin && m_napkin->canvas()->selection().links.size() == 1);
}

void MainWindow::showAbout()
{
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(tr("About Napkin"));
    box->setIconPixmap(windowIcon().pixmap(64, 64));
    box->setText(tr("Napkin %1").arg(QStringLiteral(NAPKIN_VERSION)));
    box->setInformativeText(
        tr("A lab notebook for the wires between your machines. Free software under the GNU "
           "General Public License, version 3 or later."));
    box->setWindowModality(Qt::NonModal);
    box->show();
}

void MainWindow::showKeys()
{
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keyboard shortcuts"));
    auto* list = new QWidget;
    auto* grid = new QGridLayout(list);
    grid->setHorizontalSpacing(gap(6));
    grid->setVerticalSpacing(gap(1));
    int row = 0;
    const auto add = [&](const QString& keys, const QString& text) {
        auto* key = new QLabel(keys);
        QFont bold = key->font();
        bold.setWeight(QFont::DemiBold);
        key->setFont(bold);
        grid->addWidget(key, row, 0);
        grid->addWidget(new QLabel(text), row++, 1);
    };
    for (const QAction* menu : menuBar()->actions()) {
        for (const QAction* action : menu->menu()->actions()) {
            if (!action->shortcut().isEmpty() && !action->isSeparator())
                add(action->shortcut().toString(QKeySequence::NativeText), plainText(*action));
        }
    }
    add(tr("B, C, Esc"), tr("On the napkin: add a machine, draw a cable, select"));
    add(tr("Tab, arrows"), tr("On the napkin: next item, move it (with Shift by one)"));
    add(tr("Enter, F2, Del"), tr("On the napkin: inspect, rename, delete"));
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(row, 1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(list);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(scroll, 1);
    column->addWidget(buttons);
    dialog->resize(520, 460);
    dialog->show();
}

} // namespace napkin
