// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/catalogue.h"
#include "tests/core/catalogue/jsonschema.h"

#include <QDir>
#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace napkin;
using test::schemaFaults;
using Json = nlohmann::json;

namespace {

const QString folder = QStringLiteral(NAPKIN_CATALOGUE);

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Json jsonOf(const QString& path)
{
    return Json::parse(contentOf(path).toStdString());
}

// A folder with the catalogue's files, one of them with its first `from` replaced.
Result<Catalogue> loadBroken(const QString& name, const QByteArray& from, const QByteArray& to)
{
    QTemporaryDir dir;
    for (const QString& file : QDir(folder).entryList({QStringLiteral("*.json")})) {
        QByteArray content = contentOf(folder + QLatin1Char('/') + file);
        if (file == name) {
            const auto at = content.indexOf(from);
            if (at < 0)
                qFatal("%s is not in %s", from.constData(), qPrintable(name));
            content.replace(at, from.size(), to);
        }
        QFile out(dir.filePath(file));
        if (!out.open(QIODevice::WriteOnly))
            qFatal("%s cannot be written", qPrintable(out.fileName()));
        out.write(content);
    }
    return Catalogue::loadFrom(dir.path());
}

template <typename Item>
void checkItems(const std::vector<Item>& items)
{
    QVERIFY(!items.empty());
    QSet<QString> ids;
    for (const Item& item : items) {
        QVERIFY2(!ids.contains(item.id), qPrintable(item.id));
        ids.insert(item.id);
        QVERIFY2(!item.source.text.isEmpty() && item.source.date.isValid(), qPrintable(item.id));
        QVERIFY2(!item.name.isEmpty(), qPrintable(item.id));
    }
}

} // namespace

class TestCatalogue : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        auto loaded = Catalogue::load();
        QVERIFY2(loaded, qPrintable(loaded ? QString() : loaded.error().detail));
        m_catalogue = *loaded;
    }

    void filesFitTheirSchema()
    {
        const QStringList files = QDir(folder).entryList({QStringLiteral("*.json")});
        QCOMPARE(files, QDir(folder + QStringLiteral("/schema")).entryList(QDir::Files));
        QCOMPARE(files.size(), 3);
        for (const QString& file : files) {
            const QStringList faults =
                schemaFaults(jsonOf(folder + QLatin1Char('/') + file),
                             jsonOf(folder + QStringLiteral("/schema/") + file), file);
            QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
        }
    }

    void schemaCheckItselfFindsFaults()
    {
        const Json schema = jsonOf(folder + QStringLiteral("/schema/link-classes.json"));
        const Json good = jsonOf(folder + QStringLiteral("/link-classes.json"));
        QVERIFY(schemaFaults(good, schema).isEmpty());
        const auto faultsWith = [&](const std::string& key, const Json& value) {
            Json bad = good;
            bad["items"][0][key] = value;
            return schemaFaults(bad, schema).size();
        };
        QCOMPARE(faultsWith("colour", "red"), 1);
        QCOMPARE(faultsWith("medium", "string"), 1);
        QCOMPARE(faultsWith("rated_gbit_s", 0), 1);
        QCOMPARE(faultsWith("rated_gbit_s", "10"), 1);
        QCOMPARE(faultsWith("default_mtu", 1500.5), 1);
        QCOMPARE(faultsWith("id", "Not an id"), 1);
        Json lacking = good;
        lacking["items"][0].erase("source");
        QCOMPARE(schemaFaults(lacking, schema).size(), 1);
    }

    void compiledInIsTheSame()
    {
        const auto fromFolder = Catalogue::loadFrom(folder);
        QVERIFY(fromFolder);
        QCOMPARE(m_catalogue.linkClasses().size(), fromFolder->linkClasses().size());
        QCOMPARE(m_catalogue.linkClasses().size(), size_t(20));
        QCOMPARE(m_catalogue.machineTypes().size(), size_t(21));
        QCOMPARE(m_catalogue.models().size(), size_t(9));
    }

    void makesSense()
    {
        checkItems(m_catalogue.linkClasses());
        checkItems(m_catalogue.machineTypes());
        checkItems(m_catalogue.models());
        for (const LinkClass& c : m_catalogue.linkClasses()) {
            QVERIFY2(!c.shortName.isEmpty(), qPrintable(c.id));
            QCOMPARE(c.rated.has_value(), c.medium != Medium::Loopback);
            QVERIFY(!c.rated || c.rated->bitsPerSecond() > 0);
            QVERIFY(!c.symmetric || *c.symmetric < *c.rated);
            QCOMPARE(c.ratings().size(), size_t(c.rated ? 1 : 0) + size_t(c.symmetric ? 1 : 0));
            QVERIFY(c.medium != Medium::WiFi || c.upTo);
        }
        for (const MachineType& machine : m_catalogue.machineTypes()) {
            QVERIFY2(!machine.memoryChoices.empty(), qPrintable(machine.id));
            for (const PortKind& port : machine.ports)
                QVERIFY(m_catalogue.linkClass(port.linkClassId) != nullptr);
        }
    }

    void ladderOfTheLesson_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("gigabits");
        QTest::addColumn<double>("gigabytes");
        QTest::newRow("2.5") << QStringLiteral("ethernet-2.5g") << 2.5 << 0.3125;
        QTest::newRow("10") << QStringLiteral("ethernet-10g") << 10.0 << 1.25;
        QTest::newRow("25") << QStringLiteral("ethernet-25g") << 25.0 << 3.125;
        QTest::newRow("40") << QStringLiteral("thunderbolt-4") << 40.0 << 5.0;
        QTest::newRow("100") << QStringLiteral("ethernet-100g") << 100.0 << 12.5;
        QTest::newRow("120") << QStringLiteral("thunderbolt-5") << 120.0 << 15.0;
        QTest::newRow("200") << QStringLiteral("ethernet-200g") << 200.0 << 25.0;
    }
    void ladderOfTheLesson()
    {
        QFETCH(QString, id);
        QFETCH(double, gigabits);
        QFETCH(double, gigabytes);
        const LinkClass* found = m_catalogue.linkClass(id);
        QVERIFY(found != nullptr && found->rated);
        QCOMPARE(found->rated->gigabitsPerSecond(), gigabits);
        QCOMPARE(found->rated->toByteRate().gigabytesPerSecond(), gigabytes);
        QVERIFY(found->source.checked);
    }

    void thunderbolt5HasTwoRatings()
    {
        const LinkClass* found = m_catalogue.linkClass(u"thunderbolt-5");
        QVERIFY(found != nullptr);
        const auto ratings = found->ratings();
        QCOMPARE(ratings.size(), size_t(2));
        QCOMPARE(ratings[0].value().gigabitsPerSecond(), 120.0);
        QCOMPARE(ratings[1].value().gigabitsPerSecond(), 80.0);
        QCOMPARE(ratings[0].provenance(), Provenance::Rated);
        QCOMPARE(ratings[0].origin(), Origin::Published);
        QVERIFY(!ratings[0].source().isEmpty() && ratings[0].date().isValid());
        QVERIFY(found->upTo);
        QCOMPARE(found->shortName, QStringLiteral("TB5"));
        QVERIFY(m_catalogue.linkClass(u"loopback")->ratings().empty());
    }

    void unconfirmedIsNeverRated()
    {
        LinkClass made = *m_catalogue.linkClass(u"ethernet-10g");
        made.source.checked = false;
        QCOMPARE(made.ratings()[0].provenance(), Provenance::Assumed);
        QVERIFY(!m_catalogue.machineType(u"mac-mini-m5-pro")->source.checked);
        QVERIFY(m_catalogue.machineType(u"dgx-spark")->source.checked);
        QVERIFY(!m_catalogue.model(u"kimi-k2-thinking")->keyValueHeads);
        QCOMPARE(m_catalogue.machineType(u"dgx-spark")->memoryChoices,
                 std::vector{ByteCount::mebibytes(128LL * 1024)});
        QVERIFY(m_catalogue.machineType(u"abacus") == nullptr);
    }

    void faultsNameFileAndPlace_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("place");
        const QString classes = QStringLiteral("link-classes.json");
        const QString machines = QStringLiteral("machines.json");
        const QString models = QStringLiteral("models.json");
        const QString first = QStringLiteral("items[0] (ethernet-1g): ");
        QTest::newRow("format") << classes << QByteArray("napkin-link") << QByteArray("x")
                                << QStringLiteral("format");
        QTest::newRow("rate") << classes << QByteArray("\"rated_gbit_s\": 1")
                              << QByteArray("\"rated_gbit_s\": -1")
                              << first + QStringLiteral("rated_gbit_s");
        QTest::newRow("medium") << classes << QByteArray("\"ethernet\"") << QByteArray("\"string\"")
                                << first + QStringLiteral("medium");
        QTest::newRow("source") << classes << QByteArray("IEEE 802.3ab") << QByteArray(" ")
                                << first + QStringLiteral("text");
        QTest::newRow("date") << classes << QByteArray("2026-12-01") << QByteArray("2026-13-01")
                              << first + QStringLiteral("source");
        QTest::newRow("twice") << classes << QByteArray("\"id\": \"ethernet-2.5g\"")
                               << QByteArray("\"id\": \"ethernet-1g\"")
                               << QStringLiteral("items[1] (ethernet-1g)");
        QTest::newRow("no class") << machines << QByteArray("\"link_class\": \"ethernet-1g\"")
                                  << QByteArray("\"link_class\": \"string\"")
                                  << QStringLiteral("mac-mini-m4");
        QTest::newRow("layers") << models << QByteArray("\"layers\": 28")
                                << QByteArray("\"layers\": 0")
                                << QStringLiteral("items[0] (llama-3.2-3b): layers");
        QTest::newRow("syntax") << models << QByteArray("{") << QByteArray("{,")
                                << QStringLiteral("parse");
    }
    void faultsNameFileAndPlace()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, place);
        const auto loaded = loadBroken(file, from, to);
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, ErrorCode::ParseFailed);
        QVERIFY2(loaded.error().context.endsWith(file), qPrintable(loaded.error().context));
        QVERIFY2(loaded.error().detail.contains(place), qPrintable(loaded.error().detail));
    }

    void missingFolder()
    {
        const auto loaded = Catalogue::loadFrom(QStringLiteral("/nowhere"));
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, ErrorCode::NotFound);
        QVERIFY(loaded.error().context.contains(QStringLiteral("/nowhere/link-classes.json")));
    }

private:
    Catalogue m_catalogue;
};

QTEST_GUILESS_MAIN(TestCatalogue)
#include "tst_catalogue.moc"
