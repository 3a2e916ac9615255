// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/systemappearance.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

namespace napkin {

namespace {

// org.freedesktop.appearance color-scheme: 0 no preference, 1 dark, 2 light.
constexpr unsigned preferDark = 1;
constexpr unsigned preferLight = 2;
constexpr int answerLimit = 3'000; // ms

QString service()
{
    return QStringLiteral("org.freedesktop.portal.Desktop");
}

QString path()
{
    return QStringLiteral("/org/freedesktop/portal/desktop");
}

QString settings()
{
    return QStringLiteral("org.freedesktop.portal.Settings");
}

QString space()
{
    return QStringLiteral("org.freedesktop.appearance");
}

QString key()
{
    return QStringLiteral("color-scheme");
}

// Read wraps its answer twice.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

} // namespace

SystemAppearance::SystemAppearance(QObject* parent)
    : QObject(parent)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(service(), path(), settings(), QStringLiteral("SettingChanged"), this,
                SLOT(onSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage read =
        QDBusMessage::createMethodCall(service(), path(), settings(), QStringLiteral("Read"));
    read << space() << key();
    auto* call = new QDBusPendingCallWatcher(bus.asyncCall(read, answerLimit), this);
    connect(call, &QDBusPendingCallWatcher::finished, this, &SystemAppearance::onAnswer);
}

void SystemAppearance::onAnswer(QDBusPendingCallWatcher* call)
{
    call->deleteLater();
    const QDBusPendingReply<QDBusVariant> reply = *call;
    if (!reply.isError())
        take(unwrapped(QVariant::fromValue(reply.value())).toUInt());
}

void SystemAppearance::onSettingChanged(const QString& changedSpace, const QString& changedKey,
                                        const QDBusVariant& value)
{
    if (changedSpace == space() && changedKey == key())
        take(unwrapped(QVariant::fromValue(value)).toUInt());
}

void SystemAppearance::take(unsigned scheme)
{
    std::optional<bool> dark;
    if (scheme == preferDark || scheme == preferLight)
        dark = scheme == preferDark;
    if (dark == m_dark)
        return;
    m_dark = dark;
    Q_EMIT changed();
}

} // namespace napkin
