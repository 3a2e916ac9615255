// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/jsoncolumns.h"

#include <QCoreApplication>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultJson)
};

using Json = nlohmann::json;

// A run of a day with 128 streams at ten samples a second would be 110 million; nothing records
// that many.
constexpr size_t mostSamples = 20'000'000;

bool isHuge(const Json& value)
{
    return value.is_number_unsigned() &&
           value.get<std::uint64_t>() >
               static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

} // namespace

Columns::Columns(JsonReader& reader, const Json& json, const char* leading)
    : m_reader(&reader)
    , m_json(&json)
{
    const Json* first = reader.array(json, leading);
    m_size = first == nullptr ? 0 : first->size();
    if (m_size > mostSamples)
        reader.failAt(QString::fromLatin1(leading), Words::tr("too many values"));
}

void Columns::each(const char* key, const std::function<void(size_t, Value)>& put,
                   std::int64_t least, std::int64_t most, bool nullable)
{
    const Json* list = m_reader->array(*m_json, key);
    if (list == nullptr)
        return;
    if (list->size() != m_size) {
        m_reader->failAt(QString::fromLatin1(key), Words::tr("columns differ in length"));
        return;
    }
    for (size_t i = 0; i < m_size && m_reader->ok(); ++i) {
        const Json& value = (*list)[i];
        if (value.is_null() && nullable) {
            put(i, std::nullopt);
        } else if (value.is_number_integer() && !isHuge(value) &&
                   value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most) {
            put(i, value.get<std::int64_t>());
        } else {
            m_reader->failAt(QStringLiteral("%1[%2]").arg(QString::fromLatin1(key)).arg(i),
                             Words::tr("a whole number in range is needed"));
        }
    }
}

} // namespace napkin::detail
