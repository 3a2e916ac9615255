// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/localprobe.h"
#include "core/measure/memory/memoryprobe.h"
#include "core/measure/memory/memoryrun.h"
#include "core/measure/memory/triad.h"
#include "core/measure/os/cores.h"
#include "core/results/data.h"
#include "core/results/machinesummary.h"

#include <QDir>
#include <QTemporaryDir>

#include <numeric>
#include <thread>

#include "measuring.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

// The files of another machine, below a folder.
class OtherMachine
{
public:
    [[nodiscard]] QString root() const { return m_folder.path(); }
    void write(const QString& path, const QByteArray& text) const
    {
        const QString whole = root() + path;
        QDir().mkpath(QFileInfo(whole).path());
        QFile file(whole);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    void addCache(int processor, int index, const char* level, const char* type, const char* size,
                  const char* shared) const
    {
        const QString folder = QStringLiteral("/sys/devices/system/cpu/cpu%1/cache/index%2/")
                                   .arg(processor)
                                   .arg(index);
        write(folder + QStringLiteral("level"), level);
        write(folder + QStringLiteral("type"), type);
        write(folder + QStringLiteral("size"), size);
        write(folder + QStringLiteral("shared_cpu_list"), shared);
    }
    // Two sockets of two cores of two threads; 0 and 4 are one core, and so on.
    void addSockets() const
    {
        for (int i = 0; i < 8; ++i) {
            write(QStringLiteral("/sys/devices/system/cpu/cpu%1/topology/core_cpus_list").arg(i),
                  QByteArray::number(i % 4) + ',' + QByteArray::number(i % 4 + 4) + '\n');
            const char* socket = i % 4 < 2 ? "0-1,4-5" : "2-3,6-7";
            addCache(i, 0, "1\n", "Data\n", "48K\n", "0,4\n");
            addCache(i, 1, "1\n", "Instruction\n", "900M\n", "0,4\n");
            addCache(i, 2, "3\n", "Unified\n", "32768K\n", socket);
        }
    }
    void addMemory(qint64 mebibytes) const
    {
        write(QStringLiteral("/proc/meminfo"), "MemTotal:       99999999 kB\nMemAvailable:   " +
                                                   QByteArray::number(mebibytes * 1024) + " kB\n");
    }

private:
    QTemporaryDir m_folder;
};

const std::vector<int> eight{0, 1, 2, 3, 4, 5, 6, 7};

// Small enough for a test, and of two threads even on one core.
MemoryPlan smallPlan()
{
    MemoryPlan plan;
    const auto allowed = allowedProcessors();
    plan.processors = {allowed.front(), allowed.back()};
    plan.cores = 2;
    plan.elements = 1 << 16;
    return plan;
}

ProbeSpec memorySpec(std::chrono::milliseconds duration = 1s)
{
    ProbeSpec spec;
    spec.options = MemoryOptions{duration, 0};
    return spec;
}

struct Told
{
    std::vector<Progress> all;
    MemoryRun::Tell tell = [this](Progress progress) { all.push_back(std::move(progress)); };
};

} // namespace

class MemoryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void theTriadIsRight();
    void processorsAreTakenCoreByCore();
    void cachesOfEachSocketCountOnce();
    void memoryIsBoundedByTheGroups();
    void arraysAreFourTimesTheCaches();
    void unknownCachesHaveAStatedSize();
    void whatDoesNotFitIsRefused();
    void theSystemMayRefuseTheArrays();
    void threadsAreBounded();
    void aRunIsWhole();
    void aWrongValueIsAFault();
    void cancelled();
    void cancelledBeforeAnythingWasMeasured();
    void atLeastTenPasses();
    void theProbeMeasuresThisMachine();
    void aSpecOfAnotherKindIsRefused();
};

void MemoryTest::theTriadIsRight()
{
    constexpr std::size_t count = 1'003; // no multiple of a vector
    std::vector<double> a(count + 1, -7);
    std::vector<double> b(count);
    std::vector<double> c(count);
    std::iota(b.begin(), b.end(), 0.5);
    std::iota(c.begin(), c.end(), 3);
    triad(a.data(), b.data(), c.data(), 4, count);
    for (std::size_t i = 0; i < count; ++i)
        QCOMPARE(a[i], static_cast<double>(i) + 0.5 + 4 * (static_cast<double>(i) + 3));
    QCOMPARE(a[count], -7.0);
}

void MemoryTest::processorsAreTakenCoreByCore()
{
    const OtherMachine machine;
    QCOMPARE(byCores(eight, machine.root()).cores, 8); // nothing is told: each is a core
    machine.addSockets();
    const ProcessorOrder order = byCores(eight, machine.root());
    QCOMPARE(order.cores, 4);
    QCOMPARE(order.processors, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    // What may be used decides, not what there is.
    const ProcessorOrder some = byCores({1, 5, 6}, machine.root());
    QCOMPARE(some.cores, 2);
    QCOMPARE(some.processors, (std::vector<int>{1, 6, 5}));
}

void MemoryTest::cachesOfEachSocketCountOnce()
{
    const OtherMachine machine;
    QVERIFY(!lastLevelCaches(eight, machine.root()));
    machine.addSockets();
    QCOMPARE(lastLevelCaches(eight, machine.root())->bytes(), ByteCount::mebibytes(64).bytes());
    QCOMPARE(lastLevelCaches({0, 1}, machine.root())->bytes(), ByteCount::mebibytes(32).bytes());
    machine.addCache(0, 2, "3\n", "Unified\n", "99999999999999999999G\n", "0\n");
    QCOMPARE(lastLevelCaches({0}, machine.root())->bytes(), ByteCount::kibibytes(48).bytes());
}

void MemoryTest::memoryIsBoundedByTheGroups()
{
    const OtherMachine machine;
    QVERIFY(!availableMemory(machine.root()));
    machine.addMemory(8'000);
    QCOMPARE(availableMemory(machine.root())->bytes(), ByteCount::mebibytes(8'000).bytes());
    // Version 2: the group itself sets no limit, the one above it does.
    const QString groups = QStringLiteral("/sys/fs/cgroup/user.slice/");
    machine.write(QStringLiteral("/proc/self/cgroup"), "0::/user.slice/app\n");
    machine.write(groups + QStringLiteral("app/memory.max"), "max\n");
    machine.write(groups + QStringLiteral("app/memory.current"), "1000\n");
    machine.write(groups + QStringLiteral("memory.max"), "1073741824\n");
    machine.write(groups + QStringLiteral("memory.current"), "673741824\n");
    QCOMPARE(availableMemory(machine.root())->bytes(), qint64(400'000'000));
    machine.write(groups + QStringLiteral("memory.stat"), "anon 5\ninactive_file 100000000\n");
    QCOMPARE(availableMemory(machine.root())->bytes(), qint64(500'000'000));
    // Version 1.
    machine.write(QStringLiteral("/proc/self/cgroup"), "4:cpu,memory:/box\n1:cpu:/\n");
    const QString old = QStringLiteral("/sys/fs/cgroup/memory/box/");
    machine.write(old + QStringLiteral("memory.limit_in_bytes"), "300000000\n");
    machine.write(old + QStringLiteral("memory.usage_in_bytes"), "100000000\n");
    QCOMPARE(availableMemory(machine.root())->bytes(), qint64(200'000'000));
}

void MemoryTest::arraysAreFourTimesTheCaches()
{
    const OtherMachine machine;
    machine.addSockets();
    machine.addMemory(8'000);
    const auto plan = planMemory({}, eight, machine.root());
    QVERIFY(plan);
    QCOMPARE(plan->processors, (std::vector<int>{0, 1, 2, 3}));
    QCOMPARE(plan->cacheSize->bytes(), ByteCount::mebibytes(64).bytes());
    QVERIFY(static_cast<qint64>(plan->elements * 8) >= 4 * plan->cacheSize->bytes());
    QCOMPARE(plan->elements % 4, std::size_t(0));
    const auto one = planMemory({5s, 1}, eight, machine.root());
    QVERIFY(one);
    QCOMPARE(one->processors, (std::vector<int>{0}));
}

void MemoryTest::unknownCachesHaveAStatedSize()
{
    const OtherMachine machine;
    machine.addMemory(8'000);
    const auto plan = planMemory({}, {3}, machine.root());
    QVERIFY(plan);
    QVERIFY(!plan->cacheSize);
    QCOMPARE(static_cast<qint64>(plan->elements * 8), ByteCount::mebibytes(128).bytes());
}

void MemoryTest::whatDoesNotFitIsRefused()
{
    const OtherMachine machine;
    machine.addSockets();
    machine.addMemory(1'000); // three arrays of 256 MiB are more than three quarters of it
    const auto plan = planMemory({}, eight, machine.root());
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::OutOfMemory);
    QVERIFY2(plan.error().detail.contains(QStringLiteral("256")), qPrintable(plan.error().detail));
    machine.addMemory(1'025);
    QVERIFY(planMemory({}, eight, machine.root()));
}

void MemoryTest::theSystemMayRefuseTheArrays()
{
    MemoryPlan plan = smallPlan();
    plan.elements = std::size_t(1) << 46; // more than can be addressed
    Told told;
    const auto result = MemoryRun(memorySpec(), plan, {}, told.tell).run();
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::OutOfMemory);
    QVERIFY(!result.error().detail.isEmpty());
}

void MemoryTest::threadsAreBounded()
{
    const OtherMachine machine;
    machine.addMemory(8'000);
    QVERIFY(planMemory({5s, 8}, eight, machine.root()));
    const auto plan = planMemory({5s, 9}, eight, machine.root());
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::InvalidArgument);
    QCOMPARE(planMemory({}, {}, machine.root()).error().code, ErrorCode::Unsupported);
}

void MemoryTest::aRunIsWhole()
{
    Told told;
    const auto result = MemoryRun(memorySpec(), smallPlan(), {}, told.tell).run();
    QVERIFY(result);
    QCOMPARE(result->completion, Completion::Complete);
    const auto& data = std::get<MemoryData>(result->data);
    QCOMPARE(data.threads, 2);
    QCOMPARE(data.arraySize.bytes(), qint64(8 << 16));
    QVERIFY(data.pinned);
    QVERIFY(data.samples.front().warmUp);
    QVERIFY(summarise(data).passes >= 10);
    const MemorySummary summary = summarise(data);
    QVERIFY(*summary.slowest <= *summary.slow && *summary.slow <= *summary.median &&
            *summary.median <= *summary.best);
    Duration before{};
    for (std::size_t i = 1; i < data.samples.size(); ++i) {
        QVERIFY(!data.samples[i].warmUp);
        QVERIFY(data.samples[i].start >= before);
        before = data.samples[i].start + data.samples[i].time;
    }
    QVERIFY(before >= 1s);
    QVERIFY(data.ran && data.ran->value() > 0);
    QVERIFY(!result->conditions.near.hostName.isEmpty());
    QVERIFY(!result->conditions.near.kernel.isEmpty());
    // What was told on the way is what was kept.
    ProbeData sum = emptyData(ProbeKind::Memory);
    for (const Progress& progress : told.all)
        append(sum, progress.data);
    QCOMPARE(std::get<MemoryData>(sum).samples.size(), data.samples.size());
    QCOMPARE(told.all.front().phase, Phase::Connecting);
    QCOMPARE(told.all.back().fraction, 1.0);
}

void MemoryTest::aWrongValueIsAFault()
{
    for (const std::size_t at : {std::size_t(0), std::size_t((1 << 16) - 1)}) {
        Told told;
        const auto meddle = [at](std::span<double> a) { a[at] += 1; };
        const auto result = MemoryRun(memorySpec(), smallPlan(), {}, told.tell, meddle).run();
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::WrongValues);
    }
}

void MemoryTest::cancelled()
{
    CancelSource cancel;
    Told told;
    std::thread stopper([&cancel] {
        std::this_thread::sleep_for(1s);
        cancel.request_stop();
    });
    const auto begin = std::chrono::steady_clock::now();
    const auto result =
        MemoryRun(memorySpec(30s), smallPlan(), cancel.get_token(), told.tell).run();
    const auto took = std::chrono::steady_clock::now() - begin;
    stopper.join();
    QVERIFY2(took < 1s + 500ms, qPrintable(QString::number(took.count() / 1'000'000)));
    QVERIFY(result);
    QCOMPARE(result->completion, Completion::Partial);
    QCOMPARE(result->fault->code, ErrorCode::Cancelled);
    QVERIFY(summarise(std::get<MemoryData>(result->data)).median);
}

void MemoryTest::cancelledBeforeAnythingWasMeasured()
{
    CancelSource cancel;
    cancel.request_stop();
    Told told;
    const auto result = MemoryRun(memorySpec(), smallPlan(), cancel.get_token(), told.tell).run();
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Cancelled);
}

void MemoryTest::atLeastTenPasses()
{
    const MemoryLimits limits{1ns, 10, 1h};
    const auto crew = MemoryCrew::start(smallPlan(), limits);
    QVERIFY(crew);
    QVERIFY((*crew)->waitFor(20s));
    QCOMPARE((*crew)->takeSamples().size(), std::size_t(11)); // and the warm-up
    QVERIFY(!(*crew)->wrongElement());
    const auto short_ = MemoryCrew::start(smallPlan(), {1h, 10, 1ns});
    QVERIFY(short_);
    QVERIFY((*short_)->waitFor(20s));
    QCOMPARE((*short_)->takeSamples().size(), std::size_t(1));
}

void MemoryTest::theProbeMeasuresThisMachine()
{
    const auto probe = localProbe(ProbeKind::Memory);
    ProbeSpec spec = memorySpec();
    std::get<MemoryOptions>(spec.options).threads = 1;
    if (const auto ready = sync(probe->check(spec, {})); !ready)
        QSKIP(qPrintable(ready.error().detail)); // a machine with too little memory
    const Observed seen = observe(*probe, spec, {}, 60s);
    QVERIFY2(seen.result, seen.fault());
    const auto& data = std::get<MemoryData>(seen.result->data);
    QCOMPARE(data.threads, 1);
    QVERIFY(data.arraySize >= ByteCount::mebibytes(128));
    QVERIFY(summarise(data).passes >= 10);
    QVERIFY(seen.result->conditions.near.facts); // which machine it was
    QVERIFY(seen.result->conditions.near.activity);
    QVERIFY(seen.result->conditions.far == HostConditions());
}

void MemoryTest::aSpecOfAnotherKindIsRefused()
{
    MemoryProbe probe;
    ProbeSpec spec;
    spec.far.host = QStringLiteral("x");
    QCOMPARE(sync(probe.check(spec, {})).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(observe(probe, spec).result.error().code, ErrorCode::InvalidArgument);
}

QTEST_GUILESS_MAIN(MemoryTest)
#include "tst_memory.moc"
