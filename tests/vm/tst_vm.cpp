// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/networklab.h"

#include <QFile>
#include <QRegularExpression>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace napkin::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

// What this machine's kernel lacks: Wi-Fi, adapters on PCI Express, VLANs, bonds, tunnels for the
// host facts; delays and losses of known size for the probes.
class TestVm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wifiAndAdapters();
    void everyKindOfInterface();
    void delaysAndLosses();

private:
    static CommandResult inVm(const QStringList& options, const QString& script)
    {
        Running running(QStringLiteral(NAPKIN_VM "/vm"),
                        options + QStringList{QStringLiteral("--"), script});
        return running.finish(600s);
    }
};

namespace {

// What a script printed, by the names in its marks.
std::map<QString, QString> sectionsOf(const QByteArray& output)
{
    std::map<QString, QString> sections;
    QString name;
    for (QString line : QString::fromUtf8(output).split(u'\n')) {
        line.remove(u'\r');
        if (line.startsWith(QStringLiteral("=== ")))
            name = line.mid(4);
        else
            sections[name] += line + u'\n';
    }
    return sections;
}

Json interfaceIn(const QString& document, const char* name)
{
    const Json json = Json::parse(document.toStdString());
    for (const Json& one : json.at("facts").at("interfaces")) {
        if (one.at("name").get<std::string>() == name)
            return one;
    }
    throw std::runtime_error("no such interface in the facts");
}

QString text(const Json& json)
{
    return QString::fromStdString(json.get<std::string>());
}

QString first(const QString& text, const QString& expression)
{
    return QRegularExpression(expression, QRegularExpression::MultilineOption)
        .match(text)
        .captured(1);
}

void compareAdapter(const Json& facts, const QString& told)
{
    const QString speed = first(told, QStringLiteral("^\\s*Speed: (\\d+)Mb/s"));
    const Json& ours = facts.at("speed_bits_per_second");
    if (speed.isEmpty())
        QVERIFY(!ours.at("why_not").get<std::string>().empty());
    else
        QCOMPARE(ours.at("value").get<qint64>(), speed.toLongLong() * 1'000'000);
    const QString duplex = first(told, QStringLiteral("^\\s*Duplex: (Full|Half)")).toLower();
    if (!duplex.isEmpty())
        QCOMPARE(text(facts.at("duplex").at("value")), duplex);
    const QString driver = first(told, QStringLiteral("^driver: (.*)$"));
    QCOMPARE(text(facts.at("driver")), driver);
    const QString microseconds = first(told, QStringLiteral("^rx-usecs:\\s*(\\d+)"));
    if (microseconds.isEmpty())
        QVERIFY(facts.at("coalescing").contains("why_not"));
    else
        QCOMPARE(facts.at("coalescing").at("value").at("receive_us").get<int>(),
                 microseconds.toInt());
    const QString pause = first(told, QStringLiteral("^RX:\\s*(on|off)"));
    if (pause.isEmpty())
        QVERIFY(facts.at("pause").contains("why_not"));
    else
        QCOMPARE(facts.at("pause").at("value").at("receive").get<bool>(),
                 pause == QStringLiteral("on"));
    const QString rate = first(told, QStringLiteral("^([0-9.]+) GT/s"));
    const QString lanes = first(told, QStringLiteral("GT/s PCIe\\s*\\n(\\d+)"));
    const Json& pcie = facts.at("pcie");
    QVERIFY2(pcie.contains("value"), pcie.dump().c_str());
    QCOMPARE(pcie["value"]["gigatransfers_per_second"].get<double>(), rate.toDouble());
    QCOMPARE(pcie["value"]["lanes"].get<int>(), lanes.toInt());
    QCOMPARE(text(pcie["value"]["address"]), first(told, QStringLiteral("^bus-info: (.*)$")));
}

QString script(const QString& name)
{
    QFile file(QStringLiteral(NAPKIN_VM "/") + name);
    if (!file.open(QIODevice::ReadOnly))
        throw std::runtime_error("a script is missing");
    return QString::fromUtf8(file.readAll());
}

// Within four standard deviations of a binomial, and one either way.
void checkLoss(double share, double lost, double sent)
{
    const double expected = share * sent;
    const double bound = 4 * std::sqrt(expected * (1 - share)) + 1;
    qInfo("loss %.1f %%: %.0f of %.0f, expected %.0f +/- %.0f", share * 100, lost, sent, expected,
          bound);
    QVERIFY(sent > 1000);
    QVERIFY(std::abs(lost - expected) <= bound);
}

} // namespace

void TestVm::wifiAndAdapters()
{
    const CommandResult result = inVm(
        {QStringLiteral("-f"), QStringLiteral(NAPKIN_CLI ":/bin/napkin-cli"), QStringLiteral("-q"),
         QStringLiteral("-netdev user,id=n0 -device pcie-root-port,id=p0,chassis=1 "
                        "-device e1000e,netdev=n0,bus=p0 -netdev user,id=n1 "
                        "-device pcie-root-port,id=p1,chassis=2 "
                        "-device virtio-net-pci,netdev=n1,bus=p1,disable-legacy=on")},
        script(QStringLiteral("wifi.sh")));
    QVERIFY2(result.exitCode == 0, result.output + result.errors);
    const auto told = sectionsOf(result.output);
    qInfo("%s", qPrintable(told.at(QStringLiteral("text"))));
    const QString link = told.at(QStringLiteral("iw link"));
    const QString again = told.at(QStringLiteral("iw link again"));
    const QString info = told.at(QStringLiteral("iw info"));

    const Json facts = interfaceIn(told.at(QStringLiteral("facts")), "wlan1");
    QCOMPARE(text(facts.at("kind")), QStringLiteral("wifi"));
    const Json wifi = facts.at("wifi").at("value");
    QCOMPARE(wifi.at("frequency_mhz").get<int>(),
             first(link, QStringLiteral("freq: (\\d+)")).toInt());
    QCOMPARE(wifi.at("channel").get<int>(), first(info, QStringLiteral("channel (\\d+)")).toInt());
    QCOMPARE(wifi.at("width_mhz").get<int>(),
             first(info, QStringLiteral("width: (\\d+) MHz")).toInt());
    // Both may change with every frame: before or after will do.
    const auto isOneOf = [&](const QString& expression, double value, double unit) {
        const double before = first(link, expression).toDouble() * unit;
        const double after = first(again, expression).toDouble() * unit;
        return value >= std::min(before, after) - unit / 20 &&
               value <= std::max(before, after) + unit / 20;
    };
    QVERIFY2(isOneOf(QStringLiteral("signal: (-?\\d+) dBm"), wifi.at("signal_dbm").get<int>(), 1),
             qPrintable(link));
    QVERIFY2(isOneOf(QStringLiteral("tx bitrate: ([0-9.]+) MBit/s"),
                     static_cast<double>(wifi.at("send_bits_per_second").get<qint64>()), 1e6),
             qPrintable(link));
    QVERIFY(!wifi.contains("ssid"));
    QCOMPARE(text(interfaceIn(told.at(QStringLiteral("facts with ssid")), "wlan1")
                      .at("wifi")
                      .at("value")
                      .at("ssid")),
             QStringLiteral("napkin lab"));
    // The access point's own radio has a channel and no signal, the third is connected to nothing.
    const QString all = told.at(QStringLiteral("facts"));
    const Json point = interfaceIn(all, "wlan0").at("wifi").at("value");
    QCOMPARE(point.at("frequency_mhz").get<int>(), wifi.at("frequency_mhz").get<int>());
    QVERIFY(point.at("signal_dbm").is_null());
    QVERIFY(interfaceIn(all, "wlan2").at("wifi").contains("why_not"));

    int adapters = 0;
    for (const auto& [name, words] : told) {
        if (!name.startsWith(QStringLiteral("wired ")))
            continue;
        compareAdapter(interfaceIn(all, qPrintable(name.mid(6))), words);
        ++adapters;
    }
    QCOMPARE(adapters, 2);
}

void TestVm::everyKindOfInterface()
{
    const CommandResult result = inVm(
        {QStringLiteral("-f"), QStringLiteral(NAPKIN_HOSTFACTS_TEST ":/bin/hostfacts")},
        QStringLiteral("modprobe -a dummy macvlan 8021q bonding tun vxlan ipip ip_gre wireguard "
                       "veth bridge && exec hostfacts"));
    QVERIFY2(result.exitCode == 0, result.output + result.errors);
    // Here the kernel can make every one of them.
    QVERIFY2(!result.output.contains("cannot make"), result.output);
    qInfo("%s", result.output.right(200).constData());
}

// Delay at one end only: the round trip is longer by that and by what an emulated machine takes.
void TestVm::delaysAndLosses()
{
    const CommandResult result =
        inVm({QStringLiteral("-f"), QStringLiteral(NAPKIN_CLI ":/bin/napkin-cli"),
              QStringLiteral("-t"), QStringLiteral("300")},
             script(QStringLiteral("netem.sh")));
    QVERIFY2(result.exitCode == 0, result.output + result.errors);
    const auto told = sectionsOf(result.output);
    const auto summary = [&](const QString& name) {
        return Json::parse(told.at(name).toStdString()).at("summary");
    };
    const double base = summary(QStringLiteral("delay 0")).at("p50_ns").get<double>();
    for (const int delay : {300, 1000, 5000}) {
        const double p50 =
            summary(QStringLiteral("delay %1").arg(delay)).at("p50_ns").get<double>() - base;
        const QString ping = told.at(QStringLiteral("ping %1").arg(delay));
        const double theirs = first(ping, QStringLiteral("= [0-9.]+/([0-9.]+)/")).toDouble() * 1e6;
        qInfo("delay %d us: %.0f us more than without, ping's mean is %.0f us", delay, p50 / 1000,
              theirs / 1000);
        QVERIFY(p50 > 0.9 * delay * 1000);
        QVERIFY(p50 < 1.3 * delay * 1000 + 300'000);
        QVERIFY(p50 + base < 1.5 * theirs);
    }
    for (const char* percent : {"0.1", "1", "10"}) {
        const double loss = std::stod(percent) / 100;
        const QString name = QString::fromLatin1(percent);
        const Json echo = summary(QStringLiteral("echo ") + name);
        const Json udp = summary(QStringLiteral("udp ") + name).at("reverse");
        checkLoss(loss, echo.at("lost").get<double>(), echo.at("sent").get<double>());
        checkLoss(loss, udp.at("lost").get<double>(), udp.at("sent").get<double>());
        // Nothing here says that too much was offered, or that a buffer was full.
        QCOMPARE(text(udp.at("cause")), QStringLiteral("unknown"));
    }
}

QTEST_GUILESS_MAIN(TestVm)
#include "tst_vm.moc"
