// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/throughputprobe.h"
#include "core/results/summary.h"
#include "tests/support/networklab.h"
#include "tests/support/sync.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

constexpr int rounds = 8;
constexpr auto clientFlag = "--measure-until-sure";

// What TCP can deliver: segments of 1,448 bytes with time stamps in frames of 1,514.
double truthOf(qint64 bitsPerSecond)
{
    return static_cast<double>(bitsPerSecond) * 1448 / 1514;
}

// A cable of known rate.
struct ShapedLink
{
    ShapedLink(NetworkLab& lab, int number, qint64 bitsPerSecond)
        : near(QStringLiteral("near%1").arg(number))
        , far(QStringLiteral("far%1").arg(number))
        , address(QStringLiteral("10.%1.0.2").arg(number))
    {
        lab.addHost(near);
        lab.addHost(far);
        const QString eth = QStringLiteral("eth0");
        lab.addCable({near, eth, {QStringLiteral("10.%1.0.1/24").arg(number)}},
                     {far, eth, {address + QStringLiteral("/24")}});
        lab.shape(near, eth, bitsPerSecond);
        lab.shape(far, eth, bitsPerSecond);
    }
    QString near;
    QString far;
    QString address;
};

QStringList clientWords(const ShapedLink& link, Flow flow)
{
    return {QCoreApplication::applicationFilePath(), QString::fromLatin1(clientFlag), link.address,
            flow == Flow::Forward ? QStringLiteral("forward") : QStringLiteral("reverse")};
}

// What a client told of its run.
struct Told
{
    double seconds = 0;
    double rate = 0;
    double halfWidth = 0;
    bool isSure = false;
};

Told toldBy(const CommandResult& result)
{
    const Json json = Json::parse(result.output.toStdString(), nullptr, false);
    if (result.exitCode != 0 || json.is_discarded())
        throw std::runtime_error((result.output + result.errors).toStdString());
    return {json.at("seconds").get<double>(), json.at("rate").get<double>(),
            json.at("half_width").get<double>(), json.at("sure").get<bool>()};
}

// This program as a client, within a host of the lab.
int measureUntilSure(const QString& address, const QString& direction)
{
    ThroughputOptions options;
    options.flow = direction == QStringLiteral("forward") ? Flow::Forward : Flow::Reverse;
    options.ending = Ending::WhenSure;
    options.congestionControl = QStringLiteral("cubic"); // at whichever end sends
    ProbeSpec spec;
    spec.far.host = address;
    spec.far.port = 5201;
    spec.options = options;
    ThroughputProbe probe;
    const auto result = sync(probe.run(spec, {}, [](const Progress&) {}), 30s);
    if (!result) {
        std::fprintf(stderr, "%s\n", qPrintable(result.error().detail));
        return 1;
    }
    const ThroughputSummary summary = summariseThroughput(*result);
    const DirectionSummary& own = (summary.forward ? summary.forward : summary.reverse).value();
    const Json json{{"seconds", inSeconds(own.duration)},
                    {"rate", static_cast<double>(own.throughput.bitsPerSecond())},
                    {"half_width", own.certainty->halfWidth},
                    {"sure", own.certainty->verdict == Certainty::Verdict::Sure}};
    std::printf("%s\n", json.dump().c_str());
    return 0;
}

} // namespace

// A run that ends when it is sure, over cables of known rate.
class TestSure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cables_data();
    void cables();

private:
    static std::vector<Told> runOver(qint64 bitsPerSecond);
    static void check(const std::vector<Told>& all, double truth, double soonEnough);
};

void TestSure::check(const std::vector<Told>& all, double truth, double soonEnough)
{
    int soon = 0;
    int covered = 0;
    for (const Told& told : all) {
        const double reach = std::max(told.halfWidth, 0.01 * told.rate);
        qInfo("%.2f s, %.2f Mbit/s, half width %.2f %%, truth %+.2f %% off%s", told.seconds,
              told.rate / 1e6, 100 * told.halfWidth / told.rate, 100 * (told.rate / truth - 1),
              told.isSure ? "" : ", not sure");
        soon += told.isSure && told.seconds <= soonEnough ? 1 : 0;
        covered += std::abs(told.rate - truth) <= reach ? 1 : 0;
    }
    QVERIFY(soon * 10 >= static_cast<int>(all.size()) * 7);
    QVERIFY(covered * 10 >= static_cast<int>(all.size()) * 8);
}

// One after another: beside each other, the processes would be what is measured.
std::vector<Told> TestSure::runOver(qint64 bitsPerSecond)
{
    NetworkLab lab;
    const ShapedLink link(lab, 100, bitsPerSecond);
    std::vector<Told> all;
    for (int i = 0; i < rounds; ++i) {
        Running server = lab.start(
            link.far, {QStringLiteral("iperf3"), QStringLiteral("-s"), QStringLiteral("-1")});
        lab.waitForListener(link.far, 5201);
        all.push_back(toldBy(
            lab.run(link.near, clientWords(link, i % 2 == 0 ? Flow::Forward : Flow::Reverse))));
        server.finish(5s);
    }
    return all;
}

void TestSure::cables_data()
{
    QTest::addColumn<qint64>("rate");
    QTest::addColumn<double>("soonEnough");
    // The start of cubic fills the shaper's queue and loses much of it: at 100 Mbit/s it takes more
    // than a second until the rate is steady.
    QTest::newRow("100 Mbit/s") << qint64(100'000'000) << 5.0;
    QTest::newRow("1 Gbit/s") << qint64(1'000'000'000) << 3.0;
}

void TestSure::cables()
{
    QFETCH(qint64, rate);
    QFETCH(double, soonEnough);
    check(runOver(rate), truthOf(rate), soonEnough);
}

int main(int argc, char** argv)
{
    if (argc == 4 && qstrcmp(argv[1], clientFlag) == 0) {
        const QCoreApplication application(argc, argv);
        return measureUntilSure(QString::fromLocal8Bit(argv[2]), QString::fromLocal8Bit(argv[3]));
    }
    return networkMain<TestSure>(argc, argv);
}

#include "tst_sure.moc"
