// SPDX-License-Identifier: GPL-3.0-or-later
#include "playediperf3.h"

namespace napkin::test {

void PlayedIperf3::at(Stage stage, PeerTalk& talk, int control) const
{
    if (stage != leaves)
        return;
    leave(talk, control);
    throw Left{};
}

QByteArray PlayedIperf3::results(const std::vector<qint64>& counts) const
{
    QByteArray list;
    for (size_t i = 0; i < counts.size(); ++i) {
        const auto told = static_cast<qint64>(static_cast<double>(counts[i]) * claimFactor);
        list += list.isEmpty() ? "" : ",";
        list += R"({"id":)" + QByteArray::number(static_cast<int>(i == 0 ? 1 : i + 2)) +
                R"(,"bytes":)" + QByteArray::number(told) + R"(,"retransmits":)" + retransmits +
                R"(,"jitter":0,"errors":0,"packets":0)";
        if (tellsTimes)
            list += R"(,"start_time":0,"end_time":)" + QByteArray::number(secondsTold);
        list += "}";
    }
    const QByteArray json = R"({"cpu_util_total":12.5,"cpu_util_user":2.5,"cpu_util_system":10,)"
                            R"("sender_has_retransmits":)" +
                            hasRetransmits + R"(,"streams":[)" + list + "]}";
    return twistResults ? twistResults(json) : json;
}

void PlayedIperf3::play(PeerTalk& talk)
{
    const int control = talk.accept();
    const QByteArray cookie = talk.read(control, 37);
    at(Stage::Cookie, talk, control);
    talk.writeState(control, 9);
    parametersSeen = talk.readFrame(control);
    at(Stage::Parameters, talk, control);
    talk.writeState(control, 10);
    std::vector<int> data;
    for (int i = 0; i < streams; ++i) {
        data.push_back(talk.accept());
        if (talk.read(data.back(), 37) != cookie)
            throw std::runtime_error("another cookie on a data stream");
    }
    at(Stage::Streams, talk, control);
    talk.writeState(control, 1);
    talk.writeState(control, 2);
    if (leaves == Stage::Running) {
        talk.pause(std::chrono::milliseconds(500));
        at(Stage::Running, talk, control);
    }
    std::vector<qint64> counts(data.size(), 1);
    if (sends)
        talk.fillUntil(data, control);
    else
        counts = talk.drainUntil(data, control);
    if (talk.readState(control) != 4)
        throw std::runtime_error("no TEST_END");
    for (const int stream : data)
        talk.close(stream);
    talk.writeState(control, 13);
    (void)talk.readFrame(control);
    at(Stage::Results, talk, control);
    talk.writeFrame(control, results(counts));
    talk.writeState(control, 14);
    if (talk.readState(control) != 16)
        throw std::runtime_error("no IPERF_DONE");
    if (drainsAtEnd && !talk.isClosedByPeer(control))
        throw std::runtime_error("the client did not close");
}

ScriptedPeer::Script PlayedIperf3::script()
{
    return [this](PeerTalk& talk) {
        try {
            play(talk);
        } catch (const Left&) { // it left the course as it should
        }
    };
}

} // namespace napkin::test
