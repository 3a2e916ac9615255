// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "core/workflow/linkspec.h"

#include <optional>
#include <string>
#include <type_traits>

namespace napkin::cli {

// Takes what parses and keeps the first fault, so that a spec is filled without a ladder of checks.
class Filling
{
public:
    template <typename Target, typename Parsed>
    void set(Target& target, Result<Parsed> parsed)
    {
        if (parsed)
            target = *parsed;
        else if (!m_fault)
            m_fault = parsed.error();
    }
    // One option of a probe by its name on the command line, on top of those that are set: what
    // does not parse or is out of its range is refused under that name, with what is possible.
    template <typename Options, typename Value, typename Parse>
    void option(Options& options, Value Options::* member, const char* name,
                const std::string& given, Parse parse)
    {
        if (given.empty())
            return;
        const QString what = QString::fromLatin1(name);
        const QString text = QString::fromStdString(given);
        const Result<Value> parsed = parse(what, text);
        Options tried = options;
        tried.*member = parsed.value_or(outOfRange<Value>());
        const auto valid = validateAlone(tried);
        if (parsed && valid)
            options.*member = *parsed;
        else if (parsed)
            refuse(QStringLiteral("%1 “%2”").arg(what, text), valid.error().detail);
        else
            refuse(parsed.error().context,
                   QStringLiteral("%1; %2").arg(parsed.error().detail, valid.error().detail));
    }
    void whole(int& target, const char* option, const std::string& text)
    {
        if (!text.empty())
            set(target, parseWhole(QString::fromLatin1(option), QString::fromStdString(text)));
    }
    void refuse(const QString& what, const QString& why)
    {
        if (!m_fault)
            m_fault = wrongUse(what, why).value();
    }
    [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }

private:
    template <typename Value>
    static Value outOfRange()
    {
        if constexpr (std::is_same_v<Value, ByteCount>)
            return ByteCount::bytes(-1);
        else if constexpr (std::is_same_v<Value, BitRate>)
            return BitRate::bitsPerSecond(0);
        else
            return Value(-1);
    }
    static Result<void> validateAlone(const ProbeOptions& options)
    {
        ProbeSpec spec;
        spec.far.host = QStringLiteral("host");
        spec.far.port = defaultThroughputPort;
        spec.options = options;
        return validate(spec);
    }

    std::optional<Error> m_fault;
};

} // namespace napkin::cli
