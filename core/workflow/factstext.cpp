// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/factstext.h"

#include "core/quantity/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::FactsText)
};

QString number(double value)
{
    return formatNumber(value);
}

QString bandText(int frequency)
{
    if (frequency < 3'000)
        return Words::tr("2.4 GHz");
    if (frequency < 5'925)
        return Words::tr("5 GHz");
    return frequency < 10'000 ? Words::tr("6 GHz") : Words::tr("60 GHz");
}

QString onOff(bool on)
{
    return on ? Words::tr("on") : Words::tr("off");
}

// What a reading says, by `words`, or why it says nothing.
template <typename T, typename InWords>
Told tell(const Reading<T>& reading, InWords words)
{
    return reading.value ? Told{words(*reading.value), {}} : Told{{}, reading.whyNot};
}

template <typename InWords>
Told tellWifi(const InterfaceFacts& facts, InWords words)
{
    return facts.wifi ? tell(*facts.wifi, words) : Told{};
}

} // namespace

Told speedTold(const InterfaceFacts& facts)
{
    Told told = tell(facts.speed, [](BitRate speed) { return formatRating(speed); });
    if (!told.text.isEmpty() && facts.duplex.value) {
        told.text = *facts.duplex.value == Duplex::Full
                        ? Words::tr("%1, full duplex").arg(told.text)
                        : Words::tr("%1, half duplex").arg(told.text);
    }
    return told;
}

Told mtuTold(const InterfaceFacts& facts)
{
    return facts.mtu ? Told{Words::tr("%1 B").arg(QLocale().toString(*facts.mtu)), {}} : Told{};
}

Told stateTold(const InterfaceFacts& facts)
{
    if (!facts.up)
        return {Words::tr("switched off"), {}};
    return {facts.carrier ? Words::tr("up") : Words::tr("up, nothing at the other end"), {}};
}

Told pcieTold(const InterfaceFacts& facts)
{
    return tell(facts.pcie, [](const PcieLink& link) {
        const QString now =
            Words::tr("%1 GT/s × %2 lanes").arg(number(link.gigatransfers)).arg(link.width);
        const bool less =
            link.mostGigatransfers > link.gigatransfers || link.mostWidth > link.width;
        if (!less)
            return now;
        const bool isSlot =
            link.slotGigatransfers > 0 && link.slotWidth > 0 &&
            (link.slotGigatransfers < link.mostGigatransfers || link.slotWidth < link.mostWidth);
        const QString can = Words::tr("%1 (can do %2 GT/s × %3)")
                                .arg(now, number(link.mostGigatransfers))
                                .arg(link.mostWidth);
        return isSlot ? Words::tr("%1; its slot can do %2 GT/s × %3")
                            .arg(can, number(link.slotGigatransfers))
                            .arg(link.slotWidth)
                      : can;
    });
}

// Where a driver does not know a figure the kernel says 0, so 0 alone tells nothing.
QString coalescingText(const Coalescing& c)
{
    const auto one = [](const QString& way, int microseconds, int frames, bool adaptive) {
        if (microseconds == 0 && frames == 0 && !adaptive)
            return Words::tr("%1 at once, or not told").arg(way);
        QString text =
            frames > 0 ? Words::tr("%1 %2 µs or %3 frames")
                             .arg(way, QLocale().toString(microseconds), QLocale().toString(frames))
                       : Words::tr("%1 %2 µs").arg(way, QLocale().toString(microseconds));
        return adaptive ? Words::tr("%1 (adaptive)").arg(text) : text;
    };
    return Words::tr("%1; %2").arg(
        one(Words::tr("receive"), c.receiveMicroseconds, c.receiveFrames, c.adaptiveReceive),
        one(Words::tr("send"), c.sendMicroseconds, c.sendFrames, c.adaptiveSend));
}

Told coalescingTold(const InterfaceFacts& facts)
{
    return tell(facts.coalescing, coalescingText);
}

Told pauseTold(const InterfaceFacts& facts)
{
    return tell(facts.pause, [](const PauseFrames& pause) {
        const QString text =
            Words::tr("receive %1, send %2").arg(onOff(pause.receive), onOff(pause.send));
        return pause.negotiated ? Words::tr("%1, negotiated").arg(text) : text;
    });
}

Told offloadsTold(const InterfaceFacts& facts)
{
    return tell(facts.offloads, [](const std::vector<Offload>& offloads) {
        QStringList on;
        for (const Offload& one : offloads) {
            if (one.on)
                on << one.name;
        }
        return on.isEmpty() ? Words::tr("none on") : on.join(QStringLiteral(", "));
    });
}

Told wifiChannelTold(const InterfaceFacts& facts)
{
    return tellWifi(facts, [](const WifiFacts& wifi) {
        const QString text =
            Words::tr("%1, channel %2").arg(bandText(wifi.frequency)).arg(wifi.channel);
        return wifi.width > 0 ? Words::tr("%1, %2 MHz wide").arg(text).arg(wifi.width) : text;
    });
}

Told wifiSignalTold(const InterfaceFacts& facts)
{
    return tellWifi(facts, [](const WifiFacts& wifi) {
        return wifi.signal ? Words::tr("%1 dBm").arg(QLocale().toString(*wifi.signal)) : QString();
    });
}

Told wifiRatesTold(const InterfaceFacts& facts)
{
    return tellWifi(facts, [](const WifiFacts& wifi) {
        QStringList rates;
        if (wifi.sendRate)
            rates << Words::tr("sends %1").arg(formatRating(*wifi.sendRate));
        if (wifi.receiveRate)
            rates << Words::tr("receives %1").arg(formatRating(*wifi.receiveRate));
        return rates.join(QStringLiteral(", "));
    });
}

Told wifiNameTold(const InterfaceFacts& facts)
{
    return tellWifi(facts, [](const WifiFacts& wifi) { return wifi.ssid; });
}

Told coresTold(const HostFacts& facts)
{
    return facts.logicalCores > 0
               ? Told{Words::tr("%n logical cores", nullptr, facts.logicalCores), {}}
               : Told{};
}

Told governorTold(const HostFacts& facts)
{
    return tell(facts.governor, [](const QString& governor) { return governor; });
}

Told loadTold(const HostFacts& facts)
{
    return tell(facts.load, [](double load) { return QLocale().toString(load, 'f', 2); });
}

Told temperatureTold(const HostFacts& facts)
{
    return tell(facts.temperature,
                [](double t) { return Words::tr("%1 °C").arg(QLocale().toString(t, 'f', 0)); });
}

Told clockTold(const HostFacts& facts)
{
    return tell(facts.clockDisciplined, [](bool disciplined) {
        return disciplined ? Words::tr("kept right by a time service") : Words::tr("runs freely");
    });
}

QString routeText(const RouteFacts& route)
{
    QString text = route.destination == QLatin1String("default") ? Words::tr("default route")
                                                                 : route.destination;
    text = route.gateway.isEmpty() ? Words::tr("%1 directly").arg(text)
                                   : Words::tr("%1 via %2").arg(text, route.gateway);
    return Words::tr("%1, through %2").arg(text, route.interfaceName);
}

QString offsetText(const ClockOffset& clock)
{
    const bool behind = clock.offset < Duration::zero();
    return QStringLiteral("%1%2 ± %3")
        .arg(behind ? QStringLiteral("−") : QStringLiteral("+"),
             formatDuration(behind ? -clock.offset : clock.offset),
             formatDuration(clock.uncertainty));
}

QString unknownText(const QString& whyNot)
{
    return whyNot.isEmpty() ? Words::tr("not known") : Words::tr("not known: %1").arg(whyNot);
}

} // namespace napkin
