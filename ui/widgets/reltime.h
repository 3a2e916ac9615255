// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

namespace napkin {

// "just now", "5 min ago", "2 h ago", "3 days ago"; after two weeks the date. Empty when `when` is
// not valid. A time in the future (another machine's clock) reads as its date.
[[nodiscard]] QString relativeTime(const QDateTime& when, const QDateTime& now);

// To the second, in local time and the locale's order; for tooltips.
[[nodiscard]] QString exactTime(const QDateTime& when);

} // namespace napkin
