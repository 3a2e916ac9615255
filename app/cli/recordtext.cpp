// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/recordtext.h"

#include "app/cli/optiontext.h"
#include "app/cli/sampletext.h"
#include "app/cli/terminal.h"
#include "core/quantity/format.h"

#include <QCoreApplication>
#include <QLocale>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::RecordText)
};

QString exactDate(const QDateTime& date)
{
    return date.isValid() ? date.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss t"))
                          : QString();
}

QStringList runSection(const Record& record, const LinkOfRun& link, int width)
{
    const ProbeResult& result = record.result;
    Fields fields;
    fields.add(Words::tr("What"), specTitle(result.spec));
    fields.add(Words::tr("Label"), record.label);
    fields.add(Words::tr("Link"), link.name);
    fields.add(Words::tr("Class"), link.className);
    fields.add(Words::tr("Started"), exactDate(result.startedAt));
    fields.add(Words::tr("Ended"), exactDate(result.endedAt));
    fields.add(Words::tr("State"), result.completion == Completion::Complete
                                       ? Words::tr("complete")
                                       : Words::tr("partial"));
    if (result.fault)
        fields.add(Words::tr("Why"), describe(*result.fault).joined());
    if (record.voided)
        fields.add(Words::tr("Voided"), *record.voided);
    fields.add(Words::tr("Whose"), originWord(result.origin));
    return fields.lines(width);
}

QStringList optionsSection(const ProbeSpec& spec, int width)
{
    Fields fields;
    addOptions(fields, spec.options);
    fields.add(Words::tr("Interface"), spec.interfaceName);
    fields.add(Words::tr("Source address"), spec.sourceAddress);
    if (spec.ipVersion != IpVersion::Any)
        fields.add(Words::tr("IP version"), spec.ipVersion == IpVersion::V4
                                                ? QStringLiteral("IPv4")
                                                : QStringLiteral("IPv6"));
    return fields.lines(width);
}

QStringList hostSection(const HostConditions& host, const QString& inUse, int width)
{
    Fields fields;
    fields.add(Words::tr("Host"), host.hostName);
    fields.add(Words::tr("Address"), host.address);
    fields.add(Words::tr("System"), host.operatingSystem);
    fields.add(Words::tr("Kernel"), host.kernel);
    fields.add(Words::tr("CPU"), host.cpu);
    fields.add(Words::tr("Interface"), host.interfaceName);
    fields.add(Words::tr("Driver"), host.driver);
    fields.add(Words::tr("Negotiated"),
               host.negotiatedSpeed ? formatBitRate(*host.negotiatedSpeed) : QString());
    fields.add(Words::tr("MTU"),
               host.mtu ? Words::tr("%1 bytes").arg(QLocale().toString(*host.mtu)) : QString());
    fields.add(Words::tr("Congestion control"), inUse);
    return fields.isEmpty() ? QStringList{Words::tr("  Nothing is known of it.")}
                            : fields.lines(width);
}

QStringList keptSection(const Record& record, int width)
{
    Fields fields;
    fields.add(Words::tr("Id"), record.result.id.text());
    fields.add(Words::tr("Written by"), record.result.tool + u' ' + record.result.toolVersion);
    fields.add(Words::tr("SHA-256"), QString::fromLatin1(record.sha256));
    return fields.lines(width);
}

QStringList samplesSection(const ProbeData& data)
{
    QStringList lines;
    for (const QString& line : sampleLines(data))
        lines << QStringLiteral("  ") + line;
    return lines;
}

} // namespace

QString recordText(const Record& record, const LinkOfRun& link, Samples samples, int width)
{
    const ProbeResult& result = record.result;
    const auto* throughput = std::get_if<ThroughputData>(&result.data);
    QStringList lines;
    const auto add = [&lines](const QString& title, const QStringList& content) {
        if (content.isEmpty())
            return;
        if (!lines.isEmpty())
            lines << QString();
        lines << title;
        lines += content;
    };
    add(Words::tr("Record %1").arg(record.number), runSection(record, link, width));
    add(Words::tr("Measured"), figures(result, link, width));
    add(Words::tr("Options"), optionsSection(result.spec, width));
    const bool isLone = isOfMachine(result.spec.kind());
    const QString near = isLone                  ? Words::tr("Machine")
                         : result.spec.near.peer ? Words::tr("Near end")
                                                 : Words::tr("This end");
    add(near, hostSection(result.conditions.near,
                          throughput ? throughput->congestionControl : QString(), width));
    if (!isLone)
        add(Words::tr("Far end"), hostSection(result.conditions.far, QString(), width));
    QStringList notes;
    for (const QString& note : record.notes)
        notes << QStringLiteral("  ") + wrapped(note, width, 2);
    add(Words::tr("Notes"), notes);
    add(Words::tr("As kept"), keptSection(record, width));
    if (samples == Samples::Shown)
        add(Words::tr("Samples"), samplesSection(result.data));
    return lines.join(u'\n');
}

} // namespace napkin::cli
