// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/boundedjson.h"
#include "core/catalogue/catalogue.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <set>

// Must stand outside any namespace.
static void initCatalogueResources()
{
    Q_INIT_RESOURCE(catalogue);
}

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::CatalogueLoad)
};

using Json = nlohmann::json;

constexpr qint64 largestFile = 4 * 1024 * 1024;

Result<Json> readFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::NotFound, path, file.errorString());
    auto json = parseJson(file.read(largestFile + 1), JsonBounds{largestFile, 8});
    if (!json)
        return fail(json.error().code, path, json.error().detail);
    return json;
}

BitRate readRate(JsonReader& reader, const Json& in, const char* key)
{
    const double value = reader.number(in, key);
    if (reader.ok() && !(value > 0 && value <= 1e6))
        reader.failAt(QString::fromLatin1(key), Words::tr("a positive rate is needed"));
    return reader.ok() ? BitRate::gigabitsPerSecond(value) : BitRate();
}

bool has(const Json& in, const char* key)
{
    const auto found = in.find(key);
    return found != in.end() && !found->is_null();
}

bool readFlag(JsonReader& reader, const Json& in, const char* key)
{
    return has(in, key) && reader.boolean(in, key);
}

QString readNeededText(JsonReader& reader, const Json& in, const char* key)
{
    QString text = reader.text(in, key);
    if (reader.ok() && text.trimmed().isEmpty())
        reader.failAt(QString::fromLatin1(key), Words::tr("it is empty"));
    return text;
}

Source readSource(JsonReader& reader, const Json& in)
{
    Source source;
    const Json* json = reader.object(in, "source");
    if (json == nullptr)
        return source;
    source.text = readNeededText(reader, *json, "text");
    source.date = QDate::fromString(reader.text(*json, "date"), Qt::ISODate);
    if (reader.ok() && !source.date.isValid())
        reader.failAt(QStringLiteral("source"), Words::tr("its date is not a date"));
    source.checked = reader.boolean(*json, "checked");
    return source;
}

LinkClass readLinkClass(JsonReader& reader, const Json& in)
{
    LinkClass read;
    read.id = readNeededText(reader, in, "id");
    read.name = readNeededText(reader, in, "name");
    read.shortName = readNeededText(reader, in, "short_name");
    read.medium = reader.named<Medium>(in, "medium",
                                       {{"ethernet", Medium::Ethernet},
                                        {"thunderbolt", Medium::Thunderbolt},
                                        {"usb4", Medium::Usb4},
                                        {"wifi", Medium::WiFi},
                                        {"pcie", Medium::Pcie},
                                        {"loopback", Medium::Loopback}});
    if (has(in, "rated_gbit_s"))
        read.rated = readRate(reader, in, "rated_gbit_s");
    if (has(in, "symmetric_gbit_s"))
        read.symmetric = readRate(reader, in, "symmetric_gbit_s");
    read.upTo = readFlag(reader, in, "up_to");
    if (has(in, "default_mtu"))
        read.defaultMtu = static_cast<int>(reader.integer(in, "default_mtu", 1, 65'535));
    read.note = reader.optionalText(in, "note").value_or(QString());
    read.source = readSource(reader, in);
    return read;
}

void readPorts(JsonReader& reader, const Json& in, std::vector<PortKind>& ports)
{
    const Json* list = reader.array(in, "ports");
    if (list == nullptr)
        return;
    for (const Json& item : *list) {
        ports.push_back({readNeededText(reader, item, "link_class"),
                         static_cast<int>(reader.integer(item, "count", 1, 64)),
                         readFlag(reader, item, "optional")});
    }
}

MachineType readMachine(JsonReader& reader, const Json& in)
{
    MachineType read;
    read.id = readNeededText(reader, in, "id");
    read.name = readNeededText(reader, in, "name");
    if (const Json* sizes = reader.array(in, "memory_gib")) {
        for (const Json& size : *sizes) {
            const bool fits = size.is_number_integer() && size > 0 && size <= 1'000'000;
            if (!fits)
                reader.failAt(QStringLiteral("memory_gib"),
                              Words::tr("a positive whole number is needed"));
            read.memoryChoices.push_back(
                ByteCount::mebibytes(fits ? size.get<std::int64_t>() * 1024 : 0));
        }
    }
    if (has(in, "memory_gbyte_s")) {
        const double rate = reader.number(in, "memory_gbyte_s");
        if (reader.ok() && !(rate > 0 && rate <= 1e6))
            reader.failAt(QStringLiteral("memory_gbyte_s"), Words::tr("a positive rate is needed"));
        read.memoryBandwidth = ByteRate::gigabytesPerSecond(reader.ok() ? rate : 0);
    }
    readPorts(reader, in, read.ports);
    read.track = reader.optionalText(in, "track").value_or(QString());
    read.note = reader.optionalText(in, "note").value_or(QString());
    read.source = readSource(reader, in);
    return read;
}

int readCount(JsonReader& reader, const Json& in, const char* key)
{
    return static_cast<int>(reader.integer(in, key, 1, 10'000'000));
}

std::optional<int> readOptionalCount(JsonReader& reader, const Json& in, const char* key)
{
    return has(in, key) ? std::optional(readCount(reader, in, key)) : std::nullopt;
}

double readBillions(JsonReader& reader, const Json& in, const char* key)
{
    const double value = reader.number(in, key);
    if (reader.ok() && !(value > 0))
        reader.failAt(QString::fromLatin1(key), Words::tr("a positive number is needed"));
    return value;
}

LanguageModel readModel(JsonReader& reader, const Json& in)
{
    LanguageModel read;
    read.id = readNeededText(reader, in, "id");
    read.name = readNeededText(reader, in, "name");
    read.layers = readCount(reader, in, "layers");
    read.hidden = readCount(reader, in, "hidden");
    read.heads = readCount(reader, in, "heads");
    read.keyValueHeads = readOptionalCount(reader, in, "kv_heads");
    read.headSize = readOptionalCount(reader, in, "head_size");
    read.parametersBillions = readBillions(reader, in, "parameters_billions");
    read.activeBillions = readBillions(reader, in, "active_billions");
    read.source = readSource(reader, in);
    return read;
}

// The items of one file. The place of a fault is "items[3] (ethernet-10g)".
template <typename Item>
Result<std::vector<Item>> readItems(const QString& path, const char* format,
                                    Item (*readItem)(JsonReader&, const Json&))
{
    const auto json = readFile(path);
    if (!json)
        return tl::unexpected(json.error());
    JsonReader reader(*json);
    if (reader.text(*json, "format") != QLatin1StringView(format) ||
        reader.integer(*json, "version") != 1)
        return fail(ErrorCode::ParseFailed, path,
                    Words::tr("not a file of format %1, version 1").arg(QLatin1StringView(format)));
    const Json* list = reader.array(*json, "items");
    std::vector<Item> items;
    std::set<QString> ids;
    for (size_t i = 0; list != nullptr && i < list->size() && reader.ok(); ++i) {
        JsonReader inner((*list)[i]); // NOLINT(misc-const-correctness): readItem changes it
        items.push_back(readItem(inner, (*list)[i]));
        const QString place = QStringLiteral("items[%1] (%2)").arg(i).arg(items.back().id);
        if (inner.fault())
            reader.failAt(place, inner.fault()->detail);
        else if (!ids.insert(items.back().id).second)
            reader.failAt(place, Words::tr("its id is used twice"));
    }
    if (!reader.ok())
        return fail(ErrorCode::ParseFailed, path, reader.fault()->detail);
    return items;
}

} // namespace

Result<Catalogue> Catalogue::load()
{
    initCatalogueResources();
    return loadFrom(QStringLiteral(":/catalogue"));
}

Result<Catalogue> Catalogue::loadFrom(const QString& folder)
{
    const QDir dir(folder);
    const QString machinesPath = dir.filePath(QStringLiteral("machines.json"));
    auto classes = readItems<LinkClass>(dir.filePath(QStringLiteral("link-classes.json")),
                                        "napkin-link-classes", readLinkClass);
    if (!classes)
        return tl::unexpected(classes.error());
    auto machines = readItems<MachineType>(machinesPath, "napkin-machines", readMachine);
    if (!machines)
        return tl::unexpected(machines.error());
    auto models = readItems<LanguageModel>(dir.filePath(QStringLiteral("models.json")),
                                           "napkin-models", readModel);
    if (!models)
        return tl::unexpected(models.error());
    Catalogue catalogue;
    catalogue.m_linkClasses = std::move(*classes);
    catalogue.m_machineTypes = std::move(*machines);
    catalogue.m_models = std::move(*models);
    for (const MachineType& machine : catalogue.m_machineTypes) {
        for (const PortKind& port : machine.ports) {
            if (catalogue.linkClass(port.linkClassId) == nullptr)
                return fail(
                    ErrorCode::ParseFailed, machinesPath,
                    Words::tr("%1: there is no link class “%2”").arg(machine.id, port.linkClassId));
        }
    }
    return catalogue;
}

} // namespace napkin
