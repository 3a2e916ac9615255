// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/greeting.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PeerChannel)
};

} // namespace

HelloMessage ownHello(const PeerBook& book,
                      const std::vector<std::shared_ptr<PeerService>>& services)
{
    HelloMessage hello;
    hello.version = QStringLiteral(NAPKIN_VERSION);
    hello.id = book.self;
    hello.name = book.name;
    for (const auto& service : services)
        hello.capabilities += service->methods();
    return hello;
}

std::optional<Error> protocolMismatch(const HelloMessage& theirs)
{
    if (theirs.protocol == peerProtocol)
        return std::nullopt;
    return Error{ErrorCode::PeerRefused,
                 Words::tr("one machine runs Napkin %1 (peer protocol %2), the other Napkin %3 "
                           "(peer protocol %4); install the same version on both")
                     .arg(QStringLiteral(NAPKIN_VERSION))
                     .arg(peerProtocol)
                     .arg(theirs.version.isEmpty() ? QStringLiteral("?") : theirs.version)
                     .arg(theirs.protocol),
                 {},
                 nullptr};
}

} // namespace napkin
