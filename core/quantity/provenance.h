// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QDateTime>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace napkin {

// What kind of claim a value is.
enum class Provenance {
    Rated,    // a vendor or a standard says so
    Assumed,  // a stand-in that nobody measured
    Modelled, // arithmetic, even over measured inputs
    Measured, // an instrument read it
};

// Whose value it is. Values of different origin are never averaged.
enum class Origin {
    Mine,
    Emulated,  // on virtual cables of this machine
    Imported,  // from another tool's output
    Published, // by somebody else
};

// Stable names for storage ("rated", "mine"). English, never translated.
[[nodiscard]] QString provenanceName(Provenance provenance);
[[nodiscard]] Result<Provenance> provenanceFromName(QStringView name);
[[nodiscard]] QString originName(Origin origin);
[[nodiscard]] Result<Origin> originFromName(QStringView name);

// Words for people, translated ("measured", "published").
[[nodiscard]] QString provenanceWord(Provenance provenance);
[[nodiscard]] QString originWord(Origin origin);

// How often each kind occurs among the inputs of a modelled value: "modelled from 2 measured, 1
// assumed".
struct InputCount
{
    Provenance provenance = Provenance::Assumed;
    int count = 0;
    bool operator==(const InputCount&) const = default;
};

// A value with its provenance. It cannot be made without: use one of the named constructors.
template <typename Q>
class Fact
{
public:
    // `source`: a catalogue id or a standard.
    [[nodiscard]] static Fact rated(Q value, QString source, QDateTime date = {})
    {
        return Fact(std::move(value), Provenance::Rated, Origin::Published, std::move(source),
                    std::move(date));
    }
    // `source`: why this value stands in.
    [[nodiscard]] static Fact assumed(Q value, QString source, QDateTime date = {})
    {
        return Fact(std::move(value), Provenance::Assumed, Origin::Mine, std::move(source),
                    std::move(date));
    }
    // `source`: the formula.
    [[nodiscard]] static Fact modelled(Q value, QString source, std::vector<InputCount> inputs,
                                       QDateTime date = {})
    {
        Fact fact(std::move(value), Provenance::Modelled, Origin::Mine, std::move(source),
                  std::move(date));
        fact.m_inputs = std::move(inputs);
        return fact;
    }
    // `source`: a record id.
    [[nodiscard]] static Fact measured(Q value, Origin origin, QString source, QDateTime date)
    {
        return Fact(std::move(value), Provenance::Measured, origin, std::move(source),
                    std::move(date));
    }

    [[nodiscard]] const Q& value() const { return m_value; }
    [[nodiscard]] Provenance provenance() const { return m_provenance; }
    [[nodiscard]] Origin origin() const { return m_origin; }
    [[nodiscard]] const QString& source() const { return m_source; }
    [[nodiscard]] const QDateTime& date() const { return m_date; } // invalid when not known
    [[nodiscard]] const std::vector<InputCount>& inputs() const
    {
        return m_inputs;
    } // of a modelled value

    // The lowest and highest value seen, where several make up this one.
    [[nodiscard]] const std::optional<std::pair<Q, Q>>& spread() const { return m_spread; }
    [[nodiscard]] Fact withSpread(Q low, Q high) const
    {
        Fact copy = *this;
        copy.m_spread.emplace(std::move(low), std::move(high));
        return copy;
    }
    bool operator==(const Fact&) const = default;

private:
    Fact(Q value, Provenance provenance, Origin origin, QString source, QDateTime date)
        : m_value(std::move(value))
        , m_provenance(provenance)
        , m_origin(origin)
        , m_source(std::move(source))
        , m_date(std::move(date))
    {}

    Q m_value;
    Provenance m_provenance;
    Origin m_origin;
    QString m_source;
    QDateTime m_date;
    std::vector<InputCount> m_inputs;
    std::optional<std::pair<Q, Q>> m_spread;
};

} // namespace napkin
