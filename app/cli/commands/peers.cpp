// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/peercommands.h"
#include "app/cli/table.h"
#include "app/cli/textreport.h"

#include <QCoreApplication>

#include <CLI/CLI.hpp>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Peers)
};

QString reachedAt(const PairedPeer& peer)
{
    Endpoint far;
    far.host = peer.host;
    far.port = peer.port;
    return peer.host.isEmpty() ? QString() : farTitle(far);
}

QString listText(const PeerBook& book, std::optional<int> width, const QString& file)
{
    if (book.peers.empty())
        return Words::tr("No machine is paired with this one (%1).\n"
                         "On the machine that is to be measured from here:\n"
                         "  napkin-cli serve --peer\n"
                         "  napkin-cli peers invite\n"
                         "Then here: napkin-cli peers pair HOST CODE")
            .arg(file);
    Table table({{Words::tr("Name"), {}, Align::Left, 0, true},
                 {Words::tr("Reached at"), {}, Align::Left, 0, true},
                 {Words::tr("Paired"), {}, Align::Left, 2},
                 {Words::tr("Last seen"), {}, Align::Left, 1}});
    for (const PairedPeer& peer : book.peers)
        table.add({peer.name, reachedAt(peer), dateText(peer.paired),
                   peer.seen ? dateText(*peer.seen) : QString()});
    return table.render(width).text;
}

QCoro::Task<int> list(std::shared_ptr<const Context> context)
{
    const auto store = context->peerStore();
    const auto book = store->read();
    if (!book)
        co_return failPeers(*context, book.error());
    Json payload{{"peers_file", jsonText(store->file())},
                 {"id", book->self.isNull() ? Json(nullptr) : jsonText(book->self.text())},
                 {"name", book->self.isNull() ? Json(nullptr) : jsonText(book->name)},
                 {"peers", Json::array()}};
    for (const PairedPeer& peer : book->peers)
        payload["peers"].push_back(jsonPeer(peer));
    co_return context->finish(ExitCode::Complete, payload,
                              listText(*book, context->terminal->width(), store->file()));
}

QCoro::Task<int> rename(std::shared_ptr<const Context> context, QString name, QString wanted)
{
    const auto store = context->peerStore();
    const auto peer = peerCalled(*store, name);
    if (!peer)
        co_return failPeers(*context, peer.error());
    if (const auto renamed = store->rename(peer->id, wanted); !renamed)
        co_return failPeers(*context, renamed.error());
    const auto book = store->read();
    const PairedPeer* now = book ? book->find(peer->id) : nullptr;
    if (!now) // revoked by another program in this moment
        co_return failPeers(*context,
                            book ? fail(ErrorCode::NotFound, name).value() : book.error());
    co_return context->finish(ExitCode::Complete, Json{{"peer", jsonPeer(*now)}},
                              Words::tr("%1 is now called %2.").arg(peer->name, now->name));
}

QCoro::Task<int> revoke(std::shared_ptr<const Context> context, QString name)
{
    const auto store = context->peerStore();
    const auto peer = peerCalled(*store, name);
    if (!peer)
        co_return failPeers(*context, peer.error());
    if (const auto revoked = store->revoke(peer->id); !revoked)
        co_return failPeers(*context, revoked.error());
    co_return context->finish(
        ExitCode::Complete, Json{{"peer", jsonPeer(*peer)}},
        Words::tr("%1 is revoked: its key is worth nothing here any more, and a channel that was "
                  "open ends within a second. On %1, revoke this machine as well.")
            .arg(peer->name));
}

struct Names
{
    std::string name;
    std::string wanted;
};

void addRename(CommandLine& line, CLI::App* group)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("rename"),
        Words::tr("Call a paired machine by another name\nThe name is this machine's alone."),
        Words::tr("Examples:\n  napkin-cli peers rename debian spark-b"), group);
    auto names = std::make_shared<Names>();
    CommandLine::addText(app, "NAME", names->name, Words::tr("Its name now, or its id"), "",
                         Need::Required);
    CommandLine::addText(app, "NEW", names->wanted, Words::tr("Its new name"), "", Need::Required);
    line.addPeersFile(app);
    line.onChosen(app, [names](std::shared_ptr<const Context> context) {
        return rename(std::move(context), QString::fromStdString(names->name),
                      QString::fromStdString(names->wanted));
    });
}

void addRevoke(CommandLine& line, CLI::App* group)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("revoke"),
        Words::tr("End the pairing with a machine\n"
                  "Its key is erased here. A far end that runs ends its channel within a second."),
        Words::tr("Examples:\n  napkin-cli peers revoke spark-b"), group);
    auto names = std::make_shared<Names>();
    CommandLine::addText(app, "NAME", names->name, Words::tr("Its name, or its id"), "",
                         Need::Required);
    line.addPeersFile(app);
    line.onChosen(app, [names](std::shared_ptr<const Context> context) {
        return revoke(std::move(context), QString::fromStdString(names->name));
    });
}

} // namespace

Json jsonPeer(const PairedPeer& peer)
{
    return {{"id", jsonText(peer.id.text())},
            {"name", jsonText(peer.name)},
            {"host", peer.host.isEmpty() ? Json(nullptr) : jsonText(peer.host)},
            {"port", peer.port == 0 ? Json(nullptr) : Json(peer.port)},
            {"paired_at", jsonText(peer.paired.toUTC().toString(Qt::ISODateWithMs))},
            {"seen_at",
             peer.seen ? jsonText(peer.seen->toUTC().toString(Qt::ISODateWithMs)) : Json(nullptr)}};
}

int failPeers(const Context& context, const Error& error, const QString& advice)
{
    const bool isStore = error.context == context.peerStore()->file();
    return context.fail(isStore ? ExitCode::NotebookUnusable : exitCodeFor(error), error,
                        Json::object(), advice);
}

Result<PairedPeer> peerCalled(const PeerStore& store, const QString& name)
{
    const auto book = store.read();
    if (!book)
        return tl::unexpected(book.error());
    if (const PairedPeer* peer = book->find(QStringView(name)))
        return *peer;
    QStringList names;
    for (const PairedPeer& peer : book->peers)
        names << peer.name;
    return fail(ErrorCode::NotFound, Words::tr("The paired machine “%1”").arg(name),
                names.isEmpty()
                    ? Words::tr("no machine is paired with this one yet")
                    : Words::tr("these are paired: %1").arg(names.join(QStringLiteral(", "))));
}

void addPeers(CommandLine& line)
{
    CLI::App* group = line.addCommand(
        QStringLiteral("peers"),
        Words::tr("The machines that this one is paired with\n"
                  "Without a command: lists them. Two machines that are paired can ask each other "
                  "for what they are and for measurements, over an encrypted channel. The far one "
                  "runs napkin-cli serve --peer."),
        Words::tr("Examples:\n"
                  "  napkin-cli peers invite\n"
                  "      on the far machine: shows a code\n"
                  "  napkin-cli peers pair spark-b -\n"
                  "      here: reads the code from standard input\n"
                  "  napkin-cli peers\n"
                  "      lists the paired machines"));
    line.addPeersFile(group);
    group->require_subcommand(0, 1);
    line.onChosen(group,
                  [](std::shared_ptr<const Context> context) { return list(std::move(context)); });
    CLI::App* listing =
        line.addCommand(QStringLiteral("list"), Words::tr("List the paired machines"),
                        Words::tr("Examples:\n  napkin-cli peers list --json"), group);
    line.addPeersFile(listing);
    line.onChosen(listing,
                  [](std::shared_ptr<const Context> context) { return list(std::move(context)); });
    addPairing(line, group);
    addRename(line, group);
    addRevoke(line, group);
}

} // namespace napkin::cli
