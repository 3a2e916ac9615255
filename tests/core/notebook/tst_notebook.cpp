// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/worksheet.h"
#include "tests/core/notebook/notebookfixture.h"

#include <QPointer>
#include <QSignalSpy>
#include <QTest>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

const BitRate rate = BitRate::megabitsPerSecond(9'420);

} // namespace

class TestNotebook : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = m_dir->filePath(QStringLiteral("deep/er/test.napkin"));
        m_notebook = openNotebook(m_path);
    }
    void cleanup() { m_notebook.reset(); }

    void knowsItself()
    {
        QCOMPARE(m_notebook->path(), m_path);
        QCOMPARE(m_notebook->mode(), Notebook::Mode::ReadWrite);
        QVERIFY(!m_notebook->id().isNull());
        const NotebookId id = m_notebook->id();
        m_notebook.reset();
        QVERIFY(openNotebook(m_path)->id() == id);
        QVERIFY(Notebook::defaultPath().endsWith(QStringLiteral("/napkin/notebook.napkin")));
    }

    void recordsComeBack()
    {
        const auto forward = throughputResult(rate);
        auto both = throughputResult(rate, Flow::Bidirectional);
        both.spec.label = QStringLiteral("new cable");
        both.spec.far.name = QStringLiteral("spark-b");
        both.quality = {{QualityFlag::NotSteady, QStringLiteral("e")},
                        {QualityFlag::Loopback, QStringLiteral("f")}};
        const auto partial = partialResult(rate);
        const auto connects = connectResult(310us);
        QSignalSpy changed(m_notebook.get(), &Notebook::recordsChanged);
        std::int64_t expected = 0;
        for (const auto& result : {forward, both, partial, connects})
            QCOMPARE(recordIn(*m_notebook, result), ++expected);
        QCOMPARE(changed.size(), 4);
        m_notebook = nullptr;
        m_notebook = openNotebook(m_path);
        for (const auto& result : {forward, both, partial, connects}) {
            const auto loaded = sync(m_notebook->load(result.id));
            QVERIFY(loaded);
            QCOMPARE(loaded->result, result);
            QCOMPARE(loaded->label, result.spec.label);
            QCOMPARE(loaded->sha256.size(), 64);
            QVERIFY(!loaded->voided);
        }
        checkSummaries();
    }

    void labelsNotesAndVoids()
    {
        const auto result = throughputResult(rate);
        recordIn(*m_notebook, result);
        QVERIFY(sync(m_notebook->setLabel(result.id, QStringLiteral("one"))));
        QVERIFY(sync(m_notebook->setLabel(result.id, QStringLiteral("two"))));
        QVERIFY(sync(m_notebook->addNote(result.id, QStringLiteral("first"))));
        QVERIFY(sync(m_notebook->addNote(result.id, QStringLiteral("second"))));
        QVERIFY(!sync(m_notebook->addNote(result.id, QStringLiteral("  "))));
        QCOMPARE(sync(m_notebook->voidRecord(result.id, {})).error().code,
                 ErrorCode::InvalidArgument);
        QVERIFY(sync(m_notebook->voidRecord(result.id, QStringLiteral("wrong port"))));
        QCOMPARE(sync(m_notebook->voidRecord(result.id, QStringLiteral("again"))).error().code,
                 ErrorCode::InvalidArgument);
        const auto loaded = sync(m_notebook->load(result.id));
        QCOMPARE(loaded->label, QStringLiteral("two"));
        QCOMPARE(loaded->notes, (std::vector{QStringLiteral("first"), QStringLiteral("second")}));
        QCOMPARE(loaded->voided, std::optional(QStringLiteral("wrong port")));
        const auto listed = sync(m_notebook->records({}));
        QCOMPARE(listed->front().label, QStringLiteral("two"));
        QCOMPARE(listed->front().voided, std::optional(QStringLiteral("wrong port")));
        RecordQuery query;
        query.withVoided = false;
        QVERIFY(sync(m_notebook->records(query))->empty());
        const auto nobody = RecordId::create();
        for (const auto& outcome : {sync(m_notebook->setLabel(nobody, QStringLiteral("x"))),
                                    sync(m_notebook->addNote(nobody, QStringLiteral("x"))),
                                    sync(m_notebook->voidRecord(nobody, QStringLiteral("x")))})
            QCOMPARE(outcome.error().code, ErrorCode::NotFound);
        QCOMPARE(sync(m_notebook->load(nobody)).error().code, ErrorCode::NotFound);
    }

    void refusesWhatCannotBeKept()
    {
        auto result = throughputResult(rate);
        recordIn(*m_notebook, result);
        QCOMPARE(sync(m_notebook->record(result)).error().code, ErrorCode::InvalidArgument);
        auto nameless = throughputResult(rate);
        nameless.id = {};
        QCOMPARE(sync(m_notebook->record(nameless)).error().code, ErrorCode::InvalidArgument);
        auto stray = throughputResult(rate);
        stray.spec.link = LinkId::create();
        const auto refused = sync(m_notebook->record(stray));
        QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
        QVERIFY(refused.error().detail.contains(QStringLiteral("does not know")));
        stray.spec.link.reset();
        stray.spec.linkPeriod = LinkPeriodId::create();
        QCOMPARE(sync(m_notebook->record(stray)).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(sync(m_notebook->records({}))->size(), size_t(1));
        QVERIFY(sync(m_notebook->verify())->problems.empty());
    }

    void findsRecords()
    {
        auto one = throughputResult(rate);
        auto two = throughputResult(rate);
        one.id = *RecordId::fromText(u"abcd0000000000000000000000000001");
        two.id = *RecordId::fromText(u"abcd1000000000000000000000000002");
        recordIn(*m_notebook, one);
        recordIn(*m_notebook, two);
        const auto find = [&](const char* text) {
            return sync(m_notebook->find(QString::fromLatin1(text)));
        };
        QVERIFY(*find("1") == one.id);
        QVERIFY(*find(" 2 ") == two.id);
        QVERIFY(*find("abcd1") == two.id);
        QVERIFY(*find("ABCD0") == one.id);
        QVERIFY(*find("abcd0000000000000000000000000001") == one.id);
        QCOMPARE(find("abcd").error().code, ErrorCode::InvalidArgument);
        QVERIFY(!find("abcd").error().detail.isEmpty());
        for (const char* nothing : {"3", "0", "-1", "", "zz", "abcd2", "%", "' OR 1=1"})
            QCOMPARE(find(nothing).error().code, ErrorCode::NotFound);
    }

    void queriesAndLimits()
    {
        const auto link =
            sync(m_notebook->createLink(QStringLiteral("blue"), QStringLiteral("ethernet-10g")));
        QVERIFY(link);
        auto linked = throughputResult(rate);
        linked.spec.link = link->id;
        recordIn(*m_notebook, linked);
        recordIn(*m_notebook, connectResult(1ms));
        recordIn(*m_notebook, throughputResult(rate));
        RecordQuery query;
        query.link = link->id;
        const auto ofLink = sync(m_notebook->records(query));
        QCOMPARE(ofLink->size(), size_t(1));
        QCOMPARE(ofLink->front().linkName, QStringLiteral("blue"));
        QCOMPARE(ofLink->front().linkClassId, QStringLiteral("ethernet-10g"));
        QVERIFY(ofLink->front().linkPeriod == link->period);
        RecordQuery connects;
        connects.kind = ProbeKind::ConnectTime;
        QCOMPARE(sync(m_notebook->records(connects))->size(), size_t(1));
        RecordQuery two;
        two.limit = 2;
        const auto newest = sync(m_notebook->records(two));
        QCOMPARE(newest->size(), size_t(2));
        QCOMPARE(newest->front().number, 3);
    }

    void drawingsComeBack()
    {
        auto made = twoMachinesTemplate();
        QSignalSpy changed(m_notebook.get(), &Notebook::drawingsChanged);
        QVERIFY(sync(m_notebook->saveDrawing(made.drawing, made.layout)));
        QCOMPARE(changed.size(), 1);
        made.drawing.name = QStringLiteral("Renamed");
        made.layout.machines.begin()->second = {7, 8};
        QVERIFY(sync(m_notebook->saveDrawing(made.drawing, made.layout)));
        const auto listed = sync(m_notebook->drawings());
        QCOMPARE(listed->size(), size_t(1));
        QCOMPARE(listed->front().name, QStringLiteral("Renamed"));
        QVERIFY(listed->front().changedAt.isValid());
        QCOMPARE(*sync(m_notebook->loadDrawing(made.drawing.id)), made);
        QCOMPARE(sync(m_notebook->loadDrawing(DrawingId::create())).error().code,
                 ErrorCode::NotFound);
        made.drawing.links[0].b = made.drawing.links[0].a;
        QCOMPARE(sync(m_notebook->saveDrawing(made.drawing, made.layout)).error().code,
                 ErrorCode::InvalidArgument);
    }

    void linksOutliveTheirCables()
    {
        auto made = twoMachinesTemplate();
        Link& cable = made.drawing.links[0];
        QVERIFY(sync(m_notebook->saveDrawing(made.drawing, made.layout)));
        auto run = throughputResult(rate);
        run.spec.link = cable.id;
        run.spec.linkPeriod = cable.period;
        recordIn(*m_notebook, run);
        const LinkPeriodId before = cable.period;
        cable.classId = QStringLiteral("ethernet-2.5g");
        QCOMPARE(sync(m_notebook->saveDrawing(made.drawing, made.layout)).error().code,
                 ErrorCode::InvalidArgument);
        cable.period = LinkPeriodId::create();
        cable.name = QStringLiteral("the blue one");
        QVERIFY(sync(m_notebook->saveDrawing(made.drawing, made.layout)));
        auto links = sync(m_notebook->links());
        QCOMPARE(links->size(), size_t(1));
        QVERIFY(links->front().period == cable.period && links->front().drawn);
        QCOMPARE(links->front().name, QStringLiteral("the blue one"));
        QCOMPARE(links->front().ends, QStringLiteral("This machine ⇄ Other machine"));
        auto summary = sync(m_notebook->records({}))->front();
        QVERIFY(summary.linkPeriod == before);
        QCOMPARE(summary.linkClassId, QStringLiteral("ethernet-10g"));
        QCOMPARE(summary.linkName, QStringLiteral("the blue one"));
        // Undone: back to the period before.
        cable.period = before;
        cable.classId = QStringLiteral("ethernet-10g");
        QVERIFY(sync(m_notebook->saveDrawing(made.drawing, made.layout)));
        QVERIFY(sync(m_notebook->links())->front().period == before);
        made.drawing.links.clear();
        QVERIFY(sync(m_notebook->saveDrawing(made.drawing, made.layout)));
        links = sync(m_notebook->links());
        QCOMPARE(links->size(), size_t(1));
        QVERIFY(!links->front().drawn);
        QVERIFY(sync(m_notebook->verify())->problems.empty());
    }

    void namesOfLinks()
    {
        auto made = twoMachinesTemplate();
        Link second = made.drawing.links[0];
        second.id = LinkId::create();
        second.period = LinkPeriodId::create();
        made.drawing.links[0].name = second.name = QStringLiteral("twin");
        made.drawing.links.push_back(second);
        QVERIFY(sync(m_notebook->saveDrawing(made.drawing, made.layout)));
        QCOMPARE(sync(m_notebook->links())->size(), size_t(2));
        QCOMPARE(sync(m_notebook->createLink(QStringLiteral("twin"), {})).error().code,
                 ErrorCode::InvalidArgument);
        QCOMPARE(sync(m_notebook->createLink(QStringLiteral(" "), {})).error().code,
                 ErrorCode::InvalidArgument);
        const auto created = sync(m_notebook->createLink(QStringLiteral("shelf"), {}));
        QVERIFY(created && !created->drawn && created->ends.isEmpty());
        QCOMPARE(sync(m_notebook->links())->size(), size_t(3));
    }

    void aWriteUnderWayIsFinished()
    {
        const auto result = throughputResult(rate);
        std::optional<Result<std::int64_t>> outcome;
        [](QCoro::Task<Result<std::int64_t>> task,
           std::optional<Result<std::int64_t>>& out) -> QCoro::Task<void> {
            out = co_await task;
        }(m_notebook->record(result), outcome);
        QTest::qSleep(50); // the writer has it by now, or it is dropped; both are told
        m_notebook.reset();
        QTRY_VERIFY(outcome.has_value());
        m_notebook = openNotebook(m_path);
        QCOMPARE(sync(m_notebook->records({}))->size(), size_t(outcome->has_value() ? 1 : 0));
    }

    void everyPendingCallEndsWithTheNotebook()
    {
        constexpr int calls = 20;
        int ended = 0;
        for (int i = 0; i < calls; ++i)
            [](QCoro::Task<Result<std::int64_t>> task, int& count) -> QCoro::Task<void> {
                co_await task;
                ++count;
            }(m_notebook->record(throughputResult(rate)), ended);
        m_notebook.reset();
        QTRY_COMPARE(ended, calls);
    }

    void theEventLoopTicksMeanwhile()
    {
        auto db = rawDatabase(m_path);
        db.exec("BEGIN IMMEDIATE"); // the writer has to wait
        int ticks = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] {
            if (++ticks == 20)
                db.exec("ROLLBACK");
        });
        timer.start(10ms);
        QVERIFY(recordIn(*m_notebook, throughputResult(rate)) == 1);
        QVERIFY(ticks >= 20);
    }

    void twoThousandRecords()
    {
        // Written in one go behind its back, from one that it wrote itself.
        recordIn(*m_notebook, throughputResult(rate));
        auto db = rawDatabase(m_path);
        db.exec("CREATE TEMP TABLE copy AS SELECT record.* FROM record, "
                "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1999) "
                "SELECT i FROM n); "
                "UPDATE copy SET number = NULL, id = lower(hex(randomblob(16))); "
                "INSERT INTO record SELECT * FROM copy");
        const auto listed = sync(m_notebook->records({}));
        QCOMPARE(listed->size(), size_t(2'000));
        QCOMPARE(listed->front().number, 2'000);
        QCOMPARE(listed->front().forward, std::optional(rate));
    }

    void machinesAreInNoRow()
    {
        const auto memory = recordIn(*m_notebook, memoryResult());
        const auto storage = recordIn(*m_notebook, storageResult());
        const auto records = sync(m_notebook->records({}));
        QVERIFY(records);
        QCOMPARE(records->size(), std::size_t(2));
        QCOMPARE(records->at(1).number, memory);
        QCOMPARE(records->at(1).nearName, QStringLiteral("spark-a"));
        QCOMPARE(records->at(1).farName, QString());
        QCOMPARE(records->at(1).byteRate->bytesPerSecond(), std::int64_t(30'000'000'000));
        QVERIFY(!records->at(1).beta);
        QCOMPARE(records->at(0).number, storage);
        QCOMPARE(records->at(0).byteRate->bytesPerSecond(), std::int64_t(3'000'000'000));
        QVERIFY(buildWorksheet({}, *records, Catalogue()).empty());
        QVERIFY(sync(m_notebook->verify())->problems.empty());
        const auto loaded = sync(m_notebook->load(records->at(0).id));
        QVERIFY(loaded);
        QCOMPARE(std::get<StorageOptions>(loaded->result.spec.options).file,
                 QStringLiteral("llama-70b.gguf"));
    }

private:
    void checkSummaries()
    {
        const auto listed = sync(m_notebook->records({}));
        QVERIFY(listed);
        QCOMPARE(listed->size(), size_t(4));
        const RecordSummary& connects = (*listed)[0];
        QCOMPARE(connects.number, 4);
        QCOMPARE(connects.kind, ProbeKind::ConnectTime);
        QCOMPARE(connects.connectMedian, std::optional<Duration>(310us));
        QVERIFY(!connects.forward && !connects.retransmits);
        const RecordSummary& partial = (*listed)[1];
        QCOMPARE(partial.completion, Completion::Partial);
        QCOMPARE(partial.flags, std::vector{QualityFlag::Partial});
        QCOMPARE(partial.forward, std::optional(rate));
        const RecordSummary& both = (*listed)[2];
        QCOMPARE(both.flow, Flow::Bidirectional);
        QCOMPARE(both.farName, QStringLiteral("spark-b"));
        QCOMPARE(both.label, QStringLiteral("new cable"));
        QCOMPARE(both.retransmits, std::optional<std::int64_t>(8));
        QCOMPARE(both.reverseRetransmits, std::optional<std::int64_t>(5));
        QCOMPARE(both.flags.size(), size_t(2));
        const RecordSummary& forward = (*listed)[3];
        QCOMPARE(forward.number, 1);
        QCOMPARE(forward.nearName, QStringLiteral("spark-a"));
        QCOMPARE(forward.farName, QStringLiteral("192.0.2.7:5201"));
        QCOMPARE(forward.forward, std::optional(rate));
        QVERIFY(!forward.reverse && !forward.connectMedian && !forward.link);
        QCOMPARE(forward.retransmits, std::optional<std::int64_t>(3));
        QVERIFY(forward.startedAt.isValid() && forward.startedAt.timeSpec() == Qt::UTC);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_path;
    std::unique_ptr<Notebook> m_notebook;
};

QTEST_GUILESS_MAIN(TestNotebook)
#include "tst_notebook.moc"
