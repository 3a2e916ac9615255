// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/napkinpage.h"
#include "ui/widgets/errorbanner.h"
#include "ui/window/mainwindow.h"
#include "ui/worksheet/worksheetpage.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>

namespace napkin {

namespace {

constexpr qsizetype mostRecent = 8;

QString recentKey()
{
    return QStringLiteral("notebooks/recent");
}

QString lastKey()
{
    return QStringLiteral("notebooks/last");
}

} // namespace

QString MainWindow::lastNotebook()
{
    const QString last = QSettings().value(lastKey()).toString();
    return last.isEmpty() || !QFileInfo::exists(last) ? Notebook::defaultPath() : last;
}

void MainWindow::restoreWindow()
{
    const QSettings settings;
    const int last = static_cast<int>(m_modeActions.size()) - 1;
    m_mode = static_cast<WindowMode>(
        std::clamp(settings.value(QStringLiteral("window/mode"), 0).toInt(), 0, last));
    const int inspector = settings.value(QStringLiteral("window/inspector"), 1).toInt();
    for (std::size_t mode = 0; mode < m_inspectorWanted.size(); ++mode)
        m_inspectorWanted[mode] = (inspector >> mode) & 1;
    if (restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray())) {
        restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
        return;
    }
    const QScreen* screen = QGuiApplication::primaryScreen();
    const QSize room = screen ? screen->availableSize() : QSize(1280, 800);
    resize(QSize(1280, 800).boundedTo(room * 0.95));
}

void MainWindow::restorePages()
{
    const QSettings settings;
    m_worksheet->restoreState(settings);
    const double zoom = settings.value(QStringLiteral("napkin/zoom"), 1.0).toDouble();
    if (zoom > 0.1 && zoom < 8)
        m_napkin->canvas()->setZoom(zoom);
}

void MainWindow::saveWindow()
{
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState());
    settings.setValue(QStringLiteral("window/mode"), static_cast<int>(m_mode));
    int inspector = 0;
    for (std::size_t mode = 0; mode < m_inspectorWanted.size(); ++mode)
        inspector |= (m_inspectorWanted[mode] ? 1 : 0) << mode;
    settings.setValue(QStringLiteral("window/inspector"), inspector);
    if (!m_workspace)
        return;
    settings.setValue(QStringLiteral("napkin/zoom"), m_napkin->canvas()->zoom());
    m_worksheet->saveState(settings);
}

void MainWindow::askForNotebook(bool fresh)
{
    auto* dialog = new QFileDialog(
        this, fresh ? tr("New notebook") : tr("Open a notebook"),
        QFileInfo(m_path.isEmpty() ? Notebook::defaultPath() : m_path).absolutePath(),
        tr("Napkin notebooks (*.napkin)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setDefaultSuffix(QStringLiteral("napkin"));
    dialog->setAcceptMode(fresh ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
    dialog->setFileMode(fresh ? QFileDialog::AnyFile : QFileDialog::ExistingFile);
    // Nothing is ever overwritten: a notebook that is there already is opened.
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (m_opening || m_closing || (m_workspace && path == m_path))
            return;
        m_opening = true;
        m_scope.start(openTask(this, path, Notebook::Mode::ReadWrite, true));
    });
    dialog->open();
}

void MainWindow::savePicture()
{
    auto* dialog =
        new QFileDialog(this, tr("Save a picture of the drawing"),
                        QStandardPaths::writableLocation(QStandardPaths::PicturesLocation),
                        tr("PNG picture (*.png);;SVG drawing (*.svg)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(QStringLiteral("napkin.png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.contains(QLatin1String("*.svg")) ? QStringLiteral("svg")
                                                                         : QStringLiteral("png"));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (!m_napkin)
            return;
        if (const auto saved = m_napkin->canvas()->savePicture(path); !saved)
            m_banner->showError(saved.error());
    });
    dialog->open();
}

void MainWindow::rememberRecent(const QString& path)
{
    QSettings settings;
    QStringList recent = settings.value(recentKey()).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    while (recent.size() > mostRecent)
        recent.removeLast();
    settings.setValue(recentKey(), recent);
    settings.setValue(lastKey(), path);
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    QStringList recent = QSettings().value(recentKey()).toStringList();
    if (!recent.contains(Notebook::defaultPath()))
        recent << Notebook::defaultPath();
    for (const QString& path : recent) {
        QAction* action = m_recentMenu->addAction(QDir::toNativeSeparators(path));
        action->setEnabled(path != m_path || !m_workspace);
        connect(action, &QAction::triggered, this, [this, path] {
            if (m_opening || m_closing)
                return;
            m_opening = true;
            m_scope.start(openTask(this, path, Notebook::Mode::ReadWrite, true));
        });
    }
}

} // namespace napkin
