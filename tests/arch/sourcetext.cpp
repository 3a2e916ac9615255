// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/arch/sourcetext.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace napkin::test {

std::vector<SourceFile> readSources(const QString& top, const QStringList& folders,
                                    const QStringList& endings)
{
    std::vector<SourceFile> files;
    const QDir topDir(top);
    for (const QString& folder : folders) {
        QDirIterator entries(topDir.filePath(folder), QDir::Files | QDir::Hidden,
                             QDirIterator::Subdirectories);
        while (entries.hasNext()) {
            const QString path = entries.next();
            const bool wanted =
                std::any_of(endings.begin(), endings.end(),
                            [&path](const QString& ending) { return path.endsWith(ending); });
            QFile file(path);
            if (wanted && file.open(QIODevice::ReadOnly))
                files.push_back({topDir.relativeFilePath(path), QString::fromUtf8(file.readAll())});
        }
    }
    std::sort(files.begin(), files.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    return files;
}

QString withoutCommentsAndLiterals(const QString& text)
{
    // In this order: whichever starts first at a place is taken whole.
    static const QRegularExpression hidden(
        QStringLiteral(R"re(//[^\n]*|/\*.*?\*/|R"([^()\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|)re"
                       R"re((?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')re"),
        QRegularExpression::DotMatchesEverythingOption);
    QString clean = text;
    auto matches = hidden.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        for (qsizetype at = match.capturedStart(); at < match.capturedEnd(); ++at) {
            if (clean.at(at) != u'\n')
                clean[at] = u' ';
        }
    }
    return clean;
}

QString finding(const SourceFile& file, qsizetype offset, const QString& what)
{
    const auto line = QStringView(file.text).left(offset).count(u'\n') + 1;
    return QStringLiteral("%1:%2: %3").arg(file.path).arg(line).arg(what);
}

} // namespace napkin::test
