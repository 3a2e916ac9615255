// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/id.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Id)
};

} // namespace

QString idText(const QUuid& value)
{
    return value.isNull() ? QString() : value.toString(QUuid::Id128);
}

Result<QUuid> idFromText(QStringView text)
{
    const auto isHex = [](QChar c) {
        return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
    };
    if (text.size() != 32 || !std::all_of(text.begin(), text.end(), isHex))
        return fail(ErrorCode::ParseFailed, text.toString(),
                    Words::tr("not an id of 32 hexadecimal digits"));
    const QString t = text.toString();
    const QString dashed = t.mid(0, 8) + u'-' + t.mid(8, 4) + u'-' + t.mid(12, 4) + u'-' +
                           t.mid(16, 4) + u'-' + t.mid(20);
    return QUuid::fromString(dashed);
}

} // namespace napkin::detail
