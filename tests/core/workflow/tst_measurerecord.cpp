// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/waiting.h"
#include "core/workflow/measurerecord.h"
#include "tests/support/sync.h"

#include <QTemporaryDir>
#include <QTest>

using namespace napkin;
using namespace std::chrono_literals;
using napkin::test::sync;

namespace {

ThroughputData someData()
{
    ThroughputData data;
    ThroughputSample sample;
    sample.length = 100ms;
    sample.bytes = ByteCount::bytes(1'000'000);
    data.samples = {sample};
    return data;
}

// Everything went through eth1 of the far end, whose address the run was for is eth0's.
void takeAnotherWire(ProbeResult& result)
{
    HostFacts facts;
    HostActivity activity;
    for (const char* name : {"eth0", "eth1"}) {
        InterfaceFacts interface;
        interface.name = QString::fromLatin1(name);
        facts.interfaces.push_back(interface);
        InterfaceCounters counters;
        counters.name = interface.name;
        activity.before.push_back(counters);
        activity.after.push_back(counters);
    }
    facts.interfaces[0].addresses = {QStringLiteral("10.0.0.2/24")};
    activity.after[1].receivedBytes = 1'046'000;
    result.conditions.far.address = QStringLiteral("10.0.0.2");
    result.conditions.far.facts = facts;
    result.conditions.far.activity = activity;
}

// Fails, is cancelled or completes, as the far port says.
class ScriptedProbe final : public Probe
{
public:
    enum Port { Complete = 1, Fails = 2, Endless = 3, RefusedByCheck = 4, WrongWire = 5 };

    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::Throughput; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken) override
    {
        if (spec.far.port == RefusedByCheck)
            co_return fail(ErrorCode::NoSuchInterface, QStringLiteral("eth9"));
        co_return Result<void>{};
    }
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override
    {
        Progress progress;
        progress.data = someData();
        sink(progress);
        ProbeResult result;
        result.spec = spec;
        result.data = someData();
        if (spec.far.port == WrongWire)
            takeAnotherWire(result);
        if (spec.far.port == Fails)
            co_return fail(ErrorCode::PeerBusy, spec.far.host);
        if (spec.far.port == Endless) {
            const auto slept = co_await sleepFor(30s, std::move(cancel));
            if (!slept) {
                result.completion = Completion::Partial;
                result.fault = slept.error();
            }
        }
        co_return result;
    }
};

ProbeSpec specFor(int port)
{
    ProbeSpec spec;
    spec.far.host = QStringLiteral("box");
    spec.far.port = port;
    spec.options = ThroughputOptions{};
    return spec;
}

} // namespace

class MeasureRecordTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    std::unique_ptr<Notebook> m_notebook;
    ProbeSet m_probes;
    QStringList m_log;

    MeasureEvents events()
    {
        MeasureEvents e;
        e.started = [this](int i) { m_log << QStringLiteral("started %1").arg(i); };
        e.progress = [this](int i, const Progress&) {
            m_log << QStringLiteral("progress %1").arg(i);
        };
        e.recorded = [this](int i, std::int64_t n, const ProbeResult& r) {
            m_log << QStringLiteral("recorded %1 as %2%3")
                         .arg(i)
                         .arg(n)
                         .arg(r.completion == Completion::Partial ? QStringLiteral(" partial")
                                                                  : QString());
        };
        e.unrecorded = [this](int i, const ProbeResult& r) {
            QVERIFY(r.data == ProbeData(someData()));
            m_log << QStringLiteral("unrecorded %1").arg(i);
        };
        e.failed = [this](int i, const Error& error) {
            m_log << QStringLiteral("failed %1 %2").arg(i).arg(errorCodeName(error.code));
        };
        return e;
    }
    std::vector<RecordSummary> rows() { return sync(m_notebook->records({})).value(); }

private Q_SLOTS:
    void init()
    {
        m_log.clear();
        m_probes = ProbeSet();
        m_probes.add(std::make_shared<ScriptedProbe>());
        const QString path = m_dir.filePath(QString::fromLatin1(QTest::currentTestFunction()));
        auto opened =
            sync(Notebook::open(path, Notebook::Mode::ReadWrite, std::make_shared<SystemClock>()));
        QVERIFY(opened.has_value());
        m_notebook = std::move(*opened);
    }
    void recordsEachRunBeforeTheNextStarts()
    {
        const auto outcome = sync(measureAndRecord(
            m_probes, {specFor(ScriptedProbe::Complete), specFor(ScriptedProbe::Complete)},
            m_notebook.get(), {}, events()));
        QVERIFY(!outcome.error);
        QCOMPARE(outcome.completed, 2);
        QCOMPARE(m_log,
                 QStringList({QStringLiteral("started 0"), QStringLiteral("progress 0"),
                              QStringLiteral("recorded 0 as 1"), QStringLiteral("started 1"),
                              QStringLiteral("progress 1"), QStringLiteral("recorded 1 as 2")}));
        QCOMPARE(rows().size(), size_t(2));
    }
    void aFailureIsToldAndNotRecorded()
    {
        const auto outcome = sync(measureAndRecord(
            m_probes, {specFor(ScriptedProbe::Fails), specFor(ScriptedProbe::Complete)},
            m_notebook.get(), {}, events()));
        QCOMPARE(outcome.failed, 1);
        QCOMPARE(outcome.completed, 1);
        QVERIFY(m_log.contains(QStringLiteral("failed 0 peer-busy")));
        QCOMPARE(rows().size(), size_t(1));
    }
    void checksComeFirst()
    {
        const auto outcome = sync(measureAndRecord(
            m_probes, {specFor(ScriptedProbe::Complete), specFor(ScriptedProbe::RefusedByCheck)},
            m_notebook.get(), {}, events()));
        QVERIFY(outcome.error.has_value());
        QCOMPARE(outcome.error->code, ErrorCode::NoSuchInterface);
        QVERIFY(!m_log.contains(QStringLiteral("started 0")));
        QVERIFY(rows().empty());
    }
    void cancellingKeepsThePartialRun()
    {
        CancelSource source;
        QTimer::singleShot(50ms, this, [&source] { source.request_stop(); });
        const auto outcome = sync(measureAndRecord(
            m_probes, {specFor(ScriptedProbe::Endless), specFor(ScriptedProbe::Complete)},
            m_notebook.get(), source.get_token(), events()));
        QCOMPARE(outcome.partial, 1);
        QCOMPARE(outcome.completed, 0);
        QVERIFY(outcome.error && outcome.error->isCancelled());
        QVERIFY(m_log.contains(QStringLiteral("recorded 0 as 1 partial")));
        const auto kept = rows();
        QCOMPARE(kept.size(), size_t(1));
        QCOMPARE(kept[0].completion, Completion::Partial);
    }
    void aNotebookThatCannotBeWrittenEndsTheSession()
    {
        m_notebook.reset();
        const QString path = m_dir.filePath(QString::fromLatin1(QTest::currentTestFunction()));
        auto opened =
            sync(Notebook::open(path, Notebook::Mode::ReadOnly, std::make_shared<SystemClock>()));
        QVERIFY(opened.has_value());
        const auto outcome = sync(measureAndRecord(
            m_probes, {specFor(ScriptedProbe::Complete), specFor(ScriptedProbe::Complete)},
            opened->get(), {}, events()));
        QVERIFY(outcome.error.has_value());
        QCOMPARE(outcome.error->code, ErrorCode::StorageReadOnly);
        QVERIFY(m_log.contains(QStringLiteral("unrecorded 0")));
        QVERIFY(!m_log.contains(QStringLiteral("started 1")));
    }

    void aRunOverAnotherWireIsFiledUnderNoLink()
    {
        const auto link =
            sync(m_notebook->createLink(QStringLiteral("rack"), QStringLiteral("ethernet-10g")))
                .value();
        ProbeSpec spec = specFor(ScriptedProbe::WrongWire);
        spec.link = link.id;
        spec.linkPeriod = link.period;
        std::optional<ProbeResult> told;
        MeasureEvents e;
        e.recorded = [&told](int, std::int64_t, const ProbeResult& result) { told = result; };
        const auto outcome = sync(measureAndRecord(m_probes, {spec}, m_notebook.get(), {}, e));
        QCOMPARE(outcome.completed, 1);
        QVERIFY(told && !told->spec.link && !told->spec.linkPeriod);
        QCOMPARE(told->spec.intendedLink, std::optional(link.id));
        QVERIFY(!rows().front().link);
    }
};

QTEST_GUILESS_MAIN(MeasureRecordTest)
#include "tst_measurerecord.moc"
