// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

namespace napkin {

QDateTime SystemClock::now() const
{
    return QDateTime::currentDateTimeUtc();
}

} // namespace napkin
