// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/adapter.h"
#include "core/measure/os/armcores.h"
#include "core/measure/os/cputime.h"
#include "core/measure/os/interfacekind.h"
#include "core/measure/os/machine.h"
#include "core/measure/os/wifi.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <linux/if_arp.h>

using namespace napkin;

// Files of other machines' /proc and /sys below a folder, laid out as the kernel does.
class MachineFactsTest : public QObject
{
    Q_OBJECT

private:
    void write(const QString& path, const QByteArray& text) const
    {
        const QString full = m_root->filePath(path);
        QVERIFY(QDir().mkpath(full.section(u'/', 0, -2)));
        QFile file(full);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
    void link(const QString& path, const QString& target) const
    {
        const QString full = m_root->filePath(path);
        QVERIFY(QDir().mkpath(full.section(u'/', 0, -2)));
        QVERIFY(QDir().mkpath(m_root->filePath(target)));
        QVERIFY(QFile::link(m_root->filePath(target), full));
    }
    void addDevice(const QString& name, const QString& device, const QString& bus,
                   const QString& driver) const
    {
        write(QStringLiteral("sys/class/net/%1/ifindex").arg(name), "7\n");
        link(QStringLiteral("sys/class/net/%1/device").arg(name), device);
        link(device + QStringLiteral("/subsystem"), QStringLiteral("sys/bus/") + bus);
        link(device + QStringLiteral("/driver"),
             QStringLiteral("sys/bus/%1/drivers/%2").arg(bus, driver));
    }
    [[nodiscard]] QString root() const { return m_root->path(); }

    std::unique_ptr<QTemporaryDir> m_root;

private Q_SLOTS:
    void init() { m_root = std::make_unique<QTemporaryDir>(); }

    void aPciExpressAdapterInANarrowSlot()
    {
        const QString slot = QStringLiteral("sys/devices/pci0000:00/0000:00:1c.0");
        const QString device = slot + QStringLiteral("/0000:01:00.0");
        addDevice(QStringLiteral("enp1s0"), device, QStringLiteral("pci"),
                  QStringLiteral("mlx5_core"));
        write(slot + QStringLiteral("/max_link_speed"), "8.0 GT/s PCIe\n");
        write(slot + QStringLiteral("/max_link_width"), "4\n");
        write(device + QStringLiteral("/current_link_speed"), "8.0 GT/s PCIe\n");
        write(device + QStringLiteral("/current_link_width"), "4\n");
        write(device + QStringLiteral("/max_link_speed"), "16.0 GT/s PCIe\n");
        write(device + QStringLiteral("/max_link_width"), "8\n");
        const Adapter adapter(QStringLiteral("enp1s0"), 7, root());
        QCOMPARE(adapter.driver(), QStringLiteral("mlx5_core"));
        const auto pcie = adapter.pcie();
        QVERIFY2(pcie.value, qPrintable(pcie.whyNot));
        QVERIFY((*pcie.value == PcieLink{QStringLiteral("0000:01:00.0"), 8, 4, 16, 8, 8, 4}));
    }
    void aPciExpressAdapterThatDoesNotKnow()
    {
        const QString device = QStringLiteral("sys/devices/pci0000:00/0000:01:00.0");
        addDevice(QStringLiteral("enp1s0"), device, QStringLiteral("pci"), QStringLiteral("igc"));
        write(device + QStringLiteral("/current_link_speed"), "Unknown\n");
        write(device + QStringLiteral("/current_link_width"), "255\n");
        const auto pcie = Adapter(QStringLiteral("enp1s0"), 7, root()).pcie();
        QVERIFY(!pcie.value);
        QVERIFY(!pcie.whyNot.isEmpty());
    }
    void theDeviceOfAnotherNamespaceIsNotTaken()
    {
        addDevice(QStringLiteral("eth0"), QStringLiteral("sys/devices/pci0000:00/0000:01:00.0"),
                  QStringLiteral("pci"), QStringLiteral("igc"));
        const Adapter adapter(QStringLiteral("eth0"), 8, root());
        QVERIFY(adapter.driver().isEmpty());
        QVERIFY(!adapter.pcie().value);
    }
    void thunderboltAndUsbAreTold()
    {
        addDevice(QStringLiteral("thunderbolt0"),
                  QStringLiteral("sys/devices/pci0000:00/0000:00:0d.2/domain0/0-0/0-1/0-1.0"),
                  QStringLiteral("thunderbolt"), QStringLiteral("thunderbolt-net"));
        const Adapter cable(QStringLiteral("thunderbolt0"), 7, root());
        QCOMPARE(cable.driver(), QStringLiteral("thunderbolt-net"));
        QVERIFY(!cable.pcie().value);
        QVERIFY(cable.pcie().whyNot.contains(QStringLiteral("Thunderbolt")));
        LinkRow row;
        row.hardwareType = ARPHRD_ETHER;
        QCOMPARE(interfaceKindOf(row, cable.driver(), false), InterfaceKind::Thunderbolt);
        addDevice(QStringLiteral("eth1"), QStringLiteral("sys/devices/pci0000:00/usb1/1-1/1-1:1.0"),
                  QStringLiteral("usb"), QStringLiteral("r8152"));
        QVERIFY(Adapter(QStringLiteral("eth1"), 7, root())
                    .pcie()
                    .whyNot.contains(QStringLiteral("USB")));
    }
    void kinds_data()
    {
        QTest::addColumn<QString>("told");
        QTest::addColumn<int>("hardware");
        QTest::addColumn<bool>("wifi");
        QTest::addColumn<InterfaceKind>("kind");
        const auto row = [](const char* told, int hardware, bool wifi, InterfaceKind kind) {
            QTest::addRow("%s %d %d", told, hardware, int{wifi})
                << QString::fromLatin1(told) << hardware << wifi << kind;
        };
        row("", ARPHRD_ETHER, false, InterfaceKind::Ethernet);
        row("", ARPHRD_ETHER, true, InterfaceKind::WiFi);
        row("", ARPHRD_INFINIBAND, false, InterfaceKind::Other);
        row("", ARPHRD_SIT, false, InterfaceKind::Tunnel);
        row("bridge", ARPHRD_ETHER, false, InterfaceKind::Bridge);
        row("bond", ARPHRD_ETHER, false, InterfaceKind::Bond);
        row("vlan", ARPHRD_ETHER, false, InterfaceKind::Vlan);
        row("veth", ARPHRD_ETHER, false, InterfaceKind::Virtual);
        row("tun", ARPHRD_ETHER, false, InterfaceKind::Virtual);
        row("tun", ARPHRD_NONE, false, InterfaceKind::Tunnel);
        row("wireguard", ARPHRD_NONE, false, InterfaceKind::Tunnel);
        row("vxlan", ARPHRD_ETHER, false, InterfaceKind::Tunnel);
    }
    void kinds()
    {
        QFETCH(QString, told);
        QFETCH(int, hardware);
        QFETCH(bool, wifi);
        LinkRow row;
        row.kind = told;
        row.hardwareType = hardware;
        QTEST(interfaceKindOf(row, QString(), wifi), "kind");
    }
    void everyGovernorIsNamedOnce()
    {
        QVERIFY(!readGovernor(root()).value);
        const QString folder = QStringLiteral("sys/devices/system/cpu/cpufreq/policy");
        write(folder + QStringLiteral("0/scaling_governor"), "schedutil\n");
        write(folder + QStringLiteral("4/scaling_governor"), "performance\n");
        write(folder + QStringLiteral("8/scaling_governor"), "schedutil\n");
        QCOMPARE(readGovernor(root()).value, QStringLiteral("performance, schedutil"));
    }
    void theHottestSensorOfTheCpu()
    {
        QVERIFY(!readTemperature(root()).value);
        QVERIFY(!readTemperature(root()).whyNot.isEmpty());
        const QString monitors = QStringLiteral("sys/class/hwmon/hwmon");
        write(monitors + QStringLiteral("0/name"), "nvme\n");
        write(monitors + QStringLiteral("0/temp1_input"), "91000\n");
        write(monitors + QStringLiteral("1/name"), "coretemp\n");
        write(monitors + QStringLiteral("1/temp1_input"), "61000\n");
        write(monitors + QStringLiteral("1/temp2_input"), "64500\n");
        write(monitors + QStringLiteral("1/temp3_input"), "255000\n"); // broken
        QCOMPARE(readTemperature(root()).value, 64.5);
    }
    void theFansTemperatureIsNotTheCpus()
    {
        const QString monitor = QStringLiteral("sys/class/hwmon/hwmon0/");
        write(monitor + QStringLiteral("name"), "k10temp\n");
        write(monitor + QStringLiteral("temp1_input"), "80000\n");
        write(monitor + QStringLiteral("temp1_label"), "Tctl\n");
        QCOMPARE(readTemperature(root()).value, 80.0); // nothing else is told
        write(monitor + QStringLiteral("temp2_input"), "53000\n");
        write(monitor + QStringLiteral("temp2_label"), "Tdie\n");
        QCOMPARE(readTemperature(root()).value, 53.0);
    }
    void aBoardsTemperature()
    {
        write(QStringLiteral("sys/class/thermal/thermal_zone0/type"), "cpu-thermal\n");
        write(QStringLiteral("sys/class/thermal/thermal_zone0/temp"), "48312\n");
        QCOMPARE(readTemperature(root()).value, 48.312);
    }
    void modelsOfCpus()
    {
        QVERIFY(readCpuModel(root()).isEmpty());
        write(QStringLiteral("proc/cpuinfo"),
              "processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD Ryzen AI MAX+ 395  w/ Radeon\n\n"
              "processor\t: 1\nmodel name\t: AMD Ryzen AI MAX+ 395  w/ Radeon\n");
        QCOMPARE(readCpuModel(root()), QStringLiteral("AMD Ryzen AI MAX+ 395 w/ Radeon"));
        write(QStringLiteral("proc/cpuinfo"),
              "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd85\n\n"
              "processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd87\n");
        QCOMPARE(readCpuModel(root()), QStringLiteral("Cortex-X925, Cortex-A725"));
        write(QStringLiteral("proc/cpuinfo"), "CPU implementer\t: 0x41\nCPU part\t: 0xd0b\n"
                                              "Model\t\t: Raspberry Pi 5 Model B Rev 1.0\n");
        write(QStringLiteral("proc/device-tree/model"),
              QByteArray("Raspberry Pi 5 Model B Rev 1.0\0", 31));
        QCOMPARE(readCpuModel(root()),
                 QStringLiteral("Cortex-A76 (Raspberry Pi 5 Model B Rev 1.0)"));
        QCOMPARE(armCoreName(0x99, 0xfff), QStringLiteral("ARM 0x99/0xfff"));
    }
    void theLoad()
    {
        QVERIFY(!readLoad(root()).value);
        write(QStringLiteral("proc/loadavg"), "1.25 0.60 0.30 2/345 12345\n");
        QCOMPARE(readLoad(root()).value, 1.25);
    }
    void theBusiestCore()
    {
        QVERIFY(readCoreTimes(root()).empty());
        write(QStringLiteral("proc/stat"), "cpu  400 0 0 400 0 0 0 0 0 0\n"
                                           "cpu0 100 0 100 1000 50 0 0 0 0 0\n"
                                           "cpu3 100 0 100 1000 50 0 0 0 0 0\nintr 7\n");
        const CoreTimes before = readCoreTimes(root());
        QCOMPARE(before.size(), size_t{2});
        write(QStringLiteral("proc/stat"), "cpu  800 0 0 400 0 0 0 0 0 0\n"
                                           "cpu0 110 0 110 1060 70 0 0 0 0 0\n"   // 20 of 100
                                           "cpu3 130 5 130 1005 50 5 10 15 0 0\n" // 95 of 100
                                           "cpu4 900 0 0 0 0 0 0 0 0 0\n");
        const auto busiest = busiestCore(before, readCoreTimes(root()));
        QVERIFY(busiest);
        QCOMPARE(busiest->value(), 0.95);
        QVERIFY(!busiestCore(before, before)); // no time has gone by
    }
    void channels()
    {
        QCOMPARE(wifiChannel(2'412), 1);
        QCOMPARE(wifiChannel(2'437), 6);
        QCOMPARE(wifiChannel(2'484), 14);
        QCOMPARE(wifiChannel(5'180), 36);
        QCOMPARE(wifiChannel(5'885), 177);
        QCOMPARE(wifiChannel(5'955), 1);
        QCOMPARE(wifiChannel(7'115), 233);
        QCOMPARE(wifiChannel(58'320), 1);
        QCOMPARE(wifiChannel(0), 0);
    }
    void thisMachineTellsSomething()
    {
        QVERIFY(!kernelName().isEmpty());
        QVERIFY(logicalCores() >= 1);
        const Duration step = measureClockResolution();
        QVERIFY(step > Duration::zero() && step < std::chrono::milliseconds(20));
        const auto disciplined = readClockDisciplined();
        QVERIFY(disciplined.value.has_value() != !disciplined.whyNot.isEmpty());
    }
};

QTEST_GUILESS_MAIN(MachineFactsTest)
#include "tst_machinefacts.moc"
