// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/context.h"
#include "core/measure/throughput/iperf3server.h"

#include <QObject>

namespace napkin::cli {

// Says what happens at the server, a line or an object each, and ends when nobody reads them.
class Doorkeeper : public QObject
{
    Q_OBJECT
public:
    explicit Doorkeeper(std::shared_ptr<const Context> context)
        : m_context(std::move(context))
    {}

    void watch(Iperf3Server* server)
    {
        connect(server, &Iperf3Server::testEnded, this, &Doorkeeper::sayTest);
        connect(server, &Iperf3Server::clientRefused, this, &Doorkeeper::sayRefused);
    }
    void sayListening(const QString& bindAddress, int port);
    void sayEnded();
    void say(const char* event, Json payload, const QString& text);

Q_SIGNALS:
    void unread();

private:
    void sayTest(const ServedTest& test);
    void sayRefused(const QString& client, const Error& why);

    std::shared_ptr<const Context> m_context;
};

} // namespace napkin::cli
