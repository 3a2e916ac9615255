// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/filesystem.h"

#include "core/measure/os/sysfile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>

namespace napkin {

namespace {

constexpr int deepestStack = 8; // of devices over devices

// "\040" for a space.
QString unescaped(const QByteArray& text)
{
    QByteArray plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        bool isOctal = false;
        const int code = text.mid(i + 1, 3).toInt(&isOctal, 8);
        if (text[i] == '\\' && isOctal && code > 0 && code < 256) {
            plain += static_cast<char>(code);
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return QString::fromUtf8(plain);
}

QByteArray readAll(const QString& path)
{
    QFile file(path);
    constexpr qint64 most = 4LL * 1024 * 1024;
    return file.open(QIODevice::ReadOnly) ? file.read(most) : QByteArray();
}

std::optional<int> mountIdOf(int fd, const QString& root)
{
    const QByteArray text = readAll(QStringLiteral("%1/proc/self/fdinfo/%2").arg(root).arg(fd));
    for (const QByteArray& line : text.split('\n')) {
        if (!line.startsWith("mnt_id:"))
            continue;
        bool isNumber = false;
        const int id = line.mid(7).trimmed().toInt(&isNumber);
        return isNumber ? std::optional(id) : std::nullopt;
    }
    return std::nullopt;
}

template <std::size_t count>
bool beginsWithOneOf(const QString& name, const std::array<const char*, count>& beginnings)
{
    return std::ranges::any_of(beginnings, [&name](const char* beginning) {
        return name.startsWith(QLatin1StringView(beginning));
    });
}

// The whole disk of a partition, and the one disk below what is layered over it.
QString diskBelow(QString folder)
{
    for (int i = 0; i < deepestStack; ++i) {
        if (QFile::exists(folder + QStringLiteral("/partition")))
            folder = QFileInfo(folder).path();
        const QStringList below = QDir(folder + QStringLiteral("/slaves"))
                                      .entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::System);
        if (below.size() != 1)
            return folder;
        folder = QFileInfo(folder + QStringLiteral("/slaves/") + below.front()).canonicalFilePath();
    }
    return folder;
}

QString textOf(const QString& path)
{
    return QString::fromUtf8(readSysFile(path).value_or(QByteArray())).simplified();
}

void take(StorageBelow& below, const BlockDevice& device)
{
    below.place = device.place;
    below.device = device.name;
    below.model = device.model;
    below.rotational = device.rotational;
    below.canBePastCaches = device.place != StoragePlace::Memory && !device.isCachedBelow;
}

} // namespace

std::optional<MountEntry> mountEntry(const QByteArray& mountinfo, int mountId)
{
    for (const QByteArray& line : mountinfo.split('\n')) {
        const QList<QByteArray> parts = line.split(' ');
        bool isNumber = false;
        if (parts.front().toInt(&isNumber) != mountId || !isNumber)
            continue;
        const qsizetype dash = parts.indexOf(QByteArrayLiteral("-"));
        if (dash < 0 || parts.size() < dash + 3)
            return std::nullopt;
        return MountEntry{QString::fromUtf8(parts[dash + 1]), unescaped(parts[dash + 2])};
    }
    return std::nullopt;
}

StoragePlace placeOf(const QString& fileSystem)
{
    static constexpr std::array network{
        "nfs",        "cifs",           "smb",       "9p",          "ceph",        "afs",
        "lustre",     "beegfs",         "gpfs",      "virtiofs",    "vboxsf",      "prl_fs",
        "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.rclone", "fuse.vmhgfs", "ncpfs",
        "coda",       "orangefs",       "davfs"};
    static constexpr std::array memory{"tmpfs", "ramfs", "hugetlbfs", "devtmpfs", "rootfs"};
    static constexpr std::array layers{"overlay", "aufs", "fuse", "ecryptfs",
                                       "unionfs", "proc", "sysfs"};
    if (fileSystem.isEmpty())
        return StoragePlace::Other;
    if (beginsWithOneOf(fileSystem, network))
        return StoragePlace::Network;
    if (beginsWithOneOf(fileSystem, memory))
        return StoragePlace::Memory;
    return beginsWithOneOf(fileSystem, layers) ? StoragePlace::Other : StoragePlace::Disk;
}

std::optional<BlockDevice> blockDevice(dev_t number, const QString& root)
{
    const QString listed =
        QStringLiteral("%1/sys/dev/block/%2:%3").arg(root).arg(major(number)).arg(minor(number));
    const QString folder = QFileInfo(listed).canonicalFilePath();
    if (folder.isEmpty())
        return std::nullopt;
    const QString disk = diskBelow(folder);
    const QString diskName = QFileInfo(disk).fileName();
    BlockDevice device;
    device.name = QFileInfo(folder).fileName();
    device.model = textOf(disk + QStringLiteral("/device/model"));
    if (const auto turns = readSysNumber(disk + QStringLiteral("/queue/rotational")))
        device.rotational = *turns != 0;
    static constexpr std::array network{"nbd", "rbd", "drbd"};
    static constexpr std::array memory{"zram", "ram", "pmem"};
    if (beginsWithOneOf(diskName, memory))
        device.place = StoragePlace::Memory;
    else if (beginsWithOneOf(diskName, network))
        device.place = StoragePlace::Network;
    device.isCachedBelow = diskName.startsWith(QLatin1StringView("loop")) &&
                           readSysNumber(disk + QStringLiteral("/loop/dio")).value_or(0) == 0;
    return device;
}

StorageBelow storageBelow(int fd, const QString& root)
{
    StorageBelow below;
    struct stat status{};
    if (::fstat(fd, &status) != 0)
        return below;
    if (S_ISBLK(status.st_mode)) {
        if (const auto device = blockDevice(status.st_rdev, root))
            take(below, *device);
        return below;
    }
    const auto id = mountIdOf(fd, root);
    const auto mount =
        id ? mountEntry(readAll(root + QStringLiteral("/proc/self/mountinfo")), *id) : std::nullopt;
    if (!mount)
        return below;
    below.fileSystem = mount->fileSystem;
    below.place = placeOf(mount->fileSystem);
    if (below.place == StoragePlace::Network)
        below.device = mount->source;
    // Overlays hand direct reads down; the caches of ZFS and of what runs in user space can not be
    // seen from here.
    const bool hidesCaches = below.fileSystem == QStringLiteral("zfs") ||
                             below.fileSystem.startsWith(QLatin1StringView("fuse"));
    below.canBePastCaches = below.place != StoragePlace::Memory && !hidesCaches;
    if (below.place != StoragePlace::Disk)
        return below;
    std::optional<BlockDevice> device = blockDevice(status.st_dev, root);
    struct stat source{};
    if (!device && ::stat(mount->source.toUtf8().constData(), &source) == 0 &&
        S_ISBLK(source.st_mode))
        device = blockDevice(source.st_rdev, root);
    if (!device)
        return below;
    take(below, *device);
    below.canBePastCaches = below.canBePastCaches && !hidesCaches;
    return below;
}

} // namespace napkin
