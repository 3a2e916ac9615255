// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/peerdoorkeeper.h"

#include "core/base/errortext.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Serve)
};

Json jsonPeer(const PeerIdentity& peer)
{
    return {{"id", jsonText(peer.id.text())},
            {"name", jsonText(peer.name)},
            {"address", jsonText(peer.address)},
            {"version", peer.version.isEmpty() ? Json(nullptr) : jsonText(peer.version)}};
}

Json jsonFault(const std::optional<Error>& fault)
{
    return fault ? jsonError(*fault, describe(*fault)) : Json(nullptr);
}

// "spark-b (10.0.0.2)"
QString who(const PeerIdentity& peer)
{
    return peer.name == peer.address ? peer.name
                                     : QStringLiteral("%1 (%2)").arg(peer.name, peer.address);
}

} // namespace

void PeerDoorkeeper::say(const char* event, Json payload, const QString& text)
{
    m_doorkeeper->say(event, std::move(payload),
                      QDateTime::currentDateTime().toString(QStringLiteral("HH:mm:ss  ")) + text);
}

void PeerDoorkeeper::watch(PeerServer* server)
{
    connect(server, &PeerServer::peerConnected, this, [this](const PeerIdentity& peer) {
        say("peer-connected", {{"peer", jsonPeer(peer)}},
            Words::tr("%1 connected, Napkin %2").arg(who(peer), peer.version));
    });
    connect(server, &PeerServer::peerDisconnected, this,
            [this](const PeerIdentity& peer, const Error& why) {
                const bool isUsual = why.isCancelled() || why.code == ErrorCode::ConnectionLost;
                say("peer-disconnected",
                    {{"peer", jsonPeer(peer)}, {"error", isUsual ? Json(nullptr) : jsonFault(why)}},
                    isUsual ? Words::tr("%1 left").arg(who(peer))
                            : Words::tr("%1 was cut off: %2").arg(who(peer), why.detail));
            });
    connect(server, &PeerServer::peerPaired, this, [this](const PeerIdentity& peer) {
        say("peer-paired", {{"peer", jsonPeer(peer)}}, Words::tr("%1 is paired").arg(who(peer)));
    });
    connect(server, &PeerServer::peerRefused, this, &PeerDoorkeeper::sayRefused);
    connect(server, &PeerServer::callStarted, this,
            [this](const PeerIdentity& peer, const QString& method) {
                say("call-started", {{"peer", jsonPeer(peer)}, {"method", jsonText(method)}},
                    Words::tr("%1 asks: %2").arg(who(peer), method));
            });
    connect(server, &PeerServer::callEnded, this, &PeerDoorkeeper::sayCallEnded);
}

void PeerDoorkeeper::sayCallEnded(const PeerIdentity& peer, const QString& method,
                                  const std::optional<Error>& fault)
{
    say("call-ended",
        {{"peer", jsonPeer(peer)}, {"method", jsonText(method)}, {"error", jsonFault(fault)}},
        fault ? Words::tr("%1, %2: %3").arg(who(peer), method, describe(*fault).what)
              : Words::tr("%1, %2: answered").arg(who(peer), method));
}

void PeerDoorkeeper::sayRefused(const QString& address, const Error& why, int leftOut)
{
    QString text = Words::tr("%1 refused: %2").arg(address, why.detail);
    if (leftOut > 0)
        text += Words::tr(" (and %Ln more before it)", nullptr, leftOut);
    say("peer-refused",
        {{"address", jsonText(address)},
         {"code", jsonText(errorCodeName(why.code))},
         {"why", jsonText(why.detail)},
         {"left_out", leftOut}},
        text);
}

void PeerDoorkeeper::sayListening(const QString& bindAddress, int port, const PeerBook& book,
                                  const QString& file)
{
    const auto count = static_cast<int>(book.peers.size());
    QStringList lines{bindAddress.isEmpty()
                          ? Words::tr("Napkin peer on port %1 of every address of this machine, "
                                      "for paired machines only.")
                                .arg(port)
                          : Words::tr("Napkin peer on port %1 of %2, for paired machines only.")
                                .arg(port)
                                .arg(bindAddress)};
    lines << (count == 0
                  ? Words::tr("No machine is paired yet. Make a code with: napkin-cli peers invite")
                  : Words::tr("%Ln machines are paired.", nullptr, count));
    m_doorkeeper->say("peer-listening",
                      {{"port", port},
                       {"bind", bindAddress.isEmpty() ? Json(nullptr) : jsonText(bindAddress)},
                       {"id", jsonText(book.self.text())},
                       {"name", jsonText(book.name)},
                       {"paired", count},
                       {"peers_file", jsonText(file)}},
                      lines.join(u'\n'));
}

} // namespace napkin::cli
