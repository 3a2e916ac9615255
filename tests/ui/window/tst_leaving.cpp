// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sync.h"
#include "tests/ui/window/bench.h"
#include "ui/document/drawingdocument.h"
#include "ui/measure/measurecontroller.h"
#include "ui/widgets/errorbanner.h"

#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>

#include <SQLiteCpp/Database.h>

using namespace napkin;
using namespace napkin::test;

namespace {

QPushButton* step(const MainWindow& window, const QString& text)
{
    for (QPushButton* one : window.banner()->findChildren<QPushButton*>()) {
        if (one->text() == text && one->isVisible())
            return one;
    }
    return nullptr;
}

// A step that was just offered shows itself a moment later.
bool press(const MainWindow& window, const QString& text)
{
    if (!QTest::qWaitFor([&] { return step(window, text) != nullptr; }, 10'000))
        return false;
    step(window, text)->click();
    return true;
}

} // namespace

// What cannot be written keeps the window open, with a way out that the user chooses.
class TestLeaving : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void theWindowStaysAndSavesLater();
    void aCopyHasTheLastEdits();
    void leavingWithoutSaving();
    void anotherNotebookWaits();
    void aRunThatWasNotWritten();

private:
    void refuse(const char* table);
    void allow();
    void draw() { window().workspace()->document().addMachine({0, 300}, QStringLiteral("mini-1")); }
    [[nodiscard]] MainWindow& window() { return m_bench->window(); }
    void closeInVain();
    [[nodiscard]] std::size_t machinesIn(const QString& path);

    std::unique_ptr<WindowBench> m_bench;
    bool m_refusing = false;
};

void TestLeaving::init()
{
    m_bench = std::make_unique<WindowBench>();
    QVERIFY(m_bench->open());
}

void TestLeaving::cleanup()
{
    if (m_refusing)
        allow();
    QVERIFY(m_bench->close());
    m_bench.reset();
}

// As a full disk would, and at once.
void TestLeaving::refuse(const char* table)
{
    SQLite::Database db(m_bench->path().toStdString(), SQLite::OPEN_READWRITE, 5'000);
    db.exec(std::string("CREATE TRIGGER no BEFORE INSERT ON ") + table +
            " BEGIN SELECT RAISE(ABORT, 'no room'); END");
    m_refusing = true;
}

void TestLeaving::allow()
{
    SQLite::Database db(m_bench->path().toStdString(), SQLite::OPEN_READWRITE, 5'000);
    db.exec("DROP TRIGGER no");
    m_refusing = false;
}

void TestLeaving::closeInVain()
{
    QSignalSpy closed(&window(), &MainWindow::closed);
    window().close();
    QTRY_VERIFY_WITH_TIMEOUT(step(window(), QStringLiteral("Try again")), 10'000);
    QVERIFY(window().isVisible());
    QVERIFY(closed.isEmpty());
    QVERIFY(window().banner()->text().contains(QStringLiteral("only in this window")));
}

std::size_t TestLeaving::machinesIn(const QString& path)
{
    const auto notebook =
        sync(Notebook::open(path, Notebook::Mode::ReadWrite, std::make_shared<SystemClock>()));
    const auto drawings = sync((*notebook)->drawings());
    return sync((*notebook)->loadDrawing(drawings->front().id))->drawing.machines.size();
}

void TestLeaving::theWindowStaysAndSavesLater()
{
    refuse("drawing");
    draw();
    closeInVain();
    if (QTest::currentTestFailed())
        return;
    draw(); // the work goes on
    closeInVain();
    allow();
    QSignalSpy closed(&window(), &MainWindow::closed);
    QVERIFY(press(window(), QStringLiteral("Try again")));
    QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, 10'000);
    QCOMPARE(machinesIn(m_bench->path()), std::size_t(4));
}

void TestLeaving::aCopyHasTheLastEdits()
{
    refuse("drawing");
    draw();
    closeInVain();
    const QString copy = m_bench->path() + QStringLiteral("-copy.napkin");
    const auto save = [this](const QString& path) {
        QVERIFY(press(window(), QStringLiteral("Save a copy…")));
        auto* dialog = window().findChild<QFileDialog*>();
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(path);
        delete dialog;
    };
    save(m_bench->path()); // taken
    QTRY_VERIFY(window().banner()->text().contains(QStringLiteral("such a file already")));
    QVERIFY(window().isVisible());
    QSignalSpy closed(&window(), &MainWindow::closed);
    // The copy has the refusal in it too: it must be told, and nothing is left behind.
    save(copy);
    QTRY_VERIFY_WITH_TIMEOUT(
        window().banner()->text().contains(QStringLiteral("no room"), Qt::CaseInsensitive), 10'000);
    QVERIFY(!QFile::exists(copy));
    allow();
    save(copy);
    QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, 10'000);
    QCOMPARE(machinesIn(copy), std::size_t(3));
    QCOMPARE(machinesIn(m_bench->path()), std::size_t(2));
}

void TestLeaving::leavingWithoutSaving()
{
    refuse("drawing");
    draw();
    closeInVain();
    QSignalSpy closed(&window(), &MainWindow::closed);
    QVERIFY(press(window(), QStringLiteral("Close without saving")));
    QCOMPARE(closed.size(), 1);
    allow();
    QCOMPARE(machinesIn(m_bench->path()), std::size_t(2));
}

void TestLeaving::anotherNotebookWaits()
{
    refuse("drawing");
    draw();
    const QString other = m_bench->path() + QStringLiteral("-other.napkin");
    window().openNotebook(other);
    QTRY_VERIFY_WITH_TIMEOUT(step(window(), QStringLiteral("Open without saving")), 10'000);
    QCOMPARE(window().workspace()->notebook().path(), m_bench->path());
    QCOMPARE(window().workspace()->document().drawing().machines.size(), std::size_t(3));
    QSignalSpy opened(&window(), &MainWindow::opened);
    QVERIFY(press(window(), QStringLiteral("Open without saving")));
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, 10'000);
    QCOMPARE(window().workspace()->notebook().path(), other);
    allow();
}

void TestLeaving::aRunThatWasNotWritten()
{
    refuse("record");
    ProbeResult run;
    run.id = RecordId::create();
    run.spec.far.host = QStringLiteral("192.0.2.7");
    run.startedAt = run.endedAt = QDateTime::currentDateTimeUtc();
    run.spec.options = ConnectOptions();
    run.data = ConnectData();
    Q_EMIT window().workspace()->controller().unrecorded(1, run);
    closeInVain();
    allow();
    QSignalSpy closed(&window(), &MainWindow::closed);
    QVERIFY(press(window(), QStringLiteral("Try again")));
    QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, 10'000);
    const auto notebook = sync(Notebook::open(m_bench->path(), Notebook::Mode::ReadWrite,
                                              std::make_shared<SystemClock>()));
    QVERIFY(sync((*notebook)->load(run.id)));
}

QTEST_MAIN(TestLeaving)
#include "tst_leaving.moc"
