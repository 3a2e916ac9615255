// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/arch/layers.h"

#include <QRegularExpression>

namespace napkin::test {

namespace {

struct Include
{
    qsizetype offset;
    QString target;
    bool ours;
};

std::vector<Include> includesOf(const SourceFile& source)
{
    static const QRegularExpression line(
        QStringLiteral(R"(^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">])"),
        QRegularExpression::MultilineOption);
    std::vector<Include> includes;
    auto matches = line.globalMatch(source.text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        includes.push_back({match.capturedStart(2), match.captured(2), match.captured(1) == u"\""});
    }
    return includes;
}

bool isHeadless(const QString& module)
{
    return module != u"ui" && module != u"app/gui";
}

// What the programs share and the parts of the window have targets of their own.
QString moduleOfTarget(const QString& target)
{
    static const QSet<QString> window{QStringLiteral("theme"),       QStringLiteral("widgets"),
                                      QStringLiteral("document"),    QStringLiteral("canvas"),
                                      QStringLiteral("inspector"),   QStringLiteral("uimeasure"),
                                      QStringLiteral("uiworksheet"), QStringLiteral("window")};
    if (window.contains(target))
        return QStringLiteral("ui");
    return target == u"shared" ? QStringLiteral("app/shared") : target;
}

QSet<QString> reachable(const QString& module, const QMap<QString, QSet<QString>>& linked)
{
    QSet<QString> seen{module};
    QStringList todo{module};
    while (!todo.isEmpty()) {
        for (const QString& next : linked.value(todo.takeLast())) {
            if (!seen.contains(next)) {
                seen.insert(next);
                todo.append(next);
            }
        }
    }
    return seen;
}

} // namespace

QString moduleOf(const QString& path)
{
    const QStringList parts = path.split(u'/');
    if (parts.first() == u"ui")
        return QStringLiteral("ui");
    if (parts.size() > 2 && parts.first() == u"core")
        return parts.at(1);
    if (parts.size() > 2 && parts.first() == u"app")
        return QStringLiteral("app/") + parts.at(1);
    return {};
}

const QMap<QString, QSet<QString>>& allowedModules()
{
    static const auto table = [] {
        const auto set = [](const char* names) {
            const QStringList list = QString::fromLatin1(names).split(u' ');
            return QSet<QString>(list.begin(), list.end());
        };
        const QMap<QString, QSet<QString>> modules{
            {QStringLiteral("base"), set("base")},
            {QStringLiteral("quantity"), set("base quantity")},
            {QStringLiteral("catalogue"), set("base quantity catalogue")},
            {QStringLiteral("topology"), set("base quantity catalogue topology")},
            {QStringLiteral("results"), set("base quantity results")},
            {QStringLiteral("peer"), set("base quantity results peer")},
            {QStringLiteral("measure"), set("base quantity results peer measure")},
            {QStringLiteral("notebook"), set("base quantity results catalogue topology notebook")},
            {QStringLiteral("workflow"),
             set("base quantity results catalogue topology peer measure notebook workflow")},
            {QStringLiteral("ui"),
             set("base quantity results catalogue topology peer measure notebook workflow ui")},
            {QStringLiteral("app/shared"), set("app/shared")},
            {QStringLiteral("app/cli"), set("base quantity results catalogue topology peer measure "
                                            "notebook workflow app/shared "
                                            "app/cli")},
            {QStringLiteral("app/gui"), set("base quantity results catalogue topology peer measure "
                                            "notebook workflow ui app/shared "
                                            "app/gui")},
        };
        return modules;
    }();
    return table;
}

QStringList includeFaults(const SourceFile& source)
{
    QStringList faults;
    const QString module = moduleOf(source.path);
    if (!allowedModules().contains(module))
        return {QStringLiteral("%1: belongs to no known module").arg(source.path)};
    static const QRegularExpression graphical(
        QStringLiteral("^(QtGui|QtWidgets|QtCharts|QtSvg|QtSvgWidgets|QtPrintSupport)(/|$)"));
    for (const Include& include : includesOf(source)) {
        if (include.ours) {
            const QString target = moduleOf(include.target);
            if (target.isEmpty())
                faults += finding(source, include.offset,
                                  QStringLiteral("\"%1\" is no path from the top of the project")
                                      .arg(include.target));
            else if (!allowedModules().value(module).contains(target))
                faults += finding(source, include.offset,
                                  QStringLiteral("%1 may not know %2").arg(module, target));
        } else if (isHeadless(module) && graphical.match(include.target).hasMatch()) {
            faults += finding(source, include.offset,
                              QStringLiteral("%1 may not know <%2>").arg(module, include.target));
        }
    }
    return faults;
}

LinkFaults linkFaults(const SourceFile& cmake)
{
    LinkFaults result;
    result.module = moduleOf(cmake.path);
    // Lines of a generated header or of comments are no links.
    static const QRegularExpression comment(QStringLiteral("#[^\n]*"));
    QString text = cmake.text;
    text.remove(comment);
    static const QRegularExpression ours(QStringLiteral(R"(\bNapkin::(\w+)|\bnapkin_(\w+)\b)"));
    auto matches = ours.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        const QString name = moduleOfTarget(match.captured(1) + match.captured(2));
        if (!allowedModules().contains(name) || name == result.module)
            continue;
        result.linked.insert(name);
        if (!allowedModules().value(result.module).contains(name))
            result.faults +=
                QStringLiteral("%1: %2 may not link %3").arg(cmake.path, result.module, name);
    }
    static const QRegularExpression graphical(
        QStringLiteral(R"(\bQt6?::(Gui|Widgets|Charts|Svg|SvgWidgets|PrintSupport)\b)"));
    const QRegularExpressionMatch match = graphical.match(text);
    if (isHeadless(result.module) && match.hasMatch())
        result.faults += QStringLiteral("%1: %2 may not link %3")
                             .arg(cmake.path, result.module, match.captured(0));
    return result;
}

QStringList unlinkedIncludes(const SourceFile& source, const QMap<QString, QSet<QString>>& linked)
{
    QStringList faults;
    const QString module = moduleOf(source.path);
    const QSet<QString> known = reachable(module, linked);
    for (const Include& include : includesOf(source)) {
        const QString target = include.ours ? moduleOf(include.target) : QString();
        if (!target.isEmpty() && !known.contains(target))
            faults +=
                finding(source, include.offset,
                        QStringLiteral("%1 includes %2 and does not link it").arg(module, target));
    }
    return faults;
}

} // namespace napkin::test
