// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace napkin {

// What is wrong with a host name or IP address as a port's address, as a sentence for people; empty
// when it may be used, which an empty text may.
[[nodiscard]] QString addressFault(const QString& text);

} // namespace napkin
