// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology/topology.h"

#include <QTest>

#include <random>

using namespace napkin;

namespace {

class Dice
{
public:
    explicit Dice(unsigned seed)
        : m_engine(seed)
    {}
    int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(m_engine); }
    // Whatever a person or a file may hold, control characters and emoji too.
    QString text()
    {
        static const QString letters =
            QStringLiteral("aZ09 \"\\/{}[]:,\n\t\u0001éß漢字⇄'<>&%1") + QString::fromUcs4(U"😀");
        QString made;
        for (int i = upTo(12); i > 0; --i) {
            const QChar c = letters[upTo(static_cast<int>(letters.size()) - 1)];
            if (!c.isSurrogate())
                made += c;
        }
        return made + (upTo(3) == 0 ? QString::fromUcs4(U"😀") : QString());
    }
    double coordinate() { return std::uniform_real_distribution<double>(-1e5, 1e5)(m_engine); }

private:
    std::mt19937 m_engine;
};

DrawingWithLayout randomDrawing(unsigned seed)
{
    Dice dice(seed);
    DrawingWithLayout made;
    made.drawing.id = DrawingId::create();
    made.drawing.name = dice.text();
    std::vector<PortId> ports;
    for (int m = dice.upTo(8); m > 0; --m) {
        Machine machine{MachineId::create(), dice.text(), dice.text(), {}};
        for (int p = dice.upTo(4); p > 0; --p) {
            machine.ports.push_back({PortId::create(), dice.text(), dice.text()});
            ports.push_back(machine.ports.back().id);
        }
        if (dice.upTo(4) != 0)
            made.layout.machines[machine.id] = {dice.coordinate(), dice.coordinate()};
        if (dice.upTo(2) == 0)
            machine.peer = PeerId::create();
        made.drawing.machines.push_back(machine);
    }
    for (int l = ports.size() < 2 ? 0 : dice.upTo(10); l > 0; --l) {
        const int a = dice.upTo(static_cast<int>(ports.size()) - 1);
        const int b = dice.upTo(static_cast<int>(ports.size()) - 1);
        if (a != b)
            made.drawing.links.push_back({LinkId::create(), LinkPeriodId::create(), dice.text(),
                                          dice.text(), ports[static_cast<size_t>(a)],
                                          ports[static_cast<size_t>(b)]});
    }
    return made;
}

QByteArray templateJson()
{
    const auto made = twoMachinesTemplate();
    return toJson(made.drawing, made.layout);
}

// The template's JSON with its first `from` replaced.
QByteArray broken(const QByteArray& from, const QByteArray& to)
{
    QByteArray json = templateJson();
    const auto at = json.indexOf(from);
    Q_ASSERT(at >= 0);
    return json.replace(at, from.size(), to);
}

} // namespace

class TestTopology : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void looksUp()
    {
        Drawing drawing = twoMachinesTemplate().drawing;
        const Machine& first = drawing.machines[0];
        const Link& link = drawing.links[0];
        QCOMPARE(drawing.machine(first.id), &first);
        QCOMPARE(drawing.link(link.id), &link);
        QCOMPARE(drawing.port(link.a), &first.ports[0]);
        QCOMPARE(drawing.machineOf(link.b), &drawing.machines[1]);
        QCOMPARE(drawing.linksOf(first.id), std::vector<const Link*>{&link});
        QVERIFY(drawing.machine(MachineId::create()) == nullptr);
        QVERIFY(drawing.port(PortId::create()) == nullptr);
        QVERIFY(drawing.machineOf(PortId()) == nullptr);
        QVERIFY(drawing.linksOf(MachineId::create()).empty());
    }

    void templateIsValidAndFresh()
    {
        const auto one = twoMachinesTemplate();
        const auto two = twoMachinesTemplate();
        QVERIFY(validate(one.drawing));
        QCOMPARE(one.drawing.machines.size(), size_t(2));
        QCOMPARE(one.drawing.links.size(), size_t(1));
        QCOMPARE(one.drawing.links[0].classId, QStringLiteral("ethernet-10g"));
        QCOMPARE(one.layout.machines.size(), size_t(2));
        QVERIFY(!(one.drawing.id == two.drawing.id));
        QVERIFY(!(one.drawing.links[0].id == two.drawing.links[0].id));
    }

    void titles()
    {
        Drawing drawing = twoMachinesTemplate().drawing;
        QCOMPARE(linkTitle(drawing, drawing.links[0]),
                 QStringLiteral("This machine ⇄ Other machine"));
        drawing.machines[0].name = QStringLiteral("spark-a");
        drawing.machines[0].ports[0].name = QStringLiteral("qsfp0");
        QCOMPARE(linkTitle(drawing, drawing.links[0]),
                 QStringLiteral("spark-a qsfp0 ⇄ Other machine"));
        drawing.links[0].name = QStringLiteral("the blue one");
        QCOMPARE(linkTitle(drawing, drawing.links[0]), QStringLiteral("the blue one"));
    }

    void randomDrawingsComeBack()
    {
        for (unsigned seed = 0; seed < 100; ++seed) {
            const auto made = randomDrawing(seed);
            QVERIFY(validate(made.drawing));
            const auto json = toJson(made.drawing, made.layout);
            const auto read = drawingFromJson(json);
            QVERIFY2(read, qPrintable(read ? QString() : read.error().detail));
            QCOMPARE(*read, made);
            QCOMPARE(toJson(read->drawing, read->layout), json);
        }
    }

    void largestDrawingComesBack()
    {
        Drawing drawing{DrawingId::create(), QString(300, QChar(1)), {}, {}};
        for (int m = 0; m < 64; ++m) {
            Machine machine{MachineId::create(), QString(300, QChar(1)), {}, {}};
            for (int p = 0; p < 64; ++p)
                machine.ports.push_back(
                    {PortId::create(), QString(300, QChar(1)), QString(300, QChar(1))});
            drawing.machines.push_back(machine);
        }
        QVERIFY(validate(drawing));
        QVERIFY(drawingFromJson(toJson(drawing, {})));
        drawing.machines[0].ports.push_back({PortId::create(), {}, {}});
        QCOMPARE(validate(drawing).error().code, ErrorCode::InvalidArgument);
    }

    void layoutIsOnlyOfWhatIsThere()
    {
        auto made = twoMachinesTemplate();
        made.layout.machines[MachineId::create()] = {1, 2};
        made.layout.machines[made.drawing.machines[0].id] = {std::nan(""), 0};
        made.layout.machines[made.drawing.machines[1].id] = {1e300, 5};
        const auto read = drawingFromJson(toJson(made.drawing, made.layout));
        QVERIFY(read);
        QCOMPARE(read->layout.machines.size(), size_t(1));
        QCOMPARE(read->layout.machines.at(made.drawing.machines[1].id), QPointF(1e6, 5));
    }

    void refusesBadDrawings_data()
    {
        QTest::addColumn<int>("which");
        const char* names[] = {"no drawing id",  "machine twice", "port twice",    "link twice",
                               "period twice",   "no port there", "both ends one", "null machine",
                               "null period id", "peer twice",    "null peer",     "long name"};
        for (int i = 0; i < 12; ++i)
            QTest::newRow(names[i]) << i;
    }
    void refusesBadDrawings()
    {
        QFETCH(int, which);
        auto made = twoMachinesTemplate();
        Drawing& d = made.drawing;
        Link another = d.links[0];
        another.id = LinkId::create();
        switch (which) {
        case 0:
            d.id = {};
            break;
        case 1:
            d.machines[1].id = d.machines[0].id;
            break;
        case 2:
            d.machines[1].ports[0].id = d.machines[0].ports[0].id;
            break;
        case 3:
            d.links.push_back(d.links[0]);
            break;
        case 4:
            d.links.push_back(another);
            break;
        case 5:
            d.links[0].b = PortId::create();
            break;
        case 6:
            d.links[0].b = d.links[0].a;
            break;
        case 7:
            d.machines[0].id = {};
            break;
        case 8:
            d.links[0].period = {};
            break;
        case 9:
            d.machines[0].peer = d.machines[1].peer = PeerId::create();
            break;
        case 10:
            d.machines[0].peer = PeerId();
            break;
        default:
            d.machines[0].ports[0].address = QString(301, u'x');
            break;
        }
        const auto checked = validate(d);
        QVERIFY(!checked);
        QCOMPARE(checked.error().code, ErrorCode::InvalidArgument);
        QVERIFY(!checked.error().detail.isEmpty());
        QVERIFY(!drawingFromJson(toJson(d, made.layout)));
    }

    void hostileJson_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("not JSON") << QByteArray("\xff\xfe{");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("null") << QByteArray("null");
        QTest::newRow("another format") << broken("napkin-drawing", "napkin-result");
        QTest::newRow("newer version") << broken("\"version\":1", "\"version\":2");
        QTest::newRow("version as text") << broken("\"version\":1", "\"version\":\"1\"");
        QTest::newRow("machines as object") << broken("\"machines\":[", "\"machines\":{},\"x\":[");
        QTest::newRow("id too short") << broken("\"id\":\"", "\"id\":\"0");
        QTest::newRow("name a number") << broken("\"name\":\"\"", "\"name\":7");
        QTest::newRow("huge coordinate") << broken("220.0", "1e200");
        QTest::newRow("number out of range") << broken("220.0", "1e999");
        QTest::newRow("position of nobody")
            << broken("\"layout\":{\"machines\":{",
                      "\"layout\":{\"machines\":{\"00000000000000000000000000000001\":{},");
        QTest::newRow("key twice") << broken("{", "{\"version\":1,");
        QTest::newRow("cut off") << templateJson().chopped(5);
        QTest::newRow("deep") << QByteArray(100'000, '[');
        QTest::newRow("deep inside")
            << broken("{", QByteArray("{\"x\":") + QByteArray(50, '[') + QByteArray(50, ']') + ",");
        QTest::newRow("too many machines") << broken(
            "\"machines\":[", QByteArray("\"machines\":[") + QByteArray("{},").repeated(1001));
    }
    void hostileJson()
    {
        QFETCH(QByteArray, json);
        const auto read = drawingFromJson(json);
        QVERIFY(!read);
        QVERIFY(!read.error().detail.isEmpty() || !read.error().context.isEmpty());
    }

    void cutAndFlippedBytesNeverHarm()
    {
        const QByteArray json = templateJson();
        std::mt19937 engine(7);
        for (qsizetype i = 0; i < json.size(); i += 3) {
            QVERIFY(!drawingFromJson(json.left(i)));
            QByteArray flipped = json;
            flipped[i] = static_cast<char>(engine());
            if (const auto read = drawingFromJson(flipped))
                QVERIFY(validate(read->drawing));
        }
    }

    void unknownKeysAreIgnored()
    {
        QVERIFY(drawingFromJson(broken("{", "{\"colour\":{\"of\":[1,2]},")));
    }

    void faultNamesItsPlace()
    {
        auto made = twoMachinesTemplate();
        QByteArray json = toJson(made.drawing, made.layout);
        const QByteArray second = made.drawing.machines[1].ports[0].id.text().toLatin1();
        json.replace("\"id\":\"" + second + '"', "\"id\":\"zz\"");
        const auto read = drawingFromJson(json);
        QVERIFY(!read);
        QVERIFY2(read.error().detail.startsWith(QStringLiteral("machines[1]: ports[0]: id:")),
                 qPrintable(read.error().detail));
    }
};

QTEST_GUILESS_MAIN(TestTopology)
#include "tst_topology.moc"
