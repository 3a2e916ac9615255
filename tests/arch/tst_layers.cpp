// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/arch/layers.h"

#include <QTest>

using namespace napkin::test;

// Who may know whom: the #include lines and the link lines of every module.
class TestLayers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void includesStayInTheirLayer();
    void linksAgree();
    void aForbiddenIncludeIsFound_data();
    void aForbiddenIncludeIsFound();
    void anAllowedIncludePasses();
    void aForbiddenLinkIsFound();
    void anUnlinkedIncludeIsFound();

private:
    std::vector<SourceFile> m_sources;
};

void TestLayers::initTestCase()
{
    m_sources = readSources(QStringLiteral(NAPKIN_SOURCE_DIR),
                            {QStringLiteral("app"), QStringLiteral("core"), QStringLiteral("ui")},
                            {QStringLiteral(".h"), QStringLiteral(".cpp")});
    QVERIFY2(m_sources.size() > 20, "the sources were not found");
}

void TestLayers::includesStayInTheirLayer()
{
    QStringList faults;
    for (const SourceFile& source : m_sources)
        faults += includeFaults(source);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void TestLayers::linksAgree()
{
    const auto lists =
        readSources(QStringLiteral(NAPKIN_SOURCE_DIR),
                    {QStringLiteral("app"), QStringLiteral("core"), QStringLiteral("ui")},
                    {QStringLiteral("/CMakeLists.txt")});
    QMap<QString, QSet<QString>> linked;
    QStringList faults;
    for (const SourceFile& list : lists) {
        if (moduleOf(list.path).isEmpty())
            continue; // the lists that only name subfolders
        const LinkFaults found = linkFaults(list);
        linked[found.module] += found.linked;
        faults += found.faults;
    }
    QVERIFY2(linked.size() > 2, "the link lines were not found");
    for (const SourceFile& source : m_sources) {
        if (linked.contains(moduleOf(source.path)))
            faults += unlinkedIncludes(source, linked);
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void TestLayers::aForbiddenIncludeIsFound_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("line");
    const auto row = [](const char* path, const char* line) {
        QTest::newRow(path) << QString::fromLatin1(path) << QString::fromLatin1(line);
    };
    row("core/base/a.h", "#include \"core/quantity/quantity.h\"");
    row("core/notebook/a.cpp", "#include \"core/measure/probe.h\"");
    row("core/notebook/deep/a.cpp", "  # include  \"core/workflow/measurerecord.h\"");
    row("core/measure/a.cpp", "#include \"core/notebook/notebook.h\"");
    row("core/workflow/a.cpp", "#include \"ui/mainwindow.h\"");
    row("core/base/b.cpp", "#include <QtWidgets/QWidget>");
    row("core/base/c.cpp", "#include \"quantity.h\"");
    row("app/cli/a.cpp", "#include \"ui/mainwindow.h\"");
    row("app/gui/a.cpp", "#include \"app/cli/command.h\"");
    row("ui/canvas/a.cpp", "#include \"app/gui/services.h\"");
    row("ui/canvas/b.cpp", "#include \"tests/support/sync.h\"");
    row("core/strange/a.cpp", "#include <vector>");
}

void TestLayers::aForbiddenIncludeIsFound()
{
    QFETCH(QString, path);
    QFETCH(QString, line);
    const SourceFile source{path, QStringLiteral("// first\n#include <QString>\n") + line};
    QCOMPARE(includeFaults(source).size(), 1);
}

void TestLayers::anAllowedIncludePasses()
{
    const SourceFile source{QStringLiteral("ui/canvas/a.cpp"),
                            QStringLiteral("#include \"ui/canvas/a.h\"\n"
                                           "#include \"core/workflow/measurerecord.h\"\n"
                                           "#include <QtWidgets/QWidget>\n"
                                           "// #include \"app/gui/services.h\"\n")};
    QCOMPARE(includeFaults(source), QStringList());
}

void TestLayers::aForbiddenLinkIsFound()
{
    const LinkFaults found =
        linkFaults({QStringLiteral("core/notebook/CMakeLists.txt"),
                    QStringLiteral("# Napkin::ui\nnapkin_module(notebook LINKS Napkin::topology "
                                   "Napkin::measure Qt6::Widgets)")});
    QCOMPARE(found.faults.size(), 2);
    QCOMPARE(found.linked.size(), 2);
}

void TestLayers::anUnlinkedIncludeIsFound()
{
    const QMap<QString, QSet<QString>> linked{
        {QStringLiteral("notebook"), {QStringLiteral("results")}},
        {QStringLiteral("results"), {QStringLiteral("quantity")}}};
    const SourceFile source{
        QStringLiteral("core/notebook/a.cpp"),
        QStringLiteral("#include \"core/quantity/a.h\"\n#include \"core/topology/a.h\"\n")};
    QCOMPARE(unlinkedIncludes(source, linked),
             QStringList{QStringLiteral(
                 "core/notebook/a.cpp:2: notebook includes topology and does not link it")});
}

QTEST_GUILESS_MAIN(TestLayers)
#include "tst_layers.moc"
