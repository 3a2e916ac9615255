// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/sysfile.h"

#include <QFile>
#include <QFileInfo>

namespace napkin {

std::optional<QByteArray> readSysFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    constexpr qint64 most = 4'096;
    const QByteArray text = file.read(most);
    if (file.error() != QFileDevice::NoError)
        return std::nullopt; // such as a speed while nothing is connected
    return text.trimmed();
}

std::optional<std::int64_t> readSysNumber(const QString& path)
{
    const auto text = readSysFile(path);
    bool isNumber = false;
    const qlonglong number = text.value_or(QByteArray()).toLongLong(&isNumber);
    return isNumber ? std::optional<std::int64_t>(number) : std::nullopt;
}

QString sysLinkName(const QString& path)
{
    return QFileInfo(path).symLinkTarget().section(QLatin1Char('/'), -1);
}

} // namespace napkin
