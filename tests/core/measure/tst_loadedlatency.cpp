// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/loadedprobe.h"
#include "core/measure/throughput/iperf3server.h"
#include "tests/core/measure/echostage.h"
#include "tests/core/measure/unwilling.h"

#include <QTimer>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

class TestLoadedLatency : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void beside_data();
    void beside();
    void withoutALoadTheIdlePhaseIsKept();
    void cancelled();
    void whoTakesNoLoadIsFoundFirst_data();
    void whoTakesNoLoadIsFoundFirst();
};

namespace {

LoadedLatencyOptions shortPhases(EchoMethod method)
{
    LoadedLatencyOptions options;
    options.method = method;
    options.phase = 2s;
    options.interval = 10ms;
    return options;
}

const LoadedLatencyData& loadedOf(const Observed& seen)
{
    return std::get<LoadedLatencyData>(seen.result->data);
}

Iperf3ServerOptions serverOptions(const std::optional<DataTicket>& ticket)
{
    Iperf3ServerOptions options;
    options.bindAddress = loopback;
    options.port = 0;
    options.ticket = ticket;
    options.tests = 3;
    return options;
}

} // namespace

void TestLoadedLatency::beside_data()
{
    QTest::addColumn<EchoMethod>("method");
    QTest::addColumn<bool>("withTicket");
    QTest::newRow("ICMP, any server") << EchoMethod::Icmp << false;
    QTest::newRow("ICMP, a paired machine") << EchoMethod::Icmp << true;
    QTest::newRow("UDP, a paired machine") << EchoMethod::Udp << true;
}

void TestLoadedLatency::beside()
{
    QFETCH(EchoMethod, method);
    QFETCH(bool, withTicket);
    const std::optional<DataTicket> ticket =
        withTicket ? std::optional(DataTicket::create()) : std::nullopt;
    const auto server = Iperf3Server::start(serverOptions(ticket));
    QVERIFY(server.has_value());
    const int port = (*server)->port();
    const auto datagrams =
        DatagramServer::start({loopback, port, ticket.value_or(DataTicket::create()), {loopback}});
    QVERIFY(datagrams.has_value());
    LoadedProbe probe(ticket);
    const Observed seen = observe(probe, specTo(port, shortPhases(method)));
    if (method == EchoMethod::Icmp && codeOf(seen) == ErrorCode::PermissionDenied)
        QSKIP("no echoes for this user");
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY2(seen.result->completion == Completion::Complete, seen.fault().constData());
    const LoadedLatencyData& data = loadedOf(seen);
    QCOMPARE(data.phases.size(), size_t(4));
    for (size_t i = 0; i < 4; ++i) {
        const LoadPhase& phase = data.phases[i];
        QCOMPARE(phase.load, static_cast<Load>(i));
        QVERIFY(phase.samples.size() >= 2 && phase.samples.size() <= 80);
        QVERIFY(phase.samples.front().start >= 1s);
        const bool sends = phase.load == Load::Sending || phase.load == Load::Both;
        const bool receives = phase.load == Load::Receiving || phase.load == Load::Both;
        QCOMPARE(phase.forward.has_value(), sends);
        QCOMPARE(phase.reverse.has_value(), receives);
        // Nothing of one phase is taken for another's.
        QCOMPARE(phase.duplicates, 0);
    }
    QVERIFY(data.clockStep.has_value());
    QVERIFY(!data.means.isEmpty());
    QVERIFY(seen.took < 28s);
    if (withTicket) { // three tests, and the door is closed
        ThroughputProbe fourth(ticket->next().next().next());
        QCOMPARE(codeOf(observe(fourth, throughputSpec(loopback, port))),
                 ErrorCode::ConnectionRefused);
    }
}

void TestLoadedLatency::withoutALoadTheIdlePhaseIsKept()
{
    const DataTicket ticket = DataTicket::create();
    const auto datagrams = DatagramServer::start({loopback, 0, ticket, {loopback}});
    QVERIFY(datagrams.has_value());
    LoadedProbe probe(ticket);
    const Observed seen =
        observe(probe, specTo((*datagrams)->port(), shortPhases(EchoMethod::Udp)));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QCOMPARE(seen.result->fault->code, ErrorCode::ConnectionRefused);
    QCOMPARE(loadedOf(seen).phases.size(), size_t(1));
    QVERIFY(seen.took < 6s);
}

void TestLoadedLatency::cancelled()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = Iperf3Server::start(serverOptions(ticket));
    QVERIFY(server.has_value());
    const auto datagrams = DatagramServer::start({loopback, (*server)->port(), ticket, {loopback}});
    QVERIFY(datagrams.has_value());
    CancelSource cancel;
    QTimer::singleShot(3'200ms, this, [&cancel] { cancel.request_stop(); });
    LoadedProbe probe(ticket);
    const Observed seen =
        observe(probe, specTo((*server)->port(), shortPhases(EchoMethod::Udp)), cancel.get_token());
    QVERIFY(seen.took < 6s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY(seen.result->fault && seen.result->fault->isCancelled());
    // Of the phase that was cut, what was there: from 2 s to 3.2 s, without its first second.
    QCOMPARE(loadedOf(seen).phases.size(), size_t(2));
    const LoadPhase& cut = loadedOf(seen).phases.back();
    QCOMPARE(cut.load, Load::Sending);
    QVERIFY(!cut.samples.empty() && cut.samples.size() <= 30);
    QVERIFY(cut.forward && cut.forward->bitsPerSecond() > 0);
}

void TestLoadedLatency::whoTakesNoLoadIsFoundFirst_data()
{
    QTest::addColumn<bool>("isBusy");
    QTest::newRow("nobody listens") << false;
    QTest::newRow("busy") << true;
}

void TestLoadedLatency::whoTakesNoLoadIsFoundFirst()
{
    QFETCH(bool, isBusy);
    const Unwilling far(isBusy);
    LoadedLatencyOptions options = shortPhases(EchoMethod::Icmp);
    options.phase = 20s;
    LoadedProbe probe;
    const Observed seen = observe(probe, specTo(far.port(), options));
    if (codeOf(seen) == ErrorCode::PermissionDenied)
        QSKIP("no echoes for this user");
    QCOMPARE(codeOf(seen), isBusy ? ErrorCode::PeerBusy : ErrorCode::ConnectionRefused);
    QVERIFY(seen.took < 8s);
}

QTEST_GUILESS_MAIN(TestLoadedLatency)
#include "tst_loadedlatency.moc"
