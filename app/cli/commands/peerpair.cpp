// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/peercommands.h"
#include "app/cli/standardinput.h"
#include "core/peer/message.h"
#include "core/peer/peerchannel.h"
#include "core/peer/peerpairing.h"

#include <QCoreApplication>

#include <unistd.h>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Peers)
};

QCoro::Task<int> invite(std::shared_ptr<const Context> context)
{
    const auto store = context->peerStore();
    const auto code = store->invite();
    if (!code)
        co_return failPeers(*context, code.error());
    const QDateTime expires =
        store->clock().now().addSecs(std::chrono::seconds(PeerStore::invitationLife).count());
    const QString text =
        Words::tr("%1\n"
                  "\n"
                  "On the other machine: napkin-cli peers pair HOST -\n"
                  "and paste the code; HOST is the address of this one. The code is good for one "
                  "machine, until %2.\n"
                  "Here, napkin-cli serve --peer must be running.")
            .arg(code->text(), expires.toLocalTime().toString(QStringLiteral("HH:mm")));
    co_return context->finish(
        ExitCode::Complete,
        Json{{"code", jsonText(code->text())},
             {"expires_at", jsonText(expires.toUTC().toString(Qt::ISODateWithMs))},
             {"peers_file", jsonText(store->file())}},
        text);
}

struct PairOptions
{
    std::string host;
    std::string code;
    std::string name;
};

QCoro::Task<Result<PairingCode>> codeFrom(std::shared_ptr<const Context> context, QString given)
{
    if (given != u"-")
        co_return PairingCode::fromText(given);
    if (::isatty(STDIN_FILENO) == 1)
        context->terminal->note(Words::tr("The code that napkin-cli peers invite shows there:"));
    const auto line = co_await readLine(context->cancel);
    if (!line)
        co_return tl::unexpected(line.error());
    co_return PairingCode::fromText(*line);
}

QCoro::Task<int> pair(std::shared_ptr<const Context> context, PairOptions options)
{
    const auto far = parseFarAddress(QString::fromStdString(options.host));
    if (!far)
        co_return context->fail(far.error());
    const auto code = co_await codeFrom(context, QString::fromStdString(options.code));
    if (!code)
        co_return context->fail(code.error(),
                                Words::tr("napkin-cli peers invite on the other machine shows a "
                                          "new one."));
    const auto store = context->peerStore();
    const QString wanted = QString::fromStdString(options.name);
    if (!wanted.isEmpty()) { // before the code is used up
        if (const auto checked = store->checkName(wanted); !checked)
            co_return failPeers(*context, checked.error());
    }
    auto peer = co_await pairWith(store, far->host, far->port.value_or(defaultPeerPort), *code,
                                  context->cancel);
    if (!peer)
        co_return failPeers(*context, peer.error());
    if (!wanted.isEmpty()) {
        if (const auto renamed = store->rename(peer->id, wanted); !renamed)
            co_return failPeers(*context, renamed.error());
        peer->name = tidyName(wanted);
    }
    co_return context->finish(
        ExitCode::Complete, Json{{"peer", jsonPeer(*peer)}},
        Words::tr("Paired with %1, over a channel that both ends proved the code on.\n"
                  "napkin-cli peers lists it; napkin-cli peers rename gives it another name.")
            .arg(peer->name));
}

} // namespace

void addPairing(CommandLine& line, CLI::App* group)
{
    CLI::App* inviting =
        line.addCommand(QStringLiteral("invite"),
                        Words::tr("Make a pairing code for another machine\n"
                                  "It is shown once, good for ten minutes and for one machine."),
                        Words::tr("Examples:\n  napkin-cli peers invite"), group);
    line.addPeersFile(inviting);
    line.onChosen(inviting, [](std::shared_ptr<const Context> context) {
        return invite(std::move(context));
    });

    CLI::App* pairing = line.addCommand(
        QStringLiteral("pair"),
        Words::tr("Pair this machine with one that showed a code\n"
                  "From then on this machine can ask it, and it can ask this one."),
        Words::tr("Examples:\n"
                  "  napkin-cli peers pair spark-b -\n"
                  "      reads the code from standard input, so that no history keeps it\n"
                  "  ssh spark-b napkin-cli peers invite |\n"
                  "      napkin-cli peers pair spark-b -"),
        group);
    auto options = std::make_shared<PairOptions>();
    CommandLine::addText(pairing, "HOST", options->host,
                         Words::tr("Name or address of the other machine, with :PORT where it is "
                                   "not %1")
                             .arg(defaultPeerPort),
                         "", Need::Required);
    CommandLine::addText(pairing, "CODE", options->code,
                         Words::tr("The code; - reads it from standard input"), "", Need::Required);
    CommandLine::addText(pairing, "--name", options->name,
                         Words::tr("What to call it here (what it calls itself)"), "NAME");
    line.addPeersFile(pairing);
    line.onChosen(pairing, [options](std::shared_ptr<const Context> context) {
        return pair(std::move(context), *options);
    });
}

} // namespace napkin::cli
