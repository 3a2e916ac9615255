// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/adapter.h"

#include "core/measure/os/sysfile.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Adapter)
};

QString busOf(const QString& device)
{
    return sysLinkName(device + QStringLiteral("/subsystem"));
}

// "8.0 GT/s PCIe"; 0 when it is unknown.
double gigatransfersIn(const QString& path)
{
    const auto text = readSysFile(path);
    bool isNumber = false;
    const double rate = text.value_or(QByteArray()).split(' ').front().toDouble(&isNumber);
    return isNumber && rate > 0 && rate < 1'000 ? rate : 0;
}

int lanesIn(const QString& path)
{
    const auto lanes = readSysNumber(path).value_or(0);
    return lanes > 0 && lanes <= 32 ? static_cast<int>(lanes) : 0; // 255: unknown
}

QString parentOf(const QString& folder)
{
    return folder.section(QLatin1Char('/'), 0, -2);
}

} // namespace

Adapter::Adapter(const QString& interfaceName, int index, const QString& root)
{
    const QString folder = root + QStringLiteral("/sys/class/net/") + interfaceName;
    if (readSysNumber(folder + QStringLiteral("/ifindex")) == index)
        m_device = QFileInfo(folder + QStringLiteral("/device")).canonicalFilePath();
}

QString Adapter::driver() const
{
    return m_device.isEmpty() ? QString() : sysLinkName(m_device + QStringLiteral("/driver"));
}

Reading<PcieLink> Adapter::pcie() const
{
    if (m_device.isEmpty())
        return {std::nullopt, Words::tr("there is no adapter behind it")};
    QString device = m_device;
    if (busOf(device) == QStringLiteral("virtio"))
        device = parentOf(device);
    const QString bus = busOf(device);
    if (bus == QStringLiteral("usb"))
        return {std::nullopt, Words::tr("it is attached by USB")};
    if (bus == QStringLiteral("thunderbolt"))
        return {std::nullopt, Words::tr("it is a Thunderbolt cable between machines")};
    PcieLink link;
    link.address = device.section(QLatin1Char('/'), -1);
    link.gigatransfers = gigatransfersIn(device + QStringLiteral("/current_link_speed"));
    link.width = lanesIn(device + QStringLiteral("/current_link_width"));
    if (bus != QStringLiteral("pci") || link.gigatransfers <= 0 || link.width <= 0)
        return {std::nullopt, Words::tr("it is not attached by PCI Express, or does not tell")};
    link.mostGigatransfers = gigatransfersIn(device + QStringLiteral("/max_link_speed"));
    link.mostWidth = lanesIn(device + QStringLiteral("/max_link_width"));
    const QString slot = parentOf(device);
    link.slotGigatransfers = gigatransfersIn(slot + QStringLiteral("/max_link_speed"));
    link.slotWidth = lanesIn(slot + QStringLiteral("/max_link_width"));
    return {link, {}};
}

} // namespace napkin
