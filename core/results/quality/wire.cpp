// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/wire.h"

#include "core/quantity/format.h"
#include "core/results/quality/rules.h"

#include <algorithm>

namespace napkin::quality {

namespace {

QString amount(std::uint64_t bytes)
{
    return formatBytes(ByteCount::bytes(static_cast<std::int64_t>(bytes)), QLocale::c());
}

QString packets(std::uint64_t count)
{
    return QStringLiteral("%1 packets").arg(count);
}

QString endName(End end)
{
    return end == End::Near ? QStringLiteral("near end") : QStringLiteral("far end");
}

// 127.0.0.0/8 and ::1, also as IPv6 writes the former and with a scope.
bool isLoopback(const QString& address)
{
    const QString plain = address.section(u'%', 0, 0).trimmed().toLower();
    return plain.startsWith(QStringLiteral("127.")) || plain == QStringLiteral("::1") ||
           plain == QStringLiteral("0:0:0:0:0:0:0:1") ||
           plain.startsWith(QStringLiteral("::ffff:127."));
}

bool assessLoopback(const ProbeResult& result, Notes& notes)
{
    const QString& near = result.conditions.near.address;
    const QString& far = result.conditions.far.address;
    // Two different addresses of one machine: what goes between them goes through "lo", too.
    const bool byLoopback = result.conditions.near.interfaceName == QStringLiteral("lo");
    if (!byLoopback && !isLoopback(near) && !isLoopback(far) && (near.isEmpty() || near != far))
        return false;
    notes.push_back({QualityFlag::Loopback, near + QStringLiteral(" to ") + far});
    return true;
}

void assessInterface(const ProbeResult& result, Notes& notes)
{
    const auto wrong = wrongWire(result);
    if (!wrong)
        return;
    const auto text = std::holds_alternative<ConnectData>(result.data) ? packets : amount;
    notes.push_back({QualityFlag::WrongInterface,
                     QStringLiteral("%1, %2: %3 was meant and carried %4 of %5; %6 carried %7")
                         .arg(endName(wrong->end), directionName(wrong->direction), wrong->expected,
                              text(wrong->expectedCarried), text(wrong->moved), wrong->taken,
                              text(wrong->takenCarried))});
}

// The strongest witness stands for all: both ends of a cable see the same traffic.
void assessTraffic(const ProbeResult& result, Notes& notes)
{
    const std::vector<OtherTraffic> all = otherTraffic(result);
    const auto most = std::ranges::max_element(all, {}, &OtherTraffic::other);
    if (most == all.end())
        return;
    notes.push_back({QualityFlag::BackgroundTraffic,
                     QStringLiteral("%1: %2 %3 %4, of which about %5 (%6) were not of this run")
                         .arg(endName(most->end), most->interfaceName,
                              most->isSent ? QStringLiteral("sent") : QStringLiteral("received"),
                              amount(most->carried), amount(most->other),
                              formatBitRate(most->rate, QLocale::c()))});
}

} // namespace

void assessWire(const ProbeResult& result, Notes& notes)
{
    // What never left the machine took no wire at all: that says it.
    if (assessLoopback(result, notes))
        return;
    assessInterface(result, notes);
    assessTraffic(result, notes);
}

} // namespace napkin::quality
