// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/json.h"
#include "core/results/keyfigures.h"
#include "core/results/machinesummary.h"

#include <QTest>

#include <algorithm>

using namespace napkin;
using namespace std::chrono_literals;

namespace {

// Arrays of 100 MB: a pass in 10 ms is 30 GB/s.
MemoryData memory(const std::vector<Duration>& times)
{
    MemoryData data;
    data.arraySize = ByteCount::bytes(100'000'000);
    data.threads = 2;
    data.samples.push_back({0ns, 1s, true});
    Duration at = 1s;
    for (const Duration time : times) {
        data.samples.push_back({at, time, false});
        at += time;
    }
    return data;
}

StorageData storage(const std::vector<std::int64_t>& megabytes, Duration length = 100ms)
{
    StorageData data;
    data.way = StorageWay::Direct;
    data.place = StoragePlace::Disk;
    data.fileSize = ByteCount::gigabytes(10);
    data.allocated = data.fileSize;
    Duration at{};
    for (const std::int64_t amount : megabytes) {
        data.samples.push_back({at, length, ByteCount::bytes(amount * 1'000'000)});
        at += length;
    }
    return data;
}

std::vector<QualityFlag> flagsOf(ProbeOptions options, ProbeData data)
{
    ProbeResult result;
    result.spec.options = std::move(options);
    result.data = std::move(data);
    std::vector<QualityFlag> flags;
    for (const QualityNote& note : assessQuality(result))
        flags.push_back(note.flag);
    return flags;
}

std::vector<QualityFlag> flagsOf(const MemoryData& data)
{
    return flagsOf(MemoryOptions(), data);
}

std::vector<QualityFlag> flagsOf(const StorageData& data)
{
    StorageOptions options;
    options.file = QStringLiteral("model.gguf");
    return flagsOf(options, data);
}

bool has(const std::vector<QualityFlag>& flags, QualityFlag flag)
{
    return std::ranges::find(flags, flag) != flags.end();
}

} // namespace

class MachineSummaryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void bytesAreCountedAsStreamDoes()
    {
        QCOMPARE(bytesOfPass(memory({})).bytes(), std::int64_t(3 * 100'000'000));
    }
    void medianAndBestLeaveTheWarmUpOut()
    {
        const MemorySummary summary = summarise(memory({10ms, 20ms, 15ms}));
        QCOMPARE(summary.passes, 3);
        QCOMPARE(summary.median->bytesPerSecond(), std::int64_t(20'000'000'000));
        QCOMPARE(summary.best->bytesPerSecond(), std::int64_t(30'000'000'000));
        QCOMPARE(summary.slowest->bytesPerSecond(), std::int64_t(15'000'000'000));
    }
    void nothingMeasuredHasNoFigure()
    {
        QVERIFY(!summarise(memory({})).median);
        QVERIFY(!summarise(StorageData()).mean);
        QVERIFY(!hasMeasured(memory({})));
        QVERIFY(!hasMeasured(storage({0})));
        QVERIFY(hasMeasured(storage({0, 1})));
    }
    void aPassWithoutTimeHasNoRate()
    {
        QVERIFY(!summarise(memory({0ns})).median);
        QVERIFY(!byteRateOf(ByteCount::bytes(1), -1ns));
    }
    void storageHasItsMeanAndItsSlowestSecond()
    {
        std::vector<std::int64_t> amounts(20, 100);
        for (std::size_t i = 10; i < 20; ++i)
            amounts[i] = 10;
        const StorageSummary summary = summarise(storage(amounts));
        QCOMPARE(summary.read.bytes(), std::int64_t(1'100'000'000));
        QCOMPARE(summary.duration, Duration(2s));
        QCOMPARE(summary.mean->bytesPerSecond(), std::int64_t(550'000'000));
        QCOMPARE(summary.slowestSecond->bytesPerSecond(), std::int64_t(100'000'000));
    }
    void aPauseIsPartOfASecond()
    {
        // 0.6 s of 100 MB/s, 1.2 s of nothing, 0.2 s of 100 MB/s: the first second has 60 MB, the
        // second one 20 MB.
        StorageData data = storage({});
        data.samples = {{0ns, 600ms, ByteCount::bytes(60'000'000)},
                        {600ms, 1'200ms, ByteCount::bytes(0)},
                        {1'800ms, 200ms, ByteCount::bytes(20'000'000)}};
        QCOMPARE(summarise(data).slowestSecond->bytesPerSecond(), std::int64_t(20'000'000));
        QVERIFY(!summarise(storage({1, 1})).slowestSecond); // no whole second
    }
    void whatTheCacheHadAPartInHasNoKeyFigure()
    {
        ProbeResult result;
        StorageData data = storage({100});
        result.data = data;
        QCOMPARE(keyFigures(result).byteRate->bytesPerSecond(), std::int64_t(1'000'000'000));
        data.way = StorageWay::Cached;
        result.data = data;
        QVERIFY(!keyFigures(result).byteRate);
        result.data = memory({10ms});
        QCOMPARE(keyFigures(result).byteRate->bytesPerSecond(), std::int64_t(30'000'000'000));
    }
    void memoryIsFlagged()
    {
        const std::vector<Duration> steady(20, 10ms);
        QVERIFY(flagsOf(memory(steady)).empty());
        QVERIFY(has(flagsOf(memory({10ms, 10ms})), QualityFlag::TooShort));
        std::vector<Duration> slower(20, 10ms);
        std::fill(slower.begin() + 10, slower.end(), Duration(12ms));
        QVERIFY(has(flagsOf(memory(slower)), QualityFlag::NotSteady));
        MemoryData busy = memory(steady);
        busy.busyBefore = Ratio::of(0.05);
        busy.ran = Ratio::of(0.97);
        QVERIFY(flagsOf(busy).empty());
        busy.busyBefore = Ratio::of(0.3);
        QVERIFY(has(flagsOf(busy), QualityFlag::OtherWork));
        busy.busyBefore.reset();
        busy.ran = Ratio::of(0.7);
        QVERIFY(has(flagsOf(busy), QualityFlag::OtherWork));
    }
    void storageIsFlagged()
    {
        const std::vector<std::int64_t> steady(30, 100);
        QVERIFY(flagsOf(storage(steady)).empty());
        QVERIFY(has(flagsOf(storage({100, 100})), QualityFlag::TooShort));
        StorageData cached = storage(steady);
        cached.way = StorageWay::Cached;
        QVERIFY(has(flagsOf(cached), QualityFlag::FromCache));
        StorageData network = storage(steady);
        network.place = StoragePlace::Network;
        QVERIFY(has(flagsOf(network), QualityFlag::NotADisk));
        StorageData layers = storage(steady);
        layers.place = StoragePlace::Other;
        QVERIFY(flagsOf(layers).empty());
        std::vector<std::int64_t> slower(30, 100);
        std::fill(slower.begin() + 15, slower.end(), 50);
        QVERIFY(has(flagsOf(storage(slower)), QualityFlag::NotSteady));
    }
    void newFlagsHaveNames()
    {
        for (const auto flag :
             {QualityFlag::OtherWork, QualityFlag::FromCache, QualityFlag::NotADisk}) {
            QCOMPARE(qualityFlagFromName(qualityFlagName(flag)).value(), flag);
            QVERIFY(!qualityFlagText(flag).isEmpty());
        }
    }
    void whatWasToldAddsUp()
    {
        ProbeData all = emptyData(ProbeKind::Memory);
        MemoryData first = memory({10ms});
        append(all, first);
        MemoryData second = memory({20ms});
        second.pinned = true;
        append(all, second);
        const auto& sum = std::get<MemoryData>(all);
        QCOMPARE(sum.samples.size(), std::size_t(4));
        QVERIFY(sum.pinned);
        QCOMPARE(sum.arraySize, first.arraySize);
    }
    void optionsAreChecked()
    {
        ProbeSpec spec;
        spec.options = MemoryOptions();
        QVERIFY(validate(spec)); // without a far end
        spec.link = LinkId::create();
        QVERIFY(!validate(spec));
        spec.link.reset();
        spec.options = MemoryOptions{61s, 0};
        QVERIFY(!validate(spec));
        spec.options = MemoryOptions{5s, 1'025};
        QVERIFY(!validate(spec));
        spec.options = StorageOptions();
        QVERIFY(!validate(spec)); // no file
        StorageOptions storage;
        storage.file = QStringLiteral("x");
        spec.options = storage;
        QVERIFY(validate(spec));
        storage.request = ByteCount::bytes(100'000);
        spec.options = storage;
        QVERIFY(!validate(spec));
        storage.request = ByteCount::mebibytes(1);
        storage.depth = 65;
        spec.options = storage;
        QVERIFY(!validate(spec));
    }
    void foldersAreNotWritten()
    {
        ProbeSpec spec;
        StorageOptions options;
        options.file = QStringLiteral("/home/me/secret project/model.gguf");
        spec.options = options;
        const auto json = specToJson(spec);
        QVERIFY(json.dump().find("secret") == std::string::npos);
        QCOMPARE(std::get<StorageOptions>(specFromJson(json)->options).file,
                 QStringLiteral("model.gguf"));
    }
};

QTEST_GUILESS_MAIN(MachineSummaryTest)
#include "tst_machinesummary.moc"
