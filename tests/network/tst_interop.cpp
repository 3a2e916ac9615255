// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/network/runs.h"

#include <array>
#include <functional>

using namespace napkin::test;
using namespace std::chrono_literals;

// Our client with the stock server and the stock client with our server, in every combination of
// direction, streams and address family. The cables are shaped so that many runs fit beside each
// other; the figures have to fit the rate roughly, and both ends' counts each other.
class TestInterop : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ourClientWithStockServer();
    void stockClientWithOurServer();
    void ourClientWithOurServer();
    void unshapedWithManyStreams();

private:
    using Check = std::function<QStringList(const Lane&, const Ask&, const CommandResult& client,
                                            const CommandResult& server)>;
    struct Way
    {
        Running (Lane::*server)();
        Running (Lane::*client)(const Ask&);
        Check check;
    };
    void runAll(const Way& way);
};

namespace {

constexpr qint64 laneRate = 100'000'000;
constexpr int lanesAtOnce = 6;

std::vector<Ask> everyAsk()
{
    std::vector<Ask> asks;
    for (const Flow flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional}) {
        for (const int streams : {1, 2, 4, 8}) {
            for (const Ip ip : {Ip::V4, Ip::V6})
                asks.push_back({flow, streams, ip, 1, 0, {}});
        }
    }
    return asks;
}

// A second is short: the queue at the shaper fills and empties within it.
QStringList misfits(const Lane& lane, const Ask& ask, const Figures& figures)
{
    QStringList faults;
    const auto check = [&](const char* direction, const std::optional<double>& rate,
                           bool expected) {
        const QString name = QLatin1StringView(direction);
        if (rate.has_value() != expected) {
            faults +=
                QStringLiteral("%1 %2").arg(name, expected ? QStringLiteral("is missing")
                                                           : QStringLiteral("was not asked for"));
        } else if (rate) {
            const double ratio = *rate / lane.goodput(ask.ip);
            // Acknowledgements wait in the same queue as what is sent the other way.
            const double least = ask.flow == Flow::Bidirectional ? 0.5 : 0.75;
            if (ratio < least || ratio > 1.08)
                faults += QStringLiteral("%1 is %2 of what the cable carries").arg(name).arg(ratio);
        }
    };
    check("forward", figures.forward, ask.flow != Flow::Reverse);
    check("reverse", figures.reverse, ask.flow != Flow::Forward);
    return faults;
}

QStringList compareWithStockServer(const Lane& lane, const Ask& ask, const CommandResult& client,
                                   const CommandResult& server)
{
    const Figures ours = napkinFigures(client);
    QStringList faults = misfits(lane, ask, ours);
    if (ask.flow == Flow::Reverse)
        return faults;
    // What the server counted itself is what our figure of record must be, to the byte.
    const auto report = nlohmann::json::parse(server.output.toStdString(), nullptr, false);
    if (report.is_discarded())
        return faults << QStringLiteral("the server reported nothing");
    const qint64 theirs = report.at("end").at("sum_received").at("bytes").get<qint64>();
    if (theirs != ours.forwardBytes)
        faults += QStringLiteral("received %1 B by the server's count, %2 by ours")
                      .arg(theirs)
                      .arg(ours.forwardBytes.value_or(-1));
    return faults;
}

QStringList compareStockClient(const Lane& lane, const Ask& ask, const CommandResult& client,
                               const CommandResult&)
{
    QStringList faults = misfits(lane, ask, iperf3Figures(client));
    // More than was sent cannot have arrived.
    const auto end = nlohmann::json::parse(client.output.toStdString()).at("end");
    for (const char* direction : {"", "_bidir_reverse"}) {
        const std::string sent = std::string("sum_sent") + direction;
        const std::string received = std::string("sum_received") + direction;
        if (end.contains(sent) &&
            end.at(received).at("bytes").get<qint64>() > end.at(sent).at("bytes").get<qint64>())
            faults += QStringLiteral("more received than sent");
    }
    return faults;
}

QStringList compareOurs(const Lane& lane, const Ask& ask, const CommandResult& client,
                        const CommandResult&)
{
    return misfits(lane, ask, napkinFigures(client));
}

} // namespace

void TestInterop::runAll(const Way& way)
{
    static int nextLane = 1;
    NetworkLab lab;
    std::vector<std::unique_ptr<Lane>> lanes;
    for (int i = 0; i < lanesAtOnce; ++i)
        lanes.push_back(std::make_unique<Lane>(lab, nextLane++, laneRate));

    const std::vector<Ask> asks = everyAsk();
    QStringList faults;
    for (size_t first = 0; first < asks.size(); first += lanes.size()) {
        const size_t count = std::min(lanes.size(), asks.size() - first);
        std::vector<Running> servers;
        std::vector<Running> clients;
        for (size_t i = 0; i < count; ++i)
            servers.push_back((lanes[i].get()->*way.server)());
        for (size_t i = 0; i < count; ++i)
            clients.push_back((lanes[i].get()->*way.client)(asks[first + i]));
        for (size_t i = 0; i < count; ++i) {
            const Ask& ask = asks[first + i];
            const CommandResult client = clients[i].finish(20s);
            // Our server serves on: it is killed with its scope.
            const CommandResult server =
                servers[i].finish(way.server == &Lane::napkinServer ? 0s : 5s);
            try {
                for (const QString& fault : way.check(*lanes[i], ask, client, server))
                    faults += ask.text() + QStringLiteral(": ") + fault;
            } catch (const std::exception& error) {
                faults += ask.text() + QStringLiteral(": ") + QString::fromUtf8(error.what());
            }
        }
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void TestInterop::ourClientWithStockServer()
{
    runAll({&Lane::iperf3Server, &Lane::napkinClient, compareWithStockServer});
}

void TestInterop::stockClientWithOurServer()
{
    runAll({&Lane::napkinServer, &Lane::iperf3Client, compareStockClient});
}

void TestInterop::ourClientWithOurServer()
{
    runAll({&Lane::napkinServer, &Lane::napkinClient, compareOurs});
}

// As fast as this machine goes: nothing about the rate is known, but every byte has to be accounted
// for.
void TestInterop::unshapedWithManyStreams()
{
    NetworkLab lab;
    Lane lane(lab, 100, 0);
    for (const Flow flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional}) {
        const Ask ask{flow, 8, Ip::V4, 1, 0, {}};
        Running server = lane.iperf3Server();
        Running client = lane.napkinClient(ask);
        const Figures ours = napkinFigures(client.finish(20s));
        QCOMPARE(ours.forward.has_value(), flow != Flow::Reverse);
        QCOMPARE(ours.reverse.has_value(), flow != Flow::Forward);
        const CommandResult report = server.finish(5s);
        if (flow != Flow::Reverse) {
            const auto end = nlohmann::json::parse(report.output.toStdString()).at("end");
            QCOMPARE(ours.forwardBytes, end.at("sum_received").at("bytes").get<qint64>());
        }
    }
}

int main(int argc, char** argv)
{
    return networkMain<TestInterop>(argc, argv);
}

#include "tst_interop.moc"
