// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/scriptedpeer.h"

#include <QString>

#include <vector>

namespace napkin::test {

// Where a played server leaves the usual course.
enum class Stage {
    Cookie,     // after the client's cookie
    Parameters, // after its parameters
    Streams,    // after all its data streams
    Running,    // while data flows, after half a second
    Results,    // after its results
    Never,
};

// A server as the versions of iperf3 play it, with what they do differently.
struct PlayedIperf3
{
    int streams = 1;
    bool sends = false;                                 // reverse: it fills, otherwise it drains
    QByteArray retransmits = "-1";                      // 3.12 writes 18446744073709551615
    bool tellsTimes = true;                             // start_time and end_time
    bool drainsAtEnd = false;                           // 3.21
    QByteArray hasRetransmits = "-1";                   // sender_has_retransmits
    double secondsTold = 1.0;                           // with tellsTimes
    double claimFactor = 1.0;                           // times what really arrived
    std::function<QByteArray(QByteArray)> twistResults; // last word on the results' JSON
    Stage leaves = Stage::Never;
    std::function<void(PeerTalk&, int control)> leave; // instead of going on
    QByteArray parametersSeen;

    [[nodiscard]] ScriptedPeer::Script script();

private:
    struct Left
    {};
    void at(Stage stage, PeerTalk& talk, int control) const;
    void play(PeerTalk& talk);
    [[nodiscard]] QByteArray results(const std::vector<qint64>& counts) const;
};

} // namespace napkin::test
