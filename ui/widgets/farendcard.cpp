// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/farendcard.h"

#include "core/measure/reach/reachsteps.h"
#include "ui/theme/theme.h"
#include "ui/widgets/copyline.h"
#include "ui/widgets/headings.h"

#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace napkin {

FarEndCard::FarEndCard(QWidget* parent)
    : QWidget(parent)
    , m_tabs(new QTabWidget)
{
    auto* intro = new QLabel(tr("A measurement needs a server at the other end of the cable. Paste "
                                "these lines on that machine. The server runs until you stop it "
                                "with Ctrl+C."));
    intro->setWordWrap(true);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("System of the other machine"));
    m_tabs->tabBar()->setAccessibleName(tr("System of the other machine"));

    addTab(tr("Linux"), {},
           {{tr("Install iperf3 on Debian or Ubuntu"), QStringLiteral("sudo apt install iperf3")},
            {tr("Or on Fedora"), QStringLiteral("sudo dnf install iperf3")},
            {tr("Start the server"), QStringLiteral("iperf3 --server --port %1")},
            {tr("Or, where Napkin is installed"), QStringLiteral("napkin-cli serve --port %1")},
            {tr("If ufw is on, let the port through"), QStringLiteral("sudo ufw allow %1/tcp")},
            {tr("If firewalld is on, until the next restart"),
             QStringLiteral("sudo firewall-cmd --add-port=%1/tcp")},
            {tr("Find the address to measure to"), QStringLiteral("ip -brief address")}});
    addTab(tr("macOS"), tr("macOS may ask whether iperf3 may accept connections. Allow it."),
           {{tr("Install iperf3 with Homebrew"), QStringLiteral("brew install iperf3")},
            {tr("Start the server"), QStringLiteral("iperf3 --server --port %1")},
            {tr("If the firewall was told to block it, let it through"),
             QStringLiteral("sudo /usr/libexec/ApplicationFirewall/socketfilterfw "
                            "--unblockapp \"$(which iperf3)\"")},
            {tr("Find the address to measure to"), QStringLiteral("ifconfig | grep 'inet '")}});
    addTab(tr("Windows"),
           tr("Most builds of iperf3 for Windows run on Cygwin, an emulation layer. On links over "
              "10 Gb/s they may read low; Linux on the same machine tells you more."),
           {{tr("iperf3's makers offer no program for Windows. Their page says who does"),
             QStringLiteral("https://software.es.net/iperf/obtaining.html")},
            {tr("Start the server, in the folder with iperf3.exe"),
             QStringLiteral(".\\iperf3.exe --server --port %1")},
            {tr("Let the port through, in a terminal run as administrator"),
             QStringLiteral("netsh advfirewall firewall add rule name=\"iperf3\" dir=in "
                            "action=allow protocol=TCP localport=%1")},
            {tr("Find the address to measure to"), QStringLiteral("ipconfig")}});

    addSteps();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap(2));
    column->addWidget(intro);
    column->addWidget(m_tabs, 1);
    setPort(5201);
}

void FarEndCard::setPort(int port)
{
    for (const Entry& entry : std::as_const(m_entries)) {
        const bool named = entry.command.contains(QLatin1String("%1"));
        entry.line->setLine(named ? entry.command.arg(port) : entry.command);
    }
}

QStringList FarEndCard::lines() const
{
    QStringList all;
    for (const Entry& entry : m_entries)
        all << entry.line->line();
    return all;
}

// From nothing of ours to a paired peer, in the words that napkin-cli reach uses.
void FarEndCard::addSteps()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(gap(1), gap(3), gap(3), gap(2));
    column->setSpacing(gap(1));
    for (const FarEndStepText& step : farEndSteps()) {
        column->addWidget(new TypeLabel(step.what, TypeSize::Body));
        auto* brings = new TypeLabel(step.brings, TypeSize::Small);
        brings->setWordWrap(true);
        column->addWidget(brings);
        column->addSpacing(gap(2));
    }
    auto* ask = new CopyLine(tr("What is there now, asked from this machine"),
                             QStringLiteral("napkin-cli reach HOST"));
    column->addWidget(ask);
    column->addStretch();
    addPage(tr("What it brings"), page);
}

void FarEndCard::addTab(const QString& name, const QString& note, const Lines& lines)
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(gap(1), gap(3), gap(3), gap(2));
    column->setSpacing(gap(2));
    for (const auto& [caption, command] : lines) {
        auto* line = new CopyLine(caption, command);
        m_entries.append({line, command});
        column->addWidget(line);
    }
    if (!note.isEmpty()) {
        auto* label = new TypeLabel(note, TypeSize::Small);
        label->setWordWrap(true);
        column->addWidget(label);
    }
    column->addStretch();
    addPage(name, page);
}

void FarEndCard::addPage(const QString& name, QWidget* page)
{
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(name);
    m_tabs->addTab(scroll, name);
}

} // namespace napkin
