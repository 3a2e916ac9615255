// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakrun.h"
#include "core/measure/soak/soakserver.h"
#include "core/results/data.h"
#include "core/results/soaksummary.h"
#include "tests/core/measure/soakproxy.h"

#include <QTest>

#include <thread>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;
using Kind = SoakEvent::Kind;

namespace {

const QString loopback = QStringLiteral("127.0.0.1");
constexpr std::int64_t block = 64 * 1024;
constexpr std::int64_t frame = static_cast<std::int64_t>(soak::headerSize) + block;
// What stands before the first frame: cookie and nonce, proof and start; mark, nonce, proof,
// version.
constexpr std::int64_t forwardPrologue = 37 + 16 + 32 + 16;
constexpr std::int64_t reversePrologue = 1 + 16 + 32 + 4;

SoakOptions options(Flow flow, std::chrono::milliseconds duration = 3s)
{
    SoakOptions options;
    options.flow = flow;
    options.duration = duration; // shorter than users may ask for
    options.blockSize = ByteCount::bytes(block);
    options.rateCap = BitRate::bitsPerSecond(80'000'000); // the machine has other work
    return options;
}

std::unique_ptr<SoakServer> serve(const DataTicket& ticket, const SoakOptions& asked)
{
    return SoakServer::start({loopback, 0, ticket, {loopback}, asked, 5min}).value();
}

struct Seen
{
    Result<ProbeResult> result = fail(ErrorCode::Internal);
    std::chrono::steady_clock::time_point began;
    std::chrono::milliseconds took{};
    ProbeData told = SoakData();
    double fraction = 0;

    [[nodiscard]] const SoakData& data() const { return std::get<SoakData>(result->data); }
    [[nodiscard]] QByteArray fault() const
    {
        return result
                   ? QByteArray("none")
                   : (errorCodeName(result.error().code) + u' ' + result.error().detail).toUtf8();
    }
    // The events of a kind.
    [[nodiscard]] std::vector<SoakEvent> events(Kind kind) const
    {
        std::vector<SoakEvent> found;
        for (const SoakEvent& event : data().events) {
            if (event.kind == kind)
                found.push_back(event);
        }
        return found;
    }
};

Seen run(int port, const DataTicket& ticket, const SoakOptions& asked, CancelToken cancel = {},
         std::shared_ptr<SoakTargets> targets = nullptr)
{
    ProbeSpec spec;
    spec.far.host = loopback;
    spec.far.port = port;
    spec.options = asked;
    const Route route{{*addressFromText(loopback, port)}, {}, QStringLiteral("test")};
    Seen seen;
    const auto tell = [&seen](const Progress& progress) {
        if (seen.began == std::chrono::steady_clock::time_point() &&
            progress.phase == Phase::Measuring)
            seen.began = std::chrono::steady_clock::now() -
                         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                             std::get<SoakData>(progress.data).elapsed);
        append(seen.told, progress.data);
        seen.fraction = std::max(seen.fraction, progress.fraction);
    };
    const auto begin = std::chrono::steady_clock::now();
    seen.result = SoakRun(spec, route, std::move(cancel), tell, ticket, std::move(targets)).run();
    seen.took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - begin);
    return seen;
}

Seen runThrough(SoakProxy& proxy, const DataTicket& ticket, const SoakOptions& asked)
{
    return run(proxy.port(), ticket, asked);
}

const SoakTotal& total(const SoakData& data, Direction direction)
{
    return *std::ranges::find(data.totals, direction, &SoakTotal::direction);
}

bool isNear(Duration a, Duration b, Duration within)
{
    if (a >= b - within && a <= b + within)
        return true;
    qWarning("%.3f s is not %.3f s", inSeconds(a), inSeconds(b));
    return false;
}

} // namespace

// A soak on this machine, against a proxy that keeps book of what it does to it.
class TestSoak : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void clean_data();
    void clean();
    void oneByte_data();
    void oneByte();
    void connectionLost_data();
    void connectionLost();
    void stalled();
    void silent();
    void farEndStartedAnew();
    void goneForGood();
    void cancelled();
    void strangersAreNotServed();
};

void TestSoak::clean_data()
{
    QTest::addColumn<Flow>("flow");
    QTest::newRow("forward") << Flow::Forward;
    QTest::newRow("reverse") << Flow::Reverse;
    QTest::newRow("both") << Flow::Bidirectional;
}

void TestSoak::clean()
{
    QFETCH(Flow, flow);
    const DataTicket ticket = DataTicket::create();
    const SoakOptions asked = options(flow);
    const auto server = serve(ticket, asked);
    SoakProxy proxy(server->port(), {});
    const Seen seen = runThrough(proxy, ticket, asked);
    QVERIFY2(seen.result, seen.fault());
    QCOMPARE(seen.result->completion, Completion::Complete);
    const SoakData& data = seen.data();
    QCOMPARE(summarise(data).faults, 0);
    QCOMPARE(data.elapsed, Duration(3s));
    QCOMPARE(data.totals.size(), flow == Flow::Bidirectional ? 2U : 1U);
    QVERIFY(std::get<SoakData>(seen.told) == data);
    QVERIFY(seen.fraction > 0.99);
    for (const SoakTotal& one : data.totals) {
        // Both ends stop after a whole block: all that was passed on was checked.
        QCOMPARE(one.checked.bytes(), one.blocks * block);
        QCOMPARE(one.received, one.checked);
        const std::int64_t passed = proxy.passed(one.direction);
        QVERIFY(one.blocks * frame <= passed && passed <= one.blocks * frame + 4'096);
        // 3 s of 80 Mb/s: the cap holds.
        QVERIFY2(one.received.bytes() > 10'000'000 && one.received.bytes() < 32'000'000,
                 qPrintable(QString::number(one.received.bytes())));
        Duration covered{};
        ByteCount inSpans;
        for (const SoakSpan& span : data.spans) {
            if (span.direction == one.direction) {
                covered += span.length;
                inSpans += span.bytes;
            }
        }
        QVERIFY(covered > 1900ms && covered < 3300ms);
        QVERIFY(inSpans <= one.received);
    }
}

void TestSoak::oneByte_data()
{
    QTest::addColumn<Direction>("direction");
    QTest::addColumn<qint64>("number"); // of the block
    QTest::addColumn<qint64>("offset"); // in its frame
    const auto header = qint64(soak::headerSize);
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const QString way = directionName(direction);
        const auto row = [&](const char* what, qint64 number, qint64 offset) {
            QTest::addRow("%s, %s", what, qPrintable(way)) << direction << number << offset;
        };
        row("first byte of the payload", 0, header);
        row("last byte of the payload", 2, header + block - 1);
        row("within the payload", 5, header + 12'345);
        row("magic", 1, 0);
        row("kind", 3, 4);
        row("sequence", 4, 15);
        row("length", 4, 17);
        row("check of the payload", 4, 21);
        row("check of the header", 4, 31);
    }
}

// Found in the block where the proxy put it, with what it was and what it became; nothing else.
void TestSoak::oneByte()
{
    QFETCH(Direction, direction);
    QFETCH(qint64, number);
    QFETCH(qint64, offset);
    const bool isForward = direction == Direction::Forward;
    const DataTicket ticket = DataTicket::create();
    const SoakOptions asked = options(isForward ? Flow::Forward : Flow::Reverse, 1500ms);
    const auto server = serve(ticket, asked);
    Mischief flip;
    flip.direction = direction;
    flip.offset = (isForward ? forwardPrologue : reversePrologue) + number * frame + offset;
    flip.mask = 0x04;
    SoakProxy proxy(server->port(), {flip});
    const Seen seen = runThrough(proxy, ticket, asked);
    QVERIFY2(seen.result, seen.fault());
    const auto book = proxy.book();
    QCOMPARE(book.size(), 1U);
    const SoakData& data = seen.data();
    QCOMPARE(data.events.size(), 1U);
    const SoakEvent& event = data.events.front();
    QCOMPARE(event.kind, Kind::Corrupted);
    QCOMPARE(event.direction, std::optional(direction));
    QCOMPARE(event.block, number);
    const auto header = qint64(soak::headerSize);
    const bool isHeader = offset < header;
    QCOMPARE(event.part, isHeader ? SoakEvent::Part::Header : SoakEvent::Part::Payload);
    QCOMPARE(event.offset, isHeader ? offset : offset - header);
    QCOMPARE(event.expected, int(book.front().was));
    QCOMPARE(event.got, int(book.front().became));
    QCOMPARE(event.wrongBytes, 1);
    QVERIFY(!event.isSenders);
    QVERIFY(isNear(seen.began + event.start - book.front().began + 0ms, 0ms, 400ms));
    QCOMPARE(total(data, direction).corrupted, 1);
    QCOMPARE(total(data, direction).lost, 0);
    QCOMPARE(data.dropOuts, 0);
    QCOMPARE(data.stalls, 0);
    QVERIFY(total(data, direction).blocks > number + 3); // it went on
}

void TestSoak::connectionLost_data()
{
    QTest::addColumn<bool>("isReset");
    QTest::newRow("closed") << false;
    QTest::newRow("reset") << true;
}

void TestSoak::connectionLost()
{
    QFETCH(bool, isReset);
    const DataTicket ticket = DataTicket::create();
    const SoakOptions asked = options(Flow::Bidirectional, 4s);
    const auto server = serve(ticket, asked);
    Mischief cut;
    cut.kind = isReset ? Mischief::Kind::Reset : Mischief::Kind::Close;
    cut.at = 1500ms;
    SoakProxy proxy(server->port(), {cut});
    const Seen seen = runThrough(proxy, ticket, asked);
    QVERIFY2(seen.result, seen.fault());
    QCOMPARE(seen.result->completion, Completion::Complete);
    const SoakData& data = seen.data();
    QCOMPARE(data.dropOuts, 1);
    QCOMPARE(data.resets, isReset ? 1 : 0);
    QCOMPARE(data.stalls, 0);
    const auto outages = seen.events(Kind::DropOut);
    QCOMPARE(outages.size(), 1U);
    QCOMPARE(outages[0].cause, isReset ? SoakEvent::Cause::Reset : SoakEvent::Cause::Closed);
    QVERIFY(!outages[0].isOpen);
    const auto book = proxy.book();
    QVERIFY(isNear(seen.began + outages[0].start - book.at(0).began + 0ms, 0ms, 250ms));
    QVERIFY(outages[0].length < 1s);
    QCOMPARE(data.withoutConnection, outages[0].length);
    // What was under way when it was lost is no block that was lost on a connection.
    QCOMPARE(summarise(data).outOfSequence, 0);
    QCOMPARE(summarise(data).corrupted, 0);
    QVERIFY(proxy.connections() >= 1);
    Duration last{};
    for (const SoakSpan& span : data.spans)
        last = std::max(last, span.start + span.length);
    QVERIFY(last > 3s); // it went on to the end
}

void TestSoak::stalled()
{
    const DataTicket ticket = DataTicket::create();
    SoakOptions asked = options(Flow::Bidirectional, 5s);
    asked.rateCap = BitRate(); // else what fits the buffers on the way would do for seconds
    const auto server = serve(ticket, asked);
    Mischief stall;
    stall.kind = Mischief::Kind::Stall;
    stall.at = 1s;
    stall.length = 2500ms; // and what fits the buffers on the way goes on a moment
    SoakProxy proxy(server->port(), {stall});
    const Seen seen = runThrough(proxy, ticket, asked);
    QVERIFY2(seen.result, seen.fault());
    const SoakData& data = seen.data();
    QCOMPARE(data.dropOuts, 0);
    auto stalls = seen.events(Kind::Stall);
    QCOMPARE(data.stalls, std::int64_t(stalls.size()));
    // A busy machine may hold both programs up for more than a second, and that is told, too.
    std::erase_if(stalls, [](const SoakEvent& event) { return event.length < 1'800ms; });
    QCOMPARE(stalls.size(), 2U); // one each way
    QVERIFY(stalls[0].direction != stalls[1].direction);
    const auto book = proxy.book();
    for (const SoakEvent& event : stalls) {
        QVERIFY(isNear(seen.began + event.start - book.at(0).began + 0ms, 0ms, 500ms));
        QVERIFY(isNear(event.length, 2500ms, 500ms));
    }
    QCOMPARE(summarise(data).faults, data.stalls);
}

// The silence is part of the drop-out that comes of it.
void TestSoak::silent()
{
    const DataTicket ticket = DataTicket::create();
    SoakOptions asked = options(Flow::Reverse, 6s);
    asked.lostAfter = 2s;
    const auto server = serve(ticket, asked);
    Mischief stall;
    stall.kind = Mischief::Kind::Stall;
    stall.at = 1s;
    stall.length = 3s;
    SoakProxy proxy(server->port(), {stall});
    const Seen seen = runThrough(proxy, ticket, asked);
    QVERIFY2(seen.result, seen.fault());
    const SoakData& data = seen.data();
    QCOMPARE(data.dropOuts, 1);
    QCOMPARE(data.stalls, 0);
    const auto outages = seen.events(Kind::DropOut);
    QCOMPARE(outages.size(), 1U);
    QCOMPARE(outages[0].cause, SoakEvent::Cause::Silent);
    QVERIFY(isNear(seen.began + outages[0].start - proxy.book().at(0).began + 0ms, 0ms, 300ms));
    QVERIFY(isNear(outages[0].length, 3s, 800ms));
}

void TestSoak::farEndStartedAnew()
{
    const SoakOptions asked = options(Flow::Bidirectional, 6s);
    const DataTicket first = DataTicket::create();
    const DataTicket second = DataTicket::create();
    auto server = serve(first, asked);
    const int port = server->port();
    const auto targets = std::make_shared<SoakTargets>();
    std::unique_ptr<SoakServer> anew;
    std::jthread others([&](const std::stop_token& stop) {
        std::this_thread::sleep_for(1500ms);
        server.reset();
        while (!stop.stop_requested() && !targets->isAsked())
            std::this_thread::sleep_for(10ms);
        anew = serve(second, asked);
        targets->answer(SoakTarget{anew->port(), second});
    });
    const Seen seen = run(port, first, asked, {}, targets);
    others.request_stop();
    others.join();
    QVERIFY2(seen.result, seen.fault());
    QCOMPARE(seen.result->completion, Completion::Complete);
    const SoakData& data = seen.data();
    QCOMPARE(data.dropOuts, 1);
    QCOMPARE(summarise(data).corrupted, 0);
    QVERIFY(anew != nullptr);
    QCOMPARE(seen.result->spec.far.port, anew->port());
    // What either service counted is in the total: more than either alone can have.
    const std::int64_t forward = total(data, Direction::Forward).checked.bytes();
    QVERIFY2(forward > 30'000'000, qPrintable(QString::number(forward)));
}

// Nobody comes back: the run ends in its time, with the outage to its end.
void TestSoak::goneForGood()
{
    const SoakOptions asked = options(Flow::Forward, 3s);
    const DataTicket ticket = DataTicket::create();
    auto server = serve(ticket, asked);
    const int port = server->port();
    std::jthread killer([&server] {
        std::this_thread::sleep_for(1500ms);
        server.reset();
    });
    const Seen seen = run(port, ticket, asked);
    QVERIFY2(seen.result, seen.fault());
    QVERIFY(seen.took < 4s);
    QCOMPARE(seen.data().dropOuts, 1);
    const auto outages = seen.events(Kind::DropOut);
    QCOMPARE(outages.size(), 1U);
    QVERIFY(outages[0].isOpen);
    QCOMPARE(outages[0].start + outages[0].length, Duration(3s));
}

void TestSoak::cancelled()
{
    const SoakOptions asked = options(Flow::Bidirectional, 30s);
    const DataTicket ticket = DataTicket::create();
    const auto server = serve(ticket, asked);
    CancelSource cancel;
    std::chrono::steady_clock::time_point asking;
    std::jthread canceller([&] {
        std::this_thread::sleep_for(1700ms);
        asking = std::chrono::steady_clock::now();
        cancel.request_stop();
    });
    const Seen seen = run(server->port(), ticket, asked, cancel.get_token());
    const auto after = std::chrono::steady_clock::now() - asking;
    QVERIFY2(seen.result, seen.fault());
    QVERIFY2(after < 500ms, qPrintable(QString::number(after / 1ms)));
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(seen.result->fault && seen.result->fault->isCancelled());
    QVERIFY(seen.data().elapsed > 1s && seen.data().elapsed < 3s);
    QVERIFY(total(seen.data(), Direction::Reverse).blocks > 0);
    QCOMPARE(summarise(seen.data()).faults, 0);
    // And while it tries to come back.
    CancelSource again;
    std::unique_ptr<SoakServer> gone = serve(ticket, asked);
    const int port = gone->port();
    std::jthread second([&] {
        std::this_thread::sleep_for(1200ms);
        gone.reset();
        std::this_thread::sleep_for(1s);
        asking = std::chrono::steady_clock::now();
        again.request_stop();
    });
    const Seen lost = run(port, ticket, asked, again.get_token());
    QVERIFY(std::chrono::steady_clock::now() - asking < 500ms);
    QVERIFY2(lost.result, lost.fault());
    QCOMPARE(lost.data().dropOuts, 1);
}

void TestSoak::strangersAreNotServed()
{
    const SoakOptions asked = options(Flow::Bidirectional);
    const auto server = serve(DataTicket::create(), asked);
    const Seen seen = run(server->port(), DataTicket::create(), asked);
    QVERIFY(!seen.result);
    QCOMPARE(seen.result.error().code, ErrorCode::PeerRefused);
}

QTEST_GUILESS_MAIN(TestSoak)
#include "tst_soak.moc"
