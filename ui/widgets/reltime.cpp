// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/reltime.h"

#include <QCoreApplication>
#include <QLocale>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::RelativeTime)
};

constexpr qint64 minute = 60;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;

} // namespace

QString relativeTime(const QDateTime& when, const QDateTime& now)
{
    if (!when.isValid())
        return {};
    const qint64 age = when.secsTo(now);
    if (age < -minute || age >= 14 * day)
        return QLocale().toString(when.toLocalTime().date(), QLocale::ShortFormat);
    if (age < minute)
        return Words::tr("just now");
    if (age < hour)
        return Words::tr("%n min ago", nullptr, static_cast<int>(age / minute));
    if (age < day)
        return Words::tr("%n h ago", nullptr, static_cast<int>(age / hour));
    return Words::tr("%n day(s) ago", nullptr, static_cast<int>(age / day));
}

QString exactTime(const QDateTime& when)
{
    if (!when.isValid())
        return {};
    const QDateTime local = when.toLocalTime();
    return QLocale().toString(local.date(), QLocale::ShortFormat) + QLatin1Char(' ') +
           QLocale().toString(local.time(), QStringLiteral("HH:mm:ss"));
}

} // namespace napkin
