// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/doorkeeper.h"
#include "core/base/gate.h"

#include <QCoreApplication>

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
