// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/factstext.h"

#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/textreport.h"
#include "core/quantity/format.h"
#include "core/workflow/factstext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::FactsText)
};

QString comma()
{
    return QStringLiteral(", ");
}

// Names and values side by side; long values go on below themselves.
class Section
{
public:
    void add(const QString& name, const QString& value)
    {
        if (!value.isEmpty())
            m_fields.emplace_back(name, value);
    }
    template <typename T, typename ToText>
    void add(const QString& name, const Reading<T>& reading, ToText toText)
    {
        if (reading.value)
            add(name, toText(*reading.value));
        else if (!reading.whyNot.isEmpty())
            add(name, Words::tr("not known: %1").arg(reading.whyNot));
    }
    [[nodiscard]] QStringList lines(int width) const
    {
        qsizetype widest = 0;
        for (const auto& [name, value] : m_fields)
            widest = std::max(widest, name.size());
        const int indent = static_cast<int>(widest) + 5;
        QStringList lines;
        for (const auto& [name, value] : m_fields) {
            QString head = QStringLiteral("  %1   ").arg(name.leftJustified(widest));
            for (const QString& line : wrapped(value, std::max(width - indent, 20)).split(u'\n')) {
                lines << head + line;
                head = QString(indent, u' ');
            }
        }
        return lines;
    }

private:
    std::vector<std::pair<QString, QString>> m_fields;
};

QString coresText(const HostFacts& facts)
{
    const QString cores =
        facts.logicalCores > 0 ? Words::tr("%n core(s)", nullptr, facts.logicalCores) : QString();
    return facts.cpu.isEmpty() || cores.isEmpty() ? facts.cpu + cores : facts.cpu + comma() + cores;
}

QStringList machineSection(const HostFacts& facts, int width)
{
    Section section;
    section.add(Words::tr("System"), facts.operatingSystem);
    section.add(Words::tr("Kernel"), facts.kernel);
    section.add(Words::tr("CPU"), coresText(facts));
    section.add(Words::tr("Governor"), facts.governor, [](const QString& name) { return name; });
    section.add(Words::tr("Load"), facts.load, [](double load) {
        return Words::tr("%1 in the last minute").arg(QLocale().toString(load, 'f', 2));
    });
    section.add(Words::tr("Temperature"), facts.temperature, [](double degrees) {
        return QStringLiteral("%1 °C").arg(QLocale().toString(degrees, 'f', 1));
    });
    section.add(Words::tr("Clock"), facts.clockDisciplined, [](bool on) {
        return on ? Words::tr("synchronised") : Words::tr("not synchronised");
    });
    if (facts.clockResolution > Duration::zero())
        section.add(Words::tr("Clock's step"), formatDuration(facts.clockResolution));
    section.add(Words::tr("Read at"), dateText(facts.readAt));
    return section.lines(width);
}

QString stateText(const InterfaceFacts& facts)
{
    if (!facts.up)
        return Words::tr("off");
    return facts.carrier ? Words::tr("connected") : Words::tr("no carrier");
}

QString speedText(const InterfaceFacts& facts)
{
    if (facts.speed.value)
        return formatRating(*facts.speed.value);
    return QStringLiteral("–");
}

QStringList interfaceTable(const std::vector<InterfaceFacts>& interfaces, int width)
{
    Table table({{Words::tr("Name"), {}},
                 {Words::tr("Kind"), {}},
                 {Words::tr("State"), {}},
                 {Words::tr("Speed"), {}, Align::Right},
                 {Words::tr("MTU"), {}, Align::Right},
                 {Words::tr("Driver"), {}, Align::Left, 2},
                 {Words::tr("Address"), {}, Align::Left, 1, true}});
    for (const InterfaceFacts& one : interfaces)
        table.add({one.name, interfaceKindText(one.kind), stateText(one), speedText(one),
                   one.mtu ? QLocale().toString(*one.mtu) : QStringLiteral("–"), one.driver,
                   one.addresses.isEmpty() ? QString() : one.addresses.front()});
    QStringList lines;
    for (const QString& line : table.render(width - 2).text.split(u'\n'))
        lines << QStringLiteral("  ") + line;
    return lines;
}

QString lanesText(double gigatransfers, int lanes)
{
    return Words::tr("%1 GT/s on %n lane(s)", nullptr, lanes)
        .arg(QLocale().toString(gigatransfers, 'g', 4));
}

QString pcieText(const PcieLink& link)
{
    QString text = lanesText(link.gigatransfers, link.width);
    const bool isLess = link.gigatransfers < link.mostGigatransfers || link.width < link.mostWidth;
    if (isLess && link.mostGigatransfers > 0 && link.mostWidth > 0)
        text += Words::tr("; the adapter can do %1")
                    .arg(lanesText(link.mostGigatransfers, link.mostWidth));
    const bool isSlotLess =
        link.slotGigatransfers < link.mostGigatransfers || link.slotWidth < link.mostWidth;
    if (isLess && isSlotLess && link.slotGigatransfers > 0 && link.slotWidth > 0)
        text += Words::tr("; its slot can do %1")
                    .arg(lanesText(link.slotGigatransfers, link.slotWidth));
    return text + QStringLiteral(" (%1)").arg(link.address);
}

QString pauseText(const PauseFrames& pause)
{
    QStringList words;
    if (pause.receive)
        words << Words::tr("obeyed");
    if (pause.send)
        words << Words::tr("sent");
    if (words.isEmpty())
        words << Words::tr("off");
    if (pause.negotiated)
        words << Words::tr("as negotiated");
    return words.join(comma());
}

QString offloadText(const std::vector<Offload>& offloads, bool on)
{
    QStringList names;
    for (const Offload& offload : offloads) {
        if (offload.on == on)
            names << offload.name;
    }
    return names.join(u' ');
}

void addWifi(Section& section, const Reading<WifiFacts>& wifi)
{
    section.add(Words::tr("Wi-Fi"), wifi, [](const WifiFacts& w) {
        QString text = Words::tr("channel %1, %2 MHz").arg(w.channel).arg(w.frequency);
        return w.width > 0 ? text + comma() + Words::tr("%1 MHz wide").arg(w.width) : text;
    });
    if (!wifi.value)
        return;
    const WifiFacts& w = *wifi.value;
    section.add(Words::tr("Network"), w.ssid);
    section.add(Words::tr("Signal"),
                w.signal ? Words::tr("%1 dBm").arg(QLocale().toString(*w.signal)) : QString());
    QStringList rates;
    if (w.receiveRate)
        rates << Words::tr("receive %1").arg(formatBitRate(*w.receiveRate));
    if (w.sendRate)
        rates << Words::tr("send %1").arg(formatBitRate(*w.sendRate));
    section.add(Words::tr("On the air"), rates.join(comma()));
}

// Worth a section of its own: something more than the table says.
bool isTold(const InterfaceFacts& facts)
{
    return facts.kind != InterfaceKind::Loopback &&
           (facts.pcie.value || facts.wifi || facts.addresses.size() > 0 ||
            !facts.partOf.isEmpty() || facts.speed.value || facts.carrier);
}

QStringList interfaceSection(const InterfaceFacts& facts, int width)
{
    Section section;
    section.add(Words::tr("Addresses"), facts.addresses.join(u' '));
    section.add(Words::tr("Part of"), facts.partOf);
    section.add(Words::tr("Carried by"), facts.carriedBy);
    if (facts.wifi)
        addWifi(section, *facts.wifi);
    // What stands behind a virtual one would only be five times that there is nothing.
    const bool hasAdapter =
        facts.kind != InterfaceKind::Virtual && facts.kind != InterfaceKind::Tunnel;
    if (hasAdapter && !facts.wifi) {
        section.add(Words::tr("Speed"), facts.speed,
                    [](BitRate rate) { return formatRating(rate); });
        section.add(Words::tr("Duplex"), facts.duplex, [](Duplex duplex) {
            return duplex == Duplex::Full ? Words::tr("full") : Words::tr("half");
        });
    }
    if (hasAdapter) {
        section.add(Words::tr("PCI Express"), facts.pcie, pcieText);
        section.add(Words::tr("Coalescing"), facts.coalescing, coalescingText);
        section.add(Words::tr("Pause frames"), facts.pause, pauseText);
    }
    if (facts.offloads.value) {
        section.add(Words::tr("Offloads on"), offloadText(*facts.offloads.value, true));
        section.add(Words::tr("Offloads off"), offloadText(*facts.offloads.value, false));
    } else {
        section.add(Words::tr("Offloads"), facts.offloads,
                    [](const std::vector<Offload>&) { return QString(); });
    }
    return section.lines(width);
}

QStringList routeSection(const std::vector<RouteFacts>& routes, int width)
{
    Section section;
    for (const RouteFacts& route : routes) {
        QString text = route.gateway.isEmpty()
                           ? route.interfaceName
                           : Words::tr("%1 through %2").arg(route.gateway, route.interfaceName);
        if (!route.source.isEmpty())
            text = Words::tr("%1, from %2").arg(text, route.source);
        section.add(route.destination, text);
    }
    return section.lines(width);
}

} // namespace

QString factsText(const HostFacts& facts, int width)
{
    QStringList lines;
    const auto add = [&lines](const QString& title, const QStringList& content) {
        if (content.isEmpty())
            return;
        if (!lines.isEmpty())
            lines << QString();
        lines << title;
        lines += content;
    };
    add(facts.hostName.isEmpty() ? Words::tr("Machine") : facts.hostName,
        machineSection(facts, width));
    if (!facts.interfaces.empty())
        add(Words::tr("Interfaces"), interfaceTable(facts.interfaces, width));
    for (const InterfaceFacts& one : facts.interfaces) {
        if (isTold(one))
            add(one.name, interfaceSection(one, width));
    }
    add(Words::tr("Routes"), routeSection(facts.routes, width));
    return lines.join(u'\n');
}

} // namespace napkin::cli
