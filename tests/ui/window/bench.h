// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/widgets/taskstrip.h"
#include "ui/window/mainwindow.h"
#include "ui/worksheet/worksheetfeed.h"

#include <QApplication>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace napkin::test {

// A real window on a notebook of its own, from a clean state.
class WindowBench
{
public:
    WindowBench()
    {
        QApplication::setApplicationName(QStringLiteral("napkin"));
        QApplication::setOrganizationName(QStringLiteral("napkin"));
        QSettings().clear();
        applyAppearance(*qApp, Appearance::Light);
        auto catalogue = Catalogue::load();
        m_catalogue = std::make_shared<const Catalogue>(std::move(*catalogue));
    }
    ~WindowBench() { close(); }

    [[nodiscard]] QString path() const { return m_dir.filePath(QStringLiteral("lab.napkin")); }

    // Before open(): the window knows paired machines, and measures as told.
    void setPeers(std::shared_ptr<PeerDesk> peers) { m_peers = std::move(peers); }
    void setProbes(ProbeSet probes) { m_probes = std::move(probes); }

    // False when it did not open.
    bool open(const QString& file = {})
    {
        m_window = std::make_unique<MainWindow>(
            Services{m_catalogue, std::make_shared<const SystemClock>(), m_probes, m_peers});
        QSignalSpy opened(m_window.get(), &MainWindow::opened);
        QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
        m_window->resize(1'280, 800);
        m_window->show();
        m_window->openNotebook(file.isEmpty() ? path() : file);
        if (!QTest::qWaitFor([&] { return opened.size() + failed.size() > 0; }, 10'000))
            return false;
        if (opened.isEmpty())
            return false;
        return QTest::qWaitFor([&] { return m_window->workspace()->feed().isLoaded(); }, 10'000);
    }

    // As the user does; ends when all is written.
    bool close()
    {
        if (!m_window)
            return true;
        QSignalSpy closed(m_window.get(), &MainWindow::closed);
        m_window->close();
        const bool ended = QTest::qWaitFor([&] { return !closed.isEmpty(); }, 10'000);
        m_window.reset();
        return ended;
    }

    [[nodiscard]] MainWindow& window() { return *m_window; }

private:
    QTemporaryDir m_dir;
    std::shared_ptr<const Catalogue> m_catalogue;
    ProbeSet m_probes = ProbeSet::standard();
    std::shared_ptr<PeerDesk> m_peers;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace napkin::test
