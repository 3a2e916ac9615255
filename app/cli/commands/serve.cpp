// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/peercommands.h"
#include "app/cli/doorkeeper.h"
#include "app/cli/peerdoorkeeper.h"
#include "app/cli/peerservices.h"
#include "core/base/gate.h"
#include "core/peer/discovery.h"
#include "core/workflow/linkspec.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHostAddress>

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
    std::string peerPort;
    bool peer = false;
    bool noIperf3 = false;
    bool announce = false;
    bool install = false;
    bool uninstall = false;
};

// What is to be served, once the options make sense.
struct Wanted
{
    std::optional<Iperf3ServerOptions> iperf3;
    std::optional<PeerServerOptions> peer;
    bool announce = false;
};

Result<int> portFrom(const QString& option, const std::string& text, int usual)
{
    if (text.empty())
        return usual;
    auto port = parseWhole(option, QString::fromStdString(text));
    if (port && (*port < 0 || *port > 65'535))
        return wrongUse(QStringLiteral("%1 %2").arg(option).arg(*port),
                        Words::tr("1 to 65,535 are possible, and 0 for any free port"));
    return port;
}

Result<void> checkTogether(const ServeOptions& options)
{
    if (!options.peerPort.empty() && !options.peer)
        return wrongUse(QStringLiteral("--peer-port"), Words::tr("it needs --peer"));
    if (options.noIperf3 && !options.peer)
        return wrongUse(QStringLiteral("--no-iperf3"),
                        Words::tr("without --peer nothing would be served"));
    if (options.noIperf3 && !options.port.empty())
        return wrongUse(QStringLiteral("--port"),
                        Words::tr("it is the iperf3 service's, which --no-iperf3 leaves out; the "
                                  "peer's is --peer-port"));
    if (options.announce && !options.peer)
        return wrongUse(QStringLiteral("--announce"), Words::tr("it needs --peer"));
    if (options.install && options.uninstall)
        return wrongUse(QStringLiteral("--install and --uninstall"),
                        Words::tr("choose one of them"));
    return {};
}

Result<Wanted> wantedFrom(const ServeOptions& options, const Context& context)
{
    if (const auto sound = checkTogether(options); !sound)
        return tl::unexpected(sound.error());
    const QString bind = QString::fromStdString(options.bind);
    if (!bind.isEmpty() && QHostAddress(bind).isNull())
        return wrongUse(QStringLiteral("--bind “%1”").arg(bind.simplified()),
                        Words::tr("it is not written as an IPv4 or IPv6 address"));
    const auto port = portFrom(QStringLiteral("--port"), options.port, defaultThroughputPort);
    const auto peerPort =
        portFrom(QStringLiteral("--peer-port"), options.peerPort, defaultPeerPort);
    if (!port || !peerPort)
        return tl::unexpected(port ? peerPort.error() : port.error());
    Wanted wanted;
    if (!options.noIperf3) {
        wanted.iperf3.emplace();
        wanted.iperf3->bindAddress = QString::fromStdString(options.bind);
        wanted.iperf3->port = *port;
    }
    if (options.peer)
        wanted.peer = PeerServerOptions{QString::fromStdString(options.bind), *peerPort,
                                        context.peerStore(), peerServices()};
    wanted.announce = options.announce;
    return wanted;
}

// Nothing when it is not wanted.
Result<std::unique_ptr<Announcer>> announce(const Wanted& wanted, const PeerServer* peer,
                                            const Iperf3Server* iperf3)
{
    if (!wanted.announce || !peer)
        return nullptr;
    const auto book = wanted.peer->store->read();
    if (!book)
        return tl::unexpected(book.error());
    Announcer::Options options;
    options.said = {book->name, book->self, peer->port(), iperf3 ? iperf3->port() : 0};
    options.only = QHostAddress(wanted.peer->bindAddress);
    return Announcer::start(options);
}

QCoro::Task<int> serveWanted(std::shared_ptr<const Context> context, Wanted wanted)
{
    Doorkeeper doorkeeper(context);
    PeerDoorkeeper peerDoorkeeper(&doorkeeper);
    Gate gate;
    gate.on(&doorkeeper, &Doorkeeper::unread).on(context->cancel);
    std::unique_ptr<Iperf3Server> iperf3;
    if (wanted.iperf3) {
        auto server = Iperf3Server::start(*wanted.iperf3);
        if (!server)
            co_return context->fail(server.error());
        iperf3 = std::move(*server);
        doorkeeper.watch(iperf3.get());
    }
    std::unique_ptr<PeerServer> peer;
    if (wanted.peer) {
        auto server = PeerServer::start(*wanted.peer);
        if (!server)
            co_return failPeers(*context, server.error());
        peer = std::move(*server);
        peerDoorkeeper.watch(peer.get());
    }
    const auto announcer = announce(wanted, peer.get(), iperf3.get());
    if (!announcer)
        co_return context->fail(announcer.error());
    if (peer) {
        const auto book = wanted.peer->store->read();
        peerDoorkeeper.sayListening(wanted.peer->bindAddress, peer->port(),
                                    book.value_or(PeerBook()), wanted.peer->store->file());
    }
    if (iperf3)
        doorkeeper.sayListening(wanted.iperf3->bindAddress, iperf3->port());
    if (*announcer)
        doorkeeper.say("announcing", {{"udp_port", (*announcer)->port()}},
                       Words::tr("Announcing this machine on the local network."));
    co_await gate;
    if (peer)
        co_await PeerServer::shutDown(std::move(peer));
    doorkeeper.sayEnded();
    co_return static_cast<int>(ExitCode::Complete);
}

// The same service as these options say, for a program that starts it later.
InstallOptions installOptions(const ServeOptions& options, const Context& context)
{
    QStringList words{QStringLiteral("serve")};
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty())
            words << QString::fromLatin1(option) << QString::fromStdString(value);
    };
    add("--port", options.port);
    add("--bind", options.bind);
    if (options.peer)
        words << QStringLiteral("--peer");
    add("--peer-port", options.peerPort);
    if (options.noIperf3)
        words << QStringLiteral("--no-iperf3");
    if (options.announce)
        words << QStringLiteral("--announce");
    const QString file = context.peerStore()->file();
    if (file != PeerStore().file() || qEnvironmentVariableIsSet("NAPKIN_PEERS"))
        words << QStringLiteral("--peers") << QFileInfo(file).absoluteFilePath();
    return {words};
}

QCoro::Task<int> serve(std::shared_ptr<const Context> context, ServeOptions options)
{
    auto wanted = wantedFrom(options, *context);
    if (!wanted)
        co_return context->fail(wanted.error());
    if (options.install)
        co_return co_await installService(context, installOptions(options, *context));
    if (options.uninstall)
        co_return co_await uninstallService(context);
    co_return co_await serveWanted(context, std::move(*wanted));
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
                  "you measure. With --peer also the Napkin peer, which answers paired machines "
                  "only."),
        Words::tr("Examples:\n"
                  "  napkin-cli serve\n"
                  "  napkin-cli serve --port 5202 --bind 10.0.0.2\n"
                  "  napkin-cli serve --peer --no-iperf3\n"
                  "      for paired machines only\n"
                  "  napkin-cli serve --peer --install\n"
                  "      as a service of yours, from now on (systemd)\n"
                  "  napkin-cli serve --json      one JSON object a line\n"
                  "\n"
                  "Ctrl-C ends it, with exit code 0."));
    auto options = std::make_shared<ServeOptions>();
    CommandLine::addText(app, "-p,--port", options->port,
                         Words::tr("Port to listen on (5201); 0 for any free one"), "N");
    CommandLine::addText(app, "--bind", options->bind,
                         Words::tr("Listen on this address only (all, IPv4 and IPv6)"), "ADDR");
    CommandLine::addFlag(app, "--peer", options->peer,
                         Words::tr("Run the Napkin peer too, for paired machines only"));
    CommandLine::addText(
        app, "--peer-port", options->peerPort,
        Words::tr("Port of the peer (%1); 0 for any free one").arg(defaultPeerPort), "N");
    CommandLine::addFlag(app, "--no-iperf3", options->noIperf3,
                         Words::tr("Leave the iperf3 service out"));
    CommandLine::addFlag(app, "--announce", options->announce,
                         Words::tr("With --peer: tell the local network that it is here, for "
                                   "napkin-cli discover"));
    CommandLine::addFlag(app, "--install", options->install,
                         Words::tr("Make it a service of the user's systemd, with these options"));
    CommandLine::addFlag(app, "--uninstall", options->uninstall,
                         Words::tr("Stop that service and remove it"));
    line.addPeersFile(app);
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return serve(std::move(context), *options);
    });
}

} // namespace napkin::cli
