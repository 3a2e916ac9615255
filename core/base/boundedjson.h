// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QByteArrayView>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

namespace napkin {

struct JsonBounds
{
    qsizetype bytes = 64 * 1024 * 1024;
    int depth = 16;
};

// Parses a document from outside without ever building more than the bounds allow. ParseFailed
// names the byte where it went wrong, FrameTooLarge a document over `bytes`. Numbers out of range
// and duplicate keys are errors.
[[nodiscard]] Result<nlohmann::json> parseJson(QByteArrayView text, JsonBounds bounds = {});

// Typed access to a parsed document with the place of the first fault: every reader hands back a
// value and, once something was missing or of the wrong type, does nothing more. Ask ok() at the
// end.
class JsonReader
{
public:
    explicit JsonReader(const nlohmann::json& root)
        : m_root(&root)
    {}

    [[nodiscard]] const nlohmann::json& root() const { return *m_root; }
    [[nodiscard]] bool ok() const { return !m_fault.has_value(); }
    [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }
    void failAt(const QString& place, const QString& why);

    // Null where it is not there or not of that kind (which is then the fault).
    const nlohmann::json* object(const nlohmann::json& in, const char* key);
    const nlohmann::json* array(const nlohmann::json& in, const char* key);

    QString text(const nlohmann::json& in, const char* key);
    std::int64_t integer(const nlohmann::json& in, const char* key,
                         std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                         std::int64_t most = std::numeric_limits<std::int64_t>::max());
    double number(const nlohmann::json& in, const char* key);
    bool boolean(const nlohmann::json& in, const char* key);

    // null or missing: nullopt.
    std::optional<QString> optionalText(const nlohmann::json& in, const char* key);
    std::optional<std::int64_t> optionalInteger(const nlohmann::json& in, const char* key);

    // The enumerator whose name it is.
    template <typename Enum>
    Enum named(const nlohmann::json& in, const char* key,
               std::initializer_list<std::pair<const char*, Enum>> names)
    {
        const QString word = text(in, key);
        for (const auto& [name, value] : names) {
            if (word == QLatin1StringView(name))
                return value;
        }
        failUnknown(key, word);
        return names.begin()->second;
    }

private:
    const nlohmann::json* find(const nlohmann::json& in, const char* key);
    void failUnknown(const char* key, const QString& word);

    const nlohmann::json* m_root;
    std::optional<Error> m_fault;
};

} // namespace napkin
