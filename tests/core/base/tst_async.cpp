// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/taskscope.h"
#include "core/base/waiting.h"
#include "core/base/worker.h"
#include "tests/support/sync.h"

#include <QTest>

#include <atomic>
#include <memory>

using namespace napkin;
using namespace std::chrono_literals;
using napkin::test::sync;

namespace {

class Sender : public QObject
{
    Q_OBJECT
Q_SIGNALS:
    void happened();
};

QCoro::Task<Gate::Opened> waitFor(Sender* sender, std::chrono::milliseconds limit)
{
    Gate gate;
    gate.on(sender, &Sender::happened).after(limit);
    co_return co_await gate;
}

QCoro::Task<void> sleepThenCount(CancelToken token, std::shared_ptr<int> count)
{
    const auto slept = co_await sleepFor(10s, std::move(token));
    if (!slept)
        ++*count;
}

QCoro::Task<void> throwing()
{
    throw std::runtime_error("on purpose");
    co_return;
}

} // namespace

class AsyncTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void gateOpensOnSignal()
    {
        Sender sender;
        QTimer::singleShot(10ms, &sender, &Sender::happened);
        QCOMPARE(sync(waitFor(&sender, 5s)), Gate::Opened::Signal);
    }
    void gateOpensWhenTheSenderDies()
    {
        auto sender = std::make_unique<Sender>();
        QTimer::singleShot(10ms, this, [&sender] { sender.reset(); });
        QCOMPARE(sync(waitFor(sender.get(), 5s)), Gate::Opened::Destroyed);
    }
    void gateTimesOut()
    {
        Sender sender;
        QCOMPARE(sync(waitFor(&sender, 20ms)), Gate::Opened::TimedOut);
    }
    void sleepEndsAtOnceWhenCancelled()
    {
        CancelSource source;
        std::jthread other([&source] {
            std::this_thread::sleep_for(20ms);
            source.request_stop();
        });
        const auto result = sync(sleepFor(30s, source.get_token()));
        QVERIFY(!result);
        QVERIFY(result.error().isCancelled());
        const auto already = sync(sleepFor(30s, source.get_token()));
        QVERIFY(!already);
    }
    void workerReturnsValuesAndErrors()
    {
        Worker worker;
        const auto here = std::this_thread::get_id();
        const auto value = sync(runOn(worker, [here]() -> Result<std::unique_ptr<int>> {
            return std::make_unique<int>(std::this_thread::get_id() == here ? 1 : 2);
        }));
        QCOMPARE(**value, 2);
        const auto error =
            sync(runOn(worker, []() -> Result<void> { return fail(ErrorCode::NotFound); }));
        QCOMPARE(error.error().code, ErrorCode::NotFound);
        const auto thrown =
            sync(runOn(worker, []() -> Result<int> { throw std::runtime_error("oops"); }));
        QCOMPARE(thrown.error().code, ErrorCode::Internal);
        QCOMPARE(thrown.error().detail, QStringLiteral("oops"));
    }
    void workerKeepsOrder()
    {
        std::vector<int> order;
        {
            Worker worker;
            for (int i = 0; i < 1000; ++i)
                worker.post([&order, i] { order.push_back(i); });
            sync(runOn(worker, []() -> Result<void> { return {}; }));
        }
        QCOMPARE(order.size(), size_t(1000));
        QVERIFY(std::is_sorted(order.begin(), order.end()));
    }
    void waitersOfADestroyedWorkerAreCancelled()
    {
        auto worker = std::make_unique<Worker>();
        std::atomic<bool> release = false;
        worker->post([&release] {
            while (!release)
                std::this_thread::sleep_for(1ms);
        });
        QTimer::singleShot(20ms, this, [&] {
            release = true;
            worker.reset();
        });
        // Either it still ran or it was dropped, but the wait ends.
        const auto result = sync(runOn(*worker, []() -> Result<int> { return 7; }));
        QVERIFY(result.has_value() ? *result == 7 : result.error().isCancelled());
    }
    void eventLoopTicksWhileTheWorkerWorks()
    {
        Worker worker;
        int ticks = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&ticks] { ++ticks; });
        timer.start(5ms);
        sync(runOn(worker, []() -> Result<void> {
            std::this_thread::sleep_for(100ms);
            return {};
        }));
        QVERIFY(ticks >= 3);
    }
    void scopeCancelsAndBecomesIdle()
    {
        auto count = std::make_shared<int>(0);
        TaskScope scope;
        scope.start(sleepThenCount(scope.token(), count));
        scope.start(sleepThenCount(scope.token(), count));
        QTest::ignoreMessage(QtCriticalMsg, "a task ended with an exception: on purpose");
        scope.start(throwing());
        QCOMPARE(scope.running(), 2);
        int idle = 0;
        connect(&scope, &TaskScope::idle, this, [&idle] { ++idle; });
        scope.cancel();
        QTRY_COMPARE(scope.running(), 0);
        QCOMPARE(*count, 2);
        QCOMPARE(idle, 1);
    }
    void tasksOutliveTheirScopeSafely()
    {
        auto count = std::make_shared<int>(0);
        auto scope = std::make_unique<TaskScope>();
        scope->start(sleepThenCount(scope->token(), count));
        scope.reset();
        QTRY_COMPARE(*count, 1);
    }
};

QTEST_GUILESS_MAIN(AsyncTest)
#include "tst_async.moc"
