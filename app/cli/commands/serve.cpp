// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/textreport.h"
#include "core/base/gate.h"
#include "core/measure/throughput/iperf3server.h"
#include "core/quantity/format.h"

#include <QCoreApplication>
#include <QNetworkInterface>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Serve)
};

struct ServeOptions
{
    std::string port;
    std::string bind;
};

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
    void sayEnded() { say("ended", Json::object(), Words::tr("Ended.")); }

Q_SIGNALS:
    void unread();

private:
    void sayTest(const ServedTest& test);
    void sayRefused(const QString& client, const Error& why);
    void say(const char* event, Json payload, const QString& text);

    std::shared_ptr<const Context> m_context;
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
    Json json{{"client", jsonText(test.client)}, {"flow", jsonText(flowName(test.flow))},
              {"streams", test.streams},         {"received_bits_per_second", nullptr},
              {"sent_bits_per_second", nullptr}, {"error", nullptr}};
    if (test.flow != Flow::Reverse)
        json["received_bits_per_second"] = test.received.bitsPerSecond();
    if (test.flow != Flow::Forward)
        json["sent_bits_per_second"] = test.sent.bitsPerSecond();
    if (test.fault)
        json["error"] = jsonError(*test.fault, describe(*test.fault));
    return json;
}

QString servedText(const ServedTest& test)
{
    QStringList parts{test.client, flowText(test.flow),
                      test.streams == 1 ? Words::tr("1 stream")
                                        : Words::tr("%1 streams").arg(test.streams)};
    if (test.flow != Flow::Reverse)
        parts << Words::tr("received %1").arg(formatBitRate(test.received));
    if (test.flow != Flow::Forward)
        parts << Words::tr("sent %1").arg(formatBitRate(test.sent));
    QString text = parts.join(QStringLiteral(", "));
    if (test.fault)
        text += Words::tr(" – ended early: %1").arg(describe(*test.fault).what);
    return text;
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
                     .arg(addresses.front(),
                          port == 5201 ? QString() : QStringLiteral(" --port %1").arg(port));
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

QCoro::Task<int> serve(std::shared_ptr<const Context> context, ServeOptions options)
{
    Iperf3ServerOptions wanted;
    wanted.bindAddress = QString::fromStdString(options.bind);
    if (!options.port.empty()) {
        const auto port =
            parseWhole(QStringLiteral("--port"), QString::fromStdString(options.port));
        if (!port)
            co_return context->fail(port.error());
        if (*port < 0 || *port > 65'535)
            co_return context->fail(wrongUse(QStringLiteral("--port %1").arg(*port),
                                             Words::tr("1 to 65,535 are possible, and 0 for any "
                                                       "free port"))
                                        .value());
        wanted.port = *port;
    }
    const auto server = Iperf3Server::start(wanted);
    if (!server)
        co_return context->fail(server.error());
    Doorkeeper doorkeeper(context);
    Gate gate;
    gate.on(&doorkeeper, &Doorkeeper::unread).on(context->cancel);
    doorkeeper.watch(server->get());
    doorkeeper.sayListening(wanted.bindAddress, (*server)->port());
    co_await gate;
    doorkeeper.sayEnded();
    co_return static_cast<int>(ExitCode::Complete);
}

} // namespace

void addServe(CommandLine& line)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("serve"),
        Words::tr("Make this machine a far end that others measure against\n"
                  "Speaks the iperf3 protocol over TCP: napkin, napkin-cli and iperf3 can measure "
                  "against it. One test at a time; a further client is told that it is busy. "
                  "Anybody who reaches the port can use it: run it in networks you trust, while "
                  "you measure."),
        Words::tr("Examples:\n"
                  "  napkin-cli serve\n"
                  "  napkin-cli serve --port 5202 --bind 10.0.0.2\n"
                  "  napkin-cli serve --json      one JSON object a line\n"
                  "\n"
                  "Ctrl-C ends it, with exit code 0."));
    auto options = std::make_shared<ServeOptions>();
    CommandLine::addText(app, "-p,--port", options->port,
                         Words::tr("Port to listen on (5201); 0 for any free one"), "N");
    CommandLine::addText(app, "--bind", options->bind,
                         Words::tr("Listen on this address only (all, IPv4 and IPv6)"), "ADDR");
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return serve(std::move(context), *options);
    });
}

} // namespace napkin::cli

#include "serve.moc"
