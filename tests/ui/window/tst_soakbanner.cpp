// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/soakfile.h"
#include "tests/core/notebook/notebookfixture.h"
#include "tests/ui/window/bench.h"
#include "ui/measure/measurepage.h"
#include "ui/widgets/errorbanner.h"

#include <QPushButton>

#include <stdexcept>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

SoakData dataOf(Duration elapsed)
{
    SoakData data;
    data.elapsed = elapsed;
    SoakTotal total;
    total.received = ByteCount::bytes(1'000'000);
    total.checked = total.received;
    total.blocks = 10;
    data.totals = {total};
    return data;
}

class FakeSoak final : public Probe
{
public:
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::Soak; }
    QCoro::Task<Result<void>> check(ProbeSpec, CancelToken) override { co_return Result<void>{}; }
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken, ProgressSink sink) override
    {
        sink({Phase::Measuring, 0.5, dataOf(480s)});
        ProbeResult result;
        result.spec = spec;
        result.data = dataOf(480s);
        co_return result;
    }
};

} // namespace

// What the window says of a soak whose program was ended.
class TestSoakBanner : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_bench.reset(); }
    void continued();
    void keptAsItIs();
    void nothingIsSaidOfNone();

private:
    [[nodiscard]] QPushButton* step(const QString& text) const
    {
        for (QPushButton* one : m_bench->window().banner()->findChildren<QPushButton*>()) {
            if (one->text() == text)
                return one;
        }
        return nullptr;
    }
    void leaveSoak() const;
    [[nodiscard]] std::vector<RecordSummary> records() const
    {
        return sync(m_bench->window().workspace()->notebook().records({})).value();
    }

    std::unique_ptr<WindowBench> m_bench;
    RecordId m_id = RecordId::create();
};

void TestSoakBanner::init()
{
    m_bench = std::make_unique<WindowBench>();
    ProbeSet probes;
    probes.add(std::make_shared<FakeSoak>());
    m_bench->setProbes(probes);
}

void TestSoakBanner::leaveSoak() const
{
    KeptSoak soak;
    soak.result.id = m_id;
    soak.result.spec.far.host = QStringLiteral("10.0.0.2");
    soak.result.spec.far.name = QStringLiteral("spark-b");
    soak.result.spec.far.port = 5201;
    soak.result.spec.options = SoakOptions{};
    soak.savedAt = QDateTime::currentDateTimeUtc().addSecs(-720);
    soak.result.startedAt = soak.savedAt.addSecs(-120);
    soak.result.endedAt = soak.savedAt;
    soak.result.completion = Completion::Partial;
    soak.result.data = dataOf(120s);
    const auto file = SoakFile::create(m_bench->path(), m_id).value();
    if (const auto saved = file->save(soak); !saved)
        throw std::runtime_error(saved.error().detail.toStdString());
}

void TestSoakBanner::continued()
{
    leaveSoak();
    QVERIFY(m_bench->open());
    QTRY_VERIFY(step(QStringLiteral("Continue")) != nullptr);
    const QString words = m_bench->window().banner()->text();
    QVERIFY2(words.contains(QStringLiteral("spark-b")), qPrintable(words));
    step(QStringLiteral("Continue"))->click();
    QTRY_COMPARE(records().size(), 1U);
    QCOMPARE(m_bench->window().mode(), WindowMode::Measure);
    QCOMPARE(m_bench->window().banner()->text(), QString());
    const RecordSummary record = records().front();
    QCOMPARE(record.id, m_id);
    QCOMPARE(record.completion, Completion::Complete);
    const auto whole = sync(m_bench->window().workspace()->notebook().load(m_id));
    const auto& data = std::get<SoakData>(whole->result.data);
    QCOMPARE(data.elapsed, Duration(600s));
    QCOMPARE(data.programGaps, 1);
}

void TestSoakBanner::keptAsItIs()
{
    leaveSoak();
    QVERIFY(m_bench->open());
    QTRY_VERIFY(step(QStringLiteral("Keep as it is")) != nullptr);
    step(QStringLiteral("Keep as it is"))->click();
    QTRY_COMPARE(records().size(), 1U);
    QCOMPARE(records().front().completion, Completion::Partial);
    QCOMPARE(records().front().fault->code, ErrorCode::ProgramEnded);
    QVERIFY(m_bench->close());
    QVERIFY(m_bench->open());
    QTest::qWait(200);
    QCOMPARE(m_bench->window().banner()->text(), QString());
}

void TestSoakBanner::nothingIsSaidOfNone()
{
    QVERIFY(m_bench->open());
    QTest::qWait(200);
    QCOMPARE(m_bench->window().banner()->text(), QString());
}

QTEST_MAIN(TestSoakBanner)
#include "tst_soakbanner.moc"
