// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/networklab.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <optional>

namespace napkin::test {

enum class Flow { Forward, Reverse, Bidirectional };
enum class Ip { V4, V6 };

// One measurement, put to either program.
struct Ask
{
    Flow flow = Flow::Forward;
    int streams = 1;
    Ip ip = Ip::V4;
    int seconds = 1;
    int omit = 0;
    QString congestionControl;

    [[nodiscard]] QString text() const; // "reverse, 4 streams, IPv6"
};

// What a client reported: bits per second and bytes that arrived, by direction.
struct Figures
{
    std::optional<double> forward;
    std::optional<double> reverse;
    std::optional<qint64> forwardBytes;
    std::optional<qint64> reverseBytes;
};

// Two machines, near and far, and one cable between them, shaped in both directions.
class Lane
{
public:
    // `rate` in bit/s; 0 is unshaped. Numbers tell lanes of one lab apart.
    Lane(NetworkLab& lab, int number, qint64 rate);

    [[nodiscard]] Running iperf3Server(); // for one test, reports in JSON when it has ended
    [[nodiscard]] Running napkinServer();
    [[nodiscard]] Running iperf3Client(const Ask& ask);
    [[nodiscard]] Running napkinClient(const Ask& ask);

    // The same as commands.
    [[nodiscard]] static QStringList iperf3ServerWords();
    [[nodiscard]] QStringList iperf3ClientWords(const Ask& ask) const;
    [[nodiscard]] QStringList napkinClientWords(const Ask& ask) const;

    // What TCP can deliver over the shaped cable, in bit/s, with time stamps at an MTU of 1,500.
    [[nodiscard]] double goodput(Ip ip) const;

    [[nodiscard]] QString near() const { return m_near; }
    [[nodiscard]] QString far() const { return m_far; }
    [[nodiscard]] QString nearInterface() const { return QStringLiteral("eth0"); }
    [[nodiscard]] QString farAddress(Ip ip) const;
    [[nodiscard]] QString notebook() const;

private:
    NetworkLab& m_lab;
    int m_number;
    qint64 m_rate;
    QString m_near;
    QString m_far;
    QTemporaryDir m_folder;
};

// The last JSON document that a run of napkin-cli printed; throws with what it said when there is
// none.
[[nodiscard]] nlohmann::json documentOf(const CommandResult& result);

// Figures of a run that must have ended well; both throw with what was said when it did not.
[[nodiscard]] Figures napkinFigures(const CommandResult& result);
[[nodiscard]] Figures iperf3Figures(const CommandResult& result);

// The program under test with its arguments; in a lab started by NetworkLab::start or run.
[[nodiscard]] QStringList napkinCli(const QStringList& arguments);

} // namespace napkin::test
