// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs may stand beside each other, and which rows hold them.
#include "core/notebook/worksheet.h"

#include <QTest>

using namespace napkin;
using namespace std::chrono_literals;

namespace {

constexpr auto kibibyte = 1024;

EchoManner manner(EchoMethod method, std::int64_t bytes, WaitMode wait = WaitMode::Blocking)
{
    return {method, wait, ByteCount::bytes(bytes)};
}

class Runs
{
public:
    RecordSummary& add(ProbeKind kind)
    {
        RecordSummary run;
        run.number = static_cast<std::int64_t>(all.size()) + 1;
        run.id = RecordId::create();
        run.kind = kind;
        run.startedAt =
            QDateTime(QDate(2026, 12, 1), QTime(10, static_cast<int>(run.number)), Qt::UTC);
        run.nearName = QStringLiteral("spark-a");
        run.farName = QStringLiteral("spark-b");
        all.push_back(run);
        return all.back();
    }
    RecordSummary& latency(Duration time, EchoManner how)
    {
        RecordSummary& run = add(ProbeKind::Latency);
        run.latencyP50 = time;
        run.manner = how;
        return run;
    }
    [[nodiscard]] std::vector<WorksheetRow> rows() const { return buildWorksheet({}, all, {}); }
    std::vector<RecordSummary> all;
};

} // namespace

class TestWorksheetManner : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // What is newer is no reason: a message of 4 KiB over TCP takes longer than an echo.
    void theUsualMannerGoesFirst()
    {
        Runs runs;
        runs.latency(200us, manner(EchoMethod::Icmp, 64));
        runs.latency(210us, manner(EchoMethod::Icmp, 64));
        runs.latency(900us, manner(EchoMethod::Tcp, 4 * kibibyte));
        runs.latency(30us, manner(EchoMethod::Tcp, 64, WaitMode::BusyPoll));
        const WorksheetRow row = runs.rows().front();
        QCOMPARE(row.latencyP50->value(), Duration(210us));
        QCOMPARE(*row.latencyManner, manner(EchoMethod::Icmp, 64));
        runs.all[0].voided = QStringLiteral("wrong port");
        runs.all[1].voided = QStringLiteral("wrong port");
        const WorksheetRow other = runs.rows().front();
        QCOMPARE(other.latencyP50->value(), Duration(30us)); // the newest there is, and it says how
        QCOMPARE(*other.latencyManner, manner(EchoMethod::Tcp, 64, WaitMode::BusyPoll));
    }

    void aCleanRunGoesBeforeAFlaggedOne()
    {
        Runs runs;
        runs.latency(900us, manner(EchoMethod::Tcp, 64));
        runs.latency(200us, manner(EchoMethod::Icmp, 64)).flags = {QualityFlag::TooShort};
        WorksheetRow row = runs.rows().front();
        QCOMPARE(row.latencyManner->method, EchoMethod::Tcp);
        QVERIFY(row.flags.empty());
        runs.all[0].flags = {QualityFlag::TooShort};
        row = runs.rows().front();
        QCOMPARE(row.latencyManner->method, EchoMethod::Icmp);
        QCOMPARE(row.flags, std::vector{QualityFlag::TooShort});
    }

    void sweepsByHowTheyWait()
    {
        Runs runs;
        const auto add = [&runs](Duration alpha, WaitMode wait) {
            RecordSummary& run = runs.add(ProbeKind::MessageSweep);
            run.alpha = alpha;
            run.beta = ByteRate::gigabytesPerSecond(1);
            run.manner = EchoManner{EchoMethod::Tcp, wait, std::nullopt};
        };
        add(20us, SweepOptions().wait);
        add(5us,
            SweepOptions().wait == WaitMode::Blocking ? WaitMode::BusyPoll : WaitMode::Blocking);
        const WorksheetRow row = runs.rows().front();
        QCOMPARE(row.alpha->value(), Duration(20us));
        QCOMPARE(row.sweepManner->wait, SweepOptions().wait);
    }

    void udpEachWay()
    {
        Runs runs;
        const auto add = [&runs](Flow flow, double arrived, double offered) -> RecordSummary& {
            RecordSummary& run = runs.add(ProbeKind::UdpThroughput);
            run.flow = flow;
            if (flow != Flow::Reverse)
                run.forward = BitRate::megabitsPerSecond(arrived);
            if (flow != Flow::Forward)
                run.reverse = BitRate::megabitsPerSecond(arrived);
            run.offered = BitRate::megabitsPerSecond(offered);
            run.lossRatio = Ratio::of(1 - arrived / offered);
            return run;
        };
        add(Flow::Bidirectional, 40, 50);
        QCOMPARE(runs.rows().front().udp.size(), size_t(1)); // nothing else is there
        QVERIFY(runs.rows().front().udp[0].forward && runs.rows().front().udp[0].reverse);
        add(Flow::Forward, 75, 100);
        add(Flow::Reverse, 50, 200);
        add(Flow::Reverse, 1, 1).flags = {QualityFlag::Contradictory};
        const auto udp = runs.rows().front().udp;
        QCOMPARE(udp.size(), size_t(2));
        QCOMPARE(udp[0].forward->value(), BitRate::megabitsPerSecond(75));
        QCOMPARE(*udp[0].offered, BitRate::megabitsPerSecond(100));
        QCOMPARE(*udp[0].lost, Ratio::of(0.25));
        QVERIFY(!udp[0].reverse);
        QCOMPARE(udp[1].reverse->value(), BitRate::megabitsPerSecond(50));
        QCOMPARE(udp[1].number, 3);
        const QString csv = worksheetCsv(runs.rows());
        QVERIFY(csv.contains(QStringLiteral("UDP forward lost (ratio)")));
        QVERIFY2(csv.contains(QStringLiteral(",0.075,,0.1,0.25,2,")), qPrintable(csv));
    }

    void aBlackHoleIsTold()
    {
        Runs runs;
        RecordSummary& run = runs.add(ProbeKind::PathMtu);
        run.pathMtu = 1'500;
        run.isBlackHole = true;
        QVERIFY(runs.rows().front().isBlackHole);
        runs.all.front().isBlackHole = false;
        QVERIFY(!runs.rows().front().isBlackHole);
    }

    // Two cables between two paired machines: two addresses, two rows.
    void addressesOfOneMachineStandApart()
    {
        Runs runs;
        const auto add = [&runs](double rate, const char* address) {
            RecordSummary& run = runs.add(ProbeKind::Throughput);
            run.forward = BitRate::gigabitsPerSecond(rate);
            run.farAddress = QString::fromLatin1(address);
        };
        add(9.4, "10.0.1.2");
        add(9.3, ""); // of a time when that was not kept
        add(9.2, "spark-b.local");
        QCOMPARE(runs.rows().size(), size_t(1));
        QCOMPARE(runs.rows()[0].name, QStringLiteral("spark-b"));
        QCOMPARE(runs.rows()[0].runs, 3);
        add(95, "10.0.2.2");
        const auto rows = runs.rows();
        QStringList names;
        for (const WorksheetRow& row : rows)
            names << row.name;
        QCOMPARE(names,
                 (QStringList{QStringLiteral("spark-b"), QStringLiteral("spark-b (10.0.1.2)"),
                              QStringLiteral("spark-b (10.0.2.2)")}));
        QCOMPARE(rows[1].forward->rate.value(), BitRate::gigabitsPerSecond(9.4));
        QCOMPARE(rows[2].forward->rate.value(), BitRate::gigabitsPerSecond(95));
        for (const RecordSummary& run : runs.all)
            QCOMPARE(std::ranges::count_if(
                         rows, [&run](const WorksheetRow& row) { return holds(row, run); }),
                     1);
        QVERIFY(holds(rows[2], runs.all[3]) && holds(rows[0], runs.all[2]));
    }

    // Filed under two cables they stand apart, whatever their addresses.
    void cablesStandApart()
    {
        const auto link = [](const char* name) {
            return LinkEntry{LinkId::create(),
                             LinkPeriodId::create(),
                             QString::fromLatin1(name),
                             {},
                             QStringLiteral("a ⇄ b"),
                             true,
                             {},
                             {}};
        };
        const std::vector<LinkEntry> links{link("blue"), link("red")};
        Runs runs;
        for (int i = 0; i < 4; ++i) {
            RecordSummary& run = runs.add(ProbeKind::Throughput);
            run.forward = BitRate::gigabitsPerSecond(1 + i);
            run.link = links[static_cast<size_t>(i % 2)].id;
            run.linkPeriod = links[static_cast<size_t>(i % 2)].period;
        }
        const auto rows = buildWorksheet(links, runs.all, {});
        QCOMPARE(rows.size(), size_t(2));
        QCOMPARE(rows[0].forward->rate.value(), BitRate::gigabitsPerSecond(3));
        QCOMPARE(rows[1].forward->rate.value(), BitRate::gigabitsPerSecond(4));
        QVERIFY(holds(rows[0], runs.all[0]) && !holds(rows[1], runs.all[0]));
    }

    // However the row is called.
    void rowsHoldTheirRuns()
    {
        Runs runs;
        const auto add = [&runs](const char* near, const char* far) {
            RecordSummary& run = runs.add(ProbeKind::Throughput);
            run.forward = BitRate::gigabitsPerSecond(1);
            run.nearName = QString::fromLatin1(near);
            run.farName = QString::fromLatin1(far);
        };
        add("laptop", "10.0.0.2:5201");
        add("laptop", "10.0.0.2"); // an echo, which needs no port
        add("spark-a", "10.0.0.2:5201");
        const auto rows = runs.rows();
        QCOMPARE(rows.size(), size_t(2));
        QVERIFY(holds(rows[0], runs.all[0]) && holds(rows[0], runs.all[1]));
        QVERIFY(!holds(rows[0], runs.all[2]) && holds(rows[1], runs.all[2]));
    }
};

QTEST_GUILESS_MAIN(TestWorksheetManner)
#include "tst_worksheetmanner.moc"
