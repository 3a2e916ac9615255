// SPDX-License-Identifier: GPL-3.0-or-later
// Closing the window, or its notebook for another, without losing what is not written yet.

#include "ui/widgets/errorbanner.h"
#include "ui/window/mainwindow.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>

namespace napkin {

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_closing)
        saveWindow();
    if (!m_workspace) {
        event->accept();
        Q_EMIT closed();
        return;
    }
    event->ignore();
    if (m_closing)
        return;
    m_closing = true;
    hide(); // what is left to do takes a moment, and nobody needs to watch
    m_scope.start(closeTask(this));
}

QCoro::Task<void> MainWindow::closeTask(QPointer<MainWindow> self)
{
    const auto written = co_await Workspace::close(self->m_workspace.get(), leaveLimit);
    if (!self)
        co_return;
    self->m_closing = false;
    if (!written) {
        self->show();
        self->offerToLeave(written.error(), std::nullopt);
        co_return;
    }
    self->leave(std::nullopt);
}

void MainWindow::offerToLeave(const Error& error, const std::optional<Destination>& to)
{
    const ErrorText fault = describe(error);
    QStringList why{fault.what};
    if (!fault.why.isEmpty())
        why << fault.why;
    m_banner->showText({tr("Not everything is saved: what you did last is only in this window."),
                        why.join(u' '), fault.advice});
    const auto offer = [this](const QString& text, const std::function<void()>& step) {
        connect(m_banner->addStep(text), &QPushButton::clicked, this, step);
    };
    offer(tr("Try again"), [this, to] { go(to); });
    offer(tr("Save a copy…"), [this, to] { askForCopy(to); });
    offer(to ? tr("Open without saving") : tr("Close without saving"), [this, to] { leave(to); });
}

void MainWindow::go(const std::optional<Destination>& to)
{
    if (!to)
        close();
    else if (!m_opening && !m_closing) {
        m_opening = true;
        m_scope.start(openTask(this, to->path, to->mode, to->remember));
    }
}

void MainWindow::leave(const std::optional<Destination>& to)
{
    if (m_opening || m_closing)
        return;
    m_banner->dismiss();
    dropWorkspace();
    if (to) {
        go(to);
        return;
    }
    hide();
    Q_EMIT closed();
}

void MainWindow::askForCopy(const std::optional<Destination>& to)
{
    auto* dialog =
        new QFileDialog(this, tr("Save a copy of the notebook"), QFileInfo(m_path).absolutePath(),
                        tr("Napkin notebooks (*.napkin)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("napkin"));
    dialog->selectFile(tr("%1 copy", "name of a file").arg(QFileInfo(m_path).completeBaseName()) +
                       QStringLiteral(".napkin"));
    // Nothing is ever overwritten: a name that is taken is refused.
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    connect(dialog, &QFileDialog::fileSelected, this, [this, to](const QString& path) {
        if (m_workspace && !m_opening && !m_closing)
            m_scope.start(copyTask(this, path, to));
    });
    dialog->open();
}

QCoro::Task<void> MainWindow::copyTask(QPointer<MainWindow> self, QString path,
                                       std::optional<Destination> to)
{
    const auto saved = co_await Workspace::saveCopy(self->m_workspace.get(), path);
    if (!self)
        co_return;
    if (!saved)
        self->offerToLeave(saved.error(), to);
    else
        self->leave(to);
}

} // namespace napkin
