// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/conditionrows.h"

#include "core/quantity/format.h"
#include "core/workflow/factstext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Conditions)
};

// One end of one run, with what is needed to say something about it.
struct End
{
    const ProbeResult* run = nullptr;
    const Endpoint* who = nullptr;
    const HostConditions* host = nullptr;
    const InterfaceFacts* interface = nullptr;
    bool isFar = false;
};

QString interfaceNameOf(const End& end)
{
    return end.host->interfaceName.isEmpty() ? end.who->interfaceName : end.host->interfaceName;
}

End endOf(const ProbeResult& run, bool far)
{
    End end;
    end.run = &run;
    end.isFar = far;
    end.who = far ? &run.spec.far : &run.spec.near;
    end.host = far ? &run.conditions.far : &run.conditions.near;
    if (end.host->facts) {
        const auto& all = end.host->facts->interfaces;
        const auto at = std::ranges::find(all, interfaceNameOf(end), &InterfaceFacts::name);
        end.interface = at == all.end() ? nullptr : &*at;
    }
    return end;
}

QString whyNoFacts(const End& end)
{
    return end.isFar && !end.who->peer ? Words::tr("not a paired machine")
                                       : Words::tr("not recorded with this run");
}

QString whyNoInterface(const End& end)
{
    if (!end.host->facts)
        return whyNoFacts(end);
    return interfaceNameOf(end).isEmpty()
               ? Words::tr("which interface it took was not seen")
               : Words::tr("its interface was gone when facts were read");
}

// Words for what old runs hold beside the facts.
Told plain(const End& end, const QString& text)
{
    return text.isEmpty() ? Told{{}, whyNoFacts(end)} : Told{text, {}};
}

Told fromFacts(const End& end, Told (*words)(const HostFacts&))
{
    return end.host->facts ? words(*end.host->facts) : Told{{}, whyNoFacts(end)};
}

Told fromInterface(const End& end, Told (*words)(const InterfaceFacts&))
{
    return end.interface ? words(*end.interface) : Told{{}, whyNoInterface(end)};
}

QString firstOf(const QString& a, const std::optional<HostFacts>& facts, QString HostFacts::* other)
{
    return !a.isEmpty() || !facts ? a : (*facts).*other;
}

Told programTold(const End& end)
{
    if (!end.isFar)
        return {end.run->tool + u' ' + end.run->toolVersion, {}};
    QString program;
    if (const auto* tcp = std::get_if<ThroughputData>(&end.run->data))
        program = tcp->farProgram;
    else if (const auto* udp = std::get_if<UdpData>(&end.run->data))
        program = udp->farProgram;
    if (!program.isEmpty())
        return {program, {}};
    // Not every kind of run keeps it.
    return {{},
            end.who->peer ? Words::tr("a Napkin; its version is not kept with this kind of run")
                          : Words::tr("it does not tell")};
}

Told loadOf(const End& end)
{
    const auto& activity = end.host->activity;
    if (!end.host->facts && activity && activity->loadBefore)
        return {QLocale().toString(*activity->loadBefore, 'f', 2), {}};
    return fromFacts(end, loadTold);
}

Told speedOf(const End& end)
{
    if (!end.interface && end.host->negotiatedSpeed)
        return {formatRating(*end.host->negotiatedSpeed), {}};
    return fromInterface(end, speedTold);
}

Told mtuOf(const End& end)
{
    if (!end.interface && end.host->mtu)
        return {Words::tr("%1 B").arg(QLocale().toString(*end.host->mtu)), {}};
    return fromInterface(end, mtuTold);
}

Told kindOf(const End& end)
{
    return end.interface ? Told{interfaceKindText(end.interface->kind), {}}
                         : Told{{}, whyNoInterface(end)};
}

Told driverOf(const End& end)
{
    const QString driver =
        end.interface && end.host->driver.isEmpty() ? end.interface->driver : end.host->driver;
    return plain(end, driver);
}

// The route to the other end, else the default one of the interface.
Told routeOf(const End& end)
{
    if (!end.host->facts)
        return {{}, whyNoFacts(end)};
    const auto& routes = end.host->facts->routes;
    const Conditions& both = end.run->conditions;
    const QString& other = end.isFar ? both.near.address : both.far.address;
    auto at = std::ranges::find_if(routes, [&other](const RouteFacts& route) {
        return !other.isEmpty() && route.destination == other;
    });
    if (at == routes.end())
        at = std::ranges::find(routes, interfaceNameOf(end), &RouteFacts::interfaceName);
    return at == routes.end() ? Told{{}, Words::tr("no route of this interface was told")}
                              : Told{routeText(*at), {}};
}

Told offsetOf(const End& end)
{
    const auto& clock = end.run->conditions.farClock;
    if (!clock)
        return {{}, whyNoFacts(endOf(*end.run, true))};
    return end.isFar ? Told{offsetText(*clock), {}} : Told{Words::tr("the one compared with"), {}};
}

Told trafficTold(const End& end, const std::function<QString(const InterfaceCounters&)>& words)
{
    if (!end.host->activity)
        return {{}, whyNoFacts(end)};
    const auto traffic = trafficOf(*end.host->activity, interfaceNameOf(end));
    return traffic ? Told{words(*traffic), {}}
                   : Told{{}, Words::tr("the interface’s counters were not there both times")};
}

QString bytesText(std::uint64_t bytes)
{
    return formatBytes(ByteCount::bytes(static_cast<std::int64_t>(bytes)));
}

Told receivedOf(const End& end)
{
    return trafficTold(end, [](const InterfaceCounters& c) { return bytesText(c.receivedBytes); });
}

Told sentOf(const End& end)
{
    return trafficTold(end, [](const InterfaceCounters& c) { return bytesText(c.sentBytes); });
}

Told lossOf(const End& end)
{
    return trafficTold(end, [](const InterfaceCounters& c) {
        const auto count = [](std::uint64_t n) { return QLocale().toString(qulonglong(n)); };
        return Words::tr("%1 errors, %2 dropped")
            .arg(count(c.receiveErrors + c.sendErrors), count(c.receiveDropped + c.sendDropped));
    });
}

Told busiestOf(const End& end)
{
    const auto& activity = end.host->activity;
    return activity && activity->busiestCore ? Told{formatRatio(*activity->busiestCore), {}}
                                             : Told{{}, whyNoFacts(end)};
}

// How a row decides that something changed.
using Differs = bool (*)(const End& now, const End& before);

bool never(const End&, const End&)
{
    return false;
}

template <typename T>
bool movedBy(const Reading<T>& a, const Reading<T>& b, T least)
{
    return a.value && b.value && std::abs(*a.value - *b.value) >= least;
}

bool loadMoved(const End& now, const End& before)
{
    return now.host->facts && before.host->facts &&
           movedBy(now.host->facts->load, before.host->facts->load, 1.0);
}

bool temperatureMoved(const End& now, const End& before)
{
    return now.host->facts && before.host->facts &&
           movedBy(now.host->facts->temperature, before.host->facts->temperature, 10.0);
}

const WifiFacts* wifiOf(const End& end)
{
    return end.interface && end.interface->wifi && end.interface->wifi->value
               ? &*end.interface->wifi->value
               : nullptr;
}

bool signalMoved(const End& now, const End& before)
{
    const WifiFacts* a = wifiOf(now);
    const WifiFacts* b = wifiOf(before);
    return a && b && a->signal && b->signal && std::abs(*a->signal - *b->signal) >= 6;
}

bool rateMoved(const std::optional<BitRate>& a, const std::optional<BitRate>& b)
{
    if (!a || !b)
        return false;
    const auto [less, more] = std::minmax(a->bitsPerSecond(), b->bitsPerSecond());
    return static_cast<double>(more - less) > 0.2 * static_cast<double>(more);
}

bool ratesMoved(const End& now, const End& before)
{
    const WifiFacts* a = wifiOf(now);
    const WifiFacts* b = wifiOf(before);
    return a && b &&
           (rateMoved(a->sendRate, b->sendRate) || rateMoved(a->receiveRate, b->receiveRate));
}

bool clockMoved(const End& now, const End& before)
{
    const auto& a = now.run->conditions.farClock;
    const auto& b = before.run->conditions.farClock;
    if (!a || !b || !now.isFar || !before.isFar)
        return false;
    const Duration moved = a->offset - b->offset;
    return (moved < Duration::zero() ? -moved : moved) > a->uncertainty + b->uncertainty;
}

struct RowKind
{
    ConditionGroup group;
    const char* name;
    Told (*words)(const End&);
    Differs differs; // null: the words do
};

using Group = ConditionGroup;

template <Told (*Words)(const HostFacts&)>
Told ofMachine(const End& end)
{
    return fromFacts(end, Words);
}

template <Told (*Words)(const InterfaceFacts&)>
Told ofInterface(const End& end)
{
    return fromInterface(end, Words);
}

template <QString HostConditions::* Old, QString HostFacts::* Member>
Told eitherOf(const End& end)
{
    return plain(end, firstOf(end.host->*Old, end.host->facts, Member));
}

const std::array rowKinds{
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Host name"),
            eitherOf<&HostConditions::hostName, &HostFacts::hostName>, nullptr},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Program"), programTold,
            nullptr},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Operating system"),
            eitherOf<&HostConditions::operatingSystem, &HostFacts::operatingSystem>, nullptr},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Kernel"),
            eitherOf<&HostConditions::kernel, &HostFacts::kernel>, nullptr},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "CPU"),
            eitherOf<&HostConditions::cpu, &HostFacts::cpu>, nullptr},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Cores"), ofMachine<coresTold>,
            nullptr},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Governor"),
            ofMachine<governorTold>, nullptr},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Load before"), loadOf,
            loadMoved},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Busiest core"), busiestOf,
            never},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Temperature"),
            ofMachine<temperatureTold>, temperatureMoved},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Clock"), ofMachine<clockTold>,
            nullptr},
    RowKind{Group::Machine, QT_TRANSLATE_NOOP("napkin::Conditions", "Clock offset"), offsetOf,
            clockMoved},
    RowKind{Group::Interface, QT_TRANSLATE_NOOP("napkin::Conditions", "Interface"),
            [](const End& end) { return plain(end, interfaceNameOf(end)); }, nullptr},
    RowKind{Group::Interface, QT_TRANSLATE_NOOP("napkin::Conditions", "Kind"), kindOf, nullptr},
    RowKind{Group::Interface, QT_TRANSLATE_NOOP("napkin::Conditions", "Driver"), driverOf, nullptr},
    RowKind{Group::Interface, QT_TRANSLATE_NOOP("napkin::Conditions", "Negotiated speed"), speedOf,
            nullptr},
    RowKind{Group::Interface, QT_TRANSLATE_NOOP("napkin::Conditions", "MTU"), mtuOf, nullptr},
    RowKind{Group::Interface, QT_TRANSLATE_NOOP("napkin::Conditions", "Address"),
            [](const End& end) { return plain(end, end.host->address); }, nullptr},
    RowKind{Group::Wifi, QT_TRANSLATE_NOOP("napkin::Conditions", "Wi-Fi channel"),
            ofInterface<wifiChannelTold>, nullptr},
    RowKind{Group::Wifi, QT_TRANSLATE_NOOP("napkin::Conditions", "Wi-Fi signal"),
            ofInterface<wifiSignalTold>, signalMoved},
    RowKind{Group::Wifi, QT_TRANSLATE_NOOP("napkin::Conditions", "Wi-Fi rates"),
            ofInterface<wifiRatesTold>, ratesMoved},
    RowKind{Group::Wifi, QT_TRANSLATE_NOOP("napkin::Conditions", "Wi-Fi network"),
            ofInterface<wifiNameTold>, nullptr},
    RowKind{Group::Adapter, QT_TRANSLATE_NOOP("napkin::Conditions", "PCI Express"),
            ofInterface<pcieTold>, nullptr},
    RowKind{Group::Adapter, QT_TRANSLATE_NOOP("napkin::Conditions", "Pause frames"),
            ofInterface<pauseTold>, nullptr},
    RowKind{Group::Adapter, QT_TRANSLATE_NOOP("napkin::Conditions", "Offloads on"),
            ofInterface<offloadsTold>, nullptr},
    RowKind{Group::Adapter, QT_TRANSLATE_NOOP("napkin::Conditions", "Coalescing"),
            ofInterface<coalescingTold>, nullptr},
    RowKind{Group::Route, QT_TRANSLATE_NOOP("napkin::Conditions", "Route"), routeOf, nullptr},
    RowKind{Group::Traffic, QT_TRANSLATE_NOOP("napkin::Conditions", "Received"), receivedOf, never},
    RowKind{Group::Traffic, QT_TRANSLATE_NOOP("napkin::Conditions", "Sent"), sentOf, never},
    RowKind{Group::Traffic, QT_TRANSLATE_NOOP("napkin::Conditions", "Lost on the interface"),
            lossOf, never},
};

bool sameMachine(const End& a, const End& b)
{
    if (!a.host->hostName.isEmpty() && !b.host->hostName.isEmpty())
        return a.host->hostName == b.host->hostName;
    if (a.who->machine && b.who->machine)
        return a.who->machine == b.who->machine;
    return a.who->host.isEmpty() ? a.who->name == b.who->name : a.who->host == b.who->host;
}

ConditionCell cellOf(const RowKind& kind, const End& now, const End* before)
{
    const Told told = kind.words(now);
    ConditionCell cell{told.text, told.whyNot, {}, false};
    if (!before)
        return cell;
    cell.before = kind.words(*before).text;
    const bool bothKnown = cell.isKnown() && !cell.before.isEmpty();
    cell.changed =
        bothKnown && (kind.differs ? kind.differs(now, *before) : cell.text != cell.before);
    return cell;
}

bool isWifi(const End& end)
{
    return end.interface && end.interface->wifi;
}

// Whether a row has anything to say to anybody.
bool isShown(const ConditionRow& row, const End& near, const End& far)
{
    switch (row.group) {
    case Group::Wifi:
        return (isWifi(near) || isWifi(far)) && (row.near.isKnown() || row.far.isKnown());
    case Group::Adapter:
        return near.interface || far.interface;
    case Group::Machine:
    case Group::Interface:
    case Group::Route:
    case Group::Traffic:
        break;
    }
    return true;
}

} // namespace

QString conditionGroupText(ConditionGroup group)
{
    switch (group) {
    case ConditionGroup::Machine:
        return Words::tr("Machine");
    case ConditionGroup::Interface:
        return Words::tr("Interface");
    case ConditionGroup::Wifi:
        return Words::tr("Wi-Fi");
    case ConditionGroup::Adapter:
        return Words::tr("Adapter");
    case ConditionGroup::Route:
        return Words::tr("Route");
    case ConditionGroup::Traffic:
        break;
    }
    return Words::tr("Traffic during the run");
}

std::vector<ConditionRow> compareConditions(const ProbeResult& now, const ProbeResult* previous)
{
    const End near = endOf(now, false);
    const End far = endOf(now, true);
    std::optional<End> nearBefore;
    std::optional<End> farBefore;
    if (previous) {
        End a = endOf(*previous, false);
        End b = endOf(*previous, true);
        if (!sameMachine(near, a) && sameMachine(near, b))
            std::swap(a, b);
        if (sameMachine(near, a))
            nearBefore = a;
        if (sameMachine(far, b))
            farBefore = b;
    }
    const bool isLone = isOfMachine(now.spec.kind());
    std::vector<ConditionRow> rows;
    for (const RowKind& kind : rowKinds) {
        if (isLone && (kind.group != Group::Machine || kind.words == offsetOf))
            continue;
        ConditionRow row{kind.group, Words::tr(kind.name),
                         cellOf(kind, near, nearBefore ? &*nearBefore : nullptr),
                         isLone ? ConditionCell{}
                                : cellOf(kind, far, farBefore ? &*farBefore : nullptr)};
        if (isShown(row, near, far))
            rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace napkin
