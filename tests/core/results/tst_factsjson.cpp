// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/hostfactsjson.h"
#include "core/results/json.h"

#include <QRandomGenerator>
#include <QTest>

#include <limits>

using namespace napkin;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

InterfaceFacts fullInterface()
{
    InterfaceFacts f;
    f.name = QStringLiteral("enp1s0");
    f.kind = InterfaceKind::Ethernet;
    f.driver = QStringLiteral("igc");
    f.up = true;
    f.carrier = true;
    f.speed = {BitRate::gigabitsPerSecond(2.5), {}};
    f.duplex = {Duplex::Half, {}};
    f.mtu = 9000;
    f.addresses = {QStringLiteral("10.0.0.1/24"), QStringLiteral("fe80::1/64")};
    f.partOf = QStringLiteral("br0");
    f.carriedBy = QStringLiteral("eth9");
    f.pcie = {PcieLink{QStringLiteral("0000:01:00.0"), 5, 1, 16, 4, 8, 2}, {}};
    f.coalescing = {Coalescing{3, 0, 30, 1, true, false}, {}};
    f.pause = {PauseFrames{true, false, true}, {}};
    f.offloads = {std::vector<Offload>{{QStringLiteral("rx-gro"), true},
                                       {QStringLiteral("tx-tcp-segmentation"), false}},
                  {}};
    return f;
}

InterfaceFacts wifiInterface()
{
    InterfaceFacts f;
    f.name = QStringLiteral("wlan0");
    f.kind = InterfaceKind::WiFi;
    f.speed.whyNot = QStringLiteral("the driver does not tell");
    f.wifi = Reading<WifiFacts>{WifiFacts{5180, 36, 80, -52, BitRate::megabitsPerSecond(866.7),
                                          std::nullopt, QStringLiteral("home “net”")},
                                {}};
    return f;
}

HostFacts fullFacts()
{
    HostFacts f;
    f.readAt = QDateTime(QDate(2026, 12, 1), QTime(10, 0, 0, 123), Qt::UTC);
    f.hostName = QStringLiteral("spärk");
    f.operatingSystem = QStringLiteral("Debian GNU/Linux 12 (bookworm)");
    f.kernel = QStringLiteral("Linux 6.1");
    f.cpu = QStringLiteral("Cortex-A76");
    f.logicalCores = 4;
    f.governor = {QStringLiteral("performance, schedutil"), {}};
    f.load = {0.1, {}};
    f.temperature = {std::nullopt, QStringLiteral("no sensor tells it")};
    f.clockDisciplined = {false, {}};
    f.clockResolution = 31ns;
    f.interfaces = {fullInterface(), wifiInterface()};
    f.interfaces.push_back({});
    f.interfaces.back().name = QStringLiteral("wlan1");
    f.interfaces.back().wifi = Reading<WifiFacts>{std::nullopt, QStringLiteral("not associated")};
    f.routes = {{QStringLiteral("default"), QStringLiteral("enp1s0"), QStringLiteral("10.0.0.254"),
                 QStringLiteral("10.0.0.1")},
                {QStringLiteral("fd00::/8"), QStringLiteral("wlan0"), {}, {}}};
    return f;
}

HostActivity fullActivity()
{
    HostActivity a;
    a.length = 10s;
    a.before = {{QStringLiteral("lo"), 1, 2, 3, 4, 5, 6, 7, 8}};
    a.after = {{QStringLiteral("lo"), std::numeric_limits<std::uint64_t>::max(), 2, 3, 4, 5, 6, 7,
                (std::uint64_t{1} << 63) + 1}};
    a.busiestCore = Ratio::of(0.93);
    a.loadBefore = 1.25;
    return a;
}

ProbeResult plainResult()
{
    ProbeResult r;
    r.id = RecordId::create();
    r.startedAt = QDateTime(QDate(2026, 12, 1), QTime(10, 0, 0), Qt::UTC);
    r.endedAt = r.startedAt.addSecs(10);
    r.spec.near.name = QStringLiteral("laptop");
    r.data = ThroughputData{};
    return r;
}

// Through text, as it comes from a file or another machine.
Json again(const Json& json)
{
    return Json::parse(json.dump());
}

} // namespace

class FactsJsonTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everythingComesBackEqual()
    {
        const auto facts = hostFactsFromJson(again(hostFactsToJson(fullFacts())));
        QVERIFY2(facts.has_value(), qPrintable(facts ? QString() : facts.error().detail));
        QVERIFY(*facts == fullFacts());
        const auto activity = hostActivityFromJson(again(hostActivityToJson(fullActivity())));
        QVERIFY2(activity.has_value(), qPrintable(activity ? QString() : activity.error().detail));
        QVERIFY(*activity == fullActivity());
        HostConditions conditions;
        conditions.hostName = QStringLiteral("a");
        conditions.mtu = 1500;
        conditions.facts = fullFacts();
        conditions.activity = fullActivity();
        const auto back = hostConditionsFromJson(again(hostConditionsToJson(conditions)));
        QVERIFY(back.has_value());
        QVERIFY(*back == conditions);
        const ClockOffset offset{-5ms, 200us};
        QVERIFY(clockOffsetFromJson(again(clockOffsetToJson(offset))) == offset);
    }
    void nothingKnownComesBackEqual()
    {
        QVERIFY(hostFactsFromJson(again(hostFactsToJson({}))) == HostFacts());
        QVERIFY(hostActivityFromJson(again(hostActivityToJson({}))) == HostActivity());
        QVERIFY(hostConditionsFromJson(again(hostConditionsToJson({}))) == HostConditions());
    }
    void aResultCarriesThem()
    {
        ProbeResult result = plainResult();
        result.spec.near.peer = PeerId::create();
        result.spec.near.interfaceName = QStringLiteral("eth0");
        result.spec.far.address = QStringLiteral("10.0.0.2");
        result.spec.intendedLink = LinkId::create();
        result.conditions.near.facts = fullFacts();
        result.conditions.far.activity = fullActivity();
        result.conditions.farClock = ClockOffset{3ms, 1us};
        const QByteArray text = toJson(result);
        const auto back = resultFromJson(text);
        QVERIFY2(back.has_value(), qPrintable(back ? QString() : back.error().detail));
        QVERIFY(*back == result);
        QCOMPARE(toJson(*back), text);
    }
    void aResultWithoutThemKeepsItsBytes()
    {
        const Json json = Json::parse(toJson(plainResult()).toStdString());
        const auto keys = [](const Json& object) {
            QStringList names;
            for (auto at = object.begin(); at != object.end(); ++at)
                names << QString::fromStdString(at.key());
            return names.join(u' ');
        };
        QCOMPARE(keys(json["conditions"]), QStringLiteral("far near"));
        QCOMPARE(keys(json["conditions"]["near"]),
                 QStringLiteral("address cpu driver host_name interface kernel mtu_bytes "
                                "negotiated_bits_per_second operating_system"));
        QCOMPARE(keys(json["spec"]),
                 QStringLiteral("controller far interface ip_version kind label link link_period "
                                "near options source_address"));
        QCOMPARE(keys(json["spec"]["near"]), QStringLiteral("host machine name port port_id"));
    }
    void brokenInputIsRefusedWithThePlace_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* path, const char* value, const char* place) {
            QTest::addRow("%s %s", path, value)
                << QString::fromLatin1(path) << QByteArray(value) << QString::fromLatin1(place);
        };
        row("/logical_cores", "-1", "logical_cores");
        row("/read_at", "\"now\"", "read_at");
        row("/host_name", "\"a\\u001b[2J\"", "host_name");
        row("/load", "3", "load");
        row("/load/value", "\"much\"", "value");
        row("/load/value", "-1", "value");
        row("/governor/value", "{}", "value");
        row("/interfaces", "{}", "interfaces");
        row("/interfaces/0", "null", "name");
        row("/interfaces/0/kind", "\"string\"", "kind");
        row("/interfaces/0/up", "1", "up");
        row("/interfaces/0/mtu_bytes", "2147483648", "mtu_bytes");
        row("/interfaces/0/addresses/0", "17", "addresses");
        row("/interfaces/0/pcie/value/lanes", "1025", "lanes");
        row("/interfaces/0/duplex/value", "\"both\"", "value");
        row("/interfaces/0/offloads/value", "[]", "value");
        row("/interfaces/0/offloads/value/rx-gro", "\"on\"", "on");
        row("/interfaces/1/wifi", "4", "wifi");
        row("/interfaces/1/wifi/value/signal_dbm", "1.5", "signal_dbm");
        row("/interfaces/1/wifi/value/frequency_mhz", "-1", "frequency_mhz");
        row("/routes/0/destination", "null", "destination");
    }
    void brokenInputIsRefusedWithThePlace()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, value);
        QFETCH(QString, place);
        Json json = again(hostFactsToJson(fullFacts()));
        json[Json::json_pointer(path.toStdString())] = Json::parse(value.toStdString());
        const auto back = hostFactsFromJson(json);
        QVERIFY(!back.has_value());
        QVERIFY2(back.error().detail.contains(place), qPrintable(back.error().detail));
        QVERIFY(!hostFactsFromJson(Json::array()).has_value());
    }
    void tooMuchIsRefusedAndNeverWritten()
    {
        HostFacts facts = fullFacts();
        facts.interfaces.assign(300, fullInterface());
        QStringList addresses;
        for (int i = 0; i < 70; ++i)
            addresses << QStringLiteral("10.0.0.%1/24").arg(i);
        facts.interfaces.front().addresses = addresses;
        facts.hostName = QString(5'000, u'x') + QChar(0x1b);
        Json json = again(hostFactsToJson(facts));
        const auto back = hostFactsFromJson(json);
        QVERIFY(back.has_value());
        QCOMPARE(back->interfaces.size(), size_t{256});
        QCOMPARE(back->interfaces.front().addresses.size(), 64);
        json["interfaces"].push_back(json["interfaces"].front());
        QVERIFY(!hostFactsFromJson(json).has_value());
        json = again(hostActivityToJson(fullActivity()));
        json["before"] = Json(257, json["before"].front());
        QVERIFY(!hostActivityFromJson(json).has_value());
        json["before"] = Json::array();
        json["after"][0]["sent_bytes"] = -1;
        QVERIFY(!hostActivityFromJson(json).has_value());
    }
    void mangledInputNeverCrashes()
    {
        const std::string text = hostFactsToJson(fullFacts()).dump();
        QRandomGenerator random(20261201);
        for (int i = 0; i < 600; ++i) {
            std::string bad = text;
            for (int k = 0; k < 1 + i % 4; ++k)
                bad[static_cast<size_t>(random.bounded(static_cast<int>(bad.size())))] =
                    static_cast<char>(random.bounded(32, 127));
            if (const auto json = parseJson(bad)) {
                const auto facts = hostFactsFromJson(*json);
                if (facts) // what is taken can be written and read again
                    QVERIFY(hostFactsFromJson(again(hostFactsToJson(*facts))) == *facts);
            }
        }
    }
};

QTEST_GUILESS_MAIN(FactsJsonTest)
#include "tst_factsjson.moc"
