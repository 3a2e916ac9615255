// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/boundedjson.h"

#include <QCoreApplication>

#include <set>
#include <string>
#include <vector>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::BoundedJson)
};

using Json = nlohmann::json;

// Refuses depth and duplicate keys while reading, before anything is built from them.
class Guard
{
public:
    explicit Guard(int depth)
        : m_depth(depth)
    {}
    [[nodiscard]] const QString& why() const { return m_why; }

    bool operator()(int depth, Json::parse_event_t event, Json& value)
    {
        if (!m_why.isEmpty())
            return false;
        if (event == Json::parse_event_t::object_start ||
            event == Json::parse_event_t::array_start) {
            if (depth >= m_depth)
                m_why = Words::tr("it is nested deeper than %1").arg(m_depth);
        }
        if (event == Json::parse_event_t::object_start)
            m_keys.emplace_back();
        if (event == Json::parse_event_t::object_end && !m_keys.empty())
            m_keys.pop_back();
        if (event == Json::parse_event_t::key && !m_keys.empty()) {
            const auto& key = value.get_ref<const std::string&>();
            if (!m_keys.back().insert(key).second)
                m_why = Words::tr("the key “%1” occurs twice").arg(QString::fromStdString(key));
        }
        return m_why.isEmpty();
    }

private:
    int m_depth;
    QString m_why;
    std::vector<std::set<std::string>> m_keys;
};

} // namespace

Result<Json> parseJson(QByteArrayView text, JsonBounds bounds)
{
    if (text.size() > bounds.bytes)
        return fail(ErrorCode::FrameTooLarge, {},
                    Words::tr("%1 bytes, %2 are allowed").arg(text.size()).arg(bounds.bytes));
    Guard guard(bounds.depth);
    try {
        Json document = Json::parse(text.begin(), text.end(), std::ref(guard));
        if (!guard.why().isEmpty())
            return fail(ErrorCode::ParseFailed, {}, guard.why());
        return document;
    } catch (const Json::exception& e) {
        return fail(ErrorCode::ParseFailed, {}, QString::fromUtf8(e.what()));
    }
}

void JsonReader::failAt(const QString& place, const QString& why)
{
    if (!m_fault)
        m_fault = Error{ErrorCode::ParseFailed, place + QStringLiteral(": ") + why, {}, nullptr};
}

void JsonReader::failUnknown(const char* key, const QString& word)
{
    failAt(QString::fromLatin1(key), Words::tr("“%1” is not known").arg(word));
}

const Json* JsonReader::find(const Json& in, const char* key)
{
    if (!in.is_object())
        return nullptr;
    const auto found = in.find(key);
    return found == in.end() || found->is_null() ? nullptr : &*found;
}

const Json* JsonReader::object(const Json& in, const char* key)
{
    const Json* value = find(in, key);
    if (value != nullptr && value->is_object())
        return value;
    failAt(QString::fromLatin1(key), Words::tr("an object is needed"));
    return nullptr;
}

const Json* JsonReader::array(const Json& in, const char* key)
{
    const Json* value = find(in, key);
    if (value != nullptr && value->is_array())
        return value;
    failAt(QString::fromLatin1(key), Words::tr("a list is needed"));
    return nullptr;
}

QString JsonReader::text(const Json& in, const char* key)
{
    const Json* value = find(in, key);
    if (value != nullptr && value->is_string())
        return QString::fromStdString(value->get_ref<const std::string&>());
    failAt(QString::fromLatin1(key), Words::tr("a text is needed"));
    return {};
}

std::int64_t JsonReader::integer(const Json& in, const char* key, std::int64_t least,
                                 std::int64_t most)
{
    const Json* value = find(in, key);
    const bool fits = value != nullptr && value->is_number_integer() &&
                      !(value->is_number_unsigned() &&
                        value->get<std::uint64_t>() >
                            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    const std::int64_t number = fits ? value->get<std::int64_t>() : 0;
    if (!fits || number < least || number > most) {
        failAt(QString::fromLatin1(key), Words::tr("a whole number in range is needed"));
        return 0;
    }
    return number;
}

double JsonReader::number(const Json& in, const char* key)
{
    const Json* value = find(in, key);
    if (value != nullptr && value->is_number())
        return value->get<double>();
    failAt(QString::fromLatin1(key), Words::tr("a number is needed"));
    return 0;
}

bool JsonReader::boolean(const Json& in, const char* key)
{
    const Json* value = find(in, key);
    if (value != nullptr && value->is_boolean())
        return value->get<bool>();
    failAt(QString::fromLatin1(key), Words::tr("true or false is needed"));
    return false;
}

std::optional<QString> JsonReader::optionalText(const Json& in, const char* key)
{
    return find(in, key) == nullptr ? std::nullopt : std::optional(text(in, key));
}

std::optional<std::int64_t> JsonReader::optionalInteger(const Json& in, const char* key)
{
    return find(in, key) == nullptr ? std::nullopt : std::optional(integer(in, key));
}

} // namespace napkin
