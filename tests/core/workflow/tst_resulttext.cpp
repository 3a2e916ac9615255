// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/resultrows.h"
#include "core/workflow/resulttext.h"
#include "tests/core/workflow/resultsamples.h"

#include <QLocale>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace napkin;
using namespace std::chrono_literals;
using namespace napkin::test;

class TestResultText : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void latency()
    {
        const ResultText text = resultText(latencyOf(200, 3));
        QCOMPARE(row(text, "RTT p50 (median)"), QStringLiteral("312 µs"));
        QCOMPARE(row(text, "RTT p99"), QStringLiteral("312 µs"));
        QCOMPARE(row(text, "RTT p99.9"), QStringLiteral("not known | from 1,000 answers on"));
        QVERIFY(row(text, "Lost").startsWith(QStringLiteral("3 (1.")));
        QCOMPARE(row(text, "Came twice"), QStringLiteral("2"));
        QCOMPARE(row(text, "Out of order"), QStringLiteral("1"));
        QCOMPARE(row(text, "Means"),
                 QStringLiteral("the system’s ping program | the far end’s kernel answers"));
        QCOMPARE(row(text, "Message"), QStringLiteral("64 B"));
        QCOMPARE(row(text, "Clock"), QStringLiteral("steps of 21 ns"));
        QVERIFY(!hasRow(text, "Waiting")); // the kernel's own affair
        QVERIFY(!text.table);
    }

    void latencyWithoutAnswers()
    {
        const ProbeResult result = latencyOf(0, 20);
        const ResultText text = resultText(result);
        QCOMPARE(row(text, "RTT p50 (median)"), QStringLiteral("not known"));
        QVERIFY(row(text, "Lost").contains(QStringLiteral("100 %")));
        QCOMPARE(headline(result), QStringLiteral("no answers"));
    }

    void latencyOfAPeerSaysHowItWaits()
    {
        const ResultText text = resultText(latencyOf(20, 0, EchoMethod::Udp));
        QCOMPARE(row(text, "Waiting"), QStringLiteral("blocking"));
        QCOMPARE(row(text, "RTT p99"), QStringLiteral("not known | from 100 answers on"));
        QCOMPARE(row(text, "Lost"), QStringLiteral("0"));
    }

    void sweep()
    {
        const ProbeResult result = sweepOf(31);
        const ResultText text = resultText(result);
        QVERIFY2(
            row(text, "Alpha, one way (half of the RTT)").startsWith(QStringLiteral("21.0 µs")),
            qPrintable(row(text, "Alpha, one way (half of the RTT)")));
        QVERIFY2(row(text, "Beta").startsWith(QStringLiteral("1.10 GB/s (8.80 Gb/s)")),
                 qPrintable(row(text, "Beta")));
        QCOMPARE(row(text, "The line breaks at"), QStringLiteral("no size"));
        QVERIFY(text.table);
        QCOMPARE(text.table->rows.size(), size_t(7));
        QCOMPARE(plain(text.table->rows[2][0]), QStringLiteral("1,025 B"));
        QCOMPARE(plain(text.table->rows[6][0]), QStringLiteral("64 KiB"));
        QCOMPARE(text.table->rows[6][1], QStringLiteral("30"));
        for (const QStringList& cells : text.table->rows)
            QCOMPARE(static_cast<size_t>(cells.size()), text.table->columns.size());
        QCOMPARE(plain(headline(result)), QStringLiteral("alpha 21.0 µs, beta 1.10 GB/s"));
    }

    // From 32 KiB on each byte takes five times as long.
    void sweepThatBreaks()
    {
        SweepData data;
        for (int round = 0; round < 31; ++round) {
            for (const double size : {1, 64, 1'025, 4'096, 16'384, 24'577, 32'768, 65'536, 131'072,
                                      262'144, 524'288, 1'048'576}) {
                const double knee = 24'577;
                const double time = 2 * (21'000 + std::min(size, knee) / 1.1 +
                                         std::max(0.0, size - knee) * 5 / 1.1);
                data.samples.push_back({round, ByteCount::bytes(std::llround(size)), round * 10ms,
                                        Duration(std::llround(time))});
            }
        }
        const ProbeResult result = resultOf(SweepOptions(), data);
        const ResultText text = resultText(result);
        QVERIFY2(row(text, "Beta").contains(QStringLiteral("messages up to 32 KiB")),
                 qPrintable(row(text, "Beta")));
        QVERIFY2(row(text, "Beta, large messages")
                     .startsWith(QStringLiteral("220 MB/s (1.76 Gb/s), from 32 KiB on")),
                 qPrintable(row(text, "Beta, large messages")));
        QCOMPARE(plain(headline(result)),
                 QStringLiteral("alpha 21.0 µs, beta 1.10 GB/s up to 32 KiB, 220 MB/s large"));
    }

    void sweepWithoutAlpha()
    {
        SweepData data;
        for (int round = 0; round < 31; ++round) {
            for (const int size : {131'072, 196'609, 262'144, 393'217, 524'288, 786'433})
                data.samples.push_back(
                    {round, ByteCount::bytes(size), round * 10ms, Duration(2 * (size - 20'000))});
        }
        const ProbeResult result = resultOf(SweepOptions(), data);
        QVERIFY(row(resultText(result), "Alpha, one way (half of the RTT)")
                    .startsWith(QStringLiteral("not known | the line")));
        QVERIFY2(headline(result).startsWith(QStringLiteral("alpha not known, beta ")),
                 qPrintable(headline(result)));
    }

    void sweepTooShortForALine()
    {
        const ProbeResult result = sweepOf(2);
        QCOMPARE(row(resultText(result), "Alpha and beta"),
                 QStringLiteral("not known | five sizes and five rounds are needed"));
        QCOMPARE(headline(result), QString());
    }

    void loaded()
    {
        const ProbeResult result = loadedOf(true);
        const ResultText text = resultText(result);
        QCOMPARE(row(text, "Under load"),
                 QStringLiteral("10.0 × the RTT p50 of idle | while sending"));
        QVERIFY(text.table);
        QCOMPARE(text.table->rows.size(), size_t(4));
        const QStringList idle = text.table->rows[0];
        QCOMPARE(plain(idle.join(u'/')), QStringLiteral("idle/300 µs/300 µs////0"));
        const QStringList both = text.table->rows[3];
        QCOMPARE(plain(both.join(u'/')),
                 QStringLiteral("both at once/1.50 ms/1.50 ms/5.00 ×/941 Mb/s/930 Mb/s/0"));
        QCOMPARE(plain(headline(result)),
                 QStringLiteral("3.00 ms RTT p50 under load, 10.0 × idle"));
    }

    void loadedCutShort()
    {
        const ProbeResult result = loadedOf(false);
        QVERIFY(row(resultText(result), "Under load").startsWith(QStringLiteral("not known")));
        QCOMPARE(headline(result), QString());
    }

    void blackHole()
    {
        const ProbeResult result = pathOf(1'500, SizeProbe::Fate::Silent, 9'000);
        const ResultText text = resultText(result);
        QCOMPARE(
            row(text, "Forward"),
            QStringLiteral("Packets up to 1,500 bytes pass; larger ones vanish without a word: "
                           "a black hole. The interface would allow 9,000 bytes."));
        QVERIFY(row(text, "The same by hand").contains(QStringLiteral("1472")));
        QVERIFY(row(text, "The same by hand").contains(QStringLiteral("192.168.1.7")));
        QVERIFY(!hasRow(text, "Reverse"));
        QCOMPARE(headline(result),
                 QStringLiteral("path MTU 1,500 bytes (interface 9,000 bytes), black hole"));
    }

    void routerThatTells()
    {
        const ProbeResult result = pathOf(1'400, SizeProbe::Fate::TooBigOnWay, 1'500);
        QCOMPARE(
            row(resultText(result), "Forward"),
            QStringLiteral("Packets up to 1,400 bytes pass; 10.0.0.1 says that larger ones are "
                           "too big. The interface would allow 1,500 bytes."));
        QCOMPARE(headline(result), QStringLiteral("path MTU 1,400 bytes (interface 1,500 bytes)"));
    }

    void asLargeAsTheInterface()
    {
        const ProbeResult result = pathOf(1'500, SizeProbe::Fate::TooBigHere, 1'500);
        QCOMPARE(
            row(resultText(result), "Forward"),
            QStringLiteral("Packets up to 1,500 bytes pass, as large as the interface allows."));
        QCOMPARE(headline(result), QStringLiteral("path MTU 1,500 bytes"));
    }

    void largeTransferThatStalls()
    {
        ProbeResult result = pathOf(1'500, SizeProbe::Fate::Silent, 9'000);
        BulkTransfer bulk;
        bulk.direction = Direction::Forward;
        bulk.outcome = BulkTransfer::Outcome::Stalled;
        bulk.asked = ByteCount::bytes(1'000'000);
        std::get<PathMtuData>(result.data).bulk = {bulk};
        QCOMPARE(row(resultText(result), "Forward, large transfer"),
                 QStringLiteral("stalled after 0 B of 1.00 MB | the connection stood, and large "
                                "packets did not pass"));
    }

    void largeTransferThatWasNotMade()
    {
        ProbeResult result = pathOf(1'500, SizeProbe::Fate::TooBigHere, 1'500);
        BulkTransfer bulk;
        bulk.direction = Direction::Reverse;
        bulk.outcome = BulkTransfer::Outcome::NotMade;
        bulk.whyNot = ErrorCode::PeerBusy;
        std::get<PathMtuData>(result.data).bulk = {bulk};
        const ResultText text = resultText(result);
        QCOMPARE(row(text, "Reverse, large transfer"),
                 QStringLiteral("not made | the server at the port is busy with another test"));
        QVERIFY(row(text, "Reverse").startsWith(QStringLiteral("not tried")));
    }

    void udpOfALinkThatWentDown()
    {
        UdpOptions options;
        options.rate = BitRate::megabitsPerSecond(10);
        UdpData data;
        for (int i = 0; i < 20; ++i) {
            UdpSample sample;
            sample.start = i * 100ms;
            sample.length = 100ms;
            sample.packets = 100;
            sample.bytes = ByteCount::bytes(125'000);
            data.samples.push_back(sample);
        }
        const ProbeResult result = resultOf(options, data);
        const ResultText text = resultText(result);
        QCOMPARE(row(text, "Offered"), QStringLiteral("10.0 Mb/s | 10.0 Mb/s were asked for"));
        QCOMPARE(row(text, "Arrived"), QStringLiteral("not known | the receiver never told"));
        QCOMPARE(plain(headline(result)),
                 QStringLiteral("10.0 Mb/s sent, what arrived is not known"));
    }

    void udpOverTheTimeThatWasAskedFor()
    {
        UdpTotal total = totalOf(300'000, 300'000, 0);
        total.sentOver.reset();
        total.duration = 12s;
        const QString offered = row(resultText(udpOf(total)), "Offered");
        QVERIFY2(offered.startsWith(QStringLiteral("300 Mb/s | over the time that was asked for")),
                 qPrintable(offered));
    }

    void udp()
    {
        const ProbeResult result = udpOf(totalOf(300'000, 95'600, 204'400));
        const ResultText text = resultText(result);
        QCOMPARE(row(text, "Offered"), QStringLiteral("300 Mb/s | 300 Mb/s were asked for"));
        QVERIFY(row(text, "Arrived").startsWith(QStringLiteral("95.6 Mb/s")));
        QCOMPARE(row(text, "Lost"), QStringLiteral("204,400 of 300,000 datagrams (68 %)"));
        QVERIFY(hasRow(text, "Why"));
        QCOMPARE(row(text, "Jitter"), QStringLiteral("12.0 µs"));
        QCOMPARE(row(text, "Out of order"), QStringLiteral("not known"));
        QCOMPARE(plain(headline(result)), QStringLiteral("95.6 of 300 Mb/s arrived, 68 % lost"));
    }

    void udpLostTail()
    {
        const ResultText text = resultText(udpOf(totalOf(1'000, 900, 60)));
        QCOMPARE(
            row(text, "Lost"),
            QStringLiteral("100 of 1,000 datagrams (10 %) | 40 of them after the last that came"));
    }

    // Never a ratio out of counts that can not both be true.
    void udpThatContradictsItself()
    {
        ProbeResult result = udpOf(totalOf(1'000, 1'200, 60));
        const ResultText text = resultText(result);
        QVERIFY2(row(text, "Lost").startsWith(QStringLiteral("not usable: 1,000 sent, 1,200")),
                 qPrintable(row(text, "Lost")));
        QVERIFY(!row(text, "Lost").contains(u'%'));
        QVERIFY(!hasRow(text, "Why"));
        result.quality = {{QualityFlag::Contradictory, {}}};
        QVERIFY(headline(result).startsWith(QStringLiteral("not usable")));
    }

    void certainty_data()
    {
        QTest::addColumn<int>("verdict");
        QTest::addColumn<double>("halfWidth");
        QTest::addColumn<QString>("text");
        using Verdict = Certainty::Verdict;
        QTest::newRow("sure") << int(Verdict::Sure) << 0.5
                              << QStringLiteral("100 u ± 0.5 u | ± 0.50 %, with 95 % confidence");
        QTest::newRow("not yet")
            << int(Verdict::NotYet) << 4.0
            << QStringLiteral(
                   "100 u ± 4 u | ± 4.0 %, with 95 % confidence: not yet known to ± 1 %");
        QTest::newRow("too little")
            << int(Verdict::NotYet) << 0.0
            << QStringLiteral("not known | too little was measured to tell");
        QTest::newRow("not steady")
            << int(Verdict::NotSteady) << 4.0 << QStringLiteral("not steady: from 80 u to 120 u");
    }
    void certainty()
    {
        QFETCH(int, verdict);
        QFETCH(double, halfWidth);
        QFETCH(QString, text);
        Certainty certainty;
        certainty.verdict = static_cast<Certainty::Verdict>(verdict);
        certainty.mean = 100;
        certainty.halfWidth = halfWidth;
        certainty.lowest = 80;
        certainty.highest = 120;
        const ResultText rows{{detail::certaintyRow(QStringLiteral("x"), certainty, unitText)}, {}};
        QCOMPARE(row(rows, "x"), text);
    }

    void memoryTellsMedianBestAndHow()
    {
        MemoryData data;
        data.arraySize = ByteCount::mebibytes(100);
        data.threads = 8;
        data.cores = 8;
        data.pinned = true;
        data.cacheSize = ByteCount::mebibytes(24);
        for (int i = 0; i < 12; ++i)
            data.samples.push_back({i * 20ms, i == 5 ? 8ms : 10ms, i == 0});
        const ProbeResult result = resultOf(MemoryOptions(), data);
        QCOMPARE(plain(headline(result)), QStringLiteral("31.5 GB/s from memory"));
        const ResultText text = resultText(result);
        QCOMPARE(row(text, "Median"), QStringLiteral("31.5 GB/s"));
        QCOMPARE(row(text, "Best"), QStringLiteral("39.3 GB/s"));
        QVERIFY(row(text, "Passes").startsWith(QStringLiteral("11 | triad as STREAM counts it")));
        QVERIFY(row(text, "Arrays").contains(QStringLiteral("24")));
        data.cacheSize.reset();
        data.pinned = false;
        const ResultText other = resultText(resultOf(MemoryOptions(), data));
        QVERIFY(row(other, "Arrays").contains(QStringLiteral("does not tell")));
        QVERIFY(row(other, "Threads").contains(QStringLiteral("not kept")));
    }

    void storageTellsWhatItWasReadFrom()
    {
        StorageOptions options;
        options.file = QStringLiteral("model.gguf");
        StorageData data;
        data.way = StorageWay::Direct;
        data.place = StoragePlace::Disk;
        data.fileSize = ByteCount::gigabytes(6);
        data.allocated = data.fileSize;
        data.fileSystem = QStringLiteral("ext4");
        data.device = QStringLiteral("vda1");
        for (int i = 0; i < 20; ++i)
            data.samples.push_back({i * 100ms, 100ms, ByteCount::bytes(150'000'000)});
        ProbeResult result = resultOf(options, data);
        QCOMPARE(plain(headline(result)), QStringLiteral("1.50 GB/s read"));
        const ResultText text = resultText(result);
        QCOMPARE(row(text, "Mean"), QStringLiteral("1.50 GB/s"));
        QCOMPARE(row(text, "Slowest second"), QStringLiteral("1.50 GB/s"));
        QVERIFY(row(text, "Read").startsWith(QStringLiteral("3.00 GB of 6.00 GB")));
        QVERIFY(row(text, "How").startsWith(QStringLiteral("past the page cache")));
        QVERIFY(hasRow(text, "Emulated"));
        QVERIFY(!hasRow(text, "Room on the device"));
        data.place = StoragePlace::Network;
        data.fileSystem = QStringLiteral("nfs4");
        data.device = QStringLiteral("nas:/models");
        data.allocated = ByteCount::gigabytes(3);
        result = resultOf(options, data);
        result.quality = {{QualityFlag::NotADisk, data.fileSystem}};
        QCOMPARE(plain(headline(result)), QStringLiteral("1.50 GB/s read, not a disk"));
        QVERIFY(row(resultText(result), "File system").contains(QStringLiteral("another machine")));
        QVERIFY(!hasRow(resultText(result), "Emulated"));
        QVERIFY(hasRow(resultText(result), "Room on the device"));
        data.way = StorageWay::Cached;
        result = resultOf(options, data);
        QVERIFY(headline(result).startsWith(QStringLiteral("not usable")));
        QVERIFY(!hasRow(resultText(result), "Mean"));
    }

    // A partial run may have nothing of what it was for.
    void emptyResults()
    {
        const std::array<ProbeResult, 8> results{
            resultOf(ThroughputOptions(), ThroughputData()),
            resultOf(ConnectOptions(), ConnectData()),
            resultOf(LatencyOptions(), LatencyData()),
            resultOf(SweepOptions(), SweepData()),
            resultOf(LoadedLatencyOptions(), LoadedLatencyData()),
            resultOf(PathMtuOptions(), PathMtuData()),
            resultOf(UdpOptions(), UdpData()),
            resultOf(MemoryOptions(), MemoryData())};
        for (const ProbeResult& result : results) {
            QCOMPARE(headline(result), QString());
            for (const ResultRow& row : resultText(result).rows)
                QVERIFY2(!row.value.isEmpty(), qPrintable(row.label));
            QVERIFY(!probeKindText(result.spec.kind()).isEmpty());
        }
    }

    // What lists show is made without the samples, and reads the same.
    void headlineOfASummary()
    {
        const ProbeResult result = udpOf(totalOf(300'000, 95'600, 204'400));
        RecordSummary summary;
        summary.kind = result.spec.kind();
        static_cast<KeyFigures&>(summary) = keyFigures(result);
        QCOMPARE(headline(summary), headline(result));
        summary.flags = {QualityFlag::Contradictory};
        QVERIFY(headline(summary).startsWith(QStringLiteral("not usable")));
    }
};

QTEST_GUILESS_MAIN(TestResultText)
#include "tst_resulttext.moc"
