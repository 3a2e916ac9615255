// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/peer/peering.h"

#include "core/base/waiting.h"

namespace napkin::test {

using Json = nlohmann::json;
using namespace std::chrono_literals;

QStringList EchoService::methods() const
{
    return {QStringLiteral("echo"), QStringLiteral("long"), QStringLiteral("count"),
            QStringLiteral("wait"), QStringLiteral("deaf"), QStringLiteral("throw")};
}

QCoro::Task<Result<Json>> EchoService::answer(PeerIdentity caller, QString method, Json arguments,
                                              CancelToken cancel, PeerEvents events)
{
    ++running;
    Result<Json> outcome = Json{{"caller", caller.name.toStdString()}, {"said", arguments}};
    if (method == u"throw")
        throw std::runtime_error("thrown on purpose");
    if (method == u"long") {
        outcome = Json(std::string(arguments.at("bytes").get<size_t>(), 'x'));
    } else if (method == u"count") {
        for (int i = 0; i < arguments.at("to").get<int>(); ++i)
            events(Json{{"i", i}});
    } else if (method == u"wait") {
        co_await sleepFor(30s, cancel);
        ++cancelled;
        outcome = fail(ErrorCode::Cancelled);
    } else if (method == u"deaf") {
        co_await sleepFor(3s, {});
    }
    --running;
    co_return outcome;
}

TwoMachines::TwoMachines(PeerLimits limits)
    : near(std::make_shared<PeerStore>(folder.filePath(QStringLiteral("near/peers.json")), clock))
    , far(std::make_shared<PeerStore>(folder.filePath(QStringLiteral("far/peers.json")), clock))
{
    PeerServerOptions options;
    options.bindAddress = QStringLiteral("127.0.0.1");
    options.port = 0;
    options.store = far;
    options.services = {echo};
    options.limits = limits;
    auto started = PeerServer::start(options);
    if (!started)
        qFatal("%s", words(started.error()).constData());
    server = std::move(*started);
    QObject::connect(server.get(), &PeerServer::peerRefused, server.get(),
                     [this](const QString&, const Error& why) { refused.push_back(why); });
    QObject::connect(
        server.get(), &PeerServer::peerDisconnected, server.get(),
        [this](const PeerIdentity&, const Error& why) { disconnected.push_back(why); });
}

Result<PairedPeer> TwoMachines::pairWithCode(const PairingCode& code)
{
    return sync(pairWith(near, QStringLiteral("127.0.0.1"), server->port(), code, {}), 20s);
}

Result<PairedPeer> TwoMachines::pair()
{
    const auto code = far->invite();
    if (!code)
        return tl::unexpected(code.error());
    return pairWithCode(*code);
}

Result<std::shared_ptr<PeerChannel>> TwoMachines::open()
{
    return sync(PeerChannel::open(near, farId(), {}), 20s);
}

TlsTarget TwoMachines::target(TlsIdentity identity, QByteArray key) const
{
    return {QStringLiteral("127.0.0.1"), server->port(), std::move(identity), std::move(key)};
}

TlsTarget TwoMachines::pairedTarget() const
{
    const auto book = near->read();
    return target({book->self, {}}, book->peers.front().key);
}

QByteArray words(const Error& error)
{
    return QStringList{errorCodeName(error.code), error.context, error.detail}
        .join(QStringLiteral(" | "))
        .toUtf8();
}

} // namespace napkin::test
