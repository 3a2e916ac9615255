// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/host/route.h"

#include "core/measure/os/hostconditions.h"
#include "core/measure/os/kernelroute.h"

namespace napkin {

Result<RouteFacts> routeTo(const QString& address, const QString& source)
{
    const auto to = addressFromText(address, 0);
    if (!to)
        return tl::unexpected(to.error());
    if (source.isEmpty())
        return kernelRoute(*to, std::nullopt);
    const auto from = addressFromText(source, 0);
    if (!from)
        return tl::unexpected(from.error());
    if (from->family() == to->family() && !isOwnAddress(*from))
        return fail(ErrorCode::AddressNotAvailable, source);
    return kernelRoute(*to, *from);
}

} // namespace napkin
