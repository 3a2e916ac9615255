// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the peers page, the facts and the details of a run in many states, to be looked at:
// peerspictures FOLDER

#include "tests/ui/peers/desks.h"
#include "ui/peers/factsview.h"
#include "ui/peers/peerspage.h"
#include "ui/peers/servestrip.h"
#include "ui/theme/theme.h"
#include "ui/widgets/ledger.h"
#include "ui/worksheet/rundetails.h"

#include <QApplication>
#include <QDir>
#include <QTest>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace napkin;
using namespace napkin::test;

namespace {

void save(QWidget& widget, const QString& path)
{
    QTest::qWait(80);
    widget.grab().save(path);
}

void addPeer(PeerDesk& desk, const QString& name, const QString& host, int daysAgo)
{
    PairedPeer peer;
    peer.id = PeerId::create();
    peer.name = name;
    peer.key = randomKey();
    peer.host = host;
    peer.port = 1; // nothing listens there
    peer.paired = QDateTime::currentDateTimeUtc().addDays(-daysAgo);
    if (daysAgo > 1)
        peer.seen = QDateTime::currentDateTimeUtc().addSecs(-600);
    if (const auto kept = desk.store()->pair(peer); !kept)
        qWarning() << kept.error().detail;
}

struct Window
{
    QWidget widget;
    PeersPage* page;

    Window(PeerDesk& desk, QSize size)
        : page(new PeersPage(&desk, std::make_shared<const SystemClock>()))
    {
        auto* column = new QVBoxLayout(&widget);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(page, 1);
        column->addWidget(new ServeStrip(&desk));
        widget.resize(size);
        widget.show();
    }
};

void peersPictures(const QString& prefix, QSize size)
{
    const QTemporaryDir folder;
    auto desk = makeDesk(folder, QStringLiteral("laptop"));
    {
        Window empty(*desk, size);
        save(empty.widget, prefix + QStringLiteral("empty.png"));
    }
    addPeer(*desk, QStringLiteral("spark-a"), QStringLiteral("127.0.0.1"), 3);
    addPeer(*desk, QStringLiteral("spark-b"), QStringLiteral("127.0.0.1"), 1);
    addPeer(*desk, QStringLiteral("the-big-workstation-under-the-desk-in-the-study"),
            QStringLiteral("fe80::aaaa:bbbb:cccc:dddd%enp1s0f0np0"), 40);
    Window window(*desk, size);
    QTest::qWait(400);
    save(window.widget, prefix + QStringLiteral("list.png"));
    window.page->startPairing(QStringLiteral("spark-c"));
    save(window.widget, prefix + QStringLiteral("pair.png"));
    window.page->startInviting();
    save(window.widget, prefix + QStringLiteral("invite.png"));
    window.page->askToRevoke();
    save(window.widget, prefix + QStringLiteral("revoke.png"));
    window.page->showFacts(std::nullopt);
    QTest::qWait(50);
    window.page->factsView()->interfaces()->expandAll();
    save(window.widget, prefix + QStringLiteral("facts.png"));
}

void detailsPictures(const QString& prefix, QSize size)
{
    const QDateTime noon(QDate(2026, 12, 1), QTime(12, 0), Qt::UTC);
    const Record before{11, sampleRun(1'500, noon), {}, {}, std::nullopt, {}};
    Record now{12, sampleRun(9'000, noon.addSecs(4'000)), {}, {}, std::nullopt, {}};
    RunDetails details(nullptr);
    details.resize(size);
    details.show();
    now.result.spec.intendedLink = LinkId::create();
    now.result.quality = {
        {QualityFlag::WrongInterface, QStringLiteral("wlan0 carried 98 % of the bytes")},
        {QualityFlag::CpuBound, QStringLiteral("near end, 97 % of a core")}};
    details.showRecord(now, &before);
    save(details, prefix + QStringLiteral("run.png"));
    now.result.spec.far.peer.reset(); // a stock far end
    now.result.conditions.far = {};
    now.result.conditions.farClock.reset();
    now.result.quality.clear();
    now.result.spec.link = std::exchange(now.result.spec.intendedLink, std::nullopt);
    now.result.spec.near.name = QStringLiteral("the-big-workstation-under-the-desk-in-the-study");
    details.showRecord(now, nullptr);
    save(details, prefix + QStringLiteral("stock.png"));
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QDir folder(app.arguments().value(1, QStringLiteral(".")));
    folder.mkpath(QStringLiteral("."));
    for (const auto& [name, appearance] : {std::pair(QStringLiteral("light-"), Appearance::Light),
                                           std::pair(QStringLiteral("dark-"), Appearance::Dark)}) {
        applyAppearance(app, appearance);
        peersPictures(folder.filePath(name), {1'200, 720});
        detailsPictures(folder.filePath(name), {1'200, 720});
    }
    applyAppearance(app, Appearance::Light);
    peersPictures(folder.filePath(QStringLiteral("small-")), {884, 540});
    detailsPictures(folder.filePath(QStringLiteral("small-")), {884, 540});
    return 0;
}
