// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/session.h"
#include "tests/support/sync.h"

#include <QTest>

using namespace napkin;
using namespace napkin::test;

namespace {

// A probe that answers from a list.
class PlayedProbe final : public Probe
{
public:
    std::vector<Result<void>> checks;
    std::vector<Result<ProbeResult>> runs;
    QStringList log;
    CancelSource* cancelWhileRunning = nullptr;

    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::Throughput; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken) override
    {
        log << QStringLiteral("check ") + spec.label;
        const Result<void> answer = checks.empty() ? Result<void>{} : checks.front();
        if (!checks.empty())
            checks.erase(checks.begin());
        co_return answer;
    }
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken, ProgressSink sink) override
    {
        log << QStringLiteral("run ") + spec.label;
        sink({Phase::Measuring, 0.5, ThroughputData{}});
        if (cancelWhileRunning != nullptr)
            cancelWhileRunning->request_stop();
        Result<ProbeResult> answer = runs.front();
        runs.erase(runs.begin());
        if (answer)
            answer->spec = spec;
        co_return answer;
    }
};

ProbeSpec named(const char* label)
{
    ProbeSpec spec;
    spec.label = QString::fromLatin1(label);
    return spec;
}

ProbeResult partial()
{
    ProbeResult result;
    result.completion = Completion::Partial;
    return result;
}

} // namespace

class TestSession : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void checksAllThenRunsAll();
    void failedCheckRunsNothing();
    void failedRunDoesNotStopTheNext();
    void cancelStops();
    void failedRecordingStops();
    void unknownKind();
    void standardMeasuresAll();

private:
    SessionOutcome run(std::vector<ProbeSpec> specs, CancelToken cancel = {});
    std::shared_ptr<PlayedProbe> m_probe;
    QStringList m_told;
    std::vector<ProbeResult> m_results;
    Result<void> m_recorded;
};

void TestSession::init()
{
    m_probe = std::make_shared<PlayedProbe>();
    m_told.clear();
    m_results.clear();
    m_recorded = {};
}

SessionOutcome TestSession::run(std::vector<ProbeSpec> specs, CancelToken cancel)
{
    ProbeSet probes;
    probes.add(m_probe);
    SessionEvents events;
    events.started = [this](int i) { m_told << QStringLiteral("started %1").arg(i); };
    events.progress = [this](int i, const Progress&) {
        m_told << QStringLiteral("progress %1").arg(i);
    };
    events.failed = [this](int i, const Error& error) {
        m_told << QStringLiteral("failed %1 %2").arg(i).arg(errorCodeName(error.code));
    };
    // Not a coroutine itself: it keeps and hands back a ready task.
    events.finished = [this](int i, ProbeResult result) {
        m_told << QStringLiteral("finished %1").arg(i);
        m_results.push_back(std::move(result));
        return
            [](Result<void> answer) -> QCoro::Task<Result<void>> { co_return answer; }(m_recorded);
    };
    return sync(runSession(probes, std::move(specs), std::move(cancel), events));
}

void TestSession::checksAllThenRunsAll()
{
    m_probe->runs = {ProbeResult{}, partial()};
    const SessionOutcome outcome = run({named("a"), named("b")});
    QCOMPARE(m_probe->log, QStringList({QStringLiteral("check a"), QStringLiteral("check b"),
                                        QStringLiteral("run a"), QStringLiteral("run b")}));
    QCOMPARE(m_told.join(QLatin1Char(',')),
             QStringLiteral("started 0,progress 0,finished 0,started 1,progress 1,finished 1"));
    QCOMPARE(outcome.completed, 1);
    QCOMPARE(outcome.partial, 1);
    QCOMPARE(outcome.failed, 0);
    QVERIFY(!outcome.error);
    const ProbeResult& first = m_results.front();
    QVERIFY(!first.id.isNull());
    QVERIFY(first.id.text() != m_results.back().id.text());
    QVERIFY(first.startedAt.isValid() && first.endedAt >= first.startedAt);
    QCOMPARE(first.tool, QStringLiteral("napkin"));
    QCOMPARE(first.toolVersion, QStringLiteral(NAPKIN_VERSION));
    QVERIFY(!m_results.back().quality.empty()); // a partial run is said to be one
}

void TestSession::failedCheckRunsNothing()
{
    m_probe->checks = {Result<void>{}, fail(ErrorCode::NoSuchInterface)};
    const SessionOutcome outcome = run({named("a"), named("b")});
    QVERIFY(outcome.error && outcome.error->code == ErrorCode::NoSuchInterface);
    QVERIFY(m_told.isEmpty());
    QCOMPARE(m_probe->log.last(), QStringLiteral("check b"));
}

void TestSession::failedRunDoesNotStopTheNext()
{
    m_probe->runs = {fail(ErrorCode::PeerBusy), ProbeResult{}};
    const SessionOutcome outcome = run({named("a"), named("b")});
    QCOMPARE(outcome.failed, 1);
    QCOMPARE(outcome.completed, 1);
    QVERIFY(m_told.contains(QStringLiteral("failed 0 peer-busy")));
}

void TestSession::cancelStops()
{
    CancelSource cancel;
    m_probe->cancelWhileRunning = &cancel;
    m_probe->runs = {partial(), ProbeResult{}};
    const SessionOutcome outcome = run({named("a"), named("b")}, cancel.get_token());
    QCOMPARE(outcome.partial, 1);
    QCOMPARE(outcome.completed, 0);
    QVERIFY(outcome.error && outcome.error->isCancelled());
    QVERIFY(m_told.contains(QStringLiteral("finished 0"))); // what was gathered is kept
}

void TestSession::failedRecordingStops()
{
    m_recorded = fail(ErrorCode::StorageFull);
    m_probe->runs = {ProbeResult{}, ProbeResult{}};
    const SessionOutcome outcome = run({named("a"), named("b")});
    QVERIFY(outcome.error && outcome.error->code == ErrorCode::StorageFull);
    QVERIFY(!m_told.contains(QStringLiteral("started 1")));
}

void TestSession::unknownKind()
{
    ProbeSpec spec = named("a");
    spec.options = ConnectOptions{};
    const SessionOutcome outcome = run({spec});
    QVERIFY(outcome.error && outcome.error->code == ErrorCode::Unsupported);
}

void TestSession::standardMeasuresAll()
{
    const ProbeSet probes = ProbeSet::standard();
    QVERIFY(probes.find(ProbeKind::Throughput));
    QVERIFY(probes.find(ProbeKind::ConnectTime));
}

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
