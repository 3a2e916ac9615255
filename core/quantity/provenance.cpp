// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/provenance.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Provenance)
};

} // namespace

QString provenanceName(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Rated:
        return QStringLiteral("rated");
    case Provenance::Assumed:
        return QStringLiteral("assumed");
    case Provenance::Modelled:
        return QStringLiteral("modelled");
    case Provenance::Measured:
        return QStringLiteral("measured");
    }
    return {};
}

Result<Provenance> provenanceFromName(QStringView name)
{
    for (const auto p :
         {Provenance::Rated, Provenance::Assumed, Provenance::Modelled, Provenance::Measured}) {
        if (name == provenanceName(p))
            return p;
    }
    return fail(ErrorCode::ParseFailed, name.toString(), Words::tr("not a provenance"));
}

QString originName(Origin origin)
{
    switch (origin) {
    case Origin::Mine:
        return QStringLiteral("mine");
    case Origin::Emulated:
        return QStringLiteral("emulated");
    case Origin::Imported:
        return QStringLiteral("imported");
    case Origin::Published:
        return QStringLiteral("published");
    }
    return {};
}

Result<Origin> originFromName(QStringView name)
{
    for (const auto o : {Origin::Mine, Origin::Emulated, Origin::Imported, Origin::Published}) {
        if (name == originName(o))
            return o;
    }
    return fail(ErrorCode::ParseFailed, name.toString(), Words::tr("not an origin"));
}

QString provenanceWord(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Rated:
        return Words::tr("rated");
    case Provenance::Assumed:
        return Words::tr("assumed");
    case Provenance::Modelled:
        return Words::tr("modelled");
    case Provenance::Measured:
        return Words::tr("measured");
    }
    return {};
}

QString originWord(Origin origin)
{
    switch (origin) {
    case Origin::Mine:
        return Words::tr("mine");
    case Origin::Emulated:
        return Words::tr("emulated");
    case Origin::Imported:
        return Words::tr("imported");
    case Origin::Published:
        return Words::tr("published");
    }
    return {};
}

} // namespace napkin
