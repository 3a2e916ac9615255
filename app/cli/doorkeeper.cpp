// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/doorkeeper.h"

#include "app/cli/textreport.h"
#include "core/quantity/format.h"
#include "core/workflow/linkspec.h"

#include <QCoreApplication>
#include <QNetworkInterface>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Serve)
};

QStringList ownAddresses()
{
    QStringList addresses;
    for (const QHostAddress& address : QNetworkInterface::allAddresses()) {
        if (!address.isLoopback() && !address.isLinkLocal())
            addresses << address.toString();
    }
    return addresses;
}

Json jsonServed(const ServedTest& test)
{
    Json json{{"client", jsonText(test.client)},
              {"flow", jsonText(flowName(test.flow))},
              {"udp", test.udp},
              {"streams", test.streams},
              {"received_bits_per_second", nullptr},
              {"sent_bits_per_second", nullptr},
              {"error", nullptr}};
    if (test.received)
        json["received_bits_per_second"] = test.received->bitsPerSecond();
    if (test.sent)
        json["sent_bits_per_second"] = test.sent->bitsPerSecond();
    if (test.fault)
        json["error"] = jsonError(*test.fault, describe(*test.fault));
    return json;
}

QString servedText(const ServedTest& test)
{
    QStringList parts{test.client, test.udp ? QStringLiteral("UDP") : QStringLiteral("TCP"),
                      flowText(test.flow), Words::tr("%Ln streams", nullptr, test.streams)};
    if (test.received)
        parts << Words::tr("received %1").arg(formatBitRate(*test.received));
    if (test.sent)
        parts << Words::tr("sent %1").arg(formatBitRate(*test.sent));
    QString text = parts.join(QStringLiteral(", "));
    if (test.fault)
        text += Words::tr(" – ended early: %1").arg(describe(*test.fault).what);
    return text;
}

} // namespace

void Doorkeeper::sayEnded()
{
    say("ended", Json::object(), Words::tr("Ended."));
}

void Doorkeeper::say(const char* event, Json payload, const QString& text)
{
    if (m_context->isJson()) {
        Json document = jsonEnvelope(m_context->command, true);
        document["event"] = event;
        document.update(payload);
        m_context->terminal->printBytes(toLine(document));
    } else {
        m_context->terminal->print(text);
    }
    if (m_context->terminal->isClosed())
        Q_EMIT unread();
}

void Doorkeeper::sayListening(const QString& bindAddress, int port)
{
    const QStringList addresses = bindAddress.isEmpty() ? ownAddresses() : QStringList{bindAddress};
    Json payload{{"port", port},
                 {"bind", bindAddress.isEmpty() ? Json(nullptr) : jsonText(bindAddress)}};
    payload["addresses"] = Json::array();
    for (const QString& address : addresses)
        payload["addresses"].push_back(jsonText(address));
    QStringList lines{
        bindAddress.isEmpty()
            ? Words::tr("Listening on port %1 of every address of this machine.").arg(port)
            : Words::tr("Listening on port %1 of %2.").arg(port).arg(bindAddress)};
    if (!addresses.isEmpty())
        lines << Words::tr("On the other machine: napkin-cli measure throughput %1%2")
                     .arg(addresses.front(), port == defaultThroughputPort
                                                 ? QString()
                                                 : QStringLiteral(" --port %1").arg(port));
    if (addresses.size() > 1)
        lines
            << Words::tr("Further addresses: %1").arg(addresses.mid(1).join(QStringLiteral(", ")));
    lines << Words::tr("Ctrl-C ends it.");
    say("listening", payload, lines.join(u'\n'));
}

void Doorkeeper::sayTest(const ServedTest& test)
{
    say("test", jsonServed(test),
        QDateTime::currentDateTime().toString(QStringLiteral("HH:mm:ss  ")) + servedText(test));
}

void Doorkeeper::sayRefused(const QString& client, const Error& why)
{
    const ErrorText words = describe(why);
    say("refused", {{"client", jsonText(client)}, {"error", jsonError(why, words)}},
        QDateTime::currentDateTime().toString(QStringLiteral("HH:mm:ss  ")) +
            Words::tr("%1 refused: %2").arg(client, words.what));
}

} // namespace napkin::cli
