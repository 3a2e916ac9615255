// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/drawingdocument.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace napkin;

namespace {

DrawingWithLayout afterJson(const DrawingWithLayout& state)
{
    const auto read = drawingFromJson(toJson(state.drawing, state.layout));
    return read.value_or(DrawingWithLayout());
}

} // namespace

class TestDrawingDocument : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void removingAMachineBringsItsCablesBackWithTheSameIds();
    void noChangePushesNothing();
    void aClassStartsANewPeriodAndUndoTheOldOne();
    void cablesTakeFreePortsOrMakeThem();
    void impossibleCablesAreRefused();
    void keyboardMovesBecomeOneStep();
    void loadingForgetsTheHistory();
    void signalsTellWhatChanged();
    void randomEditsUndoAndRedoExactly();
};

void TestDrawingDocument::removingAMachineBringsItsCablesBackWithTheSameIds()
{
    DrawingDocument document;
    const MachineId a = document.addMachine({0, 0}, QStringLiteral("spark-a"));
    const MachineId b = document.addMachine({240, 0}, QStringLiteral("spark-b"));
    const MachineId c = document.addMachine({480, 0});
    QVERIFY(document.addLink(a, b));
    QVERIFY(document.addLink(b, c));
    QVERIFY(document.addLink(a, c));
    const DrawingWithLayout before = document.state();
    document.removeMachine(b);
    QCOMPARE(document.drawing().machines.size(), std::size_t(2));
    QCOMPARE(document.drawing().links.size(), std::size_t(1));
    QVERIFY(validate(document.drawing()));
    QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Remove spark-b"));
    document.undoStack()->undo();
    QVERIFY(document.state() == before);
}

void TestDrawingDocument::noChangePushesNothing()
{
    DrawingDocument document;
    const MachineId a = document.addMachine({0, 0}, QStringLiteral("spark-a"));
    const MachineId b = document.addMachine({240, 0});
    const LinkId link = document.addLink(a, b, QStringLiteral("ethernet-10g")).value();
    const int steps = document.undoStack()->count();
    QVERIFY(document.renameMachine(a, QStringLiteral(" spark-a ")));
    document.setLinkClass(link, QStringLiteral("ethernet-10g"));
    document.moveMachines({{a, {0, 0}}}, DrawingDocument::MoveKind::Drag);
    document.setMachineType(a, {});
    document.renameLink(link, {});
    document.remove({}, {});
    QCOMPARE(document.undoStack()->count(), steps);
    QVERIFY(!document.renameMachine(a, QStringLiteral("  ")));
    QCOMPARE(document.undoStack()->count(), steps);
}

void TestDrawingDocument::aClassStartsANewPeriodAndUndoTheOldOne()
{
    DrawingDocument document;
    document.load(twoMachinesTemplate());
    const LinkId id = document.drawing().links.front().id;
    const LinkPeriodId first = document.drawing().link(id)->period;
    document.setLinkClass(id, QStringLiteral("ethernet-25g"));
    const LinkPeriodId second = document.drawing().link(id)->period;
    QVERIFY(!(first == second));
    document.undoStack()->undo();
    QCOMPARE(document.drawing().link(id)->period.text(), first.text());
    document.undoStack()->redo();
    QCOMPARE(document.drawing().link(id)->period.text(), second.text());
}

void TestDrawingDocument::cablesTakeFreePortsOrMakeThem()
{
    DrawingDocument document;
    const MachineId a = document.addMachine({0, 0});
    const MachineId b = document.addMachine({240, 0});
    QCOMPARE(document.drawing().machine(a)->ports.size(), std::size_t(1));
    QVERIFY(document.addLink(a, b));
    QCOMPARE(document.drawing().machine(a)->ports.size(), std::size_t(1));
    QVERIFY(document.addLink(a, b));
    QCOMPARE(document.drawing().machine(a)->ports.size(), std::size_t(2));
    QCOMPARE(document.drawing().machine(b)->ports.size(), std::size_t(2));
    document.undoStack()->undo();
    QCOMPARE(document.drawing().machine(a)->ports.size(), std::size_t(1));
}

void TestDrawingDocument::impossibleCablesAreRefused()
{
    DrawingDocument document;
    const MachineId a = document.addMachine({0, 0});
    const MachineId b = document.addMachine({240, 0});
    const int steps = document.undoStack()->count();
    QVERIFY(!document.addLink(a, a));
    QVERIFY(!document.addLink(a, MachineId::create()));
    QCOMPARE(document.undoStack()->count(), steps);
    const LinkId link = document.addLink(a, b).value();
    const PortId taken = document.drawing().link(link)->a;
    const PortId free = document.addPort(b);
    const Result<LinkId> second = document.addLinkBetween(taken, free);
    QVERIFY(!second);
    QCOMPARE(second.error().detail, QStringLiteral("This port has a cable already."));
    QVERIFY(document.setLinkEnds(link, taken, free));
    QVERIFY(document.drawing().link(link)->b == free);
}

void TestDrawingDocument::keyboardMovesBecomeOneStep()
{
    DrawingDocument document;
    const MachineId a = document.addMachine({0, 0}, QStringLiteral("spark-a"));
    const int steps = document.undoStack()->count();
    using enum DrawingDocument::MoveKind;
    document.moveMachines({{a, {8, 0}}}, Keyboard);
    document.moveMachines({{a, {16, 0}}}, Keyboard);
    QCOMPARE(document.undoStack()->count(), steps + 1);
    QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Move spark-a"));
    document.moveMachines({{a, {0, 0}}}, Keyboard); // back where it was: nothing happened
    QCOMPARE(document.undoStack()->count(), steps);
    document.moveMachines({{a, {8, 0}}}, Drag);
    document.moveMachines({{a, {16, 0}}}, Drag);
    QCOMPARE(document.undoStack()->count(), steps + 2);
}

void TestDrawingDocument::loadingForgetsTheHistory()
{
    DrawingDocument document;
    document.addMachine({0, 0});
    QSignalSpy edited(&document, &DrawingDocument::edited);
    QSignalSpy reset(&document, &DrawingDocument::wasReset);
    DrawingWithLayout unplaced = twoMachinesTemplate();
    unplaced.layout.machines.clear();
    document.load(unplaced);
    QCOMPARE(reset.count(), 1);
    QCOMPARE(edited.count(), 0);
    QVERIFY(!document.undoStack()->canUndo());
    QCOMPARE(document.layout().machines.size(), std::size_t(2));
}

void TestDrawingDocument::signalsTellWhatChanged()
{
    DrawingDocument document;
    QSignalSpy added(&document, &DrawingDocument::machineAdded);
    QSignalSpy changed(&document, &DrawingDocument::machineChanged);
    QSignalSpy removed(&document, &DrawingDocument::machineRemoved);
    QSignalSpy unlinked(&document, &DrawingDocument::linkRemoved);
    QSignalSpy edited(&document, &DrawingDocument::edited);
    const MachineId a = document.addMachine({0, 0});
    const MachineId b = document.addMachine({0, 160});
    QCOMPARE(added.count(), 2);
    QVERIFY(document.addLink(a, b));
    document.setPortAddress(document.drawing().machine(a)->ports.front().id,
                            QStringLiteral("10.0.0.1"));
    QCOMPARE(changed.count(), 1);
    document.removeMachine(a);
    QCOMPARE(removed.count(), 1);
    QCOMPARE(unlinked.count(), 1);
    QCOMPARE(edited.count(), 5);
}

void TestDrawingDocument::randomEditsUndoAndRedoExactly()
{
    QRandomGenerator random(20261201);
    DrawingDocument document;
    document.load(twoMachinesTemplate());
    const DrawingWithLayout start = document.state();
    const auto pick = [&](const auto& list) -> const auto& {
        return list[static_cast<std::size_t>(random.bounded(static_cast<int>(list.size())))];
    };
    const auto word = [&] { return QStringLiteral("n%1").arg(random.bounded(50)); };
    for (int step = 0; step < 1000; ++step) {
        const Drawing& drawing = document.drawing();
        if (drawing.machines.empty()) {
            document.addMachine({0, 0});
            continue;
        }
        const MachineId machine = pick(drawing.machines).id;
        const MachineId other = pick(drawing.machines).id;
        const auto& ports = drawing.machine(machine)->ports;
        const PortId port = ports.empty() ? PortId() : pick(ports).id;
        const LinkId link = drawing.links.empty() ? LinkId() : pick(drawing.links).id;
        switch (random.bounded(14)) {
        case 0:
        case 1:
            document.addMachine({double(random.bounded(100)) * 8, 0});
            break;
        case 2:
        case 3:
        case 4: {
            const auto made = document.addLink(machine, other);
            QCOMPARE(made.has_value(), !(machine == other));
            break;
        }
        case 5:
            QVERIFY(document.renameMachine(machine, word()));
            break;
        case 6:
            document.setMachineType(machine, word());
            break;
        case 7:
            document.moveMachines({{machine, {double(random.bounded(9)) * 8, 8}},
                                   {other, {0, double(random.bounded(9)) * 8}}},
                                  random.bounded(2) == 0 ? DrawingDocument::MoveKind::Drag
                                                         : DrawingDocument::MoveKind::Keyboard);
            break;
        case 8:
            document.addPort(machine, word());
            break;
        case 9:
            document.setPortAddress(port, word());
            document.renamePort(port, word());
            break;
        case 10:
            document.setLinkClass(link, word());
            document.renameLink(link, word());
            break;
        case 11:
            if (!ports.empty() && random.bounded(3) == 0)
                document.removePort(port);
            break;
        case 12:
            document.remove(std::vector{machine}, std::vector{link});
            break;
        case 13:
            for (int i = random.bounded(6); i > 0; --i)
                document.undoStack()->undo();
            for (int i = random.bounded(6); i > 0; --i)
                document.undoStack()->redo();
            break;
        }
        const auto valid = validate(document.drawing());
        QVERIFY2(valid, qPrintable(valid ? QString() : valid.error().detail));
        if (step % 50 == 0)
            QVERIFY(afterJson(document.state()) == document.state());
    }
    const DrawingWithLayout end = document.state();
    QVERIFY(document.undoStack()->count() > 100);
    while (document.undoStack()->canUndo())
        document.undoStack()->undo();
    QVERIFY(document.state() == start);
    while (document.undoStack()->canRedo())
        document.undoStack()->redo();
    QVERIFY(document.state() == end);
    QVERIFY(afterJson(end) == end);
}

QTEST_GUILESS_MAIN(TestDrawingDocument)
#include "tst_drawingdocument.moc"
