// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/connect/connectprobe.h"
#include "core/measure/connect/connectrun.h"

#include <QTcpServer>
#include <QTimer>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measuring.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

ProbeSpec connectSpec(int port, ConnectOptions options)
{
    ProbeSpec spec;
    spec.far.host = QStringLiteral("127.0.0.1");
    spec.far.port = port;
    spec.options = options;
    return spec;
}

const ConnectData& dataOf(const Observed& seen)
{
    return std::get<ConnectData>(seen.result->data);
}

// Listens, never accepts, and its queue is full: further handshakes get no answer.
class FullListener
{
public:
    FullListener()
        : m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        ::bind(m_listener, reinterpret_cast<sockaddr*>(&address), size);
        ::listen(m_listener, 0);
        ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size);
        m_port = ntohs(address.sin_port);
        for (int i = 0; i < 4; ++i) {
            m_fillers.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
            ::connect(m_fillers.back(), reinterpret_cast<sockaddr*>(&address), size);
        }
    }
    ~FullListener()
    {
        for (const int fd : m_fillers)
            ::close(fd);
        ::close(m_listener);
    }
    FullListener(const FullListener&) = delete;
    FullListener& operator=(const FullListener&) = delete;
    [[nodiscard]] int port() const { return m_port; }

private:
    int m_listener;
    std::vector<int> m_fillers;
    int m_port = 0;
};

} // namespace

class TestConnect : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void connects();
    void findsTheAddressThatListens();
    void onlyRefusalsAreAFault();
    void someRefusalsAreData();
    void noAnswerIsAFault();
    void cancelKeepsWhatWasMeasured();
    void faultsAreErrors();
};

void TestConnect::connects()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    ConnectProbe probe;
    const Observed seen =
        observe(probe, connectSpec(server.serverPort(), {.attempts = 30, .interval = 10ms}));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    const ConnectData& data = dataOf(seen);
    QCOMPARE(data.samples.size(), size_t(30));
    Duration last = -10ms;
    size_t told = 0;
    for (const ConnectSample& sample : data.samples) {
        QCOMPARE(sample.outcome, ConnectSample::Outcome::Connected);
        QVERIFY(sample.time > 0ns);
        QVERIFY(sample.start >= last + 10ms);
        last = sample.start;
    }
    for (const Progress& item : seen.progress)
        told += std::get<ConnectData>(item.data).samples.size();
    QCOMPARE(told, data.samples.size());
    QCOMPARE(seen.result->conditions.near.address, QStringLiteral("127.0.0.1"));
}

void TestConnect::findsTheAddressThatListens()
{
    // A name that means two addresses, of which the second is served.
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress(QStringLiteral("127.0.0.3"))));
    Route route;
    for (const char* address : {"127.0.0.2", "127.0.0.3"})
        route.addresses.push_back(
            *addressFromText(QString::fromLatin1(address), server.serverPort()));
    const ProbeSpec spec = connectSpec(server.serverPort(), {.attempts = 3, .interval = 0ms});
    const auto result = ConnectRun(spec, route, {}, [](const Progress&) {}).run();
    QVERIFY(result.has_value());
    const auto& samples = std::get<ConnectData>(result->data).samples;
    QCOMPARE(samples.size(), size_t(3));
    for (const ConnectSample& sample : samples)
        QCOMPARE(sample.outcome, ConnectSample::Outcome::Connected);
    QCOMPARE(result->conditions.far.address, QStringLiteral("127.0.0.3"));
}

void TestConnect::onlyRefusalsAreAFault()
{
    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const int port = closed.serverPort();
    closed.close();
    ConnectProbe probe;
    const Observed seen = observe(probe, connectSpec(port, {.attempts = 5, .interval = 0ms}));
    QVERIFY(!seen.result.has_value());
    QCOMPARE(seen.result.error().code, ErrorCode::ConnectionRefused);
    QCOMPARE(seen.result.error().context, QStringLiteral("127.0.0.1:%1").arg(port));
    QCOMPARE(seen.result.error().detail,
             QStringLiteral("none of 5 attempts connected (refused: 5)"));
}

// A listener that goes away in the middle: what was refused then is counted beside the rest.
void TestConnect::someRefusalsAreData()
{
    auto server = std::make_unique<QTcpServer>();
    QVERIFY(server->listen(QHostAddress::LocalHost));
    const int port = server->serverPort();
    QTimer::singleShot(300ms, this, [&server] { server.reset(); });
    ConnectProbe probe;
    const Observed seen = observe(probe, connectSpec(port, {.attempts = 40, .interval = 50ms}));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(dataOf(seen).samples.size(), size_t(40));
    QCOMPARE(dataOf(seen).samples.front().outcome, ConnectSample::Outcome::Connected);
    QCOMPARE(dataOf(seen).samples.back().outcome, ConnectSample::Outcome::Refused);
}

void TestConnect::noAnswerIsAFault()
{
    const FullListener listener;
    ConnectProbe probe;
    const Observed seen = observe(
        probe, connectSpec(listener.port(), {.attempts = 3, .interval = 0ms, .timeout = 100ms}));
    QVERIFY(!seen.result.has_value());
    QCOMPARE(seen.result.error().code, ErrorCode::TimedOut);
    QCOMPARE(seen.result.error().detail,
             QStringLiteral("none of 3 attempts connected (without an answer: 3)"));
}

void TestConnect::cancelKeepsWhatWasMeasured()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    CancelSource cancel;
    QTimer::singleShot(300ms, this, [&cancel] { cancel.request_stop(); });
    ConnectProbe probe;
    const Observed seen =
        observe(probe, connectSpec(server.serverPort(), {.attempts = 1000}), cancel.get_token());
    QVERIFY(seen.took < 5s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(seen.result->fault && seen.result->fault->isCancelled());
    QVERIFY(!dataOf(seen).samples.empty());
}

void TestConnect::faultsAreErrors()
{
    ConnectProbe probe;
    ProbeSpec spec = connectSpec(1, {});
    spec.interfaceName = QStringLiteral("nic99");
    QCOMPARE(observe(probe, spec).result.error().code, ErrorCode::NoSuchInterface);
    spec = connectSpec(0, {});
    QCOMPARE(observe(probe, spec).result.error().code, ErrorCode::InvalidArgument);
    spec = connectSpec(1, {.attempts = 0});
    QCOMPARE(sync(probe.check(spec, {})).error().code, ErrorCode::InvalidArgument);
}

QTEST_GUILESS_MAIN(TestConnect)
#include "tst_connect.moc"
