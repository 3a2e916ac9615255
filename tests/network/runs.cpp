// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/network/runs.h"

#include <stdexcept>

namespace napkin::test {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const CommandResult& result, const std::string& what)
{
    throw std::runtime_error(what + " (exit code " + std::to_string(result.exitCode) +
                             "): " + result.output.right(2000).toStdString() +
                             result.errors.right(2000).toStdString());
}

void require(const CommandResult& result)
{
    if (result.exitCode != 0)
        refuse(result, "the run failed");
}

QStringList common(const Ask& ask)
{
    return {QStringLiteral("-t"), QString::number(ask.seconds), QStringLiteral("-P"),
            QString::number(ask.streams)};
}

} // namespace

QString Ask::text() const
{
    const QStringList flows{QStringLiteral("forward"), QStringLiteral("reverse"),
                            QStringLiteral("bidirectional")};
    return QStringLiteral("%1, %2 streams, IPv%3")
        .arg(flows.at(static_cast<int>(flow)))
        .arg(streams)
        .arg(ip == Ip::V4 ? 4 : 6);
}

Lane::Lane(NetworkLab& lab, int number, qint64 rate)
    : m_lab(lab)
    , m_number(number)
    , m_rate(rate)
    , m_near(QStringLiteral("near%1").arg(number))
    , m_far(QStringLiteral("far%1").arg(number))
{
    m_lab.addHost(m_near);
    m_lab.addHost(m_far);
    const auto end = [number](const QString& host, int which) {
        return CableEnd{host,
                        QStringLiteral("eth0"),
                        {QStringLiteral("10.%1.0.%2/24").arg(number).arg(which),
                         QStringLiteral("fd00:%1::%2/64").arg(number).arg(which)}};
    };
    m_lab.addCable(end(m_near, 1), end(m_far, 2));
    if (m_rate > 0) {
        m_lab.shape(m_near, nearInterface(), m_rate);
        m_lab.shape(m_far, QStringLiteral("eth0"), m_rate);
    }
}

QString Lane::farAddress(Ip ip) const
{
    return (ip == Ip::V4 ? QStringLiteral("10.%1.0.2") : QStringLiteral("fd00:%1::2"))
        .arg(m_number);
}

QString Lane::notebook() const
{
    return m_folder.filePath(QStringLiteral("lane.napkin"));
}

double Lane::goodput(Ip ip) const
{
    // 1,500 less the headers of IP (20 or 40 bytes) and TCP (20, and 12 of time stamps), over a
    // frame of 1,514 bytes.
    return static_cast<double>(m_rate) * (ip == Ip::V4 ? 1448.0 : 1428.0) / 1514.0;
}

QStringList Lane::iperf3ServerWords()
{
    return {QStringLiteral("iperf3"), QStringLiteral("-s"), QStringLiteral("-1"),
            QStringLiteral("-J")};
}

QStringList Lane::iperf3ClientWords(const Ask& ask) const
{
    QStringList words{QStringLiteral("iperf3"), QStringLiteral("-J"), QStringLiteral("-c"),
                      farAddress(ask.ip)};
    words += common(ask);
    if (ask.flow != Flow::Forward)
        words += ask.flow == Flow::Reverse ? QStringLiteral("-R") : QStringLiteral("--bidir");
    if (ask.omit > 0)
        words += {QStringLiteral("-O"), QString::number(ask.omit)};
    if (!ask.congestionControl.isEmpty())
        words += {QStringLiteral("-C"), ask.congestionControl};
    return words;
}

QStringList Lane::napkinClientWords(const Ask& ask) const
{
    QStringList words{QStringLiteral("measure"), QStringLiteral("throughput"), farAddress(ask.ip),
                      QStringLiteral("--json"),  QStringLiteral("--notebook"), notebook()};
    words += common(ask);
    if (ask.flow != Flow::Forward)
        words += ask.flow == Flow::Reverse ? QStringLiteral("--reverse")
                                           : QStringLiteral("--bidirectional");
    if (ask.omit > 0)
        words += {QStringLiteral("--omit"), QString::number(ask.omit)};
    if (!ask.congestionControl.isEmpty())
        words += {QStringLiteral("--congestion"), ask.congestionControl};
    return napkinCli(words);
}

Running Lane::iperf3Server()
{
    Running server = m_lab.start(m_far, iperf3ServerWords());
    m_lab.waitForListener(m_far, 5201);
    return server;
}

Running Lane::napkinServer()
{
    Running server =
        m_lab.start(m_far, napkinCli({QStringLiteral("serve"), QStringLiteral("--json")}));
    m_lab.waitForListener(m_far, 5201);
    return server;
}

Running Lane::iperf3Client(const Ask& ask)
{
    return m_lab.start(m_near, iperf3ClientWords(ask));
}

Running Lane::napkinClient(const Ask& ask)
{
    return m_lab.start(m_near, napkinClientWords(ask));
}

json documentOf(const CommandResult& result)
{
    const QByteArray line = result.output.trimmed().split('\n').last();
    json document = json::parse(line.toStdString(), nullptr, false);
    if (document.is_discarded() || !document.is_object())
        refuse(result, "no JSON document");
    return document;
}

Figures napkinFigures(const CommandResult& result)
{
    require(result);
    const json document = documentOf(result);
    const json& record = document.at("record");
    if (record.at("result").at("completion") != "complete")
        refuse(result, "the run is not complete");
    Figures figures;
    for (const char* direction : {"forward", "reverse"}) {
        const json& summary = record.at("summary").at(direction);
        if (summary.is_null())
            continue;
        if (!summary.at("counted_by_receiver").get<bool>())
            refuse(result, "the figure is not the receiver's");
        const bool forward = std::string_view(direction) == "forward";
        (forward ? figures.forward : figures.reverse) =
            summary.at("throughput_bits_per_second").get<double>();
        (forward ? figures.forwardBytes : figures.reverseBytes) =
            summary.at("received_bytes").get<qint64>();
    }
    return figures;
}

Figures iperf3Figures(const CommandResult& result)
{
    const json document = json::parse(result.output.toStdString(), nullptr, false);
    if (document.is_discarded() || document.contains("error"))
        refuse(result, "iperf3 failed");
    require(result);
    const json& end = document.at("end");
    const auto rate = [&end](const char* sum) {
        return end.at(sum).at("bits_per_second").get<double>();
    };
    const auto bytes = [&end](const char* sum) { return end.at(sum).at("bytes").get<qint64>(); };
    Figures figures;
    const char* plain = "sum_received";
    const char* other = "sum_received_bidir_reverse";
    if (document.at("start").at("test_start").at("reverse").get<int>() == 1) {
        figures.reverse = rate(plain);
        figures.reverseBytes = bytes(plain);
        return figures;
    }
    figures.forward = rate(plain);
    figures.forwardBytes = bytes(plain);
    if (end.contains(other)) {
        figures.reverse = rate(other);
        figures.reverseBytes = bytes(other);
    }
    return figures;
}

QStringList napkinCli(const QStringList& arguments)
{
    return QStringList{QStringLiteral(NAPKIN_CLI)} + arguments;
}

} // namespace napkin::test
