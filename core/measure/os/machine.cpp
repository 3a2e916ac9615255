// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/machine.h"

#include "core/measure/os/armcores.h"
#include "core/measure/os/sysfile.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSysInfo>

#include <sys/timex.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Machine)
};

constexpr int mostEntries = 1'024; // of a folder, and cores of a machine

// Text of a device tree ends with a NUL.
QString boardName(const QString& root)
{
    const auto text = readSysFile(root + QStringLiteral("/proc/device-tree/model"));
    return text ? QString::fromUtf8(text->constData()).trimmed() : QString();
}

QByteArray valueOf(const QByteArray& line)
{
    return line.mid(line.indexOf(':') + 1).trimmed();
}

QStringList coreNames(const QString& root)
{
    QStringList names;
    QFile file(root + QStringLiteral("/proc/cpuinfo"));
    if (!file.open(QIODevice::ReadOnly))
        return names;
    int implementer = 0;
    constexpr int mostLines = 40 * mostEntries;
    for (int i = 0; i < mostLines; ++i) {
        const QByteArray line = file.readLine(4'096);
        if (line.isEmpty())
            break;
        QString name;
        if (line.startsWith("model name"))
            name = QString::fromUtf8(valueOf(line)).simplified();
        else if (line.startsWith("CPU implementer"))
            implementer = valueOf(line).toInt(nullptr, 0);
        else if (line.startsWith("CPU part"))
            name = armCoreName(implementer, valueOf(line).toInt(nullptr, 0));
        if (!name.isEmpty() && !names.contains(name) && names.size() < 8)
            names << name;
    }
    return names;
}

QStringList entriesOf(const QString& folder, const QString& pattern)
{
    return QDir(folder)
        .entryList({pattern}, QDir::Dirs | QDir::Files | QDir::System | QDir::NoDotAndDotDot)
        .mid(0, mostEntries);
}

struct Sensor
{
    QString label;
    double degrees = 0;
};

std::vector<Sensor> sensorsOf(const QString& folder)
{
    std::vector<Sensor> sensors;
    for (const QString& file : entriesOf(folder, QStringLiteral("temp*_input"))) {
        const QString path = folder + QLatin1Char('/') + file;
        const auto thousandths = readSysNumber(path);
        const auto label = readSysFile(path.chopped(5) + QStringLiteral("label"));
        if (thousandths)
            sensors.push_back({QString::fromUtf8(label.value_or(QByteArray())),
                               static_cast<double>(*thousandths) / 1'000});
    }
    // AMD's Tctl is for the fan and may stand above the real one, which is then Tdie.
    const QString real = QStringLiteral("Tdie");
    if (std::ranges::find(sensors, real, &Sensor::label) != sensors.end())
        std::erase_if(sensors,
                      [](const Sensor& one) { return one.label == QStringLiteral("Tctl"); });
    return sensors;
}

// A sensor that is not connected tells nonsense.
bool isPlausible(const Sensor& sensor)
{
    return sensor.degrees > -60 && sensor.degrees < 150;
}

std::vector<Sensor> cpuSensors(const QString& root)
{
    static const QStringList drivers{QStringLiteral("coretemp"),    QStringLiteral("k10temp"),
                                     QStringLiteral("k8temp"),      QStringLiteral("zenpower"),
                                     QStringLiteral("cpu_thermal"), QStringLiteral("cpu-thermal"),
                                     QStringLiteral("soc_thermal"), QStringLiteral("via_cputemp"),
                                     QStringLiteral("scpi_sensors")};
    static const QStringList zones{QStringLiteral("x86_pkg_temp"), QStringLiteral("cpu-thermal"),
                                   QStringLiteral("cpu_thermal"),  QStringLiteral("soc-thermal"),
                                   QStringLiteral("soc_thermal"),  QStringLiteral("cpu"),
                                   QStringLiteral("CPU-therm")};
    std::vector<Sensor> sensors;
    const QString monitors = root + QStringLiteral("/sys/class/hwmon/");
    for (const QString& entry : entriesOf(monitors, QStringLiteral("hwmon*"))) {
        const auto name = readSysFile(monitors + entry + QStringLiteral("/name"));
        if (!name || !drivers.contains(QString::fromUtf8(*name)))
            continue;
        for (Sensor& sensor : sensorsOf(monitors + entry))
            sensors.push_back(std::move(sensor));
    }
    const QString thermal = root + QStringLiteral("/sys/class/thermal/");
    for (const QString& entry : entriesOf(thermal, QStringLiteral("thermal_zone*"))) {
        const auto type = readSysFile(thermal + entry + QStringLiteral("/type"));
        const auto thousandths = readSysNumber(thermal + entry + QStringLiteral("/temp"));
        if (type && thousandths && zones.contains(QString::fromUtf8(*type)))
            sensors.push_back({{}, static_cast<double>(*thousandths) / 1'000});
    }
    std::erase_if(sensors, [](const Sensor& sensor) { return !isPlausible(sensor); });
    return sensors;
}

} // namespace

QString operatingSystemName()
{
    return QSysInfo::prettyProductName();
}

QString kernelName()
{
    utsname names{};
    if (::uname(&names) != 0)
        return {};
    return QString::fromLocal8Bit(names.sysname) + QLatin1Char(' ') +
           QString::fromLocal8Bit(names.release);
}

QString readCpuModel(const QString& root)
{
    const QString cores = coreNames(root).join(QStringLiteral(", "));
    const QString board = boardName(root);
    if (cores.isEmpty() || board.isEmpty())
        return cores + board;
    return QStringLiteral("%1 (%2)").arg(cores, board);
}

int logicalCores()
{
    return static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

Reading<QString> readGovernor(const QString& root)
{
    const QString folder = root + QStringLiteral("/sys/devices/system/cpu/cpufreq/");
    QStringList governors;
    for (const QString& policy : entriesOf(folder, QStringLiteral("policy*"))) {
        const auto text = readSysFile(folder + policy + QStringLiteral("/scaling_governor"));
        const QString name = QString::fromUtf8(text.value_or(QByteArray()));
        if (!name.isEmpty() && !governors.contains(name))
            governors << name;
    }
    governors.sort();
    if (governors.isEmpty())
        return {std::nullopt, Words::tr("the kernel does not steer the CPU's frequency here, as in "
                                        "most virtual machines")};
    return {governors.join(QStringLiteral(", ")), {}};
}

Reading<double> readLoad(const QString& root)
{
    const auto text = readSysFile(root + QStringLiteral("/proc/loadavg"));
    bool isNumber = false;
    const double load = text.value_or(QByteArray()).split(' ').front().toDouble(&isNumber);
    if (!isNumber || !std::isfinite(load) || load < 0)
        return {std::nullopt, Words::tr("/proc/loadavg cannot be read")};
    return {load, {}};
}

Reading<double> readTemperature(const QString& root)
{
    const std::vector<Sensor> sensors = cpuSensors(root);
    if (sensors.empty())
        return {std::nullopt, Words::tr("no sensor of the CPU is known to the kernel")};
    return {std::ranges::max(sensors, {}, &Sensor::degrees).degrees, {}};
}

Reading<bool> readClockDisciplined()
{
    timex state{}; // no modes: nothing is changed
    const int answer = ::adjtimex(&state);
    if (answer < 0)
        return {std::nullopt, Words::tr("the kernel does not tell the state of its clock here")};
    return {answer != TIME_ERROR && (state.status & STA_UNSYNC) == 0, {}};
}

Duration measureClockResolution()
{
    using Clock = std::chrono::steady_clock;
    constexpr int steps = 200;
    Duration least = Duration::max();
    Clock::time_point last = Clock::now();
    const Clock::time_point end = last + std::chrono::milliseconds(100);
    for (int i = 0; i < steps && last < end;) {
        const Clock::time_point now = Clock::now();
        if (now == last)
            continue;
        least = std::min<Duration>(least, now - last);
        last = now;
        ++i;
    }
    return least == Duration::max() ? Duration::zero() : least;
}

} // namespace napkin
