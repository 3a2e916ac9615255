// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/storage.h"

#include <QByteArray>

#include <sys/types.h>

// What a file lies on, read without privileges. `root` is the file system's: "/" but in tests.
namespace napkin {

struct MountEntry
{
    QString fileSystem; // "ext4"
    QString source;     // "/dev/sda1", "server:/models"
    bool operator==(const MountEntry&) const = default;
};
// The entry of that number in the text of /proc/self/mountinfo; nullopt: there is none.
[[nodiscard]] std::optional<MountEntry> mountEntry(const QByteArray& mountinfo, int mountId);

[[nodiscard]] StoragePlace placeOf(const QString& fileSystem);

// A block device as the kernel lists it.
struct BlockDevice
{
    QString name;  // "nvme0n1p2"
    QString model; // of the disk below it
    std::optional<bool> rotational;
    StoragePlace place = StoragePlace::Disk; // memory: zram, ram; network: nbd, rbd
    // A loop device that reads its file the usual way: the page cache is below it.
    bool isCachedBelow = false;
    bool operator==(const BlockDevice&) const = default;
};
[[nodiscard]] std::optional<BlockDevice> blockDevice(dev_t number,
                                                     const QString& root = QStringLiteral("/"));

struct StorageBelow
{
    StoragePlace place = StoragePlace::Other;
    QString fileSystem;
    QString device;
    QString model;
    std::optional<bool> rotational;
    // Whether reading past the page cache reads from the device: not where a cache that can not be
    // asked lies between (ZFS, FUSE, tmpfs, a loop device over a cached file).
    bool canBePastCaches = false;
};
// Of an open file or block device.
[[nodiscard]] StorageBelow storageBelow(int fd, const QString& root = QStringLiteral("/"));

} // namespace napkin
