// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/catalogue/jsonschema.h"

#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace napkin::test {

namespace {

using Json = nlohmann::json;

bool isOfType(const Json& value, const std::string& type)
{
    if (type == "object")
        return value.is_object();
    if (type == "array")
        return value.is_array();
    if (type == "string")
        return value.is_string();
    if (type == "integer")
        return value.is_number_integer();
    if (type == "number")
        return value.is_number();
    if (type == "boolean")
        return value.is_boolean();
    return type == "null" && value.is_null();
}

bool fitsType(const Json& value, const Json& type)
{
    if (type.is_string())
        return isOfType(value, type.get<std::string>());
    return std::any_of(type.begin(), type.end(),
                       [&](const Json& one) { return isOfType(value, one.get<std::string>()); });
}

QStringList objectFaults(const Json& value, const Json& schema, const QString& place)
{
    QStringList faults;
    const Json properties = schema.value("properties", Json::object());
    for (const Json& key : schema.value("required", Json::array())) {
        if (!value.contains(key.get<std::string>()))
            faults << place + QStringLiteral(": lacks ") +
                          QString::fromStdString(key.get<std::string>());
    }
    for (const auto& [key, inner] : value.items()) {
        const QString innerPlace = place + QLatin1Char('.') + QString::fromStdString(key);
        if (properties.contains(key))
            faults << schemaFaults(inner, properties[key], innerPlace);
        else if (schema.value("additionalProperties", true) == false)
            faults << innerPlace + QStringLiteral(": not in the schema");
    }
    return faults;
}

QString scalarFault(const Json& value, const Json& schema)
{
    if (value.is_number()) {
        if (schema.contains("minimum") && value < schema["minimum"])
            return QStringLiteral("below the minimum");
        if (schema.contains("exclusiveMinimum") && value <= schema["exclusiveMinimum"])
            return QStringLiteral("not above the minimum");
    }
    if (value.is_string()) {
        const QString text = QString::fromStdString(value.get<std::string>());
        if (schema.contains("minLength") && text.size() < schema["minLength"].get<int>())
            return QStringLiteral("too short");
        if (schema.contains("pattern") &&
            !QRegularExpression(QString::fromStdString(schema["pattern"].get<std::string>()))
                 .match(text)
                 .hasMatch())
            return QStringLiteral("does not match the pattern");
    }
    return {};
}

} // namespace

QStringList schemaFaults(const Json& value, const Json& schema, const QString& place)
{
    static const std::set<std::string> known{"$schema",     "title",
                                             "description", "type",
                                             "enum",        "required",
                                             "items",       "minItems",
                                             "minLength",   "pattern",
                                             "minimum",     "exclusiveMinimum",
                                             "properties",  "additionalProperties"};
    QStringList faults;
    for (const auto& [key, rule] : schema.items()) {
        if (!known.contains(key))
            faults << place + QStringLiteral(": the schema's own keyword is not known: ") +
                          QString::fromStdString(key);
    }
    if (schema.contains("type") && !fitsType(value, schema["type"]))
        return faults << place + QStringLiteral(": of the wrong type");
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
        return faults << place + QStringLiteral(": not one of the values allowed");
    if (const QString fault = scalarFault(value, schema); !fault.isEmpty())
        faults << place + QStringLiteral(": ") + fault;
    if (value.is_object())
        faults << objectFaults(value, schema, place);
    if (value.is_array()) {
        if (value.size() < schema.value("minItems", size_t(0)))
            faults << place + QStringLiteral(": too few");
        for (size_t i = 0; i < value.size() && schema.contains("items"); ++i)
            faults << schemaFaults(value[i], schema["items"],
                                   place + QStringLiteral("[%1]").arg(i));
    }
    return faults;
}

} // namespace napkin::test
