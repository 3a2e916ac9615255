// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/worksheet.h"

#include <QStringList>
#include <QTest>

using namespace napkin;
using namespace std::chrono_literals;

namespace {

BitRate gigabits(double value)
{
    return BitRate::gigabitsPerSecond(value);
}

QDateTime minute(int n)
{
    return QDateTime(QDate(2026, 12, 1), QTime(10, n), Qt::UTC);
}

LinkEntry linkOf(const QString& classId, const QString& name = QStringLiteral("blue"))
{
    return {LinkId::create(), LinkPeriodId::create(), name, classId, QStringLiteral("a ⇄ b"), true,
            PortId::create(), PortId::create()};
}

class Runs
{
public:
    RecordSummary& add(const LinkEntry* link, Flow flow, double rate)
    {
        RecordSummary run;
        run.number = static_cast<std::int64_t>(all.size()) + 1;
        run.id = RecordId::create();
        run.startedAt = minute(static_cast<int>(run.number));
        run.farName = QStringLiteral("spark-b");
        run.flow = flow;
        if (flow != Flow::Reverse) {
            run.forward = gigabits(rate);
            run.forwardRetransmits = 3;
        }
        if (flow != Flow::Forward) {
            run.reverse = gigabits(rate / 2);
            run.reverseRetransmits = 5;
        }
        if (link != nullptr) {
            run.link = link->id;
            run.linkPeriod = link->period;
            run.linkName = link->name;
            run.linkClassId = link->classId;
        }
        all.push_back(run);
        return all.back();
    }
    std::vector<RecordSummary> all;
};

// A comma-separated line, unquoted. Fields of the tests hold no line ends unless quoted.
QList<QStringList> parsed(const QString& csv)
{
    QList<QStringList> lines;
    QStringList fields;
    QString field;
    bool quoted = false;
    for (qsizetype i = 0; i < csv.size(); ++i) {
        const QChar c = csv[i];
        if (quoted && c == u'"' && i + 1 < csv.size() && csv[i + 1] == u'"')
            field += csv[++i];
        else if (c == u'"')
            quoted = !quoted;
        else if (!quoted && c == u',')
            fields << std::exchange(field, {});
        else if (!quoted && c == u'\r' && i + 1 < csv.size() && csv[i + 1] == u'\n') {
            fields << std::exchange(field, {});
            lines << std::exchange(fields, {});
            ++i;
        } else
            field += c;
    }
    return lines;
}

QString fieldOf(const QList<QStringList>& lines, const char* name, qsizetype line = 1)
{
    const auto at = lines[0].indexOf(QString::fromLatin1(name));
    return at < 0 ? QStringLiteral("no such column") : lines[line][at];
}

} // namespace

class TestWorksheet : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        auto loaded = Catalogue::load();
        QVERIFY(loaded);
        m_catalogue = *loaded;
    }

    void nothing() { QVERIFY(rows({}, {}).empty()); }

    void runsWithoutAPortJoinTheOnlyOne()
    {
        Runs runs;
        const auto add = [&runs](const char* far) {
            runs.add(nullptr, Flow::Forward, 1).farName = QString::fromLatin1(far);
        };
        const auto names = [this, &runs] {
            QStringList found;
            for (const WorksheetRow& row : rows({}, runs.all))
                found << row.name;
            return found;
        };
        for (const char* far :
             {"10.0.0.2", "10.0.0.2:5201", "fe80::1%eth0", "[fe80::1%eth0]:5201", "nas"})
            add(far);
        QCOMPARE(names(),
                 (QStringList{QStringLiteral("10.0.0.2:5201"),
                              QStringLiteral("[fe80::1%eth0]:5201"), QStringLiteral("nas")}));
        // Two ports may be two machines: it belongs to neither.
        add("10.0.0.2:5202");
        QCOMPARE(names().size(), 5);
    }

    void aRunWithoutFlagsGoesFirst()
    {
        const auto link = linkOf(QStringLiteral("ethernet-10g"));
        Runs runs;
        const auto good = runs.add(&link, Flow::Forward, 9.4);
        runs.add(&link, Flow::Forward, 5.1).flags = {QualityFlag::BackgroundTraffic};
        runs.add(&link, Flow::Reverse, 9.1).flags = {QualityFlag::CpuBound};
        runs.add(&link, Flow::Reverse, 9.2).flags = {QualityFlag::NotSteady};
        const auto made = rows({link}, runs.all);
        QVERIFY(made[0].forward && made[0].reverse);
        QCOMPARE(made[0].forward->number, good.number);
        // Nothing better there: the newest, and its flag is shown.
        QCOMPARE(made[0].reverse->number, runs.all.back().number);
        QCOMPARE(made[0].flags, std::vector{QualityFlag::NotSteady});
    }

    void anUnmeasuredLinkHasARow()
    {
        const auto link = linkOf(QStringLiteral("ethernet-10g"));
        const auto made = rows({link}, {});
        QCOMPARE(made.size(), size_t(1));
        QVERIFY(made[0].link == link.id && made[0].period == link.period);
        QCOMPARE(made[0].name, QStringLiteral("blue"));
        QCOMPARE(made[0].className, QStringLiteral("10 GbE"));
        QCOMPARE(made[0].ratings.size(), size_t(1));
        QVERIFY(!made[0].forward && !made[0].reverse && !made[0].connectMedian);
        QVERIFY(!made[0].lastMeasured.isValid());
        QCOMPARE(made[0].runs, 0);
    }

    // One run from each end: both sent, and → is a → b all the same.
    void fromEitherEnd()
    {
        const auto link = linkOf(QStringLiteral("ethernet-10g"));
        Runs runs;
        const auto from = [&](std::optional<PortId> near, std::optional<PortId> far, Flow flow,
                              double rate) {
            RecordSummary& run = runs.add(&link, flow, rate);
            run.nearPort = near;
            run.farPort = far;
            return run.id;
        };
        const RecordId atA = from(link.a, link.b, Flow::Forward, 9);
        const RecordId atB = from(link.b, link.a, Flow::Forward, 8);
        const RecordId both = from(std::nullopt, link.a, Flow::Bidirectional, 6);
        auto row = rows({link}, runs.all).front();
        QCOMPARE(row.forward->rate.value(), gigabits(9));
        QVERIFY(row.forward->record == atA);
        QCOMPARE(row.reverse->rate.value(), gigabits(8));
        QVERIFY(row.reverse->record == atB);
        QCOMPARE(row.reverse->retransmits, 3);
        QCOMPARE(row.bothForward->rate.value(), gigabits(3)); // what came back to end b
        QCOMPARE(row.bothForward->retransmits, 5);
        QCOMPARE(row.bothReverse->rate.value(), gigabits(6));
        QVERIFY(row.bothReverse->record == both);
        // Received at b is a → b again, and newer.
        const RecordId back = from(link.b, link.a, Flow::Reverse, 14);
        row = rows({link}, runs.all).front();
        QVERIFY(row.forward->record == back);
        QCOMPARE(row.forward->rate.value(), gigabits(7));
        // Turned once is enough, and a run of another link or of unknown ends stays as it is.
        auto turned = alongLinks(runs.all, {link});
        QCOMPARE(turned[1].flow, Flow::Reverse);
        QCOMPARE(rows({link}, turned).front().forward->record.text(), back.text());
        RecordSummary unknown = runs.all[1];
        unknown.nearPort = unknown.farPort = std::nullopt;
        QCOMPARE(alongLink(unknown, link).flow, Flow::Forward);
        QCOMPARE(alongLink(runs.all[1], linkOf({})).flow, Flow::Forward);
        LinkEntry endless = link;
        endless.a = endless.b = std::nullopt;
        QCOMPARE(alongLink(runs.all[1], endless).flow, Flow::Forward);
    }

    void thunderbolt5HasTwoRatios()
    {
        const auto link = linkOf(QStringLiteral("thunderbolt-5"));
        Runs runs;
        runs.add(&link, Flow::Forward, 60);
        const auto made = rows({link}, runs.all);
        QCOMPARE(made[0].ratings.size(), size_t(2));
        QVERIFY(made[0].forward);
        QCOMPARE(made[0].forward->ratios, (std::vector{Ratio::of(0.5), Ratio::of(0.75)}));
        QCOMPARE(made[0].forward->rate.provenance(), Provenance::Measured);
        QCOMPARE(made[0].forward->rate.origin(), Origin::Mine);
        QCOMPARE(made[0].forward->rate.source(), runs.all[0].id.text());
        QCOMPARE(made[0].forward->rate.date(), runs.all[0].startedAt);
        QCOMPARE(made[0].forward->number, 1);
        QCOMPARE(made[0].forward->retransmits, std::optional<std::int64_t>(3));
    }

    void theNewestStands()
    {
        const auto link = linkOf(QStringLiteral("ethernet-10g"));
        Runs runs;
        runs.add(&link, Flow::Forward, 9.0).label = QStringLiteral("old");
        auto newest = runs.add(&link, Flow::Forward, 9.4);
        runs.all.back().label = QStringLiteral("new");
        runs.all.back().startedAt = minute(30);
        runs.add(&link, Flow::Forward, 9.2).startedAt = minute(20); // recorded later, run before
        const auto made = rows({link}, runs.all);
        QCOMPARE(made[0].forward->number, newest.number);
        QCOMPARE(made[0].label, QStringLiteral("new"));
        QCOMPARE(made[0].lastMeasured, minute(30));
        QCOMPARE(made[0].runs, 3);
    }

    void neverStands_data()
    {
        QTest::addColumn<int>("what");
        const char* names[] = {"partial",  "voided",    "imported",
                               "emulated", "published", "loopback"};
        for (int i = 0; i < 6; ++i)
            QTest::newRow(names[i]) << i;
    }
    void neverStands()
    {
        QFETCH(int, what);
        const auto link = linkOf(QStringLiteral("ethernet-10g"));
        Runs runs;
        runs.add(&link, Flow::Forward, 9.0);
        RecordSummary& bad = runs.add(&link, Flow::Forward, 40);
        switch (what) {
        case 0:
            bad.completion = Completion::Partial;
            break;
        case 1:
            bad.voided = QStringLiteral("wrong port");
            break;
        case 2:
            bad.origin = Origin::Imported;
            break;
        case 3:
            bad.origin = Origin::Emulated;
            break;
        case 4:
            bad.origin = Origin::Published;
            break;
        default:
            bad.flags = {QualityFlag::Loopback};
            break;
        }
        auto made = rows({link}, runs.all);
        QCOMPARE(made[0].forward->number, 1);
        QCOMPARE(made[0].runs, 2);
        QVERIFY(made[0].flags.empty());
        runs.all.erase(runs.all.begin());
        made = rows({link}, runs.all);
        QVERIFY(!made[0].forward);
        QVERIFY(!made[0].lastMeasured.isValid());
        QCOMPARE(made[0].runs, 1);
    }

    void loopbackStandsForAnUnlinkedFarEnd()
    {
        Runs runs;
        runs.add(nullptr, Flow::Forward, 40).flags = {QualityFlag::Loopback};
        runs.all.back().farName = QStringLiteral("localhost:5201");
        const auto made = rows({}, runs.all);
        QCOMPARE(made.size(), size_t(1));
        QVERIFY(made[0].forward && !made[0].link);
        QCOMPARE(made[0].name, QStringLiteral("localhost:5201"));
        QCOMPARE(made[0].flags, std::vector{QualityFlag::Loopback});
        QVERIFY(made[0].ratings.empty() && made[0].forward->ratios.empty());
    }

    void directionsStandApart()
    {
        const auto link = linkOf(QStringLiteral("ethernet-10g"));
        Runs runs;
        runs.add(&link, Flow::Forward, 9.4);
        runs.add(&link, Flow::Reverse, 18.0);
        runs.add(&link, Flow::Bidirectional, 8.0);
        const auto made = rows({link}, runs.all);
        QCOMPARE(made[0].forward->rate.value(), gigabits(9.4));
        QCOMPARE(made[0].reverse->rate.value(), gigabits(9.0));
        QCOMPARE(made[0].bothForward->rate.value(), gigabits(8.0));
        QCOMPARE(made[0].bothReverse->rate.value(), gigabits(4.0));
        QCOMPARE(made[0].bothForward->retransmits, std::optional<std::int64_t>(3));
        QCOMPARE(made[0].bothReverse->retransmits, std::optional<std::int64_t>(5));
        QVERIFY(made[0].bothForward->record == made[0].bothReverse->record);
    }

    void connectTime()
    {
        const auto link = linkOf(QStringLiteral("ethernet-10g"));
        Runs runs;
        RecordSummary& run = runs.add(&link, Flow::Forward, 1);
        run.kind = ProbeKind::ConnectTime;
        run.forward.reset();
        run.connectMedian = 310us;
        runs.all.push_back(run);
        runs.all.back().number = 2;
        runs.all.back().startedAt = minute(50);
        runs.all.back().connectMedian.reset(); // nobody answered: no figure
        const auto made = rows({link}, runs.all);
        QVERIFY(made[0].connectMedian && !made[0].forward);
        QCOMPARE(made[0].connectMedian->value(), Duration(310us));
        QCOMPARE(made[0].lastMeasured, minute(1));
    }

    void eachPeriodHasItsOwnRow()
    {
        const auto before = linkOf(QStringLiteral("ethernet-2.5g"));
        auto now = before;
        now.period = LinkPeriodId::create();
        now.classId = QStringLiteral("ethernet-10g");
        Runs runs;
        runs.add(&before, Flow::Forward, 2.35);
        auto made = rows({now}, runs.all);
        QCOMPARE(made.size(), size_t(2));
        QCOMPARE(made[0].className, QStringLiteral("10 GbE"));
        QVERIFY(!made[0].forward && made[0].period == now.period);
        QCOMPARE(made[1].className, QStringLiteral("2.5 GbE"));
        QCOMPARE(made[1].forward->ratios, std::vector{Ratio::of(0.94)});
        runs.add(&now, Flow::Forward, 9.4);
        made = rows({now}, runs.all);
        QCOMPARE(made[0].forward->ratios, std::vector{Ratio::of(0.94)});
        QCOMPARE(made[1].runs, 1);
    }

    void deletedCables()
    {
        auto link = linkOf(QStringLiteral("ethernet-10g"));
        link.drawn = false;
        QVERIFY(rows({link}, {}).empty()); // never measured, not there any more
        Runs runs;
        runs.add(&link, Flow::Forward, 9.4);
        QCOMPARE(rows({link}, runs.all).size(), size_t(1));
        link.ends.clear(); // never drawn: made for a machine without a display
        QCOMPARE(rows({link}, {}).size(), size_t(1));
    }

    void orderOfRows()
    {
        const auto second = linkOf(QStringLiteral("thunderbolt-5"), QStringLiteral("zz"));
        const auto first = linkOf({}, QStringLiteral("mm"));
        const auto unlisted = linkOf(QStringLiteral("gone-class"), QStringLiteral("aa"));
        Runs runs;
        runs.add(nullptr, Flow::Forward, 1).farName = QStringLiteral("y");
        runs.add(nullptr, Flow::Forward, 1).farName = QStringLiteral("b");
        runs.add(&unlisted, Flow::Forward, 1);
        const auto made = rows({second, first}, runs.all);
        QStringList names;
        for (const WorksheetRow& row : made)
            names << row.name;
        QCOMPARE(names,
                 QStringList({QStringLiteral("zz"), QStringLiteral("mm"), QStringLiteral("aa"),
                              QStringLiteral("b"), QStringLiteral("y")}));
        QVERIFY(made[1].className.isEmpty() && made[1].ratings.empty());
        QCOMPARE(made[2].className, QStringLiteral("gone-class"));
    }

    // Two machines measured towards one: two wires, two rows.
    void nearEndsStandApart()
    {
        Runs runs;
        runs.add(nullptr, Flow::Forward, 0.1).nearName = QStringLiteral("laptop");
        runs.add(nullptr, Flow::Reverse, 0.4).nearName = QStringLiteral("spark-a");
        const auto made = rows({}, runs.all);
        QCOMPARE(made.size(), size_t(2));
        QCOMPARE(made[0].name, QStringLiteral("laptop → spark-b"));
        QCOMPARE(made[1].name, QStringLiteral("spark-a → spark-b"));
        QVERIFY(made[0].forward && !made[0].reverse);
        QVERIFY(!made[1].forward && made[1].reverse);
    }

    void delaysAndPath()
    {
        const auto link = linkOf(QStringLiteral("ethernet-10g"));
        Runs runs;
        const auto add = [&](ProbeKind kind) -> RecordSummary& {
            RecordSummary& run = runs.add(&link, Flow::Forward, 1);
            run.kind = kind;
            static_cast<KeyFigures&>(run) = {};
            return run;
        };
        add(ProbeKind::Latency).latencyP50 = 300us;
        RecordSummary& newest = add(ProbeKind::Latency);
        newest.latencyP50 = 312us;
        newest.latencyP99 = 500us;
        RecordSummary& loaded = add(ProbeKind::LoadedLatency);
        loaded.latencyP50 = 3ms;
        loaded.loadedRatio = 10;
        RecordSummary& path = add(ProbeKind::PathMtu);
        path.pathMtu = 1'500;
        path.flags = {QualityFlag::TooShort};
        RecordSummary& sweep = add(ProbeKind::MessageSweep);
        sweep.alpha = 21us;
        sweep.beta = ByteRate::gigabytesPerSecond(1.1);
        sweep.betaUpTo = ByteCount::kibibytes(64);
        sweep.betaLarge = ByteRate::gigabytesPerSecond(0.4);
        add(ProbeKind::MessageSweep); // without a line: does not stand
        RecordSummary& udp = add(ProbeKind::UdpThroughput);
        udp.forward = gigabits(9); // is no throughput of TCP
        const auto made = rows({link}, runs.all);
        const WorksheetRow& row = made.front();
        QCOMPARE(row.latencyP50->value(), Duration(312us));
        QCOMPARE(row.latencyP99->value(), Duration(500us));
        QCOMPARE(row.loadedP50->value(), Duration(3ms));
        QCOMPARE(row.loadedRatio->value(), Ratio::of(10));
        QCOMPARE(row.pathMtu->value(), 1'500);
        QCOMPARE(row.alpha->value(), Duration(21us));
        QCOMPARE(row.beta->value(), ByteRate::gigabytesPerSecond(1.1));
        QCOMPARE(row.betaUpTo->bytes(), 65'536);
        QCOMPARE(row.betaLarge->value(), ByteRate::gigabytesPerSecond(0.4));
        QVERIFY(!row.forward && !row.connectMedian);
        QVERIFY(row.flags == std::vector{QualityFlag::TooShort});
        const auto lines = parsed(worksheetCsv(made));
        QCOMPARE(fieldOf(lines, "RTT p50 (ns)"), QStringLiteral("312000"));
        QCOMPARE(fieldOf(lines, "RTT p50 under load to idle (ratio)"), QStringLiteral("10"));
        QCOMPARE(fieldOf(lines, "Path MTU (bytes)"), QStringLiteral("1500"));
        QCOMPARE(fieldOf(lines, "Alpha, one way (ns)"), QStringLiteral("21000"));
        QCOMPARE(fieldOf(lines, "Beta (bytes/s)"), QStringLiteral("1100000000"));
        QCOMPARE(fieldOf(lines, "Beta (bytes/s) measured at (UTC)"),
                 QStringLiteral("2026-12-01T10:05:00.000Z"));
    }

    void findingsStand()
    {
        const auto link = linkOf(QStringLiteral("ethernet-10g"));
        Runs runs;
        runs.add(&link, Flow::Forward, 9);
        runs.add(&link, Flow::Forward, 4).flags = {QualityFlag::MessagesLost};
        QCOMPARE(rows({link}, runs.all).front().forward->rate.value(), gigabits(4));
    }
    void csv()
    {
        auto link = linkOf(QStringLiteral("thunderbolt-5"));
        link.name = QStringLiteral("a, \"b\"\r\nc");
        Runs runs;
        runs.add(&link, Flow::Forward, 43.800000001).label = QStringLiteral(" spaced");
        runs.all.back().flags = {QualityFlag::NotSteady, QualityFlag::TooShort};
        const QString text = worksheetCsv(rows({link}, runs.all));
        QVERIFY(text.endsWith(QStringLiteral("\r\n")));
        QVERIFY(text.contains(QStringLiteral("\"a, \"\"b\"\"\r\nc\"")));
        const auto lines = parsed(text);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].size(), lines[1].size());
        QCOMPARE(QSet<QString>(lines[0].begin(), lines[0].end()).size(), lines[0].size());
        QCOMPARE(fieldOf(lines, "Name"), link.name);
        QCOMPARE(fieldOf(lines, "Class"), QStringLiteral("TB5"));
        QCOMPARE(fieldOf(lines, "Rating 1 (Gb/s)"), QStringLiteral("120"));
        QCOMPARE(fieldOf(lines, "Rating 1 (GB/s)"), QStringLiteral("15"));
        QCOMPARE(fieldOf(lines, "Rating 2 (Gb/s)"), QStringLiteral("80"));
        QCOMPARE(fieldOf(lines, "Rating 1 provenance"), QStringLiteral("rated"));
        QCOMPARE(fieldOf(lines, "Forward (Gb/s)"), QStringLiteral("43.800000001"));
        QCOMPARE(fieldOf(lines, "Forward provenance"), QStringLiteral("measured"));
        QCOMPARE(fieldOf(lines, "Forward origin"), QStringLiteral("mine"));
        QCOMPARE(fieldOf(lines, "Forward to rating 1 (ratio)").toDouble(), 43.800000001 / 120);
        QCOMPARE(fieldOf(lines, "Forward to rating 2 (ratio)").toDouble(), 43.800000001 / 80);
        QCOMPARE(fieldOf(lines, "Forward retransmissions (segments)"), QStringLiteral("3"));
        QCOMPARE(fieldOf(lines, "Forward measured at (UTC)"),
                 QStringLiteral("2026-12-01T10:01:00.000Z"));
        QCOMPARE(fieldOf(lines, "Reverse (Gb/s)"), QString()); // unknown is not zero
        QCOMPARE(fieldOf(lines, "TCP connect time, median (ns)"), QString());
        QCOMPARE(fieldOf(lines, "Label"), QStringLiteral(" spaced"));
        QCOMPARE(fieldOf(lines, "Flags"), QStringLiteral("too-short not-steady"));
        QCOMPARE(fieldOf(lines, "Runs"), QStringLiteral("1"));
        QCOMPARE(parsed(worksheetCsv({})).size(), 1);
    }

private:
    std::vector<WorksheetRow> rows(const std::vector<LinkEntry>& links,
                                   const std::vector<RecordSummary>& records) const
    {
        return buildWorksheet(links, records, m_catalogue);
    }

    Catalogue m_catalogue;
};

QTEST_GUILESS_MAIN(TestWorksheet)
#include "tst_worksheet.moc"
