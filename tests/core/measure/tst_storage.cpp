// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/localprobe.h"
#include "core/measure/os/filehandle.h"
#include "core/measure/os/filesystem.h"
#include "core/measure/os/pagecache.h"
#include "core/measure/storage/filereading.h"
#include "core/measure/storage/storageprobe.h"
#include "core/results/data.h"
#include "core/results/json.h"
#include "core/results/keyfigures.h"
#include "core/results/machinesummary.h"

#include <QDir>
#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <memory>

#include "measuring.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

constexpr qint64 mebibyte = 1024 * 1024;

// A file of that many bytes without holes.
void writeFile(const QString& path, qint64 size)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray block(mebibyte, 'n');
    for (qint64 left = size; left > 0; left -= mebibyte)
        QCOMPARE(file.write(block.constData(), std::min(left, mebibyte)), std::min(left, mebibyte));
    QVERIFY(file.flush());
    ::fsync(file.handle());
}

ProbeSpec storageSpec(const QString& path, std::chrono::milliseconds duration = 10s)
{
    StorageOptions options;
    options.file = path;
    options.duration = duration;
    ProbeSpec spec;
    spec.options = options;
    return spec;
}

std::optional<ByteCount> cachedOf(const QString& path)
{
    const FileHandle file(::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC));
    const std::atomic<bool> never{false};
    return residentBytes(file.fd(), ByteCount::bytes(QFileInfo(path).size()), never);
}

// On a file system of its own where reading one pass is slow enough to meddle with it.
StorageOptions slowly(const QString& path)
{
    StorageOptions options;
    options.file = path;
    options.request = ByteCount::kibibytes(64);
    options.depth = 1;
    return options;
}

} // namespace

class StorageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aFileIsReadPastThePageCache();
    void anOddEndIsReadToo();
    void memoryIsNoDisk();
    void whatCanNotBeReadIsRefused_data();
    void whatCanNotBeReadIsRefused();
    void aPipeIsNotWaitedFor();
    void holesAreRefused();
    void aFileOfOthersIsRefused();
    void cancelled();
    void truncatedWhileItIsRead();
    void removedWhileItIsRead();
    void theResultKeepsNoFolders();
    void mountsAreTold();
    void fileSystemsHaveTheirPlaces_data();
    void fileSystemsHaveTheirPlaces();
    void disksAreTold();
    void whatIsBelowAFileIsTold();
    void thePageCacheIsSeenAndDropped();

private:
    [[nodiscard]] QString path(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name));
    }
    QTemporaryDir m_folder;
};

void StorageTest::initTestCase()
{
    QVERIFY(m_folder.isValid());
    writeFile(path("model.gguf"), 80 * mebibyte);
}

void StorageTest::aFileIsReadPastThePageCache()
{
    const auto probe = localProbe(ProbeKind::Storage);
    const ProbeSpec spec = storageSpec(path("model.gguf"));
    QVERIFY(sync(probe->check(spec, {})));
    const Observed seen = observe(*probe, spec);
    QVERIFY2(seen.result, seen.fault());
    QCOMPARE(seen.result->completion, Completion::Complete);
    const auto& data = std::get<StorageData>(seen.result->data);
    const StorageSummary summary = summarise(data);
    QCOMPARE(summary.read.bytes(), 80 * mebibyte);
    QCOMPARE(data.fileSize.bytes(), 80 * mebibyte);
    QVERIFY(!data.fileSystem.isEmpty());
    Duration end{};
    for (const StorageSample& sample : data.samples) {
        QCOMPARE(sample.start, end); // one after another
        end = sample.start + sample.length;
    }
    if (data.place == StoragePlace::Disk) {
        QVERIFY(data.way != StorageWay::Cached);
        QVERIFY(!data.device.isEmpty());
        // What was read is not there: it came past the cache.
        const auto cached = cachedOf(path("model.gguf"));
        QVERIFY(cached && cached->bytes() <= mebibyte);
    }
    QVERIFY(seen.result->conditions.near.facts);
    ProbeData sum = emptyData(ProbeKind::Storage);
    for (const Progress& progress : seen.progress)
        append(sum, progress.data);
    QCOMPARE(summarise(std::get<StorageData>(sum)).read.bytes(), 80 * mebibyte);
}

void StorageTest::anOddEndIsReadToo()
{
    const qint64 size = 65 * mebibyte + 12'345;
    writeFile(path("odd"), size);
    StorageProbe probe;
    const Observed seen = observe(probe, storageSpec(path("odd")));
    QVERIFY2(seen.result, seen.fault());
    QCOMPARE(summarise(std::get<StorageData>(seen.result->data)).read.bytes(), size);
}

// tmpfs: its files are the page cache. Never a figure.
void StorageTest::memoryIsNoDisk()
{
    const QTemporaryDir folder(QStringLiteral("/dev/shm/napkin-test-XXXXXX"));
    if (!folder.isValid())
        QSKIP("there is no /dev/shm");
    const QString file = folder.filePath(QStringLiteral("model"));
    writeFile(file, 64 * mebibyte);
    StorageProbe probe;
    const Observed seen = observe(probe, storageSpec(file));
    QVERIFY2(seen.result, seen.fault());
    const auto& data = std::get<StorageData>(seen.result->data);
    if (data.fileSystem != QStringLiteral("tmpfs"))
        QSKIP("/dev/shm is not tmpfs");
    QCOMPARE(data.place, StoragePlace::Memory);
    QCOMPARE(data.way, StorageWay::Cached);
    QVERIFY(!keyFigures(*seen.result).byteRate);
}

void StorageTest::whatCanNotBeReadIsRefused_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("nothing") << path("missing") << ErrorCode::NotFound;
    QTest::newRow("a folder") << m_folder.path() << ErrorCode::InvalidArgument;
    QTest::newRow("a device") << QStringLiteral("/dev/zero") << ErrorCode::InvalidArgument;
    writeFile(path("empty"), 0);
    QTest::newRow("empty") << path("empty") << ErrorCode::InvalidArgument;
    writeFile(path("small"), 64 * mebibyte - 1);
    QTest::newRow("small") << path("small") << ErrorCode::InvalidArgument;
    QTest::newRow("no file at all") << QString() << ErrorCode::InvalidArgument;
}

void StorageTest::whatCanNotBeReadIsRefused()
{
    QFETCH(QString, file);
    QFETCH(ErrorCode, code);
    StorageProbe probe;
    const Observed seen = observe(probe, storageSpec(file));
    QVERIFY(!seen.result);
    QCOMPARE(seen.result.error().code, code);
    QVERIFY(!seen.result.error().detail.isEmpty());
}

void StorageTest::aPipeIsNotWaitedFor()
{
    QCOMPARE(::mkfifo(QFile::encodeName(path("pipe")).constData(), 0600), 0);
    StorageProbe probe;
    const Observed seen = observe(probe, storageSpec(path("pipe")));
    QVERIFY(!seen.result);
    QCOMPARE(seen.result.error().code, ErrorCode::InvalidArgument);
    QVERIFY(seen.took < 2s);
}

void StorageTest::holesAreRefused()
{
    QFile file(path("holes"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.resize(100 * mebibyte));
    file.close();
    StorageProbe probe;
    const Observed seen = observe(probe, storageSpec(path("holes")));
    QVERIFY(!seen.result);
    QCOMPARE(seen.result.error().code, ErrorCode::InvalidArgument);
    QVERIFY2(seen.result.error().detail.contains(QStringLiteral("holes")), seen.fault());
}

void StorageTest::aFileOfOthersIsRefused()
{
    if (::geteuid() == 0)
        QSKIP("root may read everything");
    writeFile(path("secret"), 64 * mebibyte);
    QFile::setPermissions(path("secret"), QFileDevice::Permissions());
    StorageProbe probe;
    const Observed seen = observe(probe, storageSpec(path("secret")));
    QVERIFY(!seen.result);
    QCOMPARE(seen.result.error().code, ErrorCode::PermissionDenied);
}

void StorageTest::cancelled()
{
    writeFile(path("large"), 256 * mebibyte);
    CancelSource cancel;
    StorageProbe probe;
    ProbeSpec spec;
    spec.options = slowly(path("large"));
    Result<ProbeResult> result = fail(ErrorCode::Internal);
    SteadyTime asked;
    result = sync(probe.run(spec, cancel.get_token(), [&](const Progress& progress) {
        if (progress.phase == Phase::Measuring && !cancel.stop_requested()) {
            asked = std::chrono::steady_clock::now();
            cancel.request_stop();
        }
    }));
    QVERIFY(std::chrono::steady_clock::now() - asked < 500ms);
    if (result && result->completion == Completion::Complete)
        QSKIP("the disk was quicker than the cancellation");
    QVERIFY(result);
    QCOMPARE(result->fault->code, ErrorCode::Cancelled);
    QVERIFY(summarise(std::get<StorageData>(result->data)).mean);
}

void StorageTest::truncatedWhileItIsRead()
{
    writeFile(path("shrinking"), 128 * mebibyte);
    const auto reading = FileReading::make(slowly(path("shrinking")));
    QVERIFY(reading->startPreparing());
    QVERIFY(reading->waitFor(30s));
    QVERIFY(!reading->fault());
    QVERIFY(QFile::resize(path("shrinking"), 70 * mebibyte));
    QVERIFY(reading->startReading());
    QVERIFY(reading->waitFor(60s));
    QVERIFY(reading->fault());
    QCOMPARE(reading->fault()->code, ErrorCode::ReadFailed);
    QVERIFY(reading->bytesRead() <= 70 * mebibyte);
}

void StorageTest::removedWhileItIsRead()
{
    writeFile(path("going"), 64 * mebibyte);
    const auto reading = FileReading::make(slowly(path("going")));
    QVERIFY(reading->startPreparing());
    QVERIFY(reading->waitFor(30s));
    QVERIFY(QFile::remove(path("going")));
    QVERIFY(reading->startReading());
    QVERIFY(reading->waitFor(60s));
    QVERIFY(!reading->fault()); // an open file is there until it is closed
    QCOMPARE(reading->bytesRead(), 64 * mebibyte);
}

void StorageTest::theResultKeepsNoFolders()
{
    StorageProbe probe;
    const Observed seen = observe(probe, storageSpec(path("model.gguf")));
    QVERIFY2(seen.result, seen.fault());
    QCOMPARE(std::get<StorageOptions>(seen.result->spec.options).file,
             QStringLiteral("model.gguf"));
    QVERIFY(!toJson(*seen.result).contains(QDir(m_folder.path()).dirName().toUtf8()));
}

void StorageTest::mountsAreTold()
{
    const QByteArray text = "22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw\n"
                            "36 22 0:50 / /mnt/my\\040models rw master:1 propagate_from:2 - nfs4 "
                            "nas:/my\\040models rw\n"
                            "broken\n"
                            "40 22 0:51 / /x rw - \n";
    QCOMPARE(mountEntry(text, 22).value(),
             (MountEntry{QStringLiteral("ext4"), QStringLiteral("/dev/sda2")}));
    QCOMPARE(mountEntry(text, 36)->source, QStringLiteral("nas:/my models"));
    QVERIFY(!mountEntry(text, 40));
    QVERIFY(!mountEntry(text, 1));
    QVERIFY(!mountEntry({}, 0));
}

void StorageTest::fileSystemsHaveTheirPlaces_data()
{
    QTest::addColumn<QString>("fileSystem");
    QTest::addColumn<StoragePlace>("place");
    const auto row = [](const char* name, StoragePlace place) {
        QTest::newRow(name) << QString::fromLatin1(name) << place;
    };
    for (const char* name : {"ext4", "xfs", "btrfs", "vfat", "zfs", "f2fs"})
        row(name, StoragePlace::Disk);
    for (const char* name : {"nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse.sshfs"})
        row(name, StoragePlace::Network);
    for (const char* name : {"tmpfs", "ramfs"})
        row(name, StoragePlace::Memory);
    for (const char* name : {"overlay", "fuse.mergerfs", "fuseblk"})
        row(name, StoragePlace::Other);
}

void StorageTest::fileSystemsHaveTheirPlaces()
{
    QFETCH(QString, fileSystem);
    QFETCH(StoragePlace, place);
    QCOMPARE(placeOf(fileSystem), place);
}

void StorageTest::disksAreTold()
{
    const QTemporaryDir machine;
    const QString block = machine.filePath(QStringLiteral("sys/devices/block/"));
    const QString dev = machine.filePath(QStringLiteral("sys/dev/block/"));
    QDir().mkpath(dev);
    const auto write = [&](const QString& file, const QByteArray& text) {
        QDir().mkpath(QFileInfo(block + file).path());
        QFile out(block + file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    };
    write(QStringLiteral("nvme0n1/device/model"), "Samsung SSD 990 PRO 2TB   \n");
    write(QStringLiteral("nvme0n1/queue/rotational"), "0\n");
    write(QStringLiteral("nvme0n1/nvme0n1p2/partition"), "2\n");
    write(QStringLiteral("dm-0/queue/rotational"), "0\n");
    QDir().mkpath(block + QStringLiteral("dm-0/slaves"));
    QFile::link(block + QStringLiteral("nvme0n1/nvme0n1p2"),
                block + QStringLiteral("dm-0/slaves/nvme0n1p2"));
    write(QStringLiteral("loop3/loop/dio"), "0\n");
    write(QStringLiteral("zram0/queue/rotational"), "0\n");
    const auto list = [&](const char* number, const char* name) {
        QFile::link(block + QString::fromLatin1(name), dev + QString::fromLatin1(number));
    };
    list("259:2", "nvme0n1/nvme0n1p2");
    list("253:0", "dm-0");
    list("7:3", "loop3");
    list("252:0", "zram0");
    const auto told = [&](unsigned first, unsigned second) {
        return blockDevice(makedev(first, second), machine.path());
    };
    const auto partition = told(259, 2);
    QVERIFY(partition);
    QCOMPARE(partition->name, QStringLiteral("nvme0n1p2"));
    QCOMPARE(partition->model, QStringLiteral("Samsung SSD 990 PRO 2TB"));
    QCOMPARE(partition->rotational, std::optional(false));
    QVERIFY(!partition->isCachedBelow);
    const auto mapped = told(253, 0);
    QVERIFY(mapped);
    QCOMPARE(mapped->name, QStringLiteral("dm-0"));
    QCOMPARE(mapped->model, QStringLiteral("Samsung SSD 990 PRO 2TB"));
    QVERIFY(told(7, 3)->isCachedBelow);
    write(QStringLiteral("loop3/loop/dio"), "1\n");
    QVERIFY(!told(7, 3)->isCachedBelow);
    QCOMPARE(told(252, 0)->place, StoragePlace::Memory);
    QVERIFY(!told(1, 1));
}

void StorageTest::whatIsBelowAFileIsTold()
{
    const FileHandle file(
        ::open(QFile::encodeName(path("model.gguf")).constData(), O_RDONLY | O_CLOEXEC));
    const StorageBelow below = storageBelow(file.fd());
    QVERIFY(!below.fileSystem.isEmpty());
    QCOMPARE(below.place == StoragePlace::Disk, placeOf(below.fileSystem) == StoragePlace::Disk);
    QCOMPARE(storageBelow(-1).place, StoragePlace::Other);
}

void StorageTest::thePageCacheIsSeenAndDropped()
{
    const FileHandle file(
        ::open(QFile::encodeName(path("model.gguf")).constData(), O_RDONLY | O_CLOEXEC));
    if (storageBelow(file.fd()).place != StoragePlace::Disk)
        QSKIP("the folder for temporary files is on no disk");
    QByteArray block(mebibyte, 0);
    for (int i = 0; i < 80; ++i)
        QCOMPARE(::pread(file.fd(), block.data(), mebibyte, i * mebibyte), mebibyte);
    QVERIFY(cachedOf(path("model.gguf"))->bytes() >= 70 * mebibyte);
    std::atomic<bool> stop{false};
    QVERIFY(writeBack(file.fd(), ByteCount::mebibytes(80), stop));
    dropFromCache(file.fd());
    QVERIFY(cachedOf(path("model.gguf"))->bytes() <= mebibyte);
    stop = true;
    QVERIFY(!writeBack(file.fd(), ByteCount::mebibytes(80), stop));
}

QTEST_GUILESS_MAIN(StorageTest)
#include "tst_storage.moc"
