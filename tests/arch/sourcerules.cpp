// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/arch/sourcerules.h"

#include <QRegularExpression>

#include <array>

namespace napkin::test {

namespace {

constexpr int longestFile = 500;

struct Ban
{
    QRegularExpression pattern;
    const char* why;
    QRegularExpression where = QRegularExpression(QStringLiteral("^(app|core|ui)/"));
};

const std::array<Ban, 7>& bans()
{
    const auto pattern = [](const char* text) {
        return QRegularExpression(QString::fromLatin1(text));
    };
    static const std::array<Ban, 7> list{{
        {pattern(R"(\bprocessEvents\b)"), "pumps the event loop"},
        {pattern(R"(\bQEventLoop\b(?!Locker))"), "is a nested event loop"},
        {pattern(R"(\bQCoro::waitFor\b)"), "hangs when the task throws"},
        {pattern(R"(\bwaitFor(Started|Finished|Connected|Disconnected|ReadyRead|BytesWritten|)"
                 R"(NewConnection|Encrypted)\b)"),
         "blocks the thread"},
        {pattern(R"((?<!\bQCoreApplication)(?<!\bQApplication)(?<!\bQGuiApplication))"
                 R"(::instance\(\))"),
         "is a singleton"},
        {pattern(R"(\bqFatal\b)"), "ends the program"},
        {pattern(R"((\.|->|\bQ\w*Application::)exec\s*\()"), "is a nested event loop",
         pattern(R"(^(ui/|app/(?!.*\bmain\.cpp$)))")},
    }};
    return list;
}

} // namespace

QStringList licenceFaults(const SourceFile& file)
{
    const QString head = file.text.section(u'\n', 0, 1);
    if (head.contains(u"SPDX-License-Identifier: GPL-3.0-or-later"))
        return {};
    return {finding(file, 0, QStringLiteral("no SPDX line on top"))};
}

QStringList lengthFaults(const SourceFile& file)
{
    const auto lines = file.text.count(u'\n');
    if (lines <= longestFile)
        return {};
    return {finding(
        file, 0,
        QStringLiteral("%1 lines, more than %2: is it two things?").arg(lines).arg(longestFile))};
}

QStringList bannedCalls(const SourceFile& file)
{
    QStringList faults;
    const QString code = withoutCommentsAndLiterals(file.text);
    for (const Ban& ban : bans()) {
        if (!ban.where.match(file.path).hasMatch())
            continue;
        auto matches = ban.pattern.globalMatch(code);
        while (matches.hasNext()) {
            const QRegularExpressionMatch match = matches.next();
            faults += finding(file, match.capturedStart(),
                              QStringLiteral("%1 %2").arg(match.captured().trimmed(),
                                                          QString::fromLatin1(ban.why)));
        }
    }
    return faults;
}

} // namespace napkin::test
