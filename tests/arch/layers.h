// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/arch/sourcetext.h"

#include <QMap>
#include <QSet>

namespace napkin::test {

// The module a path belongs to ("base", "ui", "app/cli"), or an empty string for what is none.
[[nodiscard]] QString moduleOf(const QString& path);

// Which modules each one may include and link, itself included. A module that is not in the table
// may know nothing.
[[nodiscard]] const QMap<QString, QSet<QString>>& allowedModules();

// Every #include that goes where its module may not.
[[nodiscard]] QStringList includeFaults(const SourceFile& source);

// Which modules a module's CMakeLists.txt links, and every link that it may not have.
struct LinkFaults
{
    QString module;
    QSet<QString> linked;
    QStringList faults;
};
[[nodiscard]] LinkFaults linkFaults(const SourceFile& cmake);

// Includes of modules that are not linked, not even through others.
[[nodiscard]] QStringList unlinkedIncludes(const SourceFile& source,
                                           const QMap<QString, QSet<QString>>& linked);

} // namespace napkin::test
