// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/factsjson.h"

#include <algorithm>

namespace napkin::detail {

namespace {

bool isControl(QChar c)
{
    return c.category() == QChar::Other_Control || c.category() == QChar::Other_Format ||
           c == QChar::LineSeparator || c == QChar::ParagraphSeparator;
}

} // namespace

std::string cleanText(const QString& text)
{
    QString clean = text.left(longestText);
    if (!clean.isEmpty() && clean.back().isHighSurrogate())
        clean.chop(1);
    std::replace_if(clean.begin(), clean.end(), isControl, QChar(QChar::ReplacementCharacter));
    return clean.toStdString();
}

QString readText(JsonReader& reader, const nlohmann::json& in, const char* key)
{
    QString text = reader.text(in, key);
    if (text.size() > longestText)
        reader.failAt(QString::fromLatin1(key), QStringLiteral("the text is too long"));
    else if (std::ranges::any_of(text, isControl))
        reader.failAt(QString::fromLatin1(key),
                      QStringLiteral("the text holds control characters"));
    return reader.ok() ? text : QString();
}

QString readTextIfAny(JsonReader& reader, const nlohmann::json& in, const char* key)
{
    const auto found = in.find(key);
    return found == in.end() || found->is_null() ? QString() : readText(reader, in, key);
}

void putText(nlohmann::json& out, const char* key, const QString& text)
{
    if (!text.isEmpty())
        out[key] = cleanText(text);
}

double readFinite(JsonReader& reader, const nlohmann::json& in, const char* key, double least,
                  double most)
{
    const double number = reader.number(in, key);
    if (std::isfinite(number) && number >= least && number <= most)
        return number;
    reader.failAt(QString::fromLatin1(key), QStringLiteral("a number in range is needed"));
    return least;
}

std::uint64_t readCount(JsonReader& reader, const nlohmann::json& in, const char* key)
{
    const auto found = in.find(key);
    if (found != in.end() && found->is_number_unsigned())
        return found->get<std::uint64_t>();
    if (found != in.end() && found->is_number_integer() && found->get<std::int64_t>() >= 0)
        return static_cast<std::uint64_t>(found->get<std::int64_t>());
    reader.failAt(QString::fromLatin1(key), QStringLiteral("a whole number from 0 on is needed"));
    return 0;
}

void readList(JsonReader& reader, const nlohmann::json& in, const char* key, size_t most,
              const std::function<void(const nlohmann::json&)>& item)
{
    const auto found = in.find(key);
    if (found == in.end() || found->is_null())
        return;
    const nlohmann::json* list = reader.array(in, key);
    if (list == nullptr)
        return;
    if (list->size() > most) {
        reader.failAt(QString::fromLatin1(key), QStringLiteral("at most %1 are allowed").arg(most));
        return;
    }
    for (const nlohmann::json& one : *list) {
        if (!reader.ok())
            return;
        item(one);
    }
}

} // namespace napkin::detail
