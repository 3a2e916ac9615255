// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/network/runs.h"
#include "tests/performance/timedprocess.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string>

// Ours against stock iperf3, same options, in turn, over a veth that nothing shapes: what arrives
// per second, and what it costs each end.

using namespace napkin::test;

namespace {

enum class Program { Ours, Stock };

struct Cost
{
    double gigabits = 0;  // per second
    double clientCpu = 0; // seconds per GB
    double serverCpu = 0; // seconds per GB
};

struct Settings
{
    int rounds = 5;
    int seconds = 5;
    Flow flow = Flow::Forward;
    std::vector<int> streams{1, 2, 4};
};

QStringList inHost(const QString& host, const QStringList& words)
{
    return QStringList{QStringLiteral("ip"), QStringLiteral("netns"), QStringLiteral("exec"),
                       host} +
           words;
}

Cost costOf(NetworkLab& lab, const Lane& lane, Program program, const Ask& ask)
{
    const bool ours = program == Program::Ours;
    TimedProcess server(
        inHost(lane.far(), ours ? napkinCli({QStringLiteral("serve"), QStringLiteral("--json")})
                                : Lane::iperf3ServerWords()));
    lab.waitForListener(lane.far(), 5201);
    TimedProcess client(
        inHost(lane.near(), ours ? lane.napkinClientWords(ask) : lane.iperf3ClientWords(ask)));
    const TimedProcess::Outcome near = client.wait();
    if (ours)
        server.interrupt();
    const TimedProcess::Outcome far = server.wait();

    CommandResult result;
    result.exitCode = near.exitCode;
    result.output = near.output;
    const Figures figures = ours ? napkinFigures(result) : iperf3Figures(result);
    const bool forward = ask.flow == Flow::Forward;
    const double gigabytes =
        static_cast<double>((forward ? figures.forwardBytes : figures.reverseBytes).value_or(0)) /
        1e9;
    return {(forward ? figures.forward : figures.reverse).value_or(0) / 1e9,
            near.cpuSeconds / gigabytes, far.cpuSeconds / gigabytes};
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Cost medians(const std::vector<Cost>& costs)
{
    const auto of = [&costs](double Cost::* member) {
        std::vector<double> values;
        for (const Cost& cost : costs)
            values.push_back(cost.*member);
        return median(values);
    };
    return {of(&Cost::gigabits), of(&Cost::clientCpu), of(&Cost::serverCpu)};
}

void printRow(const char* who, const Cost& cost)
{
    std::printf("  %-14s %8.2f %12.3f %12.3f\n", who, cost.gigabits, cost.clientCpu,
                cost.serverCpu);
    std::fflush(stdout);
}

void compare(NetworkLab& lab, const Lane& lane, const Settings& settings, int streams)
{
    std::printf("%d %s, %s, %d rounds of %d s\n  %-14s %8s %12s %12s\n", streams,
                streams == 1 ? "stream" : "streams",
                settings.flow == Flow::Forward ? "forward" : "reverse", settings.rounds,
                settings.seconds, "", "Gb/s", "client s/GB", "server s/GB");
    std::vector<Cost> ours;
    std::vector<Cost> stock;
    const Ask ask{settings.flow, streams, Ip::V4, settings.seconds, 0, {}};
    for (int round = 0; round < settings.rounds; ++round) {
        // Who goes first alternates, so that a drift of the machine favours neither.
        const bool oursFirst = round % 2 == 0;
        for (const Program program : {oursFirst ? Program::Ours : Program::Stock,
                                      oursFirst ? Program::Stock : Program::Ours}) {
            const Cost cost = costOf(lab, lane, program, ask);
            printRow(program == Program::Ours ? "napkin-cli" : "iperf3", cost);
            (program == Program::Ours ? ours : stock).push_back(cost);
        }
    }
    const Cost mine = medians(ours);
    const Cost theirs = medians(stock);
    printRow("median, ours", mine);
    printRow("median, iperf3", theirs);
    printRow("ours / iperf3", {mine.gigabits / theirs.gigabits, mine.clientCpu / theirs.clientCpu,
                               mine.serverCpu / theirs.serverCpu});
}

Settings settingsFrom(int argc, char** argv)
{
    Settings settings;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--reverse")
            settings.flow = Flow::Reverse;
        else if (word == "--rounds" && i + 1 < argc)
            settings.rounds = std::max(1, std::stoi(argv[++i]));
        else if (word == "--seconds" && i + 1 < argc)
            settings.seconds = std::max(1, std::stoi(argv[++i]));
        else if (word == "--streams" && i + 1 < argc)
            settings.streams = {std::max(1, std::stoi(argv[++i]))};
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
        const Lane lane(lab, 1, 0);
        for (const int streams : settings.streams)
            compare(lab, lane, settings, streams);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
