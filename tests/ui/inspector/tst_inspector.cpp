// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/canvas/samples.h"
#include "ui/inspector/address.h"
#include "ui/inspector/inspector.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace napkin;

namespace {

const Catalogue& catalogue()
{
    static const Catalogue loaded = Catalogue::load().value();
    return loaded;
}

struct Desk
{
    DrawingDocument document;
    Inspector inspector{&document, &catalogue()};

    Desk()
    {
        inspector.resize(300, 500);
        inspector.show();
        inspector.activateWindow();
    }
    template <typename T>
    T* find(const char* name) const
    {
        for (T* widget : inspector.findChildren<T*>(QLatin1StringView(name))) {
            if (widget->isVisible())
                return widget;
        }
        return nullptr;
    }
    void type(QLineEdit* edit, const QString& text) const
    {
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    bool says(const QString& text) const
    {
        for (const QLabel* label : inspector.findChildren<QLabel*>()) {
            QString words = label->text();
            if (label->isVisible() && words.replace(QChar(0xa0), u' ').contains(text))
                return true;
        }
        return false;
    }
};

void collectNameless(QAccessibleInterface* face, QStringList* nameless)
{
    if (!face || !face->isValid())
        return;
    const auto state = face->state();
    if (state.focusable && !state.invisible && face->text(QAccessible::Name).isEmpty())
        *nameless << QString::fromLatin1(face->object()->metaObject()->className()) + u'/' +
                         face->object()->objectName();
    for (int i = 0; i < face->childCount(); ++i)
        collectNameless(face->child(i), nameless);
}

} // namespace

class TestInspector : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void followsTheSelection();
    void renamesAndUndoes();
    void typesAreFoundByTyping();
    void addressesAreChecked_data();
    void addressesAreChecked();
    void aWrongAddressStaysOnScreenUnsaved();
    void portsComeAndGo();
    void cableFigures();
    void classAndEndsChange();
    void aDrawnMachineIsAPeer();
    void theNearEndIsChosenBetweenPeers();
    void escapeLeaves();
    void fitsSmallWindows();
    void nothingFocusableIsNameless();
};

void TestInspector::followsTheSelection()
{
    Desk desk;
    QVERIFY(desk.says(QStringLiteral("0 machines, 0 cables")));
    samples::buildLab(desk.document, catalogue());
    QVERIFY(desk.says(QStringLiteral("4 machines, 5 cables")));
    const MachineId a = desk.document.drawing().machines[0].id;
    desk.inspector.setSelection({{a}, {}});
    QCOMPARE(desk.find<QLineEdit>("machineName")->text(), QStringLiteral("spark-a"));
    QVERIFY(desk.says(QStringLiteral("128 GiB")));
    QVERIFY(desk.says(QStringLiteral("273 GB/s")));
    desk.document.removeMachine(a);
    QVERIFY(!desk.find<QLineEdit>("machineName"));
    QVERIFY(desk.says(QStringLiteral("3 machines, 2 cables")));
}

void TestInspector::renamesAndUndoes()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({0, 0}, QStringLiteral("spark-a"));
    const MachineId b = desk.document.addMachine({0, 160}, QStringLiteral("spark-b"));
    desk.inspector.setSelection({{a}, {}});
    auto* name = desk.find<QLineEdit>("machineName");
    desk.type(name, QStringLiteral("left one"));
    QCOMPARE(desk.document.drawing().machine(a)->name, QStringLiteral("left one"));
    desk.document.undoStack()->undo();
    QCOMPARE(name->text(), QStringLiteral("spark-a"));
    desk.type(name, QStringLiteral("  "));
    QCOMPARE(name->text(), QStringLiteral("spark-a")); // a machine needs a name
    // What is typed belongs to the machine it was typed for.
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("typed"));
    desk.inspector.setSelection({{b}, {}});
    QCOMPARE(desk.document.drawing().machine(a)->name, QStringLiteral("typed"));
    QCOMPARE(desk.document.drawing().machine(b)->name, QStringLiteral("spark-b"));
    QCOMPARE(name->text(), QStringLiteral("spark-b"));
}

void TestInspector::typesAreFoundByTyping()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({0, 0});
    desk.inspector.setSelection({{a}, {}});
    auto* type = desk.find<QComboBox>("machineType");
    QCOMPARE(type->currentText(), QStringLiteral("Not listed"));
    desk.type(type->lineEdit(), QStringLiteral("dgx"));
    QCOMPARE(desk.document.drawing().machine(a)->typeId, QStringLiteral("dgx-spark"));
    desk.type(type->lineEdit(), QStringLiteral("no such machine"));
    QCOMPARE(desk.document.drawing().machine(a)->typeId, QStringLiteral("dgx-spark"));
    QVERIFY(type->currentText().contains(QStringLiteral("DGX")));
    desk.document.setMachineType(a, QStringLiteral("mac-mini-m6-16"));
    QVERIFY(desk.says(QStringLiteral("Unconfirmed")));
}

void TestInspector::addressesAreChecked_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");
    for (const char* good : {"", "10.0.0.1", "spark-b", "spark-b.local", "spark-b.local.", "::1",
                             "fe80::1%eth0", "fd00:1234::7", "a", "münchen.example", "2nd-box"})
        QTest::addRow("good %s", good) << QString::fromUtf8(good) << true;
    for (const char* bad : {"10.0.0.300", "10.0.0", "spark b", "-x", "x-", "a..b", "http://a",
                            "a:5201", "10.0.0.1:5201", "10.0.0.1/24", "fe80::zz", "[::1]:5201"})
        QTest::addRow("bad %s", bad) << QString::fromUtf8(bad) << false;
}

void TestInspector::addressesAreChecked()
{
    QFETCH(QString, text);
    QFETCH(bool, good);
    QCOMPARE(addressFault(text).isEmpty(), good);
}

void TestInspector::aWrongAddressStaysOnScreenUnsaved()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({0, 0});
    desk.inspector.setSelection({{a}, {}});
    auto* address = desk.find<QLineEdit>("portAddress");
    desk.type(address, QStringLiteral("10.0.0.300"));
    QCOMPARE(desk.document.drawing().machine(a)->ports[0].address, QString());
    auto* fault = desk.find<QLabel>("addressFault");
    QVERIFY(fault);
    QVERIFY(fault->text().contains(QStringLiteral("It is not saved.")));
    QVERIFY(desk.document.renameMachine(a, QStringLiteral("other")));
    QCOMPARE(address->text(), QStringLiteral("10.0.0.300"));
    desk.type(address, QStringLiteral("10.0.0.3"));
    QCOMPARE(desk.document.drawing().machine(a)->ports[0].address, QStringLiteral("10.0.0.3"));
    QVERIFY(!desk.find<QLabel>("addressFault"));
}

void TestInspector::portsComeAndGo()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({0, 0});
    desk.inspector.setSelection({{a}, {}});
    QTest::mouseClick(desk.find<QPushButton>("addPort"), Qt::LeftButton);
    QCOMPARE(desk.document.drawing().machine(a)->ports.size(), std::size_t(2));
    QTRY_COMPARE(desk.inspector.findChildren<QLineEdit*>(QStringLiteral("portName")).size(), 2);
    desk.type(desk.inspector.findChildren<QLineEdit*>(QStringLiteral("portName")).last(),
              QStringLiteral("eth1"));
    QCOMPARE(desk.document.drawing().machine(a)->ports[1].name, QStringLiteral("eth1"));
    desk.document.undoStack()->undo();
    desk.document.undoStack()->undo();
    QTRY_COMPARE(desk.inspector.findChildren<QLineEdit*>(QStringLiteral("portName")).size(), 1);
}

void TestInspector::cableFigures()
{
    Desk desk;
    const auto rows = samples::buildLab(desk.document, catalogue());
    desk.inspector.setWorksheet(rows);
    const LinkId slow = desk.document.drawing().links[1].id;
    desk.inspector.setSelection({{}, {slow}});
    QVERIFY(desk.says(QStringLiteral("9.42 Gb/s")));
    QVERIFY(desk.says(QStringLiteral("94 % of the rating")));
    QVERIFY(desk.says(QStringLiteral("1.25 GB/s")));
    QVERIFY(desk.says(QStringLiteral("2 h ago")));
    QVERIFY(desk.says(QStringLiteral("not measured"))); // the other way
    desk.document.setLinkClass(slow, QStringLiteral("ethernet-25g"));
    QVERIFY(!desk.says(QStringLiteral("9.42 Gb/s"))); // of an earlier period
    QVERIFY(desk.says(QStringLiteral("No runs yet in this class.")));
    QSignalSpy measure(&desk.inspector, &Inspector::measureRequested);
    QTest::mouseClick(desk.find<QPushButton>("measure"), Qt::LeftButton);
    QCOMPARE(measure.count(), 1);
    QVERIFY(measure.first().first().value<LinkId>() == slow);
}

void TestInspector::classAndEndsChange()
{
    Desk desk;
    samples::buildLab(desk.document, catalogue());
    const LinkId slow = desk.document.drawing().links[1].id;
    desk.inspector.setSelection({{}, {slow}});
    auto* kind = desk.find<QComboBox>("linkClass");
    QCOMPARE(kind->currentData().toString(), QStringLiteral("ethernet-10g"));
    kind->setFocus();
    QTest::keyClick(kind, Qt::Key_Down);
    QCOMPARE(desk.document.drawing().link(slow)->classId, QStringLiteral("ethernet-25g"));
    const MachineId a = desk.document.drawing().machines[0].id;
    const PortId spare = desk.document.addPort(a, QStringLiteral("spare"));
    auto* ends = desk.find<QComboBox>("portA");
    QCOMPARE(ends->count(), 4);
    ends->setFocus();
    QTest::keyClick(ends, Qt::Key_End);
    QVERIFY(desk.document.drawing().link(slow)->a == spare);
    desk.document.undoStack()->undo();
    QVERIFY(ends->currentText().startsWith(QStringLiteral("eth0")));
}

void TestInspector::escapeLeaves()
{
    Desk desk;
    desk.inspector.setSelection({{desk.document.addMachine({0, 0})}, {}});
    QSignalSpy left(&desk.inspector, &Inspector::left);
    desk.inspector.focusName();
    auto* name = desk.find<QLineEdit>("machineName");
    QTest::keyClicks(name, QStringLiteral("half"));
    QTest::keyClick(name, Qt::Key_Escape);
    QCOMPARE(name->text(), QStringLiteral("machine-1"));
    QCOMPARE(left.count(), 0);
    QTest::keyClick(name, Qt::Key_Escape);
    QCOMPARE(left.count(), 1);
}

void TestInspector::fitsSmallWindows()
{
    Desk desk;
    desk.inspector.setWorksheet(samples::buildLab(desk.document, catalogue()));
    desk.inspector.resize(desk.inspector.minimumSizeHint().width(), 320);
    auto* scroll = desk.inspector.findChild<QScrollArea*>();
    for (const Selection& selection :
         {Selection{}, Selection{{desk.document.drawing().machines[2].id}, {}},
          Selection{{}, {desk.document.drawing().links[2].id}}}) {
        desk.inspector.setSelection(selection);
        QTest::qWait(20);
        QVERIFY2(scroll->widget()->minimumSizeHint().width() <= scroll->viewport()->width(),
                 qPrintable(QString::number(scroll->widget()->minimumSizeHint().width())));
    }
    QVERIFY(scroll->verticalScrollBar()->maximum() > 0);
}

void TestInspector::nothingFocusableIsNameless()
{
    Desk desk;
    desk.inspector.setWorksheet(samples::buildLab(desk.document, catalogue()));
    for (const Selection& selection :
         {Selection{}, Selection{{desk.document.drawing().machines[0].id}, {}},
          Selection{{}, {desk.document.drawing().links[0].id}}}) {
        desk.inspector.setSelection(selection);
        QStringList nameless;
        collectNameless(QAccessible::queryAccessibleInterface(&desk.inspector), &nameless);
        QCOMPARE(nameless, QStringList());
    }
}

void TestInspector::aDrawnMachineIsAPeer()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({0, 0}, QStringLiteral("spark-a"));
    const MachineId b = desk.document.addMachine({0, 160}, QStringLiteral("spark-b"));
    desk.inspector.setSelection({{a}, {}});
    const auto* nobody = desk.find<QComboBox>("machinePeer");
    QVERIFY(nobody && !nobody->isEnabled()); // nothing to choose, and why
    QVERIFY(nobody->currentText().contains(QStringLiteral("paired")));
    QVERIFY(nobody->toolTip().contains(QStringLiteral("Peers")));
    const PeerChoice here{PeerId::create(), QStringLiteral("laptop"),
                          PeerChoice::Kind::ThisMachine};
    const PeerChoice there{PeerId::create(), QStringLiteral("shelf"), PeerChoice::Kind::Paired};
    desk.inspector.setPeers({here, there});
    auto* combo = desk.find<QComboBox>("machinePeer");
    QVERIFY(combo && combo->isEnabled());
    QCOMPARE(combo->count(), 3);
    QCOMPARE(combo->currentIndex(), 0);
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Down);
    QTest::keyClick(combo, Qt::Key_Down);
    QVERIFY(desk.document.drawing().machine(a)->peer == there.id);
    desk.inspector.setSelection({{b}, {}});
    QTest::keyClick(combo, Qt::Key_Down);
    QTest::keyClick(combo, Qt::Key_Down); // that one is spark-a
    QVERIFY(desk.document.drawing().machine(b)->peer == here.id);
    QVERIFY(!desk.document.setMachinePeer(b, there.id));
    desk.inspector.setPeers({here}); // revoked
    desk.inspector.setSelection({{a}, {}});
    QVERIFY(combo->currentText().contains(QStringLiteral("no longer paired")));
    while (desk.document.undoStack()->canUndo() && desk.document.drawing().machine(a) &&
           desk.document.drawing().machine(a)->peer)
        desk.document.undoStack()->undo();
    QCOMPARE(combo->currentIndex(), 0);
}

void TestInspector::theNearEndIsChosenBetweenPeers()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({0, 0}, QStringLiteral("spark-a"));
    const MachineId b = desk.document.addMachine({0, 160}, QStringLiteral("spark-b"));
    const LinkId link = *desk.document.addLink(a, b);
    const PeerChoice one{PeerId::create(), QStringLiteral("one"), PeerChoice::Kind::Paired};
    const PeerChoice two{PeerId::create(), QStringLiteral("two"), PeerChoice::Kind::Paired};
    desk.inspector.setPeers({one, two});
    desk.inspector.setSelection({{}, {link}});
    QVERIFY(!desk.find<QComboBox>("nearEnd"));
    QVERIFY(desk.document.setMachinePeer(a, one.id));
    QVERIFY(desk.document.setMachinePeer(b, two.id));
    auto* near = desk.find<QComboBox>("nearEnd");
    QVERIFY(near);
    QSignalSpy measure(&desk.inspector, &Inspector::measureRequested);
    desk.find<QPushButton>("measure")->click();
    QCOMPARE(measure.takeFirst().at(1).value<NearEnd>(), NearEnd::Automatic);
    near->setCurrentIndex(near->findText(QStringLiteral("spark-b")));
    desk.find<QPushButton>("measure")->click();
    QCOMPARE(measure.takeFirst().at(1).value<NearEnd>(), NearEnd::B);
}

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
