// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/errortext.h"
#include "core/notebook/record.h"
#include "core/quantity/provenance.h"
#include "core/results/result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace napkin::cli {

// What, why and advice, on three lines.
[[nodiscard]] QString faultText(const ErrorText& words);

// "10.0.0.2:5201", "[fe80::1%eth0]:5201"
[[nodiscard]] QString farTitle(const Endpoint& far);
// "throughput to 10.0.0.2:5201, forward, 4 streams, 10 s"
[[nodiscard]] QString specTitle(const ProbeSpec& spec);
[[nodiscard]] QString flowText(Flow flow);
// A span of time as an option is given: "10 s" for whole seconds.
[[nodiscard]] QString spanText(std::chrono::milliseconds time);
[[nodiscard]] QString outcomeText(ConnectSample::Outcome outcome);
// R, A, ≈ or M
[[nodiscard]] QString provenanceLetter(Provenance provenance);
// Local time, "2026-12-01 10:20"; empty when not known.
[[nodiscard]] QString dateText(const QDateTime& date);

// What the run is held against, as far as its link's class is known.
struct LinkOfRun
{
    QString name;
    QString className;
    std::vector<Fact<BitRate>> ratings;
};

// Name and value side by side: "  CPU here     0.42 of a core".
class Fields
{
public:
    void add(const QString& name, const QString& value); // nothing for an empty value
    [[nodiscard]] bool isEmpty() const { return m_fields.empty(); }
    [[nodiscard]] QStringList lines(int width) const; // long values go on below their beginning

private:
    std::vector<std::pair<QString, QString>> m_fields;
};

// The figures of a run: what arrived, ratio, retransmissions, RTT, CPU, quality. Where their table
// is wider than `width`, they stand below each other.
[[nodiscard]] QStringList figures(const ProbeResult& result, const LinkOfRun& ofRun, int width);

// The end of a measurement: figures, why it is partial, where it was recorded (no number: it was
// not).
[[nodiscard]] QString runText(std::optional<std::int64_t> number, const ProbeResult& result,
                              const LinkOfRun& link, const QString& notebook, int width);

} // namespace napkin::cli
