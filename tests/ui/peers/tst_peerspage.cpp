// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/peerpairing.h"
#include "tests/ui/peers/desks.h"
#include "ui/peers/factsview.h"
#include "ui/peers/peerforms.h"
#include "ui/peers/peersmodel.h"
#include "ui/peers/peerspage.h"
#include "ui/peers/servestrip.h"
#include "ui/theme/theme.h"
#include "ui/widgets/errorbanner.h"
#include "ui/widgets/ledger.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace napkin;
using namespace napkin::test;

namespace {

QString shown(const PeersModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class TestPeersPage : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void placesAreRead();
    void pairsWithARealServer();
    void aWrongCodeIsToldWithAdvice();
    void factsOfAPeerAndOfThisMachine();
    void renamesAndRevokes();
    void revokeCanBeTakenBack();
    void servesOnlyWhileSwitchedOn();
    void invitesAndSaysWhoPaired();
    void iperfServiceIsItsOwnSwitch();
    void everythingHasAName();

private:
    void pair();

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<PeerDesk> m_desk;
    std::unique_ptr<PeerDesk> m_far;
    std::unique_ptr<PeersPage> m_page;
};

void TestPeersPage::init()
{
    applyAppearance(*qApp, Appearance::Light);
    m_dir = std::make_unique<QTemporaryDir>();
    m_desk = makeDesk(*m_dir, QStringLiteral("laptop"));
    m_far = makeDesk(*m_dir, QStringLiteral("spark-a"));
    m_page = std::make_unique<PeersPage>(m_desk.get(), std::make_shared<const SystemClock>());
    m_page->resize(1'000, 700);
    m_page->show();
    m_page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
}

void TestPeersPage::cleanup()
{
    m_page.reset();
    m_far.reset();
    m_desk.reset();
    m_dir.reset();
}

void TestPeersPage::pair()
{
    const auto code = m_far->invite();
    QVERIFY(code);
    m_page->startPairing();
    PairForm* form = m_page->pairForm();
    QTest::keyClicks(form->placeField(), QStringLiteral("127.0.0.1:%1").arg(m_far->servingPort()));
    form->codeField()->setText(code->text());
    QTest::mouseClick(form->pairButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_page->model()->rowCount(), 1, 15'000);
}

void TestPeersPage::placesAreRead()
{
    QCOMPARE(*peerPlaceFromText(QStringLiteral(" spark-b ")),
             (PeerPlace{QStringLiteral("spark-b"), defaultPeerPort}));
    QCOMPARE(*peerPlaceFromText(QStringLiteral("10.0.0.2:5300")),
             (PeerPlace{QStringLiteral("10.0.0.2"), 5'300}));
    QCOMPARE(*peerPlaceFromText(QStringLiteral("fe80::1%eth0")),
             (PeerPlace{QStringLiteral("fe80::1%eth0"), defaultPeerPort}));
    QCOMPARE(*peerPlaceFromText(QStringLiteral("[fe80::1%eth0]:5300")),
             (PeerPlace{QStringLiteral("fe80::1%eth0"), 5'300}));
    QCOMPARE(*peerPlaceFromText(QStringLiteral("[::1]")),
             (PeerPlace{QStringLiteral("::1"), defaultPeerPort}));
    for (const QString& bad :
         {QString(), QStringLiteral("spark:"), QStringLiteral("spark:0"),
          QStringLiteral("spark:70000"), QStringLiteral("spark:x"), QStringLiteral("[::1")})
        QVERIFY2(!peerPlaceFromText(bad), qPrintable(bad));
}

void TestPeersPage::pairsWithARealServer()
{
    QCOMPARE(m_page->model()->rowCount(), 0);
    const QAbstractItemModelTester tester(m_page->model());
    pair();
    QCOMPARE(shown(*m_page->model(), 0, PeersModel::Name), QStringLiteral("spark-a"));
    QTRY_VERIFY_WITH_TIMEOUT(
        shown(*m_page->model(), 0, PeersModel::State).startsWith(QStringLiteral("reachable")),
        15'000);
    QCOMPARE(m_page->banner()->text(), QString());
    m_far->stopServing();
    m_desk->askAll();
    QTRY_VERIFY_WITH_TIMEOUT(
        shown(*m_page->model(), 0, PeersModel::State).startsWith(QStringLiteral("not reachable")),
        15'000);
}

void TestPeersPage::aWrongCodeIsToldWithAdvice()
{
    QVERIFY(m_far->invite());
    m_page->startPairing();
    PairForm* form = m_page->pairForm();
    form->placeField()->setText(QStringLiteral("127.0.0.1:%1").arg(m_far->servingPort()));
    form->codeField()->setText(QStringLiteral("napkin-nonsense"));
    QTest::keyClick(form->codeField(), Qt::Key_Return);
    QTRY_VERIFY(!m_page->banner()->text().isEmpty());
    form->codeField()->setText(PairingCode::create().text()); // well formed, of nobody
    QTest::keyClick(form->codeField(), Qt::Key_Return);
    QVERIFY(!form->pairButton()->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(form->pairButton()->isEnabled(), 25'000);
    QVERIFY(!m_page->banner()->text().isEmpty());
    QVERIFY(form->codeField()->hasFocus() || !form->isActiveWindow());
    QCOMPARE(form->codeField()->selectedText(), form->codeField()->text());
    QCOMPARE(m_page->model()->rowCount(), 0);
}

void TestPeersPage::factsOfAPeerAndOfThisMachine()
{
    pair();
    m_page->showFacts(m_page->model()->peer(0)->peer.id);
    QTRY_VERIFY_WITH_TIMEOUT(m_page->factsView()->isVisible(), 15'000);
    QVERIFY(m_page->factsView()->text().contains(QStringLiteral("Facts of spark-a")));
    QVERIFY(m_page->factsView()->text().contains(QStringLiteral("Linux 6.1.0-18-amd64")));
    QVERIFY(m_page->factsView()->text().contains(
        QStringLiteral("not known: no sensor of the CPU is told")));
    QTreeWidget* tree = m_page->factsView()->interfaces();
    QCOMPARE(tree->topLevelItemCount(), 2);
    QVERIFY(tree->topLevelItem(1)->child(0)->text(0).contains(QStringLiteral("not known")));
    m_page->showFacts(std::nullopt);
    QTRY_VERIFY(m_page->factsView()->text().contains(QStringLiteral("Facts of laptop")));
}

void TestPeersPage::renamesAndRevokes()
{
    pair();
    PeersModel* model = m_page->model();
    QVERIFY(
        model->setData(model->index(0, PeersModel::Name), QStringLiteral("shelf"), Qt::EditRole));
    QCOMPARE(shown(*model, 0, PeersModel::Name), QStringLiteral("shelf"));
    QCOMPARE(m_desk->store()->read()->peers.front().name, QStringLiteral("shelf"));
    model->setData(model->index(0, PeersModel::Name), QStringLiteral(" "), Qt::EditRole);
    QVERIFY(!m_page->banner()->text().isEmpty());
    QCOMPARE(shown(*model, 0, PeersModel::Name), QStringLiteral("shelf"));

    m_page->view()->setFocus();
    m_page->view()->selectRow(0);
    QTest::keyClick(m_page->view(), Qt::Key_Delete);
    QVERIFY(m_page->revokeButton()->isVisible());
    QCOMPARE(model->rowCount(), 1); // nothing yet
    QTest::mouseClick(m_page->revokeButton(), Qt::LeftButton);
    QCOMPARE(model->rowCount(), 0);
    QVERIFY(m_desk->store()->read()->peers.empty());
}

void TestPeersPage::revokeCanBeTakenBack()
{
    pair();
    m_page->view()->selectRow(0);
    m_page->askToRevoke();
    QTest::keyClick(m_page->revokeButton(), Qt::Key_Escape);
    QVERIFY(!m_page->revokeButton()->isVisible());
    QCOMPARE(m_page->model()->rowCount(), 1);
}

void TestPeersPage::servesOnlyWhileSwitchedOn()
{
    ServeStrip strip(m_desk.get());
    QVERIFY(!m_page->serveSwitch()->isChecked());
    QVERIFY(strip.isHidden());
    QTest::keyClick(m_page->serveSwitch(), Qt::Key_Space);
    QVERIFY(m_desk->isServing());
    QVERIFY(!strip.isHidden());
    QVERIFY(strip.text().contains(QString::number(m_desk->servingPort())));

    pair(); // the far machine now asks this one
    const auto far = m_far->store();
    const auto known = far->change([this](PeerBook& book) -> Result<void> {
        book.peers.front().host = QStringLiteral("127.0.0.1");
        book.peers.front().port = m_desk->servingPort();
        return {};
    });
    QVERIFY(known);
    m_far->refresh();
    m_far->askAll();
    QTRY_COMPARE_WITH_TIMEOUT(m_far->peers().front().reach, PeerEntry::Reach::Reachable, 15'000);

    strip.findChildren<QPushButton*>().last()->click();
    QVERIFY(!m_desk->isServing());
    QVERIFY(strip.isHidden());
    QVERIFY(!m_page->serveSwitch()->isChecked());
    m_far->askAll();
    QTRY_COMPARE_WITH_TIMEOUT(m_far->peers().front().reach, PeerEntry::Reach::NotReachable, 15'000);
}

void TestPeersPage::invitesAndSaysWhoPaired()
{
    m_page->startInviting();
    QVERIFY(m_page->inviteForm()->isVisible());
    QVERIFY(m_page->serveSwitch()->isChecked()); // nobody could come otherwise
    const QString code = m_page->inviteForm()->code();
    // Others could read it on a line of commands.
    QVERIFY(!m_page->inviteForm()->line().contains(code));
    QVERIFY(m_page->inviteForm()->line().contains(QString::number(m_desk->servingPort())));
    TaskScope scope;
    QSignalSpy paired(m_desk.get(), &PeerDesk::paired);
    // Not a capturing lambda: the parameters live in the coroutine's frame.
    scope.start(
        [](std::shared_ptr<PeerStore> store, int port, PairingCode typed) -> QCoro::Task<void> {
            const auto done = co_await pairWith(std::move(store), QStringLiteral("127.0.0.1"), port,
                                                std::move(typed), {});
            if (!done)
                qWarning() << done.error().detail;
        }(m_far->store(), m_desk->servingPort(), *PairingCode::fromText(code)));
    QTRY_COMPARE_WITH_TIMEOUT(paired.size(), 1, 15'000);
    QCOMPARE(paired.front().front().toString(), QStringLiteral("spark-a"));
    QCOMPARE(m_page->model()->rowCount(), 1);
    QVERIFY(!m_page->inviteForm()->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(scope.running(), 0, 15'000);
}

void TestPeersPage::iperfServiceIsItsOwnSwitch()
{
    ServeStrip strip(m_desk.get());
    QTest::keyClick(m_page->throughputSwitch(), Qt::Key_Space);
    QVERIFY(m_desk->isThroughputOn());
    QVERIFY(!m_desk->isServing());
    QVERIFY(strip.text().contains(QStringLiteral("iperf3")));
    QTest::keyClick(m_page->throughputSwitch(), Qt::Key_Space);
    QVERIFY(!m_desk->isThroughputOn());
    QVERIFY(strip.isHidden());
}

void TestPeersPage::everythingHasAName()
{
    for (const QWidget* widget : m_page->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->inherits("QAbstractButton"))
            continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty(),
                 widget->metaObject()->className());
    }
}

QTEST_MAIN(TestPeersPage)
#include "tst_peerspage.moc"
