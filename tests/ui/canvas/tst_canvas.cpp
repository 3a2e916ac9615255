// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/canvas/samples.h"
#include "ui/canvas/cableitem.h"
#include "ui/canvas/napkinpage.h"

#include <QAccessible>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace napkin;

namespace {

const Catalogue& catalogue()
{
    static const Catalogue loaded = Catalogue::load().value();
    return loaded;
}

// A page on screen with the keyboard's focus on its canvas.
struct Desk
{
    DrawingDocument document;
    NapkinPage page{&document, &catalogue()};
    CanvasView* canvas = page.canvas();

    Desk()
    {
        page.resize(1000, 640);
        page.show();
        page.activateWindow();
        canvas->setFocus();
    }
    QWidget* viewport() const { return canvas->viewport(); }
    QPoint at(const QPointF& scene) const { return canvas->mapFromScene(scene); }
    QPoint centre(MachineId id) const { return at(document.layout().machines.at(id)); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(canvas, key, modifiers);
    }
    void click(const QPoint& at, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::mouseClick(viewport(), Qt::LeftButton, modifiers, at);
    }
    void drag(const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(viewport(), Qt::LeftButton, {}, from);
        moveHeld((from + to) / 2);
        moveHeld(to);
        QTest::mouseRelease(viewport(), Qt::LeftButton, {}, to);
    }
    void moveHeld(const QPoint& to) const
    {
        QMouseEvent move(QEvent::MouseMove, to, viewport()->mapToGlobal(to), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(viewport(), &move);
    }
    void undoAll()
    {
        while (document.undoStack()->canUndo())
            document.undoStack()->undo();
    }
    void redoAll()
    {
        while (document.undoStack()->canRedo())
            document.undoStack()->redo();
    }
};

QString nameOf(QObject* object)
{
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(object);
    return face ? face->text(QAccessible::Name) : QString();
}

void collectNameless(QAccessibleInterface* face, QStringList* nameless)
{
    if (!face || !face->isValid())
        return;
    const auto state = face->state();
    if (state.focusable && !state.invisible && face->text(QAccessible::Name).isEmpty())
        *nameless << QString::fromLatin1(face->object()->metaObject()->className());
    for (int i = 0; i < face->childCount(); ++i)
        collectNameless(face->child(i), nameless);
}

} // namespace

class TestCanvas : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void drawsWithTheMouse();
    void cablesByTwoClicksAndRefusesTheSameMachine();
    void dragIsOneStepAndEscapeGivesUp();
    void drawsWithTheKeyboardAlone();
    void newMachinesKeepOffCables();
    void tabLeavesAtTheEnds();
    void rubberBandAndModifiersSelect();
    void deletesAndSelectsAll();
    void zoomsAndPans();
    void showsEverythingAtFirst();
    void parallelCablesStayApart();
    void labelsMeetNeitherBoxesNorEachOther();
    void labelsFollowTheWorksheetAndItsPeriod();
    void thunderboltShowsBothRatios();
    void saysWhatIsDrawn();
    void nothingFocusableIsNameless();
    void savesPictures();
    void manyItems();
};

void TestCanvas::drawsWithTheMouse()
{
    Desk desk;
    const DrawingWithLayout start = desk.document.state();
    desk.canvas->setTool(ToolKind::Machine);
    desk.click(desk.at({-203, 5}));
    QCOMPARE(desk.canvas->tool(), ToolKind::Select);
    desk.canvas->setTool(ToolKind::Machine);
    desk.click(desk.at({200, 0}));
    QCOMPARE(desk.document.drawing().machines.size(), std::size_t(2));
    const MachineId a = desk.document.drawing().machines[0].id;
    const MachineId b = desk.document.drawing().machines[1].id;
    QCOMPARE(desk.document.layout().machines.at(a), QPointF(-200, 8));

    desk.canvas->setTool(ToolKind::Cable);
    desk.drag(desk.centre(a), desk.centre(b));
    QCOMPARE(desk.document.drawing().links.size(), std::size_t(1));
    const LinkId link = desk.document.drawing().links[0].id;
    QCOMPARE(desk.canvas->selection(), (Selection{{}, {link}}));

    desk.drag(desk.centre(b), desk.centre(b) + QPoint(0, 81));
    QCOMPARE(desk.document.layout().machines.at(b), QPointF(200, 80));
    QCOMPARE(desk.document.undoStack()->undoText(), QStringLiteral("Move machine-2"));
    desk.document.setLinkClass(link, QStringLiteral("ethernet-10g"));
    QVERIFY(desk.document.renameMachine(a, QStringLiteral("spark-a")));
    desk.document.setPortAddress(desk.document.drawing().machines[0].ports[0].id,
                                 QStringLiteral("10.0.0.1"));
    const DrawingWithLayout end = desk.document.state();
    desk.undoAll();
    QVERIFY(desk.document.state() == start);
    QVERIFY(desk.canvas->canvasScene().drawnItems().empty());
    desk.redoAll();
    QVERIFY(desk.document.state() == end);
    QCOMPARE(desk.canvas->canvasScene().drawnItems().size(), std::size_t(3));
}

void TestCanvas::cablesByTwoClicksAndRefusesTheSameMachine()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({-200, 0});
    const MachineId b = desk.document.addMachine({200, 0});
    desk.canvas->setTool(ToolKind::Cable);
    desk.click(desk.centre(a));
    desk.click(desk.centre(a));
    QVERIFY(desk.document.drawing().links.empty());
    auto* message = desk.canvas->findChild<QWidget*>(QStringLiteral("canvasMessage"));
    QVERIFY(message->isVisible());
    QCOMPARE(message->property("text").toString(), QStringLiteral("A cable needs two machines."));
    desk.click(desk.centre(a));
    desk.click(desk.centre(b));
    QCOMPARE(desk.document.drawing().links.size(), std::size_t(1));
    QCOMPARE(desk.canvas->tool(), ToolKind::Select);
}

void TestCanvas::dragIsOneStepAndEscapeGivesUp()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({0, 0});
    const MachineId b = desk.document.addMachine({200, 80});
    desk.canvas->select({{a, b}, {}});
    const int steps = desk.document.undoStack()->count();
    QTest::mousePress(desk.viewport(), Qt::LeftButton, {}, desk.centre(a));
    desk.moveHeld(desk.centre(a) + QPoint(40, 0));
    QCOMPARE(desk.canvas->canvasScene().machineItem(b)->pos(), QPointF(240, 80));
    QCOMPARE(desk.document.layout().machines.at(b), QPointF(200, 80)); // only a preview
    desk.key(Qt::Key_Escape);
    QCOMPARE(desk.canvas->canvasScene().machineItem(b)->pos(), QPointF(200, 80));
    QTest::mouseRelease(desk.viewport(), Qt::LeftButton, {}, desk.centre(a) + QPoint(40, 0));
    QCOMPARE(desk.document.undoStack()->count(), steps);
    desk.canvas->select({{a, b}, {}});
    desk.drag(desk.centre(a), desk.centre(a) + QPoint(40, 0));
    QCOMPARE(desk.document.undoStack()->count(), steps + 1);
    QCOMPARE(desk.document.layout().machines.at(b), QPointF(240, 80));
}

void TestCanvas::drawsWithTheKeyboardAlone()
{
    Desk desk;
    desk.key(Qt::Key_B);
    desk.key(Qt::Key_Insert);
    QCOMPARE(desk.document.drawing().machines.size(), std::size_t(2));
    const MachineId a = desk.document.drawing().machines[0].id;
    const MachineId b = desk.document.drawing().machines[1].id;
    QVERIFY(!desk.canvas->canvasScene().machineItem(a)->box().intersects(
        desk.canvas->canvasScene().machineItem(b)->box()));
    QVERIFY(desk.canvas->current() == DrawnId(b));
    desk.key(Qt::Key_C);
    QCOMPARE(desk.canvas->tool(), ToolKind::Cable);
    desk.key(Qt::Key_Tab); // round to the first
    QVERIFY(desk.canvas->current() == DrawnId(a));
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.document.drawing().links.size(), std::size_t(1));
    QCOMPARE(desk.canvas->tool(), ToolKind::Select);
    desk.key(Qt::Key_Backtab);
    desk.key(Qt::Key_Backtab);
    QVERIFY(desk.canvas->current() == DrawnId(a));
    const QPointF before = desk.document.layout().machines.at(a);
    desk.key(Qt::Key_Down);
    desk.key(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(desk.document.layout().machines.at(a), before + QPointF(-1, 8));
    QSignalSpy rename(desk.canvas, &CanvasView::nameEditRequested);
    QSignalSpy open(desk.canvas, &CanvasView::inspectorRequested);
    desk.key(Qt::Key_F2);
    desk.key(Qt::Key_Return);
    QCOMPARE(rename.count(), 1);
    QCOMPARE(open.count(), 1);
    desk.key(Qt::Key_Delete);
    QCOMPARE(desk.document.drawing().machines.size(), std::size_t(1));
    QVERIFY(desk.document.drawing().links.empty());
}

void TestCanvas::newMachinesKeepOffCables()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({-320, 0});
    const MachineId b = desk.document.addMachine({320, 0});
    QVERIFY(desk.document.addLink(a, b));
    desk.canvas->select({{a}, {}});
    desk.key(Qt::Key_Insert); // to the right of a is the cable
    const auto& scene = desk.canvas->canvasScene();
    const QRectF box = scene.machineItem(desk.document.drawing().machines.at(2).id)->box();
    for (const QGraphicsItem* item : scene.items(box))
        QVERIFY(dynamic_cast<const CableItem*>(item) == nullptr);
}

void TestCanvas::tabLeavesAtTheEnds()
{
    Desk desk;
    QVERIFY(QTest::qWaitForWindowActive(&desk.page));
    samples::buildLab(desk.document, catalogue());
    desk.canvas->setFocus();
    const std::size_t items = desk.canvas->canvasScene().drawnItems().size();
    for (std::size_t i = 0; i < items; ++i) {
        desk.key(Qt::Key_Tab);
        QVERIFY(desk.canvas->hasFocus());
    }
    desk.key(Qt::Key_Tab);
    QVERIFY(!desk.canvas->hasFocus());
}

void TestCanvas::rubberBandAndModifiersSelect()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({-200, 0});
    const MachineId b = desk.document.addMachine({0, 0});
    const MachineId c = desk.document.addMachine({200, 0});
    desk.drag(desk.at({-320, -100}), desk.at({20, 100}));
    QCOMPARE(desk.canvas->selection(), (Selection{{a, b}, {}}));
    desk.click(desk.centre(c), Qt::ControlModifier);
    QCOMPARE(desk.canvas->selection(), (Selection{{a, b, c}, {}}));
    desk.click(desk.centre(a), Qt::ShiftModifier);
    QCOMPARE(desk.canvas->selection(), (Selection{{b, c}, {}}));
    desk.click(desk.centre(b));
    QCOMPARE(desk.canvas->selection(), (Selection{{b}, {}}));
    desk.click(desk.at({0, 200}));
    QVERIFY(desk.canvas->selection().isEmpty());
}

void TestCanvas::deletesAndSelectsAll()
{
    Desk desk;
    samples::buildLab(desk.document, catalogue());
    const DrawingWithLayout before = desk.document.state();
    desk.key(Qt::Key_A, Qt::ControlModifier);
    desk.key(Qt::Key_Delete);
    QVERIFY(desk.document.drawing().machines.empty());
    QVERIFY(desk.document.drawing().links.empty());
    desk.document.undoStack()->undo();
    QVERIFY(desk.document.state() == before);
}

void TestCanvas::zoomsAndPans()
{
    Desk desk;
    samples::buildLab(desk.document, catalogue());
    desk.key(Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(desk.canvas->zoom(), 1.0);
    desk.key(Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(desk.canvas->zoom() > 1);
    for (int i = 0; i < 40; ++i)
        desk.key(Qt::Key_Minus, Qt::ControlModifier);
    QVERIFY(desk.canvas->zoom() >= 0.1);
    desk.key(Qt::Key_9, Qt::ControlModifier);
    const QRectF seen = desk.canvas->mapToScene(desk.viewport()->rect()).boundingRect();
    QVERIFY(seen.contains(desk.canvas->canvasScene().drawnBounds()));
    desk.key(Qt::Key_0, Qt::ControlModifier);
    const QPointF before = desk.canvas->mapToScene(0, 0);
    QTest::mousePress(desk.viewport(), Qt::MiddleButton, {}, QPoint(300, 300));
    QMouseEvent move(QEvent::MouseMove, QPoint(340, 320),
                     desk.viewport()->mapToGlobal(QPoint(340, 320)), Qt::NoButton, Qt::MiddleButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(desk.viewport(), &move);
    QTest::mouseRelease(desk.viewport(), Qt::MiddleButton, {}, QPoint(340, 320));
    QCOMPARE(desk.canvas->mapToScene(0, 0), before - QPointF(40, 20));
}

void TestCanvas::showsEverythingAtFirst()
{
    DrawingDocument document;
    samples::buildLab(document, catalogue());
    NapkinPage page(&document, &catalogue());
    page.resize(1000, 640);
    page.show();
    const CanvasView* canvas = page.canvas();
    QVERIFY(canvas->zoom() > 0.7);
    QVERIFY(canvas->mapToScene(canvas->viewport()->rect())
                .boundingRect()
                .contains(canvas->canvasScene().drawnBounds()));
}

void TestCanvas::parallelCablesStayApart()
{
    for (const QPointF& far : {QPointF(480, 0), QPointF(0, 400), QPointF(360, 300)}) {
        Desk desk;
        const MachineId a = desk.document.addMachine({0, 0});
        const MachineId b = desk.document.addMachine(far);
        std::vector<LinkId> links;
        for (int i = 0; i < 3; ++i)
            links.push_back(*(i == 1 ? desk.document.addLink(b, a) : desk.document.addLink(a, b)));
        const CanvasScene& scene = desk.canvas->canvasScene();
        for (std::size_t i = 0; i < links.size(); ++i) {
            for (std::size_t k = i + 1; k < links.size(); ++k) {
                const QPointF apart = scene.cableItem(links[i])->curve().at(0.5) -
                                      scene.cableItem(links[k])->curve().at(0.5);
                QVERIFY(std::hypot(apart.x(), apart.y()) >= 20);
                const auto ends = [&](std::size_t n) {
                    const CableCurve& curve = scene.cableItem(links[n])->curve();
                    return n == 1 ? curve.end : curve.start;
                };
                QVERIFY(ends(i) != ends(k));
            }
        }
    }
}

void TestCanvas::labelsMeetNeitherBoxesNorEachOther()
{
    Desk desk;
    desk.canvas->setWorksheet(samples::buildLab(desk.document, catalogue()));
    const CanvasScene& scene = desk.canvas->canvasScene();
    std::vector<QRectF> taken;
    for (const Machine& machine : desk.document.drawing().machines)
        taken.push_back(scene.machineItem(machine.id)->box());
    for (const Link& link : desk.document.drawing().links) {
        const CableLabel* label = scene.cableLabel(link.id);
        QRectF rect(QPointF(), label->size());
        rect.moveCenter(label->pos());
        for (const QRectF& other : taken)
            QVERIFY2(!rect.intersects(other), qPrintable(label->text()));
        taken.push_back(rect);
    }
}

void TestCanvas::labelsFollowTheWorksheetAndItsPeriod()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({-200, 0});
    const MachineId b = desk.document.addMachine({200, 0});
    const LinkId link = *desk.document.addLink(a, b, QStringLiteral("ethernet-10g"));
    const auto text = [&] {
        return desk.canvas->canvasScene().cableLabel(link)->text().replace(QChar(0xa0), u' ');
    };
    QCOMPARE(text(), QStringLiteral("10 GbE 10 Gb/s\nnot measured"));
    desk.canvas->setWorksheet(
        {samples::row(*desk.document.drawing().link(link), catalogue(), 9.42, 9.4)});
    QCOMPARE(text(), QStringLiteral("10 GbE 10 Gb/s\n→ 9.42 Gb/s (94 %)\n← 9.40 Gb/s (94 %)"));
    desk.document.setLinkClass(link, QStringLiteral("ethernet-25g"));
    QCOMPARE(text(), QStringLiteral("25 GbE 25 Gb/s\nnot measured"));
    desk.document.undoStack()->undo();
    QVERIFY(text().contains(QStringLiteral("9.42 Gb/s (94 %)")));
    // Rows of both periods: each shows when its period is the present one.
    const WorksheetRow first = samples::row(*desk.document.drawing().link(link), catalogue(), 9.42);
    desk.document.undoStack()->redo();
    desk.canvas->setWorksheet(
        {first, samples::row(*desk.document.drawing().link(link), catalogue(), 23.5)});
    QVERIFY(text().contains(QStringLiteral("23.5 Gb/s")));
    desk.document.undoStack()->undo();
    QVERIFY(text().contains(QStringLiteral("9.42 Gb/s")));
    // Every figure has its mark.
    const Link& drawn = *desk.document.drawing().link(link);
    for (const LabelLine& line : cableLabelLines(drawn, catalogue().linkClass(drawn.classId),
                                                 desk.canvas->canvasScene().row(drawn))) {
        for (const LabelRun& run : line) {
            if (run.text.contains(QStringLiteral("b/s")))
                QVERIFY(run.mark.has_value());
        }
    }
}

void TestCanvas::thunderboltShowsBothRatios()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({-200, 0});
    const MachineId b = desk.document.addMachine({200, 0});
    const LinkId link = *desk.document.addLink(a, b, QStringLiteral("thunderbolt-5"));
    desk.canvas->setWorksheet(
        {samples::row(*desk.document.drawing().link(link), catalogue(), 74.6)});
    const QString text =
        desk.canvas->canvasScene().cableLabel(link)->text().replace(QChar(0xa0), u' ');
    QVERIFY2(text.contains(QStringLiteral("74.6 Gb/s (62 % of 120, 93 % of 80)")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("120 / 80 Gb/s")), qPrintable(text));
}

void TestCanvas::saysWhatIsDrawn()
{
    Desk desk;
    const MachineId a = desk.document.addMachine({-200, 0}, QStringLiteral("spark-a"));
    const MachineId b = desk.document.addMachine({200, 0}, QStringLiteral("spark-b"));
    QCOMPARE(nameOf(desk.canvas->canvasScene().machineItem(a)),
             QStringLiteral("Machine spark-a, no cables"));
    const LinkId link = *desk.document.addLink(a, b, QStringLiteral("ethernet-10g"));
    desk.document.renamePort(desk.document.drawing().link(link)->a, QStringLiteral("eth0"));
    desk.document.renamePort(desk.document.drawing().link(link)->b, QStringLiteral("eth1"));
    desk.canvas->setWorksheet(
        {samples::row(*desk.document.drawing().link(link), catalogue(), 9.42)});
    QCOMPARE(nameOf(desk.canvas->canvasScene().machineItem(a)),
             QStringLiteral("Machine spark-a, cables to spark-b"));
    QCOMPARE(nameOf(desk.canvas->canvasScene().cableItem(link)).replace(QChar(0xa0), u' '),
             QStringLiteral("Cable 10 GbE between spark-a eth0 and spark-b eth1, rated 10 Gb/s, "
                            "measured 9.42 Gb/s"));
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(desk.canvas);
    QCOMPARE(face->role(), QAccessible::Canvas);
    QCOMPARE(face->childCount(), 3);
    QCOMPARE(face->indexOfChild(face->child(2)), 2);
    QSignalSpy open(desk.canvas, &CanvasView::inspectorRequested);
    face->child(1)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(open.count(), 1);
    QVERIFY(desk.canvas->current() == DrawnId(b));
    const QPoint middle = face->child(0)->rect().center();
    QCOMPARE(face->childAt(middle.x(), middle.y())->text(QAccessible::Name),
             QStringLiteral("Machine spark-a, cables to spark-b"));
    desk.document.removeMachine(b);
    QCOMPARE(face->childCount(), 1);
}

void TestCanvas::nothingFocusableIsNameless()
{
    Desk desk;
    samples::buildLab(desk.document, catalogue());
    QStringList nameless;
    collectNameless(QAccessible::queryAccessibleInterface(&desk.page), &nameless);
    QCOMPARE(nameless, QStringList());
}

void TestCanvas::savesPictures()
{
    QTemporaryDir folder;
    Desk desk;
    desk.canvas->setWorksheet(samples::buildLab(desk.document, catalogue()));
    const QImage small = desk.canvas->renderPicture(1);
    QVERIFY(small.width() > 600);
    QCOMPARE(desk.canvas->renderPicture(2).size(), small.size() * 2);
    QVERIFY(desk.canvas->savePicture(folder.filePath(QStringLiteral("lab.png"))));
    QVERIFY(desk.canvas->savePicture(folder.filePath(QStringLiteral("lab.svg"))));
    QVERIFY(QImage(folder.filePath(QStringLiteral("lab.svg"))).width() > 0);
    QVERIFY(!desk.canvas->savePicture(folder.filePath(QStringLiteral("lab.txt"))));
    QVERIFY(!desk.canvas->savePicture(folder.filePath(QStringLiteral("none/lab.png"))));
    // The canvas on screen still has its items.
    QCOMPARE(desk.canvas->canvasScene().drawnItems().size(), std::size_t(9));
}

void TestCanvas::manyItems()
{
    Desk desk;
    DrawingDocument many;
    samples::buildMany(many, 200, 500);
    QElapsedTimer timer;
    timer.start();
    desk.document.load(many.state());
    const qint64 loaded = timer.restart();
    (void)desk.canvas->grab();
    const qint64 painted = timer.restart();
    const MachineId middle = desk.document.drawing().machines[100].id;
    for (int i = 0; i < 20; ++i) {
        desk.canvas->canvasScene().previewPlaces(
            {{middle, desk.document.layout().machines.at(middle) + QPointF(8 * i, 0)}});
    }
    const qint64 moved = timer.elapsed();
    qInfo("200 machines, 500 cables: %lld ms to load, %lld ms to paint, %lld ms for 20 moves",
          loaded, painted, moved);
    QVERIFY(loaded + painted + moved < 30'000);
}

QTEST_MAIN(TestCanvas)
#include "tst_canvas.moc"
