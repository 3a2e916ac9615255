// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace napkin::test {

// A source file: its path below the top of the project, with slashes, and its text.
struct SourceFile
{
    QString path;
    QString text;
};

// Every file below the given folders of the project whose name ends in one of `endings`, sorted by
// path.
[[nodiscard]] std::vector<SourceFile> readSources(const QString& top, const QStringList& folders,
                                                  const QStringList& endings);

// The C++ text with comments and the contents of literals replaced by spaces; lines stay where they
// are.
[[nodiscard]] QString withoutCommentsAndLiterals(const QString& text);

// "path:line: what", the way compilers say it.
[[nodiscard]] QString finding(const SourceFile& file, qsizetype offset, const QString& what);

} // namespace napkin::test
