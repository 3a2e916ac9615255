// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/listener.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Iperf3Server)
};

Result<Socket> listenOn(const QString& text, int port)
{
    const auto address = addressFromText(text, port);
    if (!address)
        return fail(ErrorCode::AddressNotAvailable, text);
    return listenTcp(*address);
}

Result<Socket> listenAnywhere(int port)
{
    Result<Socket> both = listenOn(QStringLiteral("::"), port);
    if (both || both.error().code == ErrorCode::AddressInUse)
        return both;
    return listenOn(QStringLiteral("0.0.0.0"), port);
}

} // namespace

Result<Socket> openListener(const QString& bindAddress, int port)
{
    Result<Socket> listener =
        bindAddress.isEmpty() ? listenAnywhere(port) : listenOn(bindAddress, port);
    if (listener)
        return listener;
    Error error = listener.error();
    if (error.code == ErrorCode::AddressInUse)
        error.context = Words::tr("Port %1").arg(port);
    else if (error.code == ErrorCode::PermissionDenied)
        error.context = Words::tr("Listening on port %1").arg(port);
    else if (error.code == ErrorCode::AddressNotAvailable)
        error.context = bindAddress;
    return tl::unexpected(error);
}

bool isAmong(const QString& address, const QStringList& addresses)
{
    const auto plain = [](const QString& text) { return text.section(u'%', 0, 0); };
    return std::ranges::any_of(addresses, [&](const QString& allowed) {
        return plain(allowed).compare(plain(address), Qt::CaseInsensitive) == 0;
    });
}

} // namespace napkin
