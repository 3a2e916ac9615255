// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/results/machinesummary.h"
#include "core/workflow/resultrows.h"

#include <QCoreApplication>
#include <QLocale>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultText)
};

constexpr double wholeFile = 0.9; // of a file that has its room on the device

ResultRow rateRow(const QString& label, const std::optional<ByteRate>& rate,
                  const QString& remark = {})
{
    if (!rate)
        return {label, notKnown(), {}};
    return {label, formatByteRate(*rate), remark, Provenance::Measured};
}

QString orNotKnown(const QString& text)
{
    return text.isEmpty() ? notKnown() : text;
}

ResultRow arraysRow(const MemoryData& data)
{
    const QString size = Words::tr("three of %1").arg(formatBytesBinary(data.arraySize));
    if (!data.cacheSize)
        return {Words::tr("Arrays"), size,
                Words::tr("the system does not tell how large its caches are")};
    return {Words::tr("Arrays"), size,
            Words::tr("the last-level caches of these cores hold %1")
                .arg(formatBytesBinary(*data.cacheSize))};
}

QString wayText(StorageWay way)
{
    switch (way) {
    case StorageWay::Direct:
        return Words::tr("past the page cache, by direct reads");
    case StorageWay::Dropped:
        return Words::tr("dropped from the page cache before, then read");
    case StorageWay::Cached:
        break;
    }
    return Words::tr("not past the page cache");
}

QString placeText(const StorageData& data)
{
    const QString name = orNotKnown(data.fileSystem);
    switch (data.place) {
    case StoragePlace::Disk:
        return name;
    case StoragePlace::Network:
        return Words::tr("%1, on another machine or the host").arg(name);
    case StoragePlace::Memory:
        return Words::tr("%1, in memory").arg(name);
    case StoragePlace::Other:
        break;
    }
    return Words::tr("%1, which does not tell what is below it").arg(name);
}

QString turningText(const std::optional<bool>& rotational)
{
    if (!rotational)
        return {};
    return *rotational ? Words::tr("says that it rotates")
                       : Words::tr("says that it does not rotate");
}

// What an emulated disk reads may lie in its host's memory.
bool isEmulated(const StorageData& data)
{
    for (const char* maker : {"QEMU", "VBOX", "VMware", "Virtual"}) {
        if (data.model.contains(QLatin1StringView(maker), Qt::CaseInsensitive))
            return true;
    }
    return data.device.startsWith(QLatin1StringView("vd")) ||
           data.device.startsWith(QLatin1StringView("xvd"));
}

void addDevice(ResultText& text, const StorageData& data)
{
    text.rows.push_back({Words::tr("File system"), placeText(data), {}});
    if (data.place == StoragePlace::Memory)
        return;
    const QString device =
        data.model.isEmpty() ? data.device : Words::tr("%1 (%2)").arg(data.device, data.model);
    const QString turning = turningText(data.rotational);
    text.rows.push_back({Words::tr("Device"), orNotKnown(device), turning});
    if (isEmulated(data))
        text.rows.push_back({Words::tr("Emulated"),
                             Words::tr("It is a virtual machine’s disk: what its host holds in "
                                       "memory can not be told from what it reads."),
                             {}});
}

} // namespace

ResultText rowsOf(const MemoryData& data)
{
    const MemorySummary summary = summarise(data);
    ResultText text;
    text.rows.push_back(rateRow(Words::tr("Median"), summary.median));
    text.rows.push_back(rateRow(Words::tr("Best"), summary.best));
    text.rows.push_back(rateRow(Words::tr("9 of 10 passes reached"), summary.slow));
    text.rows.push_back({Words::tr("Passes"), countText(summary.passes),
                         Words::tr("triad as STREAM counts it: two arrays read, one written"),
                         Provenance::Measured});
    text.rows.push_back(
        {Words::tr("Threads"), countText(data.threads),
         data.pinned
             ? Words::tr("one a core, kept there; %1 cores may be used").arg(countText(data.cores))
             : Words::tr("not kept on their cores; %1 cores may be used")
                   .arg(countText(data.cores))});
    text.rows.push_back(arraysRow(data));
    return text;
}

ResultText rowsOf(const StorageOptions& options, const StorageData& data)
{
    const StorageSummary summary = summarise(data);
    ResultText text;
    text.rows.push_back(
        rateRow(summary.isPastCache ? Words::tr("Mean") : Words::tr("As it came"), summary.mean));
    text.rows.push_back(rateRow(Words::tr("Slowest second"), summary.slowestSecond));
    text.rows.push_back(
        {Words::tr("Read"),
         Words::tr("%1 of %2").arg(formatBytes(summary.read), formatBytes(data.fileSize)),
         Words::tr("in %1").arg(formatDuration(summary.duration)), Provenance::Measured});
    text.rows.push_back({Words::tr("File"), options.file, {}});
    text.rows.push_back({Words::tr("How"), wayText(data.way),
                         Words::tr("%1 requests of %2 under way")
                             .arg(countText(options.depth), formatBytesBinary(options.request))});
    addDevice(text, data);
    const bool isThin = static_cast<double>(data.allocated.bytes()) <
                        wholeFile * static_cast<double>(data.fileSize.bytes());
    if (isThin && data.fileSize > ByteCount())
        text.rows.push_back({Words::tr("Room on the device"), formatBytes(data.allocated),
                             Words::tr("less than its size: it is compressed there")});
    return text;
}

} // namespace napkin::detail
