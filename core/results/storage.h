// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <QString>

#include <chrono>
#include <optional>
#include <vector>

namespace napkin {

// One sequential reading of a file of this machine, past the page cache.
struct StorageOptions
{
    // The path as it was given. Of it a result, and whatever is written as JSON, keeps the name of
    // the file without its folders.
    QString file;
    std::chrono::milliseconds duration{10'000};  // the longest, 1 s to 600 s; or the file's end
    ByteCount request = ByteCount::mebibytes(1); // 64 KiB to 64 MiB, in steps of 64 KiB
    int depth = 4;                               // requests under way at once, 1 to 64
    bool operator==(const StorageOptions&) const = default;
};

inline constexpr ByteCount leastStorageFile = ByteCount::mebibytes(64);

// What came in one interval of about 100 ms.
struct StorageSample
{
    Duration start{}; // since the reading began
    Duration length{};
    ByteCount bytes;
    bool operator==(const StorageSample&) const = default;
};

// How it was made sure that the bytes came from the device.
enum class StorageWay {
    Direct,  // O_DIRECT: the page cache had no part in it
    Dropped, // read the usual way, after all of the file had been dropped from the page cache
    Cached,  // part of it was, or may have been, in the page cache: not the device's rate
};

// What the file lies on.
enum class StoragePlace {
    Disk,    // a block device of this machine
    Network, // a file system of another machine, or of the host of a virtual one
    Memory,  // tmpfs and the like
    Other,   // layers (overlay, FUSE) that do not tell what is below
};

struct StorageData
{
    std::vector<StorageSample> samples; // one after another, without gaps
    StorageWay way = StorageWay::Cached;
    StoragePlace place = StoragePlace::Other;
    ByteCount fileSize;
    ByteCount allocated;    // what of it has room on the device; less: compressed, or holes
    ByteCount cachedBefore; // of it in the page cache as the reading began
    QString fileSystem;     // "ext4", "nfs4"
    QString device;         // "nvme0n1p2", "server:/models"; empty: not known
    QString model;          // of the disk; empty: not told
    std::optional<bool> rotational;
    bool operator==(const StorageData&) const = default;
};

} // namespace napkin
