// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <QString>
#include <QVariant>

#include <optional>

namespace napkin::cells {

// What the tables of the worksheet show and sort by in the same way.

inline QString unknown()
{
    return QStringLiteral("–");
}

// Words begin at the left, numbers end at the right.
inline QVariant alignment(bool isText)
{
    return int((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

// What is not known sorts last.
inline QVariant sortKey(const std::optional<BitRate>& rate)
{
    return rate ? QVariant(qlonglong(rate->bitsPerSecond())) : QVariant();
}

inline QVariant sortKey(const std::optional<Duration>& time)
{
    return time ? QVariant(qlonglong(time->count())) : QVariant();
}

inline QVariant sortKey(const std::optional<std::int64_t>& count)
{
    return count ? QVariant(qlonglong(*count)) : QVariant();
}

inline QVariant sortKey(const QString& text)
{
    return text.isEmpty() || text == unknown() ? QVariant() : QVariant(text);
}

} // namespace napkin::cells
