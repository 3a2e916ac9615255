// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/spec.h"
#include "tests/support/networklab.h"

#include <QCoreApplication>

namespace napkin::test {

// Near and far, and between them a router, which limits the rate in either direction. A router and
// not a bridge: behind a bridge the kernel lets the sender's socket wait for the shaper.
class Path
{
public:
    explicit Path(NetworkLab& lab, qint64 forward = 0, qint64 reverse = 0)
        : m_lab(lab)
    {
        const QString near = QStringLiteral("near");
        const QString mid = QStringLiteral("mid");
        const QString far = QStringLiteral("far");
        for (const QString& host : {near, mid, far})
            lab.addHost(host);
        lab.addCable(end(near, "eth0", 1, 1), end(mid, "left", 1, 9));
        lab.addCable(end(mid, "right", 2, 9), end(far, "eth0", 2, 2));
        shell(mid, QStringLiteral("echo 1 >/proc/sys/net/ipv4/ip_forward; "
                                  "echo 1 >/proc/sys/net/ipv6/conf/all/forwarding"));
        shell(near, QStringLiteral("ip route add default via 10.9.1.9; "
                                   "ip -6 route add default via fd09:1::9"));
        shell(far, QStringLiteral("ip route add default via 10.9.2.9; "
                                  "ip -6 route add default via fd09:2::9"));
        if (forward > 0)
            lab.shape(mid, QStringLiteral("right"), forward);
        if (reverse > 0)
            lab.shape(mid, QStringLiteral("left"), reverse);
    }

    Running server(bool isStock)
    {
        Running running =
            m_lab.start(QStringLiteral("far"),
                        isStock ? QStringList{QStringLiteral("iperf3"), QStringLiteral("-s"),
                                              QStringLiteral("-1"), QStringLiteral("-J")}
                                : QStringList{QCoreApplication::applicationFilePath(),
                                              QStringLiteral("--serve")});
        m_lab.waitForListener(QStringLiteral("far"), 5201);
        return running;
    }

    Running client(Flow flow, int streams, qint64 rate, int seconds, const char* host, int omit = 0)
    {
        return m_lab.start(QStringLiteral("near"),
                           {QCoreApplication::applicationFilePath(), QStringLiteral("--measure"),
                            QString::fromLatin1(host), flowName(flow), QString::number(streams),
                            QString::number(rate), QString::number(seconds),
                            QString::number(omit)});
    }

    Running stockClient(Flow flow, int streams, qint64 rate, int seconds, const char* host)
    {
        QStringList words{
            QStringLiteral("iperf3"), QStringLiteral("-u"),      QStringLiteral("-J"),
            QStringLiteral("-c"),     QString::fromLatin1(host), QStringLiteral("-P"),
            QString::number(streams), QStringLiteral("-b"),      QString::number(rate / streams),
            QStringLiteral("-t"),     QString::number(seconds)};
        if (flow == Flow::Reverse)
            words << QStringLiteral("-R");
        if (flow == Flow::Bidirectional)
            words << QStringLiteral("--bidir");
        return m_lab.start(QStringLiteral("near"), words);
    }

private:
    static CableEnd end(const QString& host, const char* port, int net, int last)
    {
        return {host,
                QString::fromLatin1(port),
                {QStringLiteral("10.9.%1.%2/24").arg(net).arg(last),
                 QStringLiteral("fd09:%1::%2/64").arg(net).arg(last)}};
    }
    void shell(const QString& host, const QString& script)
    {
        m_lab.command(host, {QStringLiteral("sh"), QStringLiteral("-ec"), script});
    }

    NetworkLab& m_lab;
};

} // namespace napkin::test
