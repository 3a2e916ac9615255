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

// Names and values side by side; long values go on below themselves.
class Section
{
public:
    void add(const QString& name, const QString& value)
    {
        if (!value.isEmpty())
            m_fields.emplace_back(name, value);
    }
    void add(const QString& name, const Told& told)
    {
        if (!told.text.isEmpty())
            add(name, told.text);
        else if (!told.whyNot.isEmpty())
            add(name, unknownText(told.whyNot));
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

QStringList machineSection(const HostFacts& facts, int width)
{
    Section section;
    section.add(Words::tr("System"), facts.operatingSystem);
    section.add(Words::tr("Kernel"), facts.kernel);
    section.add(Words::tr("CPU"), facts.cpu);
    section.add(Words::tr("Cores"), coresTold(facts));
    section.add(Words::tr("Governor"), governorTold(facts));
    section.add(Words::tr("Load"), loadTold(facts));
    section.add(Words::tr("Temperature"), temperatureTold(facts));
    section.add(Words::tr("Clock"), clockTold(facts));
    if (facts.clockResolution > Duration::zero())
        section.add(Words::tr("Clock's step"), formatDuration(facts.clockResolution));
    section.add(Words::tr("Read at"), dateText(facts.readAt));
    return section.lines(width);
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
        table.add({one.name, interfaceKindText(one.kind), stateTold(one).text, speedText(one),
                   one.mtu ? QLocale().toString(*one.mtu) : QStringLiteral("–"), one.driver,
                   one.addresses.isEmpty() ? QString() : one.addresses.front()});
    QStringList lines;
    for (const QString& line : table.render(width - 2).text.split(u'\n'))
        lines << QStringLiteral("  ") + line;
    return lines;
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

void addWifi(Section& section, const InterfaceFacts& facts)
{
    section.add(Words::tr("Wi-Fi"), wifiChannelTold(facts));
    if (!facts.wifi->value)
        return;
    section.add(Words::tr("Network"), wifiNameTold(facts));
    section.add(Words::tr("Signal"), wifiSignalTold(facts));
    section.add(Words::tr("On the air"), wifiRatesTold(facts));
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
        addWifi(section, facts);
    // What stands behind a virtual one would only be five times that there is nothing.
    const bool hasAdapter =
        facts.kind != InterfaceKind::Virtual && facts.kind != InterfaceKind::Tunnel;
    if (hasAdapter && !facts.wifi)
        section.add(Words::tr("Speed"), speedTold(facts));
    if (hasAdapter) {
        section.add(Words::tr("PCI Express"), pcieTold(facts));
        section.add(Words::tr("Coalescing"), coalescingTold(facts));
        section.add(Words::tr("Pause frames"), pauseTold(facts));
    }
    if (facts.offloads.value) {
        section.add(Words::tr("Offloads on"), offloadText(*facts.offloads.value, true));
        section.add(Words::tr("Offloads off"), offloadText(*facts.offloads.value, false));
    } else {
        section.add(Words::tr("Offloads"), offloadsTold(facts));
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
