// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "core/notebook/worksheet.h"
#include "ui/document/drawingdocument.h"

#include <QDateTime>

#include <cmath>

namespace napkin::samples {

// Drawings and worksheet rows to show. Every figure here is made up.

inline MeasuredRate measured(double gigabits, const std::vector<Fact<BitRate>>& ratings,
                             int hoursAgo = 2)
{
    const BitRate rate = BitRate::gigabitsPerSecond(gigabits);
    MeasuredRate made{
        Fact<BitRate>::measured(rate, Origin::Mine, QStringLiteral("record"),
                                QDateTime::currentDateTimeUtc().addSecs(-3600 * hoursAgo)),
        {},
        12,
        RecordId::create(),
        7};
    for (const auto& rating : ratings)
        made.ratios.push_back(Ratio::of(rate, rating.value()));
    return made;
}

inline WorksheetRow row(const Link& link, const Catalogue& catalogue,
                        std::optional<double> forward = {}, std::optional<double> reverse = {})
{
    WorksheetRow made;
    made.link = link.id;
    made.period = link.period;
    if (const LinkClass* kind = catalogue.linkClass(link.classId)) {
        made.className = kind->shortName;
        made.ratings = kind->ratings();
    }
    if (forward)
        made.forward = measured(*forward, made.ratings);
    if (reverse)
        made.reverse = measured(*reverse, made.ratings);
    made.runs = (forward ? 1 : 0) + (reverse ? 2 : 0);
    if (made.runs > 0)
        made.lastMeasured = QDateTime::currentDateTimeUtc().addSecs(-7200);
    return made;
}

// Four machines, two of them with two cables between them.
inline std::vector<WorksheetRow> buildLab(DrawingDocument& document, const Catalogue& catalogue)
{
    const MachineId a = document.addMachine({-320, -120}, QStringLiteral("spark-a"));
    const MachineId b = document.addMachine({320, -120}, QStringLiteral("spark-b"));
    const MachineId mac = document.addMachine({-320, 200}, QStringLiteral("studio"));
    const MachineId nas = document.addMachine({320, 200}, QStringLiteral("shelf"));
    document.setMachineType(a, QStringLiteral("dgx-spark"));
    document.setMachineType(b, QStringLiteral("dgx-spark"));
    document.setMachineType(mac, QStringLiteral("mac-studio-m4-max-40"));
    const LinkId fast = *document.addLink(a, b, QStringLiteral("ethernet-200g"));
    const LinkId slow = *document.addLink(a, b, QStringLiteral("ethernet-10g"));
    const LinkId thunder = *document.addLink(a, mac, QStringLiteral("thunderbolt-5"));
    const LinkId unknown = *document.addLink(mac, nas);
    const LinkId wireless = *document.addLink(b, nas, QStringLiteral("wifi-6e"));
    const auto name = [&](LinkId link, const QString& one, const QString& two, int net) {
        const Link it = *document.drawing().link(link);
        document.renamePort(it.a, one);
        document.renamePort(it.b, two);
        document.setPortAddress(it.a, QStringLiteral("10.0.%1.1").arg(net));
        document.setPortAddress(it.b, QStringLiteral("10.0.%1.2").arg(net));
    };
    name(fast, QStringLiteral("qsfp0"), QStringLiteral("qsfp0"), 1);
    name(slow, QStringLiteral("eth0"), QStringLiteral("eth0"), 2);
    name(thunder, QStringLiteral("tb1"), QStringLiteral("bridge0"), 3);
    std::vector<WorksheetRow> rows;
    rows.push_back(row(*document.drawing().link(fast), catalogue, 96.1, 95.8));
    rows.push_back(row(*document.drawing().link(slow), catalogue, 9.42));
    rows.push_back(row(*document.drawing().link(thunder), catalogue, 75.0, 74.2));
    rows.push_back(row(*document.drawing().link(unknown), catalogue));
    rows.push_back(row(*document.drawing().link(wireless), catalogue));
    return rows;
}

// Machines in a square grid, each with cables to some of the following ones.
inline void buildMany(DrawingDocument& document, int machines, int cables)
{
    const int side = static_cast<int>(std::ceil(std::sqrt(machines)));
    std::vector<MachineId> ids;
    for (int i = 0; i < machines; ++i)
        ids.push_back(document.addMachine({i % side * 400.0, i / side * 240.0}));
    for (int i = 0; i < cables; ++i) {
        const std::size_t from = static_cast<std::size_t>(i % machines);
        const int step = i / machines == 0 ? 1 : (i / machines == 1 ? side : side + 1);
        const std::size_t to = static_cast<std::size_t>((i + step) % machines);
        if (from != to)
            (void)document.addLink(ids[from], ids[to], QStringLiteral("ethernet-10g"));
    }
}

} // namespace napkin::samples
