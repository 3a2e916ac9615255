// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include "core/quantity/parse.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QRegularExpression>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Arguments)
};

QString quoted(const QString& option, const QString& text)
{
    return QStringLiteral("%1 “%2”").arg(option, text);
}

bool isBareNumber(const QString& text)
{
    static const QRegularExpression shape(
        QStringLiteral(R"(^\s*-?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?\s*$)"));
    return shape.match(text).hasMatch();
}

Result<int> parsePort(const QString& text, const QString& whole)
{
    bool ok = false;
    const int port = text.toInt(&ok);
    if (!ok || port < 1 || port > 65'535)
        return wrongUse(Words::tr("The port in “%1”").arg(whole),
                        Words::tr("a port is a number from 1 to 65,535"));
    return port;
}

Result<FarAddress> parseV6(const QString& address, const QString& whole)
{
    QHostAddress parsed;
    if (!parsed.setAddress(address) || parsed.protocol() != QAbstractSocket::IPv6Protocol)
        return wrongUse(Words::tr("The address “%1”").arg(whole),
                        Words::tr("it is no IPv6 address; with a port write [address]:port"));
    return FarAddress{address, std::nullopt};
}

} // namespace

tl::unexpected<Error> wrongUse(const QString& what, const QString& why)
{
    return fail(ErrorCode::InvalidArgument, what, why);
}

Result<int> parseWhole(const QString& option, const QString& text)
{
    bool ok = false;
    const int value = text.trimmed().toInt(&ok);
    if (!ok)
        return wrongUse(quoted(option, text), Words::tr("it needs a whole number"));
    return value;
}

Result<std::chrono::milliseconds> parseTime(const QString& option, const QString& text,
                                            const QString& bareUnit)
{
    const QString withUnit = isBareNumber(text) && !bareUnit.isEmpty() ? text + bareUnit : text;
    const auto time = parseDuration(withUnit);
    if (!time)
        return wrongUse(quoted(option, text), time.error().detail);
    const auto rounded = std::chrono::duration_cast<std::chrono::milliseconds>(*time);
    if (rounded != *time)
        return wrongUse(quoted(option, text), Words::tr("it needs whole milliseconds"));
    return rounded;
}

Result<std::chrono::microseconds> parseInterval(const QString& option, const QString& text)
{
    const auto time = parseDuration(text);
    if (!time)
        return wrongUse(quoted(option, text), time.error().detail);
    const auto rounded = std::chrono::duration_cast<std::chrono::microseconds>(*time);
    if (rounded != *time)
        return wrongUse(quoted(option, text), Words::tr("it needs whole microseconds"));
    return rounded;
}

Result<BitRate> parseRate(const QString& option, const QString& text)
{
    const auto rate = parseBitRate(text);
    if (!rate)
        return wrongUse(quoted(option, text), rate.error().detail);
    return *rate;
}

Result<ByteCount> parseSize(const QString& option, const QString& text)
{
    const auto size = parseByteCount(isBareNumber(text) ? text + QStringLiteral(" B") : text);
    if (!size)
        return wrongUse(quoted(option, text), size.error().detail);
    return *size;
}

Result<FarAddress> parseFarAddress(const QString& text)
{
    const QString whole = text.trimmed();
    if (whole.startsWith(u'[')) {
        const qsizetype end = whole.indexOf(u']');
        const QString rest = whole.mid(end + 1);
        if (end < 0 || (!rest.isEmpty() && !rest.startsWith(u':')))
            return wrongUse(Words::tr("The address “%1”").arg(text),
                            Words::tr("write it as [address] or [address]:port"));
        auto address = parseV6(whole.mid(1, end - 1), whole);
        if (!address || rest.isEmpty())
            return address;
        const auto port = parsePort(rest.mid(1), whole);
        if (!port)
            return tl::unexpected(port.error());
        address->port = *port;
        return address;
    }
    const qsizetype colons = whole.count(u':');
    if (colons > 1)
        return parseV6(whole, whole);
    const QString host = whole.section(u':', 0, 0);
    if (host.isEmpty() || host.contains(u' ') || host.contains(u'/'))
        return wrongUse(Words::tr("The address “%1”").arg(text),
                        Words::tr("it needs a host name or an IP address"));
    if (colons == 0)
        return FarAddress{host, std::nullopt};
    const auto port = parsePort(whole.section(u':', 1), whole);
    if (!port)
        return tl::unexpected(port.error());
    return FarAddress{host, *port};
}

} // namespace napkin::cli
