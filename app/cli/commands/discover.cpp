// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/table.h"
#include "core/peer/discovery.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

using namespace std::chrono_literals;

constexpr int legendWidth = 80;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Discover)
};

struct Options
{
    std::string time;
};

Json jsonPortSaid(int port)
{
    return port > 0 ? Json(port) : Json(nullptr);
}

Json jsonDiscovery(const Discovery& discovery)
{
    Json json;
    json["found"] = Json::array();
    for (const Discovered& one : discovery.found)
        json["found"].push_back({{"address", jsonText(one.address)},
                                 {"says_name", jsonText(one.said.name)},
                                 {"says_id", jsonText(one.said.id.text())},
                                 {"says_peer_port", jsonPortSaid(one.said.peerPort)},
                                 {"says_iperf3_port", jsonPortSaid(one.said.iperfPort)}});
    json["more"] = discovery.more;
    return json;
}

QString portSaid(int port)
{
    return port > 0 ? QString::number(port) : QStringLiteral("–");
}

QString discoveryText(const Discovery& discovery, std::optional<int> width)
{
    if (discovery.found.empty())
        return wrapped(Words::tr("Nobody answered. A machine answers while napkin-cli serve --peer "
                                 "--announce runs there, in the same network, and its firewall "
                                 "lets UDP port 5210 through."),
                       legendWidth);
    Table table({{Words::tr("Says it is"), {}, Align::Left, 0, true},
                 {Words::tr("Came from"), {}},
                 {Words::tr("Peer"), Words::tr("port"), Align::Right},
                 {Words::tr("iperf3"), Words::tr("port"), Align::Right}});
    for (const Discovered& one : discovery.found)
        table.add({one.said.name.isEmpty() ? QStringLiteral("–") : one.said.name, one.address,
                   portSaid(one.said.peerPort), portSaid(one.said.iperfPort)});
    QStringList lines{table.render(width).text, QString()};
    if (discovery.more)
        lines << Words::tr("More answered than are listed.");
    lines << wrapped(Words::tr("Anybody on the network can say anything. Only pairing proves who a "
                               "machine is. Nothing of this is kept."),
                     legendWidth);
    return lines.join(u'\n');
}

QCoro::Task<int> runDiscover(std::shared_ptr<const Context> context, Options options)
{
    DiscoverOptions wanted;
    if (!options.time.empty()) {
        const auto time = parseTime(QStringLiteral("--time"), QString::fromStdString(options.time),
                                    QStringLiteral(" s"));
        if (!time)
            co_return context->fail(time.error());
        if (*time < 100ms || *time > 60s)
            co_return context->fail(
                wrongUse(QStringLiteral("--time %1").arg(QString::fromStdString(options.time)),
                         Words::tr("0.1 s to 60 s are possible"))
                    .value());
        wanted.time = *time;
    }
    const auto found = co_await discover(wanted, context->cancel);
    if (!found)
        co_return context->fail(found.error());
    const Json payload = jsonDiscovery(*found);
    const QString text = discoveryText(*found, context->terminal->width());
    if (!context->cancel.stop_requested())
        co_return context->finish(ExitCode::Complete, payload, text);
    if (!context->isJson())
        context->terminal->print(text);
    co_return context->interrupted(Words::tr("Interrupted; others may be there."), payload);
}

} // namespace

void addDiscover(CommandLine& line)
{
    CLI::App* app = line.addCommand(
        QStringLiteral("discover"),
        Words::tr("Ask the local network who runs a Napkin peer\n"
                  "Lists what answered, with the address it came from. Only machines that were "
                  "told to announce themselves answer. A convenience and no proof: nothing is "
                  "trusted, nothing is kept."),
        Words::tr("Examples:\n"
                  "  napkin-cli discover\n"
                  "  napkin-cli discover --time \"2 s\" --json\n"
                  "\n"
                  "On the other machine: napkin-cli serve --peer --announce"));
    auto options = std::make_shared<Options>();
    CommandLine::addText(app, "-t,--time", options->time,
                         Words::tr("How long to listen, such as \"2 s\"; a bare number is seconds "
                                   "(6 s)"),
                         "T");
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return runDiscover(std::move(context), *options);
    });
}

} // namespace napkin::cli
