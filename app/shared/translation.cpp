// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shared/translation.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace napkin {

void installTranslations(QCoreApplication& app)
{
    const QString folder = QStringLiteral(":/translations");
    const QString ours = QStringLiteral("napkin");
    // English first, for its plurals: what is installed later is asked earlier.
    auto* english = new QTranslator(&app);
    if (english->load(ours + QStringLiteral("_en"), folder))
        QCoreApplication::installTranslator(english);
    if (QLocale().language() == QLocale::English || QLocale().language() == QLocale::C)
        return;
    auto* qt = new QTranslator(&app);
    if (qt->load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"),
                 QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(qt);
    auto* own = new QTranslator(&app);
    if (own->load(QLocale(), ours, QStringLiteral("_"), folder))
        QCoreApplication::installTranslator(own);
}

} // namespace napkin
