// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/mediumname.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Medium)
};

} // namespace

QString mediumName(Medium medium)
{
    switch (medium) {
    case Medium::Ethernet:
        return Words::tr("Ethernet");
    case Medium::Thunderbolt:
        return Words::tr("Thunderbolt");
    case Medium::Usb4:
        return Words::tr("USB4");
    case Medium::WiFi:
        return Words::tr("Wi-Fi");
    case Medium::Pcie:
        return Words::tr("PCIe");
    case Medium::Loopback:
        return Words::tr("Loopback");
    }
    return {};
}

} // namespace napkin
