// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoserver.h"
#include "core/measure/latency/latencyrun.h"
#include "core/results/statistics.h"
#include "tests/support/networklab.h"

#include <netinet/in.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <thread>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

// Round trips over a virtual cable: against the system's ping, with losses and duplicates that are
// known, and with the cable cut.
class TestNetworkLatency : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void likePing_data();
    void likePing();
    void lossesAreCounted_data();
    void lossesAreCounted();
    void duplicatesAndReorderings();
    void nobodyThere();
    void noWayThere();
    void aCutCable_data();
    void aCutCable();
    void cutBeforeTheEnd_data();
    void cutBeforeTheEnd();

private:
    struct Ran
    {
        std::optional<Result<ProbeResult>> result;
        std::chrono::milliseconds took{};
        [[nodiscard]] const LatencyData& data() const
        {
            return std::get<LatencyData>((*result)->data);
        }
        [[nodiscard]] QByteArray fault() const
        {
            const Error* error = !*result ? &result->error() : nullptr;
            return error ? (errorCodeName(error->code) + u' ' + error->detail).toUtf8() : "none";
        }
    };
    static Ran run(const QString& host, int port, const LatencyOptions& options,
                   const std::optional<DataTicket>& ticket = std::nullopt, IcmpMeans means = {});
    void shell(const QString& host, const QString& script)
    {
        m_lab.command(host, {QStringLiteral("sh"), QStringLiteral("-c"), script});
    }

    NetworkLab m_lab;
};

namespace {

const QString near = QStringLiteral("near");
const QString far = QStringLiteral("far");
const QString farAddress = QStringLiteral("10.0.0.2");

LatencyOptions icmpFor(std::chrono::milliseconds duration)
{
    LatencyOptions options;
    options.duration = duration;
    options.interval = 10ms;
    options.ending = Ending::FixedTime;
    return options;
}

std::int64_t lost(const LatencyData& data)
{
    return std::ranges::count(data.samples, RoundTrip::Outcome::Lost, &RoundTrip::outcome);
}

Duration medianOf(const LatencyData& data)
{
    std::vector<Duration> times;
    for (const RoundTrip& sample : data.samples) {
        if (sample.outcome == RoundTrip::Outcome::Answered)
            times.push_back(sample.time);
    }
    return quantile(std::move(times), 0.5).value_or(0ns);
}

// Answers echoes instead of the kernel: each third not at all, each fifth of the rest twice, and
// the seventh after the eighth.
class OddResponder
{
public:
    OddResponder()
        : m_socket(::socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP))
        , m_thread([this](const std::stop_token& stop) { loop(stop); })
    {}

private:
    void answer(std::vector<unsigned char> echo, const sockaddr_storage& to, socklen_t length) const
    {
        echo[0] = 0; // a reply instead of a request: the sum of the words grows less by 0x0800
        std::uint32_t sum = (std::uint32_t{echo[2]} << 8 | echo[3]) + 0x0800U;
        sum = (sum & 0xffffU) + (sum >> 16);
        echo[2] = static_cast<unsigned char>(sum >> 8);
        echo[3] = static_cast<unsigned char>(sum & 0xffU);
        ::sendto(m_socket.fd(), echo.data(), echo.size(), 0, reinterpret_cast<const sockaddr*>(&to),
                 length);
    }
    void loop(const std::stop_token& stop) const
    {
        std::vector<unsigned char> held;
        while (!stop.stop_requested()) {
            pollfd polled{m_socket.fd(), POLLIN, 0};
            if (::poll(&polled, 1, 50) != 1)
                continue;
            std::array<unsigned char, 2'000> bytes{};
            sockaddr_storage from{};
            socklen_t length = sizeof from;
            const ssize_t got = ::recvfrom(m_socket.fd(), bytes.data(), bytes.size(), 0,
                                           reinterpret_cast<sockaddr*>(&from), &length);
            if (got < 28 || bytes[20] != 8)
                continue;
            const std::vector<unsigned char> echo(bytes.begin() + 20, bytes.begin() + got);
            const int number = echo[6] << 8 | echo[7];
            if (number % 3 == 0)
                continue;
            if (number == 7) {
                held = echo;
                continue;
            }
            answer(echo, from, length);
            if (number % 5 == 0)
                answer(echo, from, length);
            if (number == 8)
                answer(held, from, length);
        }
    }

    Socket m_socket;
    std::jthread m_thread;
};

} // namespace

void TestNetworkLatency::initTestCase()
{
    m_lab.addHost(near);
    m_lab.addHost(far);
    m_lab.addCable({near,
                    QStringLiteral("eth0"),
                    {QStringLiteral("10.0.0.1/24"), QStringLiteral("fd00::1/64")}},
                   {far,
                    QStringLiteral("eth0"),
                    {QStringLiteral("10.0.0.2/24"), QStringLiteral("fd00::2/64")}});
    shell(near, QStringLiteral("echo '0 0' >/proc/sys/net/ipv4/ping_group_range"));
}

TestNetworkLatency::Ran TestNetworkLatency::run(const QString& host, int port,
                                                const LatencyOptions& options,
                                                const std::optional<DataTicket>& ticket,
                                                IcmpMeans means)
{
    Ran ran;
    ProbeSpec spec;
    spec.far.host = host;
    spec.far.port = port;
    spec.options = options;
    Route route;
    route.addresses = {*addressFromText(host, port)};
    route.peer = host;
    const auto begin = std::chrono::steady_clock::now();
    NetworkLab::inHost(near, [&] {
        ran.result = LatencyRun(spec, route, {}, [](const Progress&) {}, ticket, means).run();
    });
    ran.took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - begin);
    return ran;
}

void TestNetworkLatency::likePing_data()
{
    QTest::addColumn<EchoMeans>("means");
    QTest::addColumn<QString>("host");
    for (const QString& host : {farAddress, QStringLiteral("fd00::2")}) {
        QTest::addRow("socket, %s", qPrintable(host)) << EchoMeans::Datagram << host;
        QTest::addRow("raw, %s", qPrintable(host)) << EchoMeans::Raw << host;
        QTest::addRow("ping, %s", qPrintable(host)) << EchoMeans::SystemPing << host;
    }
}

// The same order of magnitude as ping says, by all three means.
void TestNetworkLatency::likePing()
{
    QFETCH(EchoMeans, means);
    QFETCH(QString, host);
    const CommandResult pinged = m_lab.run(
        near, {QStringLiteral("ping"), QStringLiteral("-n"), QStringLiteral("-c"),
               QStringLiteral("100"), QStringLiteral("-i"), QStringLiteral("0.01"), host});
    std::vector<Duration> times;
    for (const QByteArray& line : pinged.output.split('\n')) {
        const qsizetype at = line.indexOf("time=");
        if (at >= 0)
            times.emplace_back(std::llround(line.sliced(at + 5).chopped(3).toDouble() * 1e6));
    }
    QVERIFY2(times.size() > 50, pinged.output + pinged.errors);
    const double theirs = inSeconds(*quantile(times, 0.5));
    const Ran ran = run(host, 0, icmpFor(1'500ms), std::nullopt, {{means}, QStringLiteral("ping")});
    QVERIFY2(ran.result->has_value(), ran.fault().constData());
    QCOMPARE(ran.data().means, meansName(means));
    const double ours = inSeconds(medianOf(ran.data()));
    qInfo("p50: ours %.1f us, ping %.1f us", ours * 1e6, theirs * 1e6);
    QVERIFY(ours > theirs / 10 && ours < theirs * 10);
    QVERIFY(std::ssize(ran.data().samples) >= 10);
    QVERIFY(lost(ran.data()) <= 2);
    QCOMPARE(ran.data().duplicates, 0);
}

void TestNetworkLatency::lossesAreCounted_data()
{
    QTest::addColumn<EchoMeans>("means");
    QTest::newRow("socket") << EchoMeans::Datagram;
    QTest::newRow("ping") << EchoMeans::SystemPing;
}

// Deaf for a second in the middle of four.
void TestNetworkLatency::lossesAreCounted()
{
    QFETCH(EchoMeans, means);
    const QString ignore = QStringLiteral("/proc/sys/net/ipv4/icmp_echo_ignore_all");
    std::thread deaf([&] {
        std::this_thread::sleep_for(1'200ms);
        NetworkLab().run(far, {QStringLiteral("sh"), QStringLiteral("-c"),
                               QStringLiteral("echo 1 >%1; sleep 1; echo 0 >%1").arg(ignore)});
    });
    LatencyOptions options = icmpFor(4s);
    options.timeout = 200ms;
    const Ran ran = run(farAddress, 0, options, std::nullopt, {{means}, QStringLiteral("ping")});
    deaf.join();
    QVERIFY2(ran.result->has_value(), ran.fault().constData());
    QCOMPARE((*ran.result)->completion, Completion::Complete);
    const double share =
        static_cast<double>(lost(ran.data())) / static_cast<double>(ran.data().samples.size());
    qInfo("lost: %.1f %%", share * 100);
    QVERIFY(share > 0.05 && share < 0.7);
    QVERIFY(std::ranges::all_of(ran.data().samples, [](const RoundTrip& sample) {
        return sample.outcome == RoundTrip::Outcome::Answered || sample.time == 200ms;
    }));
}

void TestNetworkLatency::duplicatesAndReorderings()
{
    shell(far, QStringLiteral("echo 1 >/proc/sys/net/ipv4/icmp_echo_ignore_all"));
    std::optional<OddResponder> responder;
    NetworkLab::inHost(far, [&] { responder.emplace(); });
    LatencyOptions options = icmpFor(1'500ms);
    options.timeout = 300ms;
    const Ran ran = run(farAddress, 0, options, std::nullopt, {{EchoMeans::Datagram}, {}});
    responder.reset();
    shell(far, QStringLiteral("echo 0 >/proc/sys/net/ipv4/icmp_echo_ignore_all"));
    QVERIFY2(ran.result->has_value(), ran.fault().constData());
    const auto sent = std::ssize(ran.data().samples);
    QVERIFY(sent > 12);
    QCOMPARE(lost(ran.data()), (sent + 2) / 3);
    std::int64_t twice = 0;
    for (std::int64_t i = 0; i < sent; ++i)
        twice += i % 3 != 0 && i % 5 == 0 ? 1 : 0;
    QCOMPARE(ran.data().duplicates, twice);
    QCOMPARE(ran.data().reordered, 1);
}

void TestNetworkLatency::nobodyThere()
{
    LatencyOptions options = icmpFor(5s);
    const Ran ran = run(QStringLiteral("10.0.0.77"), 0, options);
    QVERIFY(!ran.result->has_value());
    QCOMPARE(ran.result->error().code, ErrorCode::HostUnreachable);
    QVERIFY(ran.took < 8s);
}

void TestNetworkLatency::noWayThere()
{
    const Ran ran = run(QStringLiteral("192.0.2.1"), 0, icmpFor(5s));
    QVERIFY(!ran.result->has_value());
    QCOMPARE(ran.result->error().code, ErrorCode::HostUnreachable);
    QVERIFY(ran.took < 3s);
}

void TestNetworkLatency::aCutCable_data()
{
    QTest::addColumn<EchoMethod>("method");
    QTest::newRow("ICMP") << EchoMethod::Icmp;
    QTest::newRow("TCP") << EchoMethod::Tcp;
    QTest::newRow("UDP") << EchoMethod::Udp;
}

void TestNetworkLatency::aCutCable()
{
    QFETCH(EchoMethod, method);
    const DataTicket ticket = DataTicket::create();
    std::unique_ptr<EchoServer> server;
    NetworkLab::inHost(far, [&] {
        if (auto started =
                EchoServer::start({QStringLiteral("10.0.0.2"),
                                   0,
                                   ticket,
                                   {},
                                   method == EchoMethod::Udp ? method : EchoMethod::Tcp}))
            server = std::move(*started);
    });
    QVERIFY(server);
    std::thread cut([&] {
        std::this_thread::sleep_for(1'500ms);
        NetworkLab().run(far, {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("set"),
                               QStringLiteral("eth0"), QStringLiteral("down")});
    });
    LatencyOptions options = icmpFor(60s);
    options.method = method;
    const Ran ran = run(farAddress, server->port(), options, ticket);
    cut.join();
    shell(far, QStringLiteral("ip link set eth0 up && ip -6 addr add fd00::2/64 dev eth0 nodad"));
    // The neighbour is found again in its own time.
    shell(near, QStringLiteral("for i in 1 2 3 4 5; do ping -c 1 -W 1 10.0.0.2 && exit; done; "
                               "exit 1"));
    QVERIFY2(ran.result->has_value(), ran.fault().constData());
    QCOMPARE((*ran.result)->completion, Completion::Partial);
    QVERIFY((*ran.result)->fault->code == ErrorCode::PeerSilent ||
            (*ran.result)->fault->code == ErrorCode::HostUnreachable);
    QVERIFY(std::ssize(ran.data().samples) - lost(ran.data()) >= 1);
    QVERIFY(ran.took < 16s);
}

void TestNetworkLatency::cutBeforeTheEnd_data()
{
    aCutCable_data();
}

// Down for most of a run that ends before silence alone would end it: partial, and soon over.
void TestNetworkLatency::cutBeforeTheEnd()
{
    QFETCH(EchoMethod, method);
    const DataTicket ticket = DataTicket::create();
    std::unique_ptr<EchoServer> server;
    NetworkLab::inHost(far, [&] {
        if (auto started =
                EchoServer::start({QStringLiteral("10.0.0.2"),
                                   0,
                                   ticket,
                                   {},
                                   method == EchoMethod::Udp ? method : EchoMethod::Tcp}))
            server = std::move(*started);
    });
    QVERIFY(server);
    std::thread cut([&] {
        std::this_thread::sleep_for(1'500ms);
        NetworkLab().run(far, {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("set"),
                               QStringLiteral("eth0"), QStringLiteral("down")});
    });
    LatencyOptions options = icmpFor(5s);
    options.method = method;
    const Ran ran = run(farAddress, server->port(), options,
                        method == EchoMethod::Icmp ? std::nullopt : std::optional(ticket));
    cut.join();
    shell(far, QStringLiteral("ip link set eth0 up && ip -6 addr add fd00::2/64 dev eth0 nodad"));
    shell(near, QStringLiteral("for i in 1 2 3 4 5; do ping -c 1 -W 1 10.0.0.2 && exit; done; "
                               "exit 1"));
    QVERIFY2(ran.result->has_value(), ran.fault().constData());
    QCOMPARE((*ran.result)->completion, Completion::Partial);
    QCOMPARE((*ran.result)->fault->code, ErrorCode::PeerSilent);
    QVERIFY(std::ssize(ran.data().samples) - lost(ran.data()) >= 1);
    QVERIFY2(ran.took < 9s, QByteArray::number(qlonglong(ran.took.count())));
}

int main(int argc, char** argv)
{
    return networkMain<TestNetworkLatency>(argc, argv);
}

#include "tst_latency.moc"
