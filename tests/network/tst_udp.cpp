// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/iperf3server.h"
#include "core/measure/udp/udpprobe.h"
#include "tests/network/udppath.h"
#include "tests/support/networklab.h"
#include "tests/support/sync.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

// UDP against stock iperf3 and a known truth. What measures and what serves are this same program,
// started in a machine of the lab.
class TestNetworkUdp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void ourClientWithStockServer();
    void stockClientWithOurServer();
    void moreThanTheLinkCarries_data();
    void moreThanTheLinkCarries();
    void asymmetricLinks();
    void holdsTheRate();
    void blockedUdp();
    void cutCable();
    void cutBeforeTheEnd();
    void fullReceiveBuffer();
};

namespace {

constexpr qint64 mega = 1'000'000;
constexpr int payload = 1448;

// What all streams of a direction came to.
struct Sum
{
    double rate = 0;     // bit/s that arrived
    double sentOver = 0; // s
    qint64 sent = 0;
    qint64 received = 0;
    qint64 lost = 0;
    qint64 bytes = 0;
    int streams = 0;
};

Json parsed(const CommandResult& result)
{
    const Json json = Json::parse(result.output.toStdString(), nullptr, false);
    if (result.exitCode != 0 || json.is_discarded())
        throw std::runtime_error((result.output + result.errors).right(2000).toStdString());
    return json;
}

Sum sumOf(const Json& run, const char* direction)
{
    Sum sum;
    for (const Json& total : run.at("totals")) {
        if (total.at("direction") != direction)
            continue;
        sum.rate += total.at("rate").get<double>();
        sum.sentOver = std::max(sum.sentOver, total.at("sent_over").get<double>());
        sum.sent += total.at("sent").get<qint64>();
        sum.received += total.at("received").get<qint64>();
        sum.lost += total.at("lost").get<qint64>();
        sum.bytes += total.at("bytes").get<qint64>();
        ++sum.streams;
    }
    return sum;
}

double carried(qint64 linkRate)
{
    return static_cast<double>(linkRate) * payload / (payload + 42);
}

bool isNear(double value, double wanted, double tolerance)
{
    return std::abs(value / wanted - 1) <= tolerance;
}

QString told(const char* what, const Sum& sum)
{
    return QStringLiteral("%1: %2 Mbit/s, sent %3, received %4, gaps %5")
        .arg(QLatin1StringView(what))
        .arg(sum.rate / 1e6, 0, 'f', 2)
        .arg(sum.sent)
        .arg(sum.received)
        .arg(sum.lost);
}

struct Case
{
    Flow flow;
    int streams;
    const char* host;

    [[nodiscard]] QString text() const
    {
        return QStringLiteral("%1, %2 streams, %3: ")
            .arg(flowName(flow))
            .arg(streams)
            .arg(QLatin1StringView(host));
    }
};

std::vector<Case> everyCase()
{
    std::vector<Case> cases;
    for (const Flow flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional}) {
        cases.push_back({flow, 1, "10.9.2.2"});
        cases.push_back({flow, 4, "fd09:2::2"});
    }
    return cases;
}

} // namespace

// ctest runs those that mostly wait beside other tests, and the others alone; by hand all run.
void TestNetworkUdp::init()
{
    const QByteArray part = qgetenv("NAPKIN_TEST_PART");
    const QByteArray name(QTest::currentTestFunction());
    const bool waits = name == "blockedUdp" || name == "cutCable" || name == "cutBeforeTheEnd";
    if (!part.isEmpty() && waits != (part == "waiting"))
        QSKIP("in the other part");
}

// 100 Mbit/s over an unshaped cable: all of it arrives, and both programs count the same.
void TestNetworkUdp::ourClientWithStockServer()
{
    NetworkLab lab;
    Path path(lab);
    QStringList faults;
    for (const Case& one : everyCase()) {
        Running server = path.server(true);
        const Json run =
            parsed(path.client(one.flow, one.streams, 100 * mega, 2, one.host).finish(20s));
        const Json report = parsed(server.finish(5s));
        for (const char* direction : {"forward", "reverse"}) {
            const bool isForward = direction[0] == 'f';
            const Sum sum = sumOf(run, direction);
            if (one.flow == (isForward ? Flow::Reverse : Flow::Forward))
                continue;
            qInfo("%s", qPrintable(one.text() + told(direction, sum)));
            if (sum.streams != one.streams || sum.lost != 0 || sum.sent != sum.received ||
                !isNear(sum.rate, 100e6, 0.02))
                faults << one.text() + told(direction, sum);
            qint64 packets = 0; // that came, and those that did not
            for (const Json& stream : report.at("end").at("streams")) {
                if (!stream.at("udp").at("sender").get<bool>())
                    packets += stream.at("udp").at("packets").get<qint64>();
            }
            if (isForward && packets != sum.received + sum.lost)
                faults << one.text() + QStringLiteral("the server counted %1 datagrams, we %2")
                                           .arg(packets)
                                           .arg(sum.received + sum.lost);
        }
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void TestNetworkUdp::stockClientWithOurServer()
{
    NetworkLab lab;
    Path path(lab);
    Running server = path.server(false);
    QStringList faults;
    for (const Case& one : everyCase()) {
        const Json end =
            parsed(path.stockClient(one.flow, one.streams, 100 * mega, 2, one.host).finish(20s))
                .at("end");
        int streams = 0;
        for (const Json& stream : end.at("streams")) {
            const Json& udp = stream.at("udp");
            ++streams;
            if (udp.at("lost_packets").get<qint64>() != 0 || udp.at("packets").get<qint64>() == 0)
                faults << one.text() + QString::fromStdString(udp.dump());
        }
        if (streams != one.streams * (one.flow == Flow::Bidirectional ? 2 : 1))
            faults << one.text() + QStringLiteral("%1 streams").arg(streams);
        const double rate = end.at("sum").at("bits_per_second").get<double>();
        qInfo("%s%.2f Mbit/s", qPrintable(one.text()), rate / 1e6);
        if (!isNear(rate, 100e6, 0.03))
            faults << one.text() + QStringLiteral("%1 bit/s").arg(rate);
    }
    // As fast as it goes, for a second: the server must live through it.
    const Json end =
        parsed(path.stockClient(Flow::Reverse, 1, 0, 1, "10.9.2.2").finish(20s)).at("end");
    QVERIFY(end.at("sum").at("packets").get<qint64>() > 0);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void TestNetworkUdp::moreThanTheLinkCarries_data()
{
    QTest::addColumn<bool>("isStock");
    QTest::addColumn<Flow>("flow");
    QTest::addColumn<int>("streams");
    QTest::newRow("stock, forward") << true << Flow::Forward << 1;
    QTest::newRow("stock, reverse") << true << Flow::Reverse << 1;
    QTest::newRow("ours, forward, 4") << false << Flow::Forward << 4;
    QTest::newRow("ours, both ways") << false << Flow::Bidirectional << 1;
}

// 300 Mbit/s into 100: what the link carries arrives, the rest is lost, and none of it in the
// receiver.
void TestNetworkUdp::moreThanTheLinkCarries()
{
    QFETCH(bool, isStock);
    QFETCH(Flow, flow);
    QFETCH(int, streams);
    NetworkLab lab;
    Path path(lab, 100 * mega, 100 * mega);
    Running server = path.server(isStock);
    const Json run = parsed(path.client(flow, streams, 300 * mega, 3, "10.9.2.2").finish(30s));
    for (const char* direction : {"forward", "reverse"}) {
        if (flow == (direction[0] == 'f' ? Flow::Reverse : Flow::Forward))
            continue;
        const Sum sum = sumOf(run, direction);
        const QString words = told(direction, sum);
        const double loss = 1 - static_cast<double>(sum.received) / static_cast<double>(sum.sent);
        qInfo("%s, %.2f %% lost of %.2f Mbit/s", qPrintable(words), loss * 100,
              static_cast<double>(sum.sent) * payload * 8 / 3e6);
        QVERIFY2(isNear(sum.rate, carried(100 * mega), 0.02), qPrintable(words));
        // Over the sender's own time, whatever the queue still delivers after it; with both ways at
        // once the far end goes on until our last word has come through the queue.
        QVERIFY2(std::abs(sum.sentOver - 3) < 0.15, QByteArray::number(sum.sentOver));
        QVERIFY2(isNear(static_cast<double>(sum.sent) * payload * 8 / sum.sentOver, 300e6, 0.02),
                 qPrintable(words));
        QVERIFY2(loss > 0.65 && loss < 0.69, qPrintable(words));
        // Sent and received agree with the gaps, but for a tail of a queue's length.
        const qint64 tail = sum.sent - sum.received - sum.lost;
        QVERIFY2(tail >= 0 && tail < 800, qPrintable(words));
    }
    if (!isStock)
        QCOMPARE(run.at("far_drops").get<qint64>(), qint64(0));
}

void TestNetworkUdp::asymmetricLinks()
{
    NetworkLab lab;
    Path path(lab, 100 * mega, 20 * mega);
    Running server = path.server(true);
    const Json run =
        parsed(path.client(Flow::Bidirectional, 1, 150 * mega, 3, "10.9.2.2").finish(30s));
    const Sum forward = sumOf(run, "forward");
    const Sum reverse = sumOf(run, "reverse");
    qInfo("%s; %s", qPrintable(told("forward", forward)), qPrintable(told("reverse", reverse)));
    QVERIFY2(isNear(forward.rate, carried(100 * mega), 0.02), qPrintable(told("forward", forward)));
    QVERIFY2(isNear(reverse.rate, carried(20 * mega), 0.03), qPrintable(told("reverse", reverse)));
}

// What is offered is what was asked for, with the start left out too.
void TestNetworkUdp::holdsTheRate()
{
    NetworkLab lab;
    Path path(lab);
    Running server = path.server(false);
    for (const qint64 rate : {mega, 50 * mega, 400 * mega}) {
        for (const Flow flow : {Flow::Forward, Flow::Reverse}) {
            const Json run = parsed(path.client(flow, 2, rate, 3, "10.9.2.2", 1).finish(20s));
            const Sum sum = sumOf(run, flow == Flow::Forward ? "forward" : "reverse");
            const double offered = static_cast<double>(sum.sent) * payload * 8 / 3;
            const QString words = told(qPrintable(flowName(flow)), sum);
            qInfo("%s of %.0f Mbit/s", qPrintable(words), static_cast<double>(rate) / 1e6);
            QVERIFY2(isNear(offered, static_cast<double>(rate), 0.02), qPrintable(words));
            QCOMPARE(sum.sent - sum.received, sum.lost);
        }
    }
}

void TestNetworkUdp::blockedUdp()
{
    NetworkLab lab;
    Path path(lab);
    Running server = path.server(false);
    // A router that drops UDP without a word: by a rule of its routes.
    for (const char* line : {"rule add priority 5 ipproto udp to 10.9.2.2 table 77",
                             "route add blackhole default table 77"})
        lab.command(QStringLiteral("mid"),
                    QStringList{QStringLiteral("ip")} + QString::fromLatin1(line).split(u' '));
    const CommandResult result = path.client(Flow::Forward, 1, mega, 2, "10.9.2.2").finish(20s);
    QVERIFY(result.exitCode != 0);
    QVERIFY2(result.errors.contains("UDP does not"), result.errors.constData());
    QVERIFY(result.took < 15s);
}

void TestNetworkUdp::cutCable()
{
    for (const Flow flow : {Flow::Forward, Flow::Reverse}) {
        NetworkLab lab;
        Path path(lab);
        Running server = path.server(false);
        Running client = path.client(flow, 1, 10 * mega, 60, "10.9.2.2");
        QTest::qSleep(2000);
        lab.command(QStringLiteral("mid"),
                    {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("set"),
                     QStringLiteral("right"), QStringLiteral("down")});
        const CommandResult result = client.finish(20s);
        qInfo("%s: %lld ms, %s", qPrintable(flowName(flow)),
              static_cast<long long>(result.took.count()), result.errors.constData());
        QVERIFY(result.took < 17s);
        QCOMPARE(result.exitCode, 2); // partial: what was sent, or what came
        QVERIFY(result.errors.startsWith("peer-silent"));
    }
}

// A run that ends before silence alone would end it is soon over, and what was seen is kept.
void TestNetworkUdp::cutBeforeTheEnd()
{
    for (const Flow flow : {Flow::Forward, Flow::Reverse}) {
        NetworkLab lab;
        Path path(lab);
        Running server = path.server(false);
        Running client = path.client(flow, 1, 10 * mega, 4, "10.9.2.2");
        QTest::qSleep(2000);
        lab.command(QStringLiteral("mid"),
                    {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("set"),
                     QStringLiteral("right"), QStringLiteral("down")});
        const CommandResult result = client.finish(20s);
        qInfo("%s: %lld ms, %s", qPrintable(flowName(flow)),
              static_cast<long long>(result.took.count()), result.errors.constData());
        QVERIFY(result.took < 11s);
        QCOMPARE(result.exitCode, 2);
        QVERIFY(result.errors.startsWith("peer-silent"));
    }
}

// A receiver that is given no time to read loses datagrams in its own buffer, and says so.
void TestNetworkUdp::fullReceiveBuffer()
{
    NetworkLab lab;
    Path path(lab);
    Running server = path.server(false);
    Running client = path.client(Flow::Forward, 1, 200 * mega, 4, "10.9.2.2");
    QTest::qSleep(1500);
    // `ip netns exec` becomes the program: this is its process.
    const QString process = QString::number(server.process().processId());
    Running(QStringLiteral("kill"), {QStringLiteral("-STOP"), process}).finish(5s);
    QTest::qSleep(1500);
    Running(QStringLiteral("kill"), {QStringLiteral("-CONT"), process}).finish(5s);
    const Json run = parsed(client.finish(20s));
    const Sum sum = sumOf(run, "forward");
    const auto drops = run.at("far_drops").get<qint64>();
    qInfo("%s, dropped by the full buffer %lld", qPrintable(told("forward", sum)), drops);
    QVERIFY(drops > 0);
    QCOMPARE(drops, sum.sent - sum.received);
}

namespace {

// "--serve": until it is killed.
int serve(QCoreApplication& application)
{
    const auto server = Iperf3Server::start({});
    return server ? application.exec() : 1;
}

Json toJson(const UdpData& data)
{
    Json totals = Json::array();
    for (const UdpTotal& total : data.totals) {
        totals.push_back(
            {{"direction", directionName(total.direction).toStdString()},
             {"rate", static_cast<double>(total.received.bytes()) * 8 / inSeconds(total.duration)},
             {"bytes", total.received.bytes()},
             {"sent", total.packetsSent.value_or(-1)},
             {"sent_over", inSeconds(total.sentOver.value_or(Duration()))},
             {"received", total.packetsReceived},
             {"lost", total.lost}});
    }
    return {{"totals", std::move(totals)}, {"far_drops", data.farBufferDrops.value_or(-1)}};
}

// "--measure HOST FLOW STREAMS RATE SECONDS OMIT": 0 complete, 2 partial, 3 nothing.
int measure(const QStringList& words)
{
    UdpOptions options;
    for (const Flow flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional}) {
        if (flowName(flow) == words.at(3))
            options.flow = flow;
    }
    options.streams = words.at(4).toInt();
    options.rate = BitRate::bitsPerSecond(words.at(5).toLongLong());
    options.duration = std::chrono::seconds(words.at(6).toInt());
    options.omit = std::chrono::seconds(words.at(7).toInt());
    options.datagramSize =
        ByteCount::bytes(words.at(2).contains(u':') ? payload - 20 : 0); // the path's: 1,448
    ProbeSpec spec;
    spec.far.host = words.at(2);
    spec.far.port = 5201;
    spec.options = options;
    UdpProbe probe;
    const auto result = sync(probe.run(spec, {}, {}), 90s);
    const auto say = [](const Error& error) {
        std::fprintf(stderr, "%s: %s\n", qPrintable(errorCodeName(error.code)),
                     qPrintable(error.detail));
    };
    if (!result) {
        say(result.error());
        return 3;
    }
    std::puts(toJson(std::get<UdpData>(result->data)).dump().c_str());
    if (result->fault)
        say(*result->fault);
    return result->completion == Completion::Complete ? 0 : 2;
}

} // namespace

int main(int argc, char** argv)
{
    const QByteArray mode(argc > 1 ? argv[1] : "");
    if (mode != "--serve" && mode != "--measure")
        return networkMain<TestNetworkUdp>(argc, argv);
    QCoreApplication application(argc, argv);
    return mode == "--serve" ? serve(application) : measure(QCoreApplication::arguments());
}

#include "tst_udp.moc"
