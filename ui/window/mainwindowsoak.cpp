// SPDX-License-Identifier: GPL-3.0-or-later
// A soak whose program ended while it ran: continue it, or keep it as it is.

#include "core/workflow/soakkeeper.h"
#include "ui/measure/measurecontroller.h"
#include "ui/widgets/errorbanner.h"
#include "ui/window/mainwindow.h"

#include <QPushButton>

namespace napkin {

void MainWindow::lookForInterrupted()
{
    if (m_workspace->notebook().mode() == Notebook::Mode::ReadWrite)
        m_scope.start(lookTask(this, m_workspace.get()));
}

QCoro::Task<void> MainWindow::lookTask(QPointer<MainWindow> self, QPointer<Workspace> workspace)
{
    auto found = co_await interruptedSoaks(&workspace->notebook());
    if (!self || !workspace || self->m_workspace.get() != workspace || found.empty())
        co_return;
    self->offerToContinue(std::make_shared<InterruptedSoak>(std::move(found.back())));
}

// Held as long as the banner's buttons stand: no other program takes it meanwhile.
void MainWindow::offerToContinue(const std::shared_ptr<InterruptedSoak>& soak)
{
    m_banner->showText({interruptedText(*soak, m_services.clock->now()),
                        {},
                        tr("Continue it as one run, or keep what it had measured as a partial "
                           "run.")},
                       ErrorBanner::Kind::Caution);
    const QPointer<Workspace> workspace(m_workspace.get());
    connect(m_banner->addStep(tr("Continue")), &QPushButton::clicked, this,
            [this, workspace, soak] {
                m_banner->dismiss();
                if (!workspace)
                    return;
                setMode(WindowMode::Measure);
                workspace->controller().measure(remainingSpec(*soak), *soak);
            });
    connect(m_banner->addStep(tr("Keep as it is")), &QPushButton::clicked, this,
            [this, workspace, soak] {
                m_banner->dismiss();
                if (workspace)
                    m_scope.start(keepTask(this, workspace, soak));
            });
}

QCoro::Task<void> MainWindow::keepTask(QPointer<MainWindow> self, QPointer<Workspace> workspace,
                                       std::shared_ptr<InterruptedSoak> soak)
{
    const auto number = co_await keepAsIs(&workspace->notebook(), *soak);
    if (self && !number)
        self->m_banner->showError(number.error());
}

} // namespace napkin
