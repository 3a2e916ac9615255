// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/measureparties.h"
#include "app/cli/factstext.h"
#include "core/base/worker.h"
#include "core/measure/host/hostfacts.h"
#include "core/measure/remote/peertalk.h"
#include "core/results/hostfactsjson.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin::cli {

namespace {

constexpr int usualWidth = 80;
constexpr int leastWidth = 60;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Facts)
};

struct FactsChoice
{
    std::string peer; // empty: this machine
    bool withSsid = false;
};

int show(const Context& context, const HostFacts& facts)
{
    Json payload;
    payload["facts"] = hostFactsToJson(facts);
    const int width =
        std::clamp(context.terminal->width().value_or(usualWidth), leastWidth, usualWidth);
    return context.finish(ExitCode::Complete, payload, factsText(facts, width));
}

QCoro::Task<int> factsOfPeer(std::shared_ptr<const Context> context, QString name)
{
    const auto store = context->peerStore();
    const auto peer = namedPeer(*store, name);
    if (!peer)
        co_return context->fail(peer.error().error, peer.error().advice);
    const auto channel = co_await PeerChannel::open(store, peer->id, context->cancel);
    if (!channel)
        co_return context->fail(channel.error());
    const auto read = co_await remote::askFacts(*channel, context->cancel);
    if (!read)
        co_return context->fail(read.error());
    co_return show(*context, *read);
}

QCoro::Task<int> facts(std::shared_ptr<const Context> context, FactsChoice choice)
{
    if (!choice.peer.empty())
        co_return co_await factsOfPeer(context, QString::fromStdString(choice.peer));
    Worker worker;
    const auto read = co_await runOn(
        worker, [choice]() -> Result<HostFacts> { return readHostFacts({choice.withSsid}); });
    if (!read)
        co_return context->fail(read.error());
    co_return show(*context, *read);
}

} // namespace

void addFacts(CommandLine& line)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("facts"),
        Words::tr("Tell what a machine is, and what its interfaces are\n"
                  "Of this machine, or of a paired one. "
                  "Reads interfaces, adapters, Wi-Fi, routes, CPU and clock, without privileges. "
                  "What cannot be read says why. The same facts of both ends are kept with every "
                  "run."),
        Words::tr("Examples:\n"
                  "  napkin-cli facts\n"
                  "  napkin-cli facts spark-b\n"
                  "  napkin-cli facts --json      for another program"));
    auto choice = std::make_shared<FactsChoice>();
    CommandLine::addText(app, "PEER", choice->peer,
                         Words::tr("A paired machine instead of this one"), "PEER");
    CommandLine::addFlag(app, "--ssid", choice->withSsid,
                         Words::tr("Name the Wi-Fi network too, which tells where you are"));
    line.addPeersFile(app);
    line.onChosen(app, [choice](std::shared_ptr<const Context> context) {
        return facts(std::move(context), *choice);
    });
}

} // namespace napkin::cli
