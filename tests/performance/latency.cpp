// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoserver.h"
#include "core/measure/latency/latencyrun.h"
#include "core/results/statistics.h"
#include "tests/support/networklab.h"

#include <QRegularExpression>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

// Ours against sockperf, qperf and ping, in turn, over a veth: the medians of round trips. Printed,
// never judged.

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

const QString near = QStringLiteral("near");
const QString far = QStringLiteral("far");
const QString farAddress = QStringLiteral("10.0.0.2");

struct Settings
{
    int rounds = 3;
    int seconds = 2;
};

using Figure = std::optional<double>; // microseconds

Figure ours(const LatencyOptions& options)
{
    const DataTicket ticket = DataTicket::create();
    std::unique_ptr<EchoServer> server;
    if (options.method != EchoMethod::Icmp) {
        NetworkLab::inHost(far, [&] {
            if (auto made = EchoServer::start({farAddress, 0, ticket, {}, options.method}))
                server = std::move(*made);
        });
        if (!server)
            return std::nullopt;
    }
    ProbeSpec spec;
    spec.far.host = farAddress;
    spec.options = options;
    Route route;
    route.addresses = {*addressFromText(farAddress, server ? server->port() : 0)};
    std::vector<Duration> times;
    NetworkLab::inHost(near, [&] {
        const auto result = LatencyRun(spec, route, {}, [](const Progress&) {}, ticket).run();
        if (!result)
            return;
        for (const RoundTrip& sample : std::get<LatencyData>(result->data).samples) {
            if (sample.outcome == RoundTrip::Outcome::Answered && sample.start > 200ms)
                times.push_back(sample.time);
        }
    });
    const auto median = quantile(std::move(times), 0.5);
    return median ? Figure(inSeconds(*median) * 1e6) : std::nullopt;
}

Figure numberIn(const QByteArray& output, const QString& pattern)
{
    const auto match = QRegularExpression(pattern).match(QString::fromUtf8(output));
    return match.hasMatch() ? Figure(match.captured(1).toDouble()) : std::nullopt;
}

Figure sockperf(NetworkLab& lab, EchoMethod method, WaitMode wait, const Settings& settings)
{
    QStringList more{QStringLiteral("-i"), farAddress, QStringLiteral("-p"),
                     QStringLiteral("11111")};
    if (method == EchoMethod::Tcp)
        more << QStringLiteral("--tcp");
    if (wait == WaitMode::BusyPoll)
        more << QStringLiteral("--nonblocked");
    const Running server =
        lab.start(far, QStringList{QStringLiteral("sockperf"), QStringLiteral("sr")} + more);
    if (method == EchoMethod::Tcp)
        lab.waitForListener(far, 11111);
    else
        QTest::qSleep(500);
    const CommandResult client = lab.run(
        near, QStringList{QStringLiteral("sockperf"), QStringLiteral("pp"),
                          QStringLiteral("--full-rtt"), QStringLiteral("-m"), QStringLiteral("64"),
                          QStringLiteral("-t"), QString::number(settings.seconds)} +
                  more);
    return numberIn(client.output, QStringLiteral(R"(percentile 50\.000 =\s*([\d.]+))"));
}

Figure qperf(NetworkLab& lab, EchoMethod method, const Settings& settings)
{
    const Running server = lab.start(far, {QStringLiteral("qperf")});
    lab.waitForListener(far, 19765);
    const CommandResult client = lab.run(
        near, {QStringLiteral("qperf"), QStringLiteral("-t"), QString::number(settings.seconds),
               QStringLiteral("-m"), QStringLiteral("64"), QStringLiteral("-u"), farAddress,
               method == EchoMethod::Tcp ? QStringLiteral("tcp_lat") : QStringLiteral("udp_lat")});
    // It tells half of a round trip, as a mean.
    const QString number = QStringLiteral(R"(latency\s*=\s*([\d.]+)\s*%1)");
    if (const Figure us = numberIn(client.output, number.arg(QStringLiteral("us"))))
        return *us * 2;
    if (const Figure ns = numberIn(client.output, number.arg(QStringLiteral("ns"))))
        return *ns * 2 / 1000;
    return std::nullopt;
}

Figure ping(NetworkLab& lab, const Settings& settings)
{
    const CommandResult pinged =
        lab.run(near, {QStringLiteral("ping"), QStringLiteral("-n"), QStringLiteral("-i"),
                       QStringLiteral("0.01"), QStringLiteral("-s"), QStringLiteral("64"),
                       QStringLiteral("-c"), QString::number(settings.seconds * 100), farAddress});
    std::vector<Duration> times;
    for (const QByteArray& line : pinged.output.split('\n')) {
        const qsizetype at = line.indexOf("time=");
        if (at >= 0)
            times.emplace_back(
                static_cast<std::int64_t>(line.sliced(at + 5).chopped(3).toDouble() * 1e6));
    }
    const auto median = quantile(std::move(times), 0.5);
    return median ? Figure(inSeconds(*median) * 1e6) : std::nullopt;
}

Figure medianOf(std::vector<Figure> figures)
{
    std::erase(figures, std::nullopt);
    if (figures.empty())
        return std::nullopt;
    std::ranges::sort(figures);
    return figures[figures.size() / 2];
}

QByteArray text(Figure figure, int digits)
{
    return figure ? QByteArray::number(*figure, 'f', digits) : QByteArray("-");
}

Figure ratio(Figure a, Figure b)
{
    return a && b && *b > 0 ? Figure(*a / *b) : std::nullopt;
}

LatencyOptions optionsFor(EchoMethod method, WaitMode wait, const Settings& settings)
{
    LatencyOptions options;
    options.method = method;
    options.wait = wait;
    options.duration = std::chrono::seconds(settings.seconds);
    options.ending = Ending::FixedTime;
    if (method == EchoMethod::Icmp)
        options.interval = 10ms;
    return options;
}

void comparePeers(NetworkLab& lab, const Settings& settings, EchoMethod method, WaitMode wait)
{
    std::vector<Figure> mine;
    std::vector<Figure> theirs;
    std::vector<Figure> others;
    for (int round = 0; round < settings.rounds; ++round) {
        // Who goes first alternates, so that a drift of the machine favours neither.
        if (round % 2 == 0)
            mine.push_back(ours(optionsFor(method, wait, settings)));
        theirs.push_back(sockperf(lab, method, wait, settings));
        if (round % 2 != 0)
            mine.push_back(ours(optionsFor(method, wait, settings)));
        if (wait == WaitMode::Blocking)
            others.push_back(qperf(lab, method, settings));
    }
    const Figure our = medianOf(mine);
    const Figure their = medianOf(theirs);
    const Figure other = medianOf(others);
    std::printf("%-4s %-9s %9s %9s %9s %15s %12s\n", method == EchoMethod::Tcp ? "TCP" : "UDP",
                wait == WaitMode::Blocking ? "blocking" : "busy", text(our, 2).constData(),
                text(their, 2).constData(), text(other, 2).constData(),
                text(ratio(our, their), 3).constData(), text(ratio(our, other), 3).constData());
    std::fflush(stdout);
}

void compareIcmp(NetworkLab& lab, const Settings& settings)
{
    std::vector<Figure> mine;
    std::vector<Figure> theirs;
    for (int round = 0; round < settings.rounds; ++round) {
        mine.push_back(ours(optionsFor(EchoMethod::Icmp, WaitMode::Blocking, settings)));
        theirs.push_back(ping(lab, settings));
    }
    const Figure our = medianOf(mine);
    const Figure their = medianOf(theirs);
    std::printf("ICMP every 10 ms: ours %s us, ping %s us, ours / ping %s\n",
                text(our, 2).constData(), text(their, 2).constData(),
                text(ratio(our, their), 3).constData());
}

Settings settingsFrom(int argc, char** argv)
{
    Settings settings;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--rounds" && i + 1 < argc)
            settings.rounds = std::max(1, std::stoi(argv[++i]));
        else if (word == "--seconds" && i + 1 < argc)
            settings.seconds = std::max(1, std::stoi(argv[++i]));
        else
            throw std::invalid_argument(word);
    }
    return settings;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const Settings settings = settingsFrom(argc, argv);
        if (!enterNetworkLab(argc, argv))
            return 1;
        const QCoreApplication application(argc, argv);
        NetworkLab lab;
        lab.addHost(near);
        lab.addHost(far);
        lab.addCable({near, QStringLiteral("eth0"), {QStringLiteral("10.0.0.1/24")}},
                     {far, QStringLiteral("eth0"), {QStringLiteral("10.0.0.2/24")}});
        std::printf("Round trips of 64 bytes, medians in microseconds of %d rounds of %d s\n"
                    "%-14s %9s %9s %9s %15s %12s\n",
                    settings.rounds, settings.seconds, "", "ours", "sockperf", "qperf",
                    "ours / sockperf", "ours / qperf");
        for (const EchoMethod method : {EchoMethod::Tcp, EchoMethod::Udp}) {
            for (const WaitMode wait : {WaitMode::Blocking, WaitMode::BusyPoll})
                comparePeers(lab, settings, method, wait);
        }
        compareIcmp(lab, settings);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
