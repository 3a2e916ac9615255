// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/network/runs.h"

#include <cmath>

using namespace napkin::test;
using namespace std::chrono_literals;

// A cable of known rate: ours and stock iperf3, in turn, have to find what TCP can carry over it,
// and agree with each other. Congestion control is pinned, the start is left out.
class TestTruth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hundredMegabits();
    void oneGigabit_data();
    void oneGigabit();

private:
    static QStringList deviations(const Lane& lane, const Ask& ask, const Figures& ours,
                                  const Figures& theirs);
};

namespace {

constexpr double tolerance = 0.02;

Ask truthAsk(Flow flow, int streams, Ip ip)
{
    return {flow, streams, ip, 5, 1, QStringLiteral("cubic")};
}

QString deviation(const char* what, double value, double wanted)
{
    const double off = value / wanted - 1;
    if (std::abs(off) <= tolerance)
        return {};
    return QStringLiteral("%1: %2 Mbit/s, %3 % off %4 Mbit/s")
        .arg(QLatin1StringView(what))
        .arg(value / 1e6, 0, 'f', 2)
        .arg(off * 100, 0, 'f', 2)
        .arg(wanted / 1e6, 0, 'f', 2);
}

} // namespace

QStringList TestTruth::deviations(const Lane& lane, const Ask& ask, const Figures& ours,
                                  const Figures& theirs)
{
    const auto rate = [&ask](const Figures& figures) {
        return (ask.flow == Flow::Forward ? figures.forward : figures.reverse).value_or(0);
    };
    const double truth = lane.goodput(ask.ip);
    qInfo("%s: shaper %.2f, ours %.2f, iperf3 %.2f Mbit/s", qPrintable(ask.text()), truth / 1e6,
          rate(ours) / 1e6, rate(theirs) / 1e6);
    QStringList faults;
    for (const QString& fault : {deviation("ours against the shaper", rate(ours), truth),
                                 deviation("iperf3 against the shaper", rate(theirs), truth),
                                 deviation("ours against iperf3", rate(ours), rate(theirs))}) {
        if (!fault.isEmpty())
            faults += ask.text() + QStringLiteral(": ") + fault;
    }
    return faults;
}

// Light enough for all of them at once.
void TestTruth::hundredMegabits()
{
    std::vector<Ask> asks;
    for (const Flow flow : {Flow::Forward, Flow::Reverse}) {
        for (const int streams : {1, 4}) {
            for (const Ip ip : {Ip::V4, Ip::V6})
                asks.push_back(truthAsk(flow, streams, ip));
        }
    }
    NetworkLab lab;
    std::vector<std::unique_ptr<Lane>> lanes;
    for (size_t i = 0; i < asks.size(); ++i)
        lanes.push_back(std::make_unique<Lane>(lab, static_cast<int>(i) + 1, 100'000'000));

    const auto measureAll = [&](auto client, auto figuresOf) {
        std::vector<Running> servers;
        std::vector<Running> clients;
        std::vector<Figures> figures;
        for (const auto& lane : lanes)
            servers.push_back(lane->iperf3Server());
        for (size_t i = 0; i < asks.size(); ++i)
            clients.push_back((lanes[i].get()->*client)(asks[i]));
        for (Running& running : clients)
            figures.push_back(figuresOf(running.finish(30s)));
        return figures;
    };
    const auto ours = measureAll(&Lane::napkinClient, napkinFigures);
    const auto theirs = measureAll(&Lane::iperf3Client, iperf3Figures);
    QStringList faults;
    for (size_t i = 0; i < asks.size(); ++i)
        faults += deviations(*lanes[i], asks[i], ours[i], theirs[i]);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void TestTruth::oneGigabit_data()
{
    QTest::addColumn<int>("flow");
    QTest::addColumn<int>("streams");
    for (const Flow flow : {Flow::Forward, Flow::Reverse}) {
        for (const int streams : {1, 4})
            QTest::newRow(qPrintable(truthAsk(flow, streams, Ip::V4).text()))
                << static_cast<int>(flow) << streams;
    }
}

void TestTruth::oneGigabit()
{
    QFETCH(int, flow);
    QFETCH(int, streams);
    static int number = 100;
    NetworkLab lab;
    Lane lane(lab, ++number, 1'000'000'000);
    const Ask ask = truthAsk(static_cast<Flow>(flow), streams, Ip::V4);

    Figures ours;
    {
        Running server = lane.iperf3Server();
        ours = napkinFigures(lane.napkinClient(ask).finish(30s));
        server.finish(5s);
    }
    Running server = lane.iperf3Server();
    const Figures theirs = iperf3Figures(lane.iperf3Client(ask).finish(30s));
    const QStringList faults = deviations(lane, ask, ours, theirs);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

int main(int argc, char** argv)
{
    return networkMain<TestTruth>(argc, argv);
}

#include "tst_truth.moc"
