// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/peerpairing.h"

#include "core/peer/conversation.h"
#include "core/peer/greeting.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PeerChannel)
};

constexpr std::chrono::seconds limit(15);

// The far end's key, confirmed on both sides.
QCoro::Task<Result<QByteArray>> agreeOnKey(Greeted* greeted, Deadline deadline, CancelToken cancel)
{
    const auto offered = co_await Inbox::next(greeted->inbox.get(), deadline, cancel);
    if (!offered)
        co_return tl::unexpected(offered.error());
    const auto* key = std::get_if<KeyMessage>(&*offered);
    if (!key)
        co_return fail(ErrorCode::ProtocolViolation, {}, QStringLiteral("it sent no key"));
    greeted->frames->send(PairedMessage{});
    const auto confirmed = co_await Inbox::next(greeted->inbox.get(), deadline, cancel);
    if (!confirmed)
        co_return tl::unexpected(confirmed.error());
    if (!std::holds_alternative<PairedMessage>(*confirmed))
        co_return fail(ErrorCode::ProtocolViolation, {}, QStringLiteral("it did not confirm"));
    co_return key->key;
}

} // namespace

QCoro::Task<Result<PairedPeer>> pairWith(std::shared_ptr<PeerStore> store, QString host, int port,
                                         PairingCode code, CancelToken cancel)
{
    // Before anything goes out: what cannot be kept is not agreed upon.
    const auto own = store->identify();
    if (!own)
        co_return tl::unexpected(own.error());
    if (const auto writable = store->change([](PeerBook&) -> Result<void> { return {}; });
        !writable)
        co_return tl::unexpected(writable.error());
    const TlsTarget target{host, port, TlsIdentity{{}, code.invitation()}, code.key()};
    const Deadline deadline(limit);
    auto greeted = co_await greet(target, ownHello(*own), deadline, cancel);
    if (!greeted)
        co_return tl::unexpected(greeted.error());
    if (greeted->theirs.id == own->self)
        co_return fail(ErrorCode::PeerRefused, target.text(),
                       Words::tr("it is this machine itself"));
    const auto key = co_await agreeOnKey(&*greeted, deadline, cancel);
    if (!key) {
        Error error = key.error();
        if (!error.isCancelled())
            error.context = target.text();
        co_return tl::unexpected(error);
    }
    const QString name = greeted->theirs.name.isEmpty() ? host : greeted->theirs.name;
    co_return store->pair(PairedPeer{greeted->theirs.id, name, *key, host, port, {}, {}});
}

} // namespace napkin
