// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/measureparties.h"

#include "app/cli/arguments.h"
#include "core/workflow/linkspec.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::MeasureParties)
};

using Parties = tl::expected<MeasureParties, LinkFault>;

tl::unexpected<LinkFault> unknownPeer(const QString& name, const PeerBook& book)
{
    QStringList names;
    for (const PairedPeer& peer : book.peers)
        names << peer.name;
    const QString known =
        names.isEmpty() ? Words::tr("this machine is paired with none yet")
                        : Words::tr("it is paired with: %1").arg(names.join(QStringLiteral(", ")));
    return tl::unexpected(LinkFault{
        fail(ErrorCode::NotFound, Words::tr("The paired machine “%1”").arg(name), known).value(),
        Words::tr("napkin-cli peers invite there and napkin-cli peers pair here pair two "
                  "machines.")});
}

// As typed, or nothing.
Result<std::optional<PairedPeer>> named(const std::string& name, const PeerBook& book)
{
    if (name.empty())
        return std::optional<PairedPeer>();
    const PairedPeer* peer = book.find(QString::fromStdString(name));
    if (peer == nullptr)
        return fail(ErrorCode::NotFound, QString::fromStdString(name));
    return std::optional(*peer);
}

// Which end of the link the named machines make the near one.
Result<NearEnd> nearEndOf(const Drawing& drawing, const Link& link, const MeasureParties& parties)
{
    const auto isAt = [&drawing](const PairedPeer& peer, PortId port) {
        const Machine* machine = drawing.machineOf(port);
        return machine != nullptr && machine->peer == peer.id;
    };
    const auto nowhere = [&](const PairedPeer& peer) {
        return fail(
            ErrorCode::InvalidArgument, peer.name,
            Words::tr("it is at neither end of “%1” in the drawing").arg(linkTitle(drawing, link)));
    };
    if (parties.near) {
        if (isAt(*parties.near, link.a))
            return NearEnd::A;
        return isAt(*parties.near, link.b) ? Result<NearEnd>(NearEnd::B) : nowhere(*parties.near);
    }
    if (parties.far) {
        if (isAt(*parties.far, link.a))
            return NearEnd::B;
        return isAt(*parties.far, link.b) ? Result<NearEnd>(NearEnd::A) : nowhere(*parties.far);
    }
    return NearEnd::Automatic;
}

// The ends as drawn, with the options as typed.
ProbeSpec joined(ProbeSpec drawn, const ProbeSpec& typed)
{
    drawn.label = typed.label;
    drawn.ipVersion = typed.ipVersion;
    drawn.far.port = typed.far.port;
    if (!typed.interfaceName.isEmpty())
        drawn.interfaceName = typed.interfaceName;
    if (!typed.sourceAddress.isEmpty())
        drawn.sourceAddress = typed.sourceAddress;
    return drawn;
}

} // namespace

tl::expected<PairedPeer, LinkFault> namedPeer(const PeerStore& store, const QString& name)
{
    const auto book = store.read();
    if (!book)
        return tl::unexpected(LinkFault{book.error(), QString()});
    const PairedPeer* peer = book->find(QStringView(name));
    if (peer == nullptr)
        return unknownPeer(name, *book);
    return *peer;
}

Parties partiesFrom(MeasureOptions& options, const PeerStore& store)
{
    auto book = store.read();
    if (!book)
        return tl::unexpected(LinkFault{book.error(), QString()});
    MeasureParties parties{std::move(*book), {}, {}};
    const auto near = named(options.near, parties.book);
    if (!near)
        return unknownPeer(QString::fromStdString(options.near), parties.book);
    parties.near = *near;
    const auto far = named(options.far, parties.book);
    if (!far)
        return unknownPeer(QString::fromStdString(options.far), parties.book);
    parties.far = *far;
    if (const auto host = named(options.host, parties.book); host && *host && !parties.far) {
        parties.far = *host;
        options.host.clear();
    }
    if (parties.far && options.host.empty() && options.link.empty())
        options.host = parties.far->host.toStdString();
    if (options.host.empty() && options.link.empty())
        return tl::unexpected(LinkFault{
            wrongUse(QStringLiteral("HOST"), Words::tr("it is required and missing")).value(),
            QString()});
    return parties;
}

void addParties(ProbeSpec& spec, const MeasureParties& parties)
{
    if (parties.near) {
        spec.near = Endpoint();
        spec.near.name = parties.near->name;
        spec.near.peer = parties.near->id;
    }
    if (parties.far) {
        spec.far.name = parties.far->name;
        spec.far.peer = parties.far->id;
    }
}

QCoro::Task<Result<ProbeSpec>> drawnSpec(std::shared_ptr<Notebook> notebook, ProbeSpec spec,
                                         MeasureParties parties)
{
    const auto drawings = co_await notebook->drawings();
    if (!drawings)
        co_return tl::unexpected(drawings.error());
    for (const DrawingEntry& entry : *drawings) {
        const auto read = co_await notebook->loadDrawing(entry.id);
        if (!read)
            co_return tl::unexpected(read.error());
        const Link* link = read->drawing.link(*spec.link);
        if (link == nullptr)
            continue;
        const auto near = nearEndOf(read->drawing, *link, parties);
        if (!near)
            co_return tl::unexpected(near.error());
        co_return specForLink(read->drawing, link->id, spec.options,
                              LocalHost::current(parties.book), *near)
            .map([&spec](const ProbeSpec& drawn) { return joined(drawn, spec); });
    }
    if (parties.far) {
        spec.far.host = parties.far->host;
        co_return spec;
    }
    co_return fail(ErrorCode::NotFound, Words::tr("The ends of this link"),
                   Words::tr("it is in no drawing; name the machine to measure against"));
}

} // namespace napkin::cli
