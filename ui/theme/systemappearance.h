// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <optional>

class QDBusPendingCallWatcher;
class QDBusVariant;

namespace napkin {

// Whether the desktop wants light or dark, as the settings portal tells it, now and when it
// changes. Answers come later; without a portal there are none.
class SystemAppearance : public QObject
{
    Q_OBJECT
public:
    explicit SystemAppearance(QObject* parent = nullptr);

    [[nodiscard]] std::optional<bool> dark() const
    {
        return m_dark;
    } // nullopt: no preference known

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void onSettingChanged(const QString& space, const QString& key, const QDBusVariant& value);

private:
    void onAnswer(QDBusPendingCallWatcher* call);
    void take(unsigned scheme);

    std::optional<bool> m_dark;
};

} // namespace napkin
