// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/connect/connectprobe.h"
#include "core/measure/connect/connectserver.h"
#include "core/measure/throughput/iperf3server.h"
#include "tests/support/scriptedpeer.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTcpServer>

#include "measuring.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

const QString loopback = QStringLiteral("127.0.0.1");

std::unique_ptr<Iperf3Server> serverWith(const DataTicket& ticket,
                                         const QStringList& clients = {loopback})
{
    Iperf3ServerOptions options;
    options.bindAddress = loopback;
    options.port = 0;
    options.ticket = ticket;
    options.clients = clients;
    auto server = Iperf3Server::start(options);
    if (!server)
        throw std::runtime_error("no server");
    return std::move(*server);
}

Observed measureWith(const DataTicket& ticket, int port, Flow flow = Flow::Forward)
{
    ThroughputOptions options;
    options.flow = flow;
    ThroughputProbe probe(ticket);
    return observe(probe, throughputSpec(loopback, port, options));
}

ErrorCode codeOf(const Observed& seen)
{
    return seen.result ? ErrorCode::Internal : seen.result.error().code;
}

const QByteArray parameters = R"({"tcp":true,"time":1,"parallel":1,"len":1000})";

} // namespace

// Who may measure against a far end that wants a ticket, and against whom a ticket is shown.
class TestDataTicket : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void theHolderMeasuresOnce_data();
    void theHolderMeasuresOnce();
    void otherTicketsAreRefused();
    void aClientWithoutTicketIsRefused();
    void stockClientsAreRefused();
    void anotherAddressIsRefused();
    void theCookieAloneIsNotEnough_data();
    void theCookieAloneIsNotEnough();
    void stockServersGetNothing();
    void aWrongFarProofGetsNothing();
    void connectTimesWithATicket();
    void connectTimesWithoutTheTicket();
};

void TestDataTicket::theHolderMeasuresOnce_data()
{
    QTest::addColumn<Flow>("flow");
    QTest::newRow("forward") << Flow::Forward;
    QTest::newRow("reverse") << Flow::Reverse;
    QTest::newRow("both ways") << Flow::Bidirectional;
}

void TestDataTicket::theHolderMeasuresOnce()
{
    QFETCH(Flow, flow);
    const DataTicket ticket = DataTicket::create();
    const auto server = serverWith(ticket);
    QSignalSpy ended(server.get(), &Iperf3Server::testEnded);
    const int port = server->port();
    const Observed seen = measureWith(ticket, port, flow);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(!ended[0][0].value<ServedTest>().fault);
    // The same ticket once more: the port is closed.
    QTRY_COMPARE(codeOf(measureWith(ticket, port, flow)), ErrorCode::ConnectionRefused);
}

void TestDataTicket::otherTicketsAreRefused()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverWith(ticket);
    QSignalSpy refused(server.get(), &Iperf3Server::clientRefused);
    QCOMPARE(codeOf(measureWith(DataTicket::create(), server->port())), ErrorCode::PeerRefused);
    QTRY_COMPARE(refused.size(), 1);
    QCOMPARE(refused[0][1].value<Error>().code, ErrorCode::PermissionDenied);
    // The honest client next to it is unharmed.
    QVERIFY(measureWith(ticket, server->port()).result.has_value());
}

void TestDataTicket::aClientWithoutTicketIsRefused()
{
    const auto server = serverWith(DataTicket::create());
    const Observed seen = observeThroughput(throughputSpec(loopback, server->port()));
    QCOMPARE(codeOf(seen), ErrorCode::PeerBusy); // as the protocol has it
}

void TestDataTicket::stockClientsAreRefused()
{
    const auto server = serverWith(DataTicket::create());
    QSignalSpy refused(server.get(), &Iperf3Server::clientRefused);
    QSignalSpy started(server.get(), &Iperf3Server::testStarted);
    QProcess client;
    client.start(QStringLiteral("iperf3"),
                 {QStringLiteral("-c"), loopback, QStringLiteral("-p"),
                  QString::number(server->port()), QStringLiteral("-t"), QStringLiteral("1")});
    QVERIFY2(client.waitForStarted(), "iperf3 is needed for the tests");
    QTRY_COMPARE(client.state(), QProcess::NotRunning);
    QVERIFY(client.exitCode() != 0);
    QTRY_VERIFY(!refused.isEmpty());
    QVERIFY(started.isEmpty());
}

void TestDataTicket::anotherAddressIsRefused()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = serverWith(ticket, {QStringLiteral("10.0.0.9")});
    QSignalSpy refused(server.get(), &Iperf3Server::clientRefused);
    QVERIFY(!measureWith(ticket, server->port()).result.has_value());
    QTRY_COMPARE(refused.size(), 1);
}

void TestDataTicket::theCookieAloneIsNotEnough_data()
{
    QTest::addColumn<QByteArray>("instead");
    const DataTicket other = DataTicket::create();
    QTest::newRow("none") << QByteArray();
    QTest::newRow("another") << other.nearProof();
    QTest::newRow("parameters at once") << parameters;
}

void TestDataTicket::theCookieAloneIsNotEnough()
{
    QFETCH(QByteArray, instead);
    const DataTicket ticket = DataTicket::create();
    const auto server = serverWith(ticket);
    QSignalSpy ended(server.get(), &Iperf3Server::testEnded);
    ScriptedPeer client([&](PeerTalk& talk) {
        const int control = talk.connect(server->port());
        talk.write(control, ticket.cookie());
        if (talk.read(control, 32) != ticket.farProof())
            throw std::runtime_error("not the far end's proof");
        if (instead.isEmpty()) {
            talk.close(control);
            return;
        }
        talk.write(control, instead);
        if (!talk.isClosedByPeer(control))
            throw std::runtime_error("still open");
    });
    const std::string fault = client.fault();
    QVERIFY2(fault.empty(), fault.c_str());
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(ended[0][0].value<ServedTest>().fault);
    // Whoever has seen the cookie go by does not get a second chance.
    QTRY_COMPARE(codeOf(measureWith(ticket, server->port())), ErrorCode::ConnectionRefused);
}

void TestDataTicket::stockServersGetNothing()
{
    QTcpServer free;
    QVERIFY(free.listen(QHostAddress::LocalHost));
    const int port = free.serverPort();
    free.close();
    QProcess stock;
    stock.setProcessChannelMode(QProcess::MergedChannels);
    stock.start(QStringLiteral("iperf3"), {QStringLiteral("-s"), QStringLiteral("-p"),
                                           QString::number(port), QStringLiteral("--forceflush")});
    QVERIFY2(stock.waitForStarted(), "iperf3 is needed for the tests");
    QByteArray said;
    QTRY_VERIFY((said += stock.readAll()).contains("Server listening"));
    const Observed seen = measureWith(DataTicket::create(), port);
    QCOMPARE(codeOf(seen), ErrorCode::PeerRefused);
    QVERIFY(seen.took < 5s);
    QTest::qWait(200);
    QVERIFY(!(said += stock.readAll()).contains("Mbytes"));
    stock.kill();
    stock.waitForFinished();
}

void TestDataTicket::aWrongFarProofGetsNothing()
{
    const DataTicket ticket = DataTicket::create();
    QByteArray after;
    ScriptedPeer server([&](PeerTalk& talk) {
        const int control = talk.accept();
        if (talk.read(control, 37) != ticket.cookie())
            throw std::runtime_error("not the cookie");
        QByteArray proof = ticket.farProof();
        proof[31] = static_cast<char>(proof[31] ^ 1);
        talk.write(control, proof);
        if (!talk.isClosedByPeer(control))
            throw std::runtime_error("it went on");
    });
    QCOMPARE(codeOf(measureWith(ticket, server.port())), ErrorCode::PeerRefused);
    const std::string fault = server.fault();
    QVERIFY2(fault.empty(), fault.c_str());
}

void TestDataTicket::connectTimesWithATicket()
{
    const DataTicket ticket = DataTicket::create();
    const auto server = ConnectServer::start({loopback, 0, ticket, {loopback}});
    QVERIFY(server.has_value());
    ProbeSpec spec = throughputSpec(loopback, (*server)->port());
    spec.options = ConnectOptions{8, 5ms, 1s};
    ConnectProbe probe(ticket);
    const Observed seen = observe(probe, spec);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(summarise(std::get<ConnectData>(seen.result->data)).connected, 8);
}

void TestDataTicket::connectTimesWithoutTheTicket()
{
    const auto server =
        ConnectServer::start({loopback, 0, DataTicket::create(), QStringList{loopback}});
    QVERIFY(server.has_value());
    ProbeSpec spec = throughputSpec(loopback, (*server)->port());
    spec.options = ConnectOptions{8, 5ms, 1s};
    ConnectProbe probe(DataTicket::create());
    QVERIFY(!observe(probe, spec).result.has_value());
}

QTEST_GUILESS_MAIN(TestDataTicket)
#include "tst_dataticket.moc"
