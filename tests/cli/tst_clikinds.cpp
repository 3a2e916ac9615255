// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/clirun.h"
#include "tests/core/notebook/notebookfixture.h"

#include <QDir>
#include <QTest>

#include <nlohmann/json.hpp>

using nlohmann::json;
using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

ProbeResult sweepResult()
{
    ProbeResult result = latencyResult(1ms);
    result.id = RecordId::create();
    result.spec.options = SweepOptions();
    SweepData data;
    for (int round = 0; round < 11; ++round) {
        for (const int size : {1, 100, 1'000, 5'000, 20'000, 60'000})
            data.samples.push_back(
                {round, ByteCount::bytes(size), round * 10ms, Duration(42'000 + 2 * size)});
    }
    result.data = data;
    return result;
}

ProbeResult loadedResult()
{
    ProbeResult result = latencyResult(1ms);
    result.id = RecordId::create();
    result.spec.options = LoadedLatencyOptions();
    LoadedLatencyData data;
    for (const Load load : {Load::Idle, Load::Sending}) {
        LoadPhase phase;
        phase.load = load;
        for (int i = 0; i < 150; ++i)
            phase.samples.push_back(
                {i * 5ms, load == Load::Idle ? 1ms : 12ms, RoundTrip::Outcome::Answered});
        data.phases.push_back(phase);
    }
    result.data = data;
    result.quality = {{QualityFlag::NotSteady, QStringLiteral("made up")}};
    return result;
}

} // namespace

// The figures of every kind, as list, show and worksheet tell them.
class TestCliKinds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void list();
    void listAsJson();
    void show_data();
    void show();
    void summaries();
    void anotherVersionsFigures();
    void manySamplesAreBounded();
    void worksheet();
    void fitsTheTerminal_data();
    void fitsTheTerminal();
    void kindsThatNeedAPeer_data();
    void kindsThatNeedAPeer();

private:
    [[nodiscard]] QString text(const QStringList& words) const;
    [[nodiscard]] json document(const QStringList& words) const;

    QTemporaryDir m_folder;
    QString m_notebook;
};

void TestCliKinds::initTestCase()
{
    m_notebook = m_folder.filePath(QStringLiteral("kinds.napkin"));
    const auto notebook = openNotebook(m_notebook);
    recordIn(*notebook, latencyResult(312us));
    recordIn(*notebook, sweepResult());
    recordIn(*notebook, loadedResult());
    recordIn(*notebook, pathMtuResult(1'500, 9'000));
    recordIn(*notebook,
             udpResult(BitRate::megabitsPerSecond(300), BitRate::megabitsPerSecond(95.6)));
    QVERIFY(sync(notebook->verify())->problems.empty());
}

QString TestCliKinds::text(const QStringList& words) const
{
    const auto outcome = runCli(words + QStringList{QStringLiteral("--notebook"), m_notebook});
    if (outcome.code != 0)
        return QString::fromUtf8(outcome.err);
    return QString::fromUtf8(outcome.out).replace(QChar(0x00a0), u' ');
}

json TestCliKinds::document(const QStringList& words) const
{
    const auto outcome = runCli(
        words + QStringList{QStringLiteral("--json"), QStringLiteral("--notebook"), m_notebook});
    return outcome.document().value_or(json());
}

void TestCliKinds::list()
{
    const QString out = text({QStringLiteral("list")});
    for (const char* part :
         {"Near end", "spark-a", "312 µs RTT p50", "alpha 21.0 µs, beta 1.00 GB/s",
          "12.0 ms RTT p50 under load, 12.0 × idle", "black hole", "arrived, 68 % lost",
          "! to be read with care"})
        QVERIFY2(out.contains(QString::fromUtf8(part)), qPrintable(out));
}

void TestCliKinds::listAsJson()
{
    const json records = document({QStringLiteral("list")}).at("records");
    QCOMPARE(records.size(), size_t(5));
    const json& udp = records.at(0);
    QCOMPARE(udp.at("kind").get<std::string>(), std::string("udp"));
    QCOMPARE(udp.at("flow").get<std::string>(), std::string("forward"));
    QCOMPARE(udp.at("forward_bits_per_second").get<std::int64_t>(), 95'600'000);
    QCOMPARE(udp.at("offered_bits_per_second").get<std::int64_t>(), 300'000'000);
    QVERIFY(udp.at("loss_ratio").get<double>() > 0.68);
    const json& path = records.at(1);
    QCOMPARE(path.at("path_mtu_bytes").get<int>(), 1'500);
    QCOMPARE(path.at("interface_mtu_bytes").get<int>(), 9'000);
    QCOMPARE(path.at("black_hole").get<bool>(), true);
    QVERIFY(path.at("flow").is_null() && path.at("latency_p50_ns").is_null());
    QVERIFY(records.at(2).at("loaded_ratio").get<double>() > 11.9);
    QCOMPARE(records.at(3).at("alpha_ns").get<std::int64_t>(), 21'000);
    QCOMPARE(records.at(4).at("latency_p50_ns").get<std::int64_t>(), 312'000);
}

void TestCliKinds::show_data()
{
    QTest::addColumn<QString>("number");
    QTest::addColumn<QStringList>("parts");
    const auto add = [](const char* number, const QStringList& parts) {
        QTest::newRow(number) << QString::fromLatin1(number) << parts;
    };
    add("1", {QStringLiteral("latency to 192.0.2.7, ICMP, 64 B, at most 5 s"),
              QStringLiteral("RTT p50 (median)"), QStringLiteral("312 µs"),
              QStringLiteral("when known to ± 1 %"), QStringLiteral("lost")});
    add("2", {QStringLiteral("Alpha, one way (half of the RTT)"), QStringLiteral("20,000 B"),
              QStringLiteral("left out")});
    add("3",
        {QStringLiteral("while sending"), QStringLiteral("12.0 ×"), QStringLiteral("made up")});
    add("4",
        {QStringLiteral("a black hole"), QStringLiteral("-s 1472"), QStringLiteral("no answer")});
    add("5", {QStringLiteral("300 Mb/s"), QStringLiteral("95.6 Mb/s"),
              QStringLiteral("datagrams (68 %)")});
}

void TestCliKinds::show()
{
    QFETCH(QString, number);
    QFETCH(QStringList, parts);
    QString out = text({QStringLiteral("show"), number, QStringLiteral("--samples")});
    out.remove(u',');
    for (QString part : parts)
        QVERIFY2(out.simplified().contains(part.remove(u',')), qPrintable(part + u'\n' + out));
}

void TestCliKinds::summaries()
{
    const auto summary = [this](int number) {
        return document({QStringLiteral("show"), QString::number(number)})
            .at("record")
            .at("summary");
    };
    QCOMPARE(summary(1).at("p50_ns").get<std::int64_t>(), 312'000);
    QCOMPARE(summary(1).at("lost").get<int>(), 1);
    QVERIFY(summary(1).at("p999_ns").is_null());
    QCOMPARE(summary(2).at("fit").at("alpha_ns").get<std::int64_t>(), 21'000);
    QCOMPARE(summary(2).at("sizes").size(), size_t(6));
    QCOMPARE(summary(3).at("phases").at(1).at("load").get<std::string>(), std::string("sending"));
    QVERIFY(summary(3).at("phases").at(0).at("ratio_to_idle").is_null());
    QCOMPARE(summary(4).at("forward").at("verdict").get<std::string>(), std::string("known"));
    QCOMPARE(summary(4).at("forward").at("black_hole").get<bool>(), true);
    QVERIFY(summary(4).at("reverse").is_null());
    QCOMPARE(summary(5).at("forward").at("contradictory").get<bool>(), false);
    QVERIFY(summary(5).at("reverse").is_null());
}

void TestCliKinds::anotherVersionsFigures()
{
    const QString path = m_folder.filePath(QStringLiteral("older.napkin"));
    recordIn(*openNotebook(path), latencyResult(312us));
    rawDatabase(path).exec(
        "DROP TRIGGER record_no_update; UPDATE record SET latency_p50_ns = 1, figures_version = 0; "
        "CREATE TRIGGER record_no_update BEFORE UPDATE ON record "
        "BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;");
    const auto notebook = [&path](const char* command) {
        return runCli({QStringLiteral("notebook"), QString::fromLatin1(command),
                       QStringLiteral("--notebook"), path});
    };
    auto outcome = notebook("verify");
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.contains("napkin-cli notebook refresh"), outcome.out.constData());
    QVERIFY2(outcome.out.contains("no problem found"), outcome.out.constData());
    outcome = notebook("refresh");
    QCOMPARE(outcome.code, 0);
    outcome = notebook("verify");
    QVERIFY2(!outcome.out.contains("refresh"), outcome.out.constData());
    const auto list = runCli({QStringLiteral("list"), QStringLiteral("--notebook"), path});
    QVERIFY2(list.out.contains("312"), list.out.constData());
}

void TestCliKinds::manySamplesAreBounded()
{
    const QString path = m_folder.filePath(QStringLiteral("many.napkin"));
    {
        ProbeResult result = latencyResult(312us);
        auto& samples = std::get<LatencyData>(result.data).samples;
        while (samples.size() < 6'000)
            samples.push_back(samples.front());
        recordIn(*openNotebook(path), result);
    }
    const auto outcome = runCli({QStringLiteral("show"), QStringLiteral("1"),
                                 QStringLiteral("--samples"), QStringLiteral("--notebook"), path});
    QCOMPARE(outcome.code, 0);
    QVERIFY(outcome.out.count('\n') < 5'200);
    QVERIFY(outcome.out.contains("more are not shown"));
}

void TestCliKinds::worksheet()
{
    const json row = document({QStringLiteral("worksheet")}).at("rows").at(0);
    QCOMPARE(row.at("rtt_p50").at("ns").get<std::int64_t>(), 312'000);
    QCOMPARE(row.at("path_mtu").at("bytes").get<int>(), 1'500);
    QCOMPARE(row.at("alpha").at("ns").get<std::int64_t>(), 21'000);
    QCOMPARE(row.at("beta").at("provenance").get<std::string>(), std::string("measured"));
    QVERIFY(row.at("loaded_ratio").at("ratio").get<double>() > 11.9);
    const QString out = text({QStringLiteral("worksheet")});
    for (const char* part : {"RTT", "312 µs", "Path MTU", "12.0 ×", "1.00 GB/s"})
        QVERIFY2(out.contains(QString::fromUtf8(part)), qPrintable(out));
}

void TestCliKinds::fitsTheTerminal_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("columns");
    for (const char* line :
         {"list", "worksheet", "show 1", "show 2", "show 3", "show 4", "show 5"}) {
        for (const int columns : {60, 80})
            QTest::addRow("%s, %d columns", line, columns) << QString::fromLatin1(line) << columns;
    }
}

void TestCliKinds::fitsTheTerminal()
{
    QFETCH(QString, line);
    QFETCH(int, columns);
    const auto outcome =
        runCliOnTerminal(line.split(u' ') + QStringList{QStringLiteral("--notebook"),
                                                        QDir().relativeFilePath(m_notebook)},
                         columns);
    QCOMPARE(outcome.code, 0);
    for (const QByteArray& shown : outcome.out.split('\n')) {
        const QString text = QString::fromUtf8(shown);
        const bool isOneWord = text.trimmed().size() > columns - 20 &&
                               !text.simplified().section(u' ', 1).contains(u' ');
        QVERIFY2(text.size() <= columns || isOneWord, qPrintable(text)); // a path, a hash
    }
}

void TestCliKinds::kindsThatNeedAPeer_data()
{
    QTest::addColumn<QString>("line");
    for (const char* line :
         {"sweep", "latency --method tcp", "latency --method udp", "loaded-latency --method udp"})
        QTest::newRow(line) << QString::fromLatin1(line);
}

// Nothing is sent and nothing recorded.
void TestCliKinds::kindsThatNeedAPeer()
{
    QFETCH(QString, line);
    QStringList words{QStringLiteral("measure")};
    words += line.split(u' ');
    words << QStringLiteral("127.0.0.1") << QStringLiteral("--peers")
          << m_folder.filePath(QStringLiteral("peers.json")) << QStringLiteral("--notebook")
          << m_folder.filePath(QStringLiteral("none.napkin"));
    const auto outcome = runCli(words);
    QCOMPARE(outcome.code, 2);
    const QString said = QString::fromUtf8(outcome.err);
    QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("none.napkin"))));
    for (const char* part : {"needs a paired machine", "--far", "peers invite"})
        QVERIFY2(said.simplified().contains(QString::fromLatin1(part), Qt::CaseInsensitive),
                 qPrintable(said));
}

QTEST_GUILESS_MAIN(TestCliKinds)
#include "tst_clikinds.moc"
