// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/sweepprobe.h"
#include "core/measure/latency/sweeprun.h"
#include "tests/core/measure/echostage.h"

#include <QTimer>

#include <algorithm>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

class TestSweep : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sweep_data();
    void sweep();
    void sweepSizesAreThose();
    void sweepWithoutTime();
    void sweepThatFallsSilent();
    void sweepCancelled();
};

void TestSweep::sweep_data()
{
    QTest::addColumn<WaitMode>("wait");
    QTest::newRow("blocking") << WaitMode::Blocking;
    QTest::newRow("busy") << WaitMode::BusyPoll;
}

void TestSweep::sweep()
{
    QFETCH(WaitMode, wait);
    const DataTicket ticket = DataTicket::create();
    const auto server = serverFor(EchoMethod::Tcp, ticket);
    SweepOptions options;
    options.wait = wait;
    options.rounds = 5;
    SweepProbe probe(ticket);
    const Observed seen = observe(probe, specTo(server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    const auto& data = std::get<SweepData>(seen.result->data);
    const auto sizes = sweepSizes(options.least, options.most);
    QVERIFY(data.samples.size() % sizes.size() == 0);
    const auto rounds = std::ssize(data.samples) / std::ssize(sizes);
    QVERIFY(rounds >= 2 && rounds <= 6);
    std::vector<std::vector<std::uint32_t>> orders(static_cast<size_t>(rounds));
    for (const SweepSample& sample : data.samples) {
        QVERIFY(sample.time > 0ns);
        orders[static_cast<size_t>(sample.round)].push_back(
            static_cast<std::uint32_t>(sample.size.bytes()));
    }
    QVERIFY(orders[0] != orders[1]);
    for (auto& order : orders) {
        QVERIFY(order != sizes);
        std::ranges::sort(order);
        QVERIFY(order == sizes);
    }
    ProbeData told = SweepData{};
    for (const Progress& item : seen.progress)
        append(told, item.data);
    QVERIFY(std::get<SweepData>(told) == data);
}

void TestSweep::sweepSizesAreThose()
{
    const auto sizes = [](std::int64_t least, std::int64_t most) {
        return sweepSizes(ByteCount::bytes(least), ByteCount::bytes(most));
    };
    using List = std::vector<std::uint32_t>;
    QCOMPARE(sizes(1, 16), (List{1, 2, 3, 4, 7, 8, 13, 16}));
    QCOMPARE(sizes(100, 1'000), (List{128, 193, 256, 385, 512}));
    QCOMPARE(sizes(5, 7), (List{5, 7}));
    QCOMPARE(sizes(64, 64), (List{64}));
    QCOMPARE(sizes(1, 16 * 1024 * 1024).back(), 16U * 1024 * 1024);
}

void TestSweep::sweepWithoutTime()
{
    const DataTicket ticket = DataTicket::create();
    ScriptedPeer far([&ticket](PeerTalk& talk) { // a far end on a very slow line
        const int control = talk.accept();
        talk.read(control, 37);
        talk.write(control, ticket.farProof());
        talk.read(control, 32);
        talk.readFrame(control);
        talk.write(control, "R");
        while (true) {
            talk.read(control, 1);
            talk.pause(500ms);
            talk.write(control, "x");
        }
    });
    SweepOptions options;
    options.duration = 2s;
    SweepProbe probe(ticket);
    const Observed seen = observe(probe, specTo(far.port(), options));
    QCOMPARE(codeOf(seen), ErrorCode::TimedOut);
    QVERIFY(seen.took < 6s);
}

// As a cut cable looks from here: whole rounds, and then nothing until the time is over.
void TestSweep::sweepThatFallsSilent()
{
    const DataTicket ticket = DataTicket::create();
    SweepOptions options;
    options.least = ByteCount::bytes(64);
    options.most = ByteCount::bytes(64);
    options.rounds = 1'000;
    options.duration = 3s;
    constexpr int answered = 40;
    ScriptedPeer far([&ticket](PeerTalk& talk) {
        const int control = talk.accept();
        talk.read(control, 37);
        talk.write(control, ticket.farProof());
        talk.read(control, 32);
        talk.readFrame(control);
        talk.write(control, "R");
        for (int i = 0; i < answered; ++i)
            talk.write(control, talk.read(control, 64));
        talk.pause(5s);
    });
    SweepProbe probe(ticket);
    const Observed seen = observe(probe, specTo(far.port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QCOMPARE(seen.result->fault->code, ErrorCode::PeerSilent);
    QCOMPARE(std::get<SweepData>(seen.result->data).samples.size(), size_t(answered));
    QVERIFY(seen.took < 4s);
}

void TestSweep::sweepCancelled()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverFor(EchoMethod::Tcp, ticket);
    SweepOptions options;
    options.most = ByteCount::kibibytes(4);
    options.rounds = 1'000;
    options.duration = 60s;
    CancelSource cancel;
    QTimer::singleShot(400ms, this, [&cancel] { cancel.request_stop(); });
    SweepProbe probe(ticket);
    const Observed seen = observe(probe, specTo(server->port(), options), cancel.get_token());
    QVERIFY(seen.took < 5s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    if (seen.result->completion == Completion::Partial)
        QVERIFY(seen.result->fault->isCancelled());
    QCOMPARE(std::get<SweepData>(seen.result->data).samples.size() %
                 sweepSizes(options.least, options.most).size(),
             size_t(0));
}

QTEST_GUILESS_MAIN(TestSweep)
#include "tst_sweep.moc"
