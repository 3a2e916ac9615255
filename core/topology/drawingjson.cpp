// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/boundedjson.h"
#include "core/topology/limits.h"
#include "core/topology/topology.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::DrawingJson)
};

using Json = nlohmann::json;

constexpr const char* formatName = "napkin-drawing";
constexpr int formatVersion = 1;

std::string str(const QString& text)
{
    return text.toStdString();
}

Json machineToJson(const Machine& machine)
{
    Json ports = Json::array();
    for (const Port& port : machine.ports)
        ports.push_back({{"id", str(port.id.text())},
                         {"name", str(port.name)},
                         {"address", str(port.address)}});
    Json json = {{"id", str(machine.id.text())},
                 {"name", str(machine.name)},
                 {"type", str(machine.typeId)},
                 {"ports", ports}};
    if (machine.peer) // drawings from before there were peers keep their bytes
        json["peer"] = str(machine.peer->text());
    return json;
}

Json linkToJson(const Link& link)
{
    return {{"id", str(link.id.text())}, {"period", str(link.period.text())},
            {"name", str(link.name)},    {"class", str(link.classId)},
            {"a", str(link.a.text())},   {"b", str(link.b.text())}};
}

// Only of machines that are there, and only what can be read back.
Json layoutToJson(const Drawing& drawing, const Layout& layout)
{
    Json positions = Json::object();
    for (const Machine& machine : drawing.machines) {
        const auto found = layout.machines.find(machine.id);
        if (found == layout.machines.end() || !std::isfinite(found->second.x()) ||
            !std::isfinite(found->second.y()))
            continue;
        const auto within = [](double value) {
            return std::clamp(value, -detail::farthest, detail::farthest);
        };
        positions[str(machine.id.text())] = {{"x", within(found->second.x())},
                                             {"y", within(found->second.y())}};
    }
    return {{"machines", positions}};
}

template <typename IdType>
IdType readId(JsonReader& reader, const Json& in, const char* key)
{
    const auto id = IdType::fromText(reader.text(in, key));
    if (reader.ok() && !id)
        reader.failAt(QString::fromLatin1(key), id.error().detail);
    return id.value_or(IdType());
}

// Reads every item of a list of at most `most`; a fault in one names its place.
template <typename Item>
std::vector<Item> readList(JsonReader& reader, const Json& in, const char* key, size_t most,
                           Item (*readItem)(JsonReader&, const Json&))
{
    std::vector<Item> items;
    const Json* list = reader.array(in, key);
    if (list == nullptr)
        return items;
    if (list->size() > most) {
        reader.failAt(QString::fromLatin1(key),
                      Words::tr("%1 of them, %2 are allowed").arg(list->size()).arg(most));
        return items;
    }
    for (size_t i = 0; i < list->size() && reader.ok(); ++i) {
        JsonReader inner((*list)[i]); // NOLINT(misc-const-correctness): readItem changes it
        items.push_back(readItem(inner, (*list)[i]));
        if (inner.fault())
            reader.failAt(QStringLiteral("%1[%2]").arg(QString::fromLatin1(key)).arg(i),
                          inner.fault()->detail);
    }
    return items;
}

Port readPort(JsonReader& reader, const Json& in)
{
    Port port;
    port.id = readId<PortId>(reader, in, "id");
    port.name = reader.text(in, "name");
    port.address = reader.text(in, "address");
    return port;
}

Machine readMachine(JsonReader& reader, const Json& in)
{
    Machine machine;
    machine.id = readId<MachineId>(reader, in, "id");
    machine.name = reader.text(in, "name");
    machine.typeId = reader.text(in, "type");
    machine.ports = readList<Port>(reader, in, "ports", detail::mostPorts, readPort);
    if (in.contains("peer"))
        machine.peer = readId<PeerId>(reader, in, "peer");
    return machine;
}

Link readLink(JsonReader& reader, const Json& in)
{
    Link link;
    link.id = readId<LinkId>(reader, in, "id");
    link.period = readId<LinkPeriodId>(reader, in, "period");
    link.name = reader.text(in, "name");
    link.classId = reader.text(in, "class");
    link.a = readId<PortId>(reader, in, "a");
    link.b = readId<PortId>(reader, in, "b");
    return link;
}

double readCoordinate(JsonReader& reader, const Json& in, const char* key)
{
    const double value = reader.number(in, key);
    if (reader.ok() && !(std::abs(value) <= detail::farthest))
        reader.failAt(QString::fromLatin1(key), Words::tr("too far from the middle"));
    return value;
}

Layout readLayout(JsonReader& reader, const Json& in, const Drawing& drawing)
{
    Layout layout;
    const Json* outer = reader.object(in, "layout");
    const Json* positions = outer == nullptr ? nullptr : reader.object(*outer, "machines");
    if (positions == nullptr)
        return layout;
    for (const auto& [key, value] : positions->items()) {
        const QString place = QStringLiteral("layout of ") + QString::fromStdString(key);
        const auto id = MachineId::fromText(QString::fromStdString(key));
        if (!id || drawing.machine(*id) == nullptr) {
            reader.failAt(place, Words::tr("no machine of this drawing"));
            break;
        }
        JsonReader inner(value);
        layout.machines[*id] = {readCoordinate(inner, value, "x"),
                                readCoordinate(inner, value, "y")};
        if (inner.fault())
            reader.failAt(place, inner.fault()->detail);
    }
    return layout;
}

DrawingWithLayout readDrawing(JsonReader& reader, const Json& json)
{
    DrawingWithLayout read;
    read.drawing.id = readId<DrawingId>(reader, json, "id");
    read.drawing.name = reader.text(json, "name");
    read.drawing.machines =
        readList<Machine>(reader, json, "machines", detail::mostMachines, readMachine);
    read.drawing.links = readList<Link>(reader, json, "links", detail::mostLinks, readLink);
    read.layout = readLayout(reader, json, read.drawing);
    return read;
}

} // namespace

QByteArray toJson(const Drawing& drawing, const Layout& layout)
{
    Json machines = Json::array();
    for (const Machine& machine : drawing.machines)
        machines.push_back(machineToJson(machine));
    Json links = Json::array();
    for (const Link& link : drawing.links)
        links.push_back(linkToJson(link));
    const Json json = {{"format", formatName},
                       {"version", formatVersion},
                       {"id", str(drawing.id.text())},
                       {"name", str(drawing.name)},
                       {"machines", machines},
                       {"links", links},
                       {"layout", layoutToJson(drawing, layout)}};
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<DrawingWithLayout> drawingFromJson(const QByteArray& text)
{
    const auto json = parseJson(text, JsonBounds{64LL * 1024 * 1024, 8});
    if (!json)
        return tl::unexpected(json.error());
    JsonReader reader(*json);
    const QString format = reader.text(*json, "format");
    if (reader.ok() && format != QLatin1StringView(formatName))
        reader.failAt(QStringLiteral("format"), Words::tr("“%1” is not a drawing").arg(format));
    const auto version = reader.integer(*json, "version");
    if (reader.ok() && version != formatVersion)
        return fail(ErrorCode::Unsupported, Words::tr("version %1 of %2").arg(version).arg(format));
    DrawingWithLayout read = reader.ok() ? readDrawing(reader, *json) : DrawingWithLayout();
    if (!reader.ok())
        return tl::unexpected(*reader.fault());
    if (auto valid = validate(read.drawing); !valid)
        return tl::unexpected(valid.error());
    return read;
}

} // namespace napkin
