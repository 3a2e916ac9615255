// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/address.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QRegularExpression>
#include <QUrl>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Inspector)
};

constexpr qsizetype longestHostName = 253; // RFC 1035

QString hostNameFault(const QString& text)
{
    const QString ascii = QString::fromLatin1(QUrl::toAce(text));
    static const QRegularExpression name(
        QStringLiteral("^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
                       "(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*\\.?$"));
    const QString& known = ascii.isEmpty() ? text : ascii;
    if (known.size() > longestHostName)
        return Words::tr("A host name has at most %1 characters.").arg(longestHostName);
    if (!name.match(known).hasMatch()) {
        return Words::tr("“%1” is neither a host name nor an IP address. Names have letters, "
                         "digits, hyphens and points.")
            .arg(text.left(40));
    }
    return {};
}

} // namespace

QString addressFault(const QString& text)
{
    if (text.isEmpty())
        return {};
    static const QRegularExpression withPort(QStringLiteral("^(\\[.*\\]|[^:]*):[0-9]+$"));
    static const QRegularExpression onlyNumbers(QStringLiteral("^[0-9.]+$"));
    if (text.contains(QRegularExpression(QStringLiteral("\\s"))))
        return Words::tr("An address has no spaces.");
    if (text.contains(u"://"))
        return Words::tr("Only the host name or IP address, without “%1”.")
            .arg(text.left(text.indexOf(u"://") + 3));
    if (withPort.match(text).hasMatch())
        return Words::tr("Only the host name or IP address, without a port number.");
    if (text.contains(u'/'))
        return Words::tr("Only the address itself, without a slash and what follows it.");
    if (text.contains(u':')) {
        return QHostAddress(text).protocol() == QAbstractSocket::IPv6Protocol
                   ? QString()
                   : Words::tr("“%1” is not an IPv6 address.").arg(text.left(40));
    }
    if (onlyNumbers.match(text).hasMatch()) {
        // What QHostAddress makes of "10.1" is not what people mean.
        const bool whole = text.count(u'.') == 3 && !QHostAddress(text).isNull();
        return whole ? QString()
                     : Words::tr("“%1” is not an IPv4 address: four numbers from 0 to 255, with "
                                 "points between them.")
                           .arg(text.left(40));
    }
    return hostNameFault(text);
}

} // namespace napkin
