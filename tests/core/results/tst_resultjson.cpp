// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/json.h"
#include "tests/core/results/kindresults.h"

#include <QRandomGenerator>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace napkin;
using namespace std::chrono_literals;
using Json = nlohmann::json;
using namespace napkin::test;

class ResultJsonTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void throughputComesBackEqual()
    {
        const ProbeResult result = fullResult();
        const QByteArray text = toJson(result);
        const auto back = resultFromJson(text);
        QVERIFY2(back.has_value(), qPrintable(back ? QString() : back.error().detail));
        QVERIFY(*back == result);
        QCOMPARE(toJson(*back), text); // canonical
        QVERIFY(!text.contains('\n'));
    }
    // Written before senders told their time, and before transfers that were not made were kept.
    void olderDocumentsAreRead()
    {
        QByteArray text = toJson(udpResult());
        QVERIFY(text.contains(",\"sent_over_ns\":10000000000"));
        text.replace(",\"sent_over_ns\":10000000000", "").replace(",\"sent_over_ns\":null", "");
        QVERIFY(!text.contains("sent_over"));
        const auto back = resultFromJson(text);
        QVERIFY2(back.has_value(), qPrintable(back ? QString() : back.error().detail));
        QVERIFY(!std::get<UdpData>(back->data).totals.back().sentOver);
    }
    void connectComesBackEqual()
    {
        ProbeResult result = fullResult();
        result.completion = Completion::Complete;
        result.fault.reset();
        result.spec.options = ConnectOptions{7, 10ms, 500ms};
        result.data = ConnectData{{{0ns, 120us, ConnectSample::Outcome::Connected},
                                   {50ms, 2s, ConnectSample::Outcome::TimedOut}}};
        const auto back = resultFromJson(toJson(result));
        QVERIFY(back.has_value());
        QVERIFY(*back == result);
    }
    void everyKindComesBackEqual_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind :
             {"latency", "sweep", "loaded-latency", "path-mtu", "udp", "memory", "storage", "soak"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void everyKindComesBackEqual()
    {
        QFETCH(QString, kind);
        const ProbeResult result = resultOfKind(kind);
        QCOMPARE(probeKindName(result.spec.kind()), kind);
        const QByteArray text = toJson(result);
        const auto back = resultFromJson(text);
        QVERIFY2(back.has_value(), qPrintable(back ? QString() : back.error().detail));
        QVERIFY(*back == result);
        QCOMPARE(toJson(*back), text);
    }
    void anEndingIsWrittenOnlyWhereItIsUnusual()
    {
        ProbeResult result = fullResult();
        const Json fixed = Json::parse(toJson(result).toStdString());
        QCOMPARE(fixed["spec"]["options"].dump(),
                 std::string(R"({"block_bytes":65536,"congestion_control":"cubic",)"
                             R"("duration_ms":10000,"flow":"bidirectional","omit_ms":1000,)"
                             R"("streams":4})"));
        std::get<ThroughputOptions>(result.spec.options).ending = Ending::WhenSure;
        const auto back = resultFromJson(toJson(result));
        QVERIFY(back.has_value());
        QCOMPARE(std::get<ThroughputOptions>(back->spec.options).ending, Ending::WhenSure);
    }
    void hostileValuesOfEveryKind_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("value");
        const auto row = [](const char* kind, const char* path, const char* value) {
            QTest::addRow("%s %s %s", kind, path, value)
                << QString::fromLatin1(kind) << QString::fromLatin1(path) << QByteArray(value);
        };
        row("latency", "/spec/options/method", "\"pigeon\"");
        row("latency", "/spec/options/ending", "\"never\"");
        row("latency", "/spec/options/wait", "1");
        row("latency", "/data/samples/outcome/0", "2");
        row("latency", "/data/samples/time_ns/0", "-1");
        row("latency", "/data/samples/time_ns", "[1]");
        row("latency", "/data/samples", "[]");
        row("latency", "/data/duplicates", "-1");
        row("latency", "/data/clock_step_ns", "\"1\"");
        row("sweep", "/data/samples/size_bytes/0", "0");
        row("sweep", "/data/samples/size_bytes/0", "18446744073709551615");
        row("sweep", "/data/samples/round/0", "-1");
        row("sweep", "/data/samples/round/0", "1e300");
        row("sweep", "/spec/options/rounds", "null");
        row("loaded-latency", "/data/phases/0/load", "\"some\"");
        row("loaded-latency", "/data/phases/1/forward_bps", "1.5");
        row("loaded-latency", "/data/phases", "[1,2,3,4,5]");
        row("loaded-latency", "/data/phases", "[1]");
        row("path-mtu", "/data/ip_version", "5");
        row("path-mtu", "/data/ip_version", "7");
        row("path-mtu", "/data/probes/0/fate", "\"eaten\"");
        row("path-mtu", "/data/probes/0/size_bytes", "-1");
        row("path-mtu", "/data/probes/0/told_bytes", "99999999999");
        row("path-mtu", "/data/bulk/0/outcome", "3");
        row("path-mtu", "/data/probes", "{}");
        row("udp", "/data/samples/stream/0", "128");
        row("udp", "/data/samples/at_receiver/0", "2");
        row("udp", "/data/samples/bytes/0", "null");
        row("udp", "/data/totals/0/packets_received", "1.5");
        row("udp", "/data/totals/0/received_bytes", "-1");
        row("udp", "/data/datagram_bytes", "65536");
        row("udp", "/spec/options/rate_bps", "-1");
        row("memory", "/spec/options/threads", "-1");
        row("memory", "/data/samples/time_ns/1", "-1");
        row("memory", "/data/samples/time_ns/1", "9000000000000000000");
        row("memory", "/data/samples/warm_up/0", "2");
        row("memory", "/data/samples/start_ns", "[1]");
        row("memory", "/data/array_bytes", "9223372036854775807");
        row("memory", "/data/array_bytes", "-8");
        row("memory", "/data/cache_bytes", "-1");
        row("memory", "/data/threads", "1e9");
        row("memory", "/data/pinned", "1");
        row("memory", "/data/busy_before", "-0.5");
        row("memory", "/data/ran", "\"all\"");
        row("memory", "/data/ran", "1e300");
        row("storage", "/spec/options/file", "7");
        row("storage", "/spec/options/depth", "-1");
        row("storage", "/data/samples/bytes/0", "9223372036854775807");
        row("storage", "/data/samples/bytes/0", "-1");
        row("storage", "/data/samples/length_ns/0", "null");
        row("storage", "/data/way", "\"surely\"");
        row("storage", "/data/place", "null");
        row("storage", "/data/file_bytes", "-1");
        row("storage", "/data/rotational", "\"no\"");
        row("storage", "/data/model", "{}");
        row("soak", "/spec/options/flow", "\"up\"");
        row("soak", "/spec/options/duration_ms", "-1");
        row("soak", "/spec/options/rate_cap_bps", "-1");
        row("soak", "/spec/options/lost_after_ms", "\"1\"");
        row("soak", "/data/spans", "[]");
        row("soak", "/data/spans/direction/0", "2");
        row("soak", "/data/spans/start_ns/0", "9223372036854775807");
        row("soak", "/data/spans/length_ns/0", "-1");
        row("soak", "/data/spans/bytes/0", "9223372036854775807");
        row("soak", "/data/spans/median_bps", "[1]");
        row("soak", "/data/spans/retransmits/0", "-1");
        row("soak", "/data/events", "{}");
        row("soak", "/data/events/0/kind", "\"boredom\"");
        row("soak", "/data/events/0/direction", "\"sideways\"");
        row("soak", "/data/events/0/got", "256");
        row("soak", "/data/events/0/offset", "-1");
        row("soak", "/data/events/0/start_ns", "9223372036854775807");
        row("soak", "/data/events/1/cause", "7");
        row("soak", "/data/events/1/open", "1");
        row("soak", "/data/totals", "[1,2,3]");
        row("soak", "/data/totals/0/blocks", "-1");
        row("soak", "/data/totals/0/received_bytes", "9223372036854775807");
        row("soak", "/data/stalls", "-1");
        row("soak", "/data/elapsed_ns", "null");
    }
    void hostileValuesOfEveryKind()
    {
        QFETCH(QString, kind);
        QFETCH(QString, path);
        QFETCH(QByteArray, value);
        Json json = Json::parse(toJson(resultOfKind(kind)).toStdString());
        const Json::json_pointer place(path.toStdString());
        QVERIFY(json.contains(place));
        json[place] = Json::parse(value.toStdString());
        const auto back = resultFromJson(QByteArray::fromStdString(json.dump()));
        QVERIFY(!back.has_value());
        QVERIFY(!back.error().detail.isEmpty());
    }
    void bytesThatAreNoTextAreReplaced()
    {
        ProbeResult result = fullResult();
        std::get<ThroughputData>(result.data).farProgram =
            QString(QChar(0xd800)); // a lone surrogate
        QVERIFY(resultFromJson(toJson(result)).has_value());
    }
    void brokenInputIsRefusedWithThePlace_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("value"); // JSON; empty: remove the key
        QTest::addColumn<QString>("place");
        const auto row = [](const char* path, const char* value, const char* place) {
            QTest::addRow("%s %s", path, value)
                << QString::fromLatin1(path) << QByteArray(value) << QString::fromLatin1(place);
        };
        row("/format", "\"something\"", "format");
        row("/id", "\"12\"", "id");
        row("/id", "null", "id");
        row("/started_at", "\"yesterday\"", "started_at");
        row("/completion", "\"done\"", "completion");
        row("/origin", "3", "origin");
        row("/spec/kind", "\"guess\"", "kind");
        row("/spec/far/port", "70000", "port");
        row("/spec/options/streams", "\"4\"", "streams");
        row("/spec/options/streams", "129", "streams");
        row("/data/samples/bytes", "[1,2]", "columns differ");
        row("/data/samples/bytes/3", "-1", "bytes[3]");
        row("/data/samples/bytes/3", "18446744073709551615", "bytes[3]");
        row("/data/samples/bytes/3", "null", "bytes[3]");
        row("/data/samples/direction/0", "2", "direction[0]");
        row("/data/samples/stream/0", "128", "stream[0]");
        row("/data/totals/0/received_bytes", "1.5", "received_bytes");
        row("/data/near_cpu", "{}", "total");
        row("/quality", "{}", "quality");
        row("/fault/code", "\"fine\"", "fault");
    }
    void brokenInputIsRefusedWithThePlace()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, value);
        QFETCH(QString, place);
        Json json = Json::parse(toJson(fullResult()).toStdString());
        json[Json::json_pointer(path.toStdString())] = Json::parse(value.toStdString());
        const auto back = resultFromJson(QByteArray::fromStdString(json.dump()));
        QVERIFY(!back.has_value());
        QVERIFY2(back.error().detail.contains(place), qPrintable(back.error().detail));
    }
    void newerVersionIsUnsupported()
    {
        Json json = Json::parse(toJson(fullResult()).toStdString());
        json["version"] = 2;
        const auto back = resultFromJson(QByteArray::fromStdString(json.dump()));
        QVERIFY(!back.has_value());
        QCOMPARE(back.error().code, ErrorCode::Unsupported);
    }
    void cutAndMangledInputNeverCrashes()
    {
        const QList<QByteArray> texts{toJson(fullResult()), toJson(memoryResult()),
                                      toJson(storageResult())};
        QRandomGenerator random(20261201);
        for (int i = 0; i < 4'000; ++i) {
            QByteArray bad = texts[i / 7 % texts.size()];
            if (i % 2 == 0)
                bad.truncate(random.bounded(static_cast<int>(bad.size())));
            for (int k = 0; k < i % 7; ++k) {
                if (!bad.isEmpty())
                    bad[random.bounded(static_cast<int>(bad.size()))] =
                        static_cast<char>(random.bounded(256));
            }
            const auto back = resultFromJson(bad);
            if (!back)
                QVERIFY(!errorCodeName(back.error().code).isEmpty());
        }
    }
};

QTEST_GUILESS_MAIN(ResultJsonTest)
#include "tst_resultjson.moc"
