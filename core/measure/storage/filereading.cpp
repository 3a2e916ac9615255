// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/storage/filereading.h"

#include "core/measure/os/filesystem.h"
#include "core/measure/os/pagecache.h"
#include "core/quantity/format.h"

#include <QCoreApplication>
#include <QFile>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::StorageRead)
};

constexpr std::size_t alignment = 4096; // of buffers: what direct reads ask for at most
constexpr std::int64_t trial = 64 * 1024;
constexpr double fewPages = 0.01;   // of a file: what is left of it tells nothing
constexpr double mostPages = 0.9;   // more, and growth could not be seen
constexpr double grownShare = 0.02; // of what was read: it went through the page cache
constexpr std::int64_t grownAtLeast = 1'000'000;

struct Free
{
    void operator()(void* memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<char, Free>;

Buffer makeBuffer(std::size_t size)
{
    return Buffer(static_cast<char*>(std::aligned_alloc(alignment, size)));
}

QString systemWords(int code)
{
    return QString::fromLocal8Bit(std::strerror(code));
}

ErrorCode codeOf(int code)
{
    switch (code) {
    case ENOENT:
    case ENOTDIR:
        return ErrorCode::NotFound;
    case EACCES:
    case EPERM:
        return ErrorCode::PermissionDenied;
    case ENOMEM:
    case EMFILE:
    case ENFILE:
        return ErrorCode::OutOfMemory;
    default:
        return ErrorCode::ReadFailed;
    }
}

ssize_t readSome(int fd, char* buffer, std::int64_t length, std::int64_t offset)
{
    ssize_t got = 0;
    do {
        got = ::pread(fd, buffer, static_cast<std::size_t>(length), offset);
    } while (got < 0 && errno == EINTR);
    return got;
}

bool setDirect(int fd, bool isDirect)
{
    const int flags = ::fcntl(fd, F_GETFL);
    return flags >= 0 && ::fcntl(fd, F_SETFL, isDirect ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

// Some file systems take the flag and refuse the reading.
bool readsDirectly(int fd)
{
    if (!setDirect(fd, true))
        return false;
    const Buffer buffer = makeBuffer(trial);
    if (buffer && readSome(fd, buffer.get(), trial, 0) > 0)
        return true;
    setDirect(fd, false);
    return false;
}

} // namespace

std::shared_ptr<FileReading> FileReading::make(const StorageOptions& options)
{
    return std::shared_ptr<FileReading>(new FileReading(options));
}

Result<void> FileReading::start(Job job, int threads)
{
    const auto self = shared_from_this();
    {
        const std::lock_guard lock(m_mutex);
        m_working = threads;
    }
    for (int i = 0; i < threads; ++i) {
        try {
            std::thread([self, job] { self->runOne(job); }).detach();
        } catch (const std::exception& e) {
            m_stop.store(true);
            const std::lock_guard lock(m_mutex);
            m_working -= threads - i;
            return tl::unexpected(errorFrom(e));
        }
    }
    return {};
}

void FileReading::runOne(Job job)
{
    try {
        (this->*job)();
    } catch (const std::exception& e) {
        fail(errorFrom(e));
    }
    const std::lock_guard lock(m_mutex);
    --m_working;
    m_ended.notify_all();
}

Result<void> FileReading::startPreparing()
{
    return start(&FileReading::prepare, 1);
}

Result<void> FileReading::startReading()
{
    {
        const std::lock_guard lock(m_mutex);
        m_lastRead = std::chrono::steady_clock::now();
    }
    return start(&FileReading::read, m_options.depth);
}

Result<void> FileReading::startJudging()
{
    return start(&FileReading::judge, 1);
}

bool FileReading::waitFor(Duration time)
{
    std::unique_lock lock(m_mutex);
    return m_ended.wait_for(lock, time, [this] { return m_working == 0; });
}

StorageData FileReading::facts() const
{
    const std::lock_guard lock(m_mutex);
    return m_facts;
}

std::optional<Error> FileReading::fault() const
{
    const std::lock_guard lock(m_mutex);
    return m_fault;
}

SteadyTime FileReading::lastRead() const
{
    const std::lock_guard lock(m_mutex);
    return m_lastRead;
}

// The first one counts; the others end.
void FileReading::fail(Error error)
{
    m_stop.store(true);
    const std::lock_guard lock(m_mutex);
    if (!m_fault)
        m_fault = std::move(error);
}

void FileReading::prepare()
{
    if (const auto opened = open().and_then([this] { return checkSize(); }); !opened) {
        fail(opened.error());
        return;
    }
    const StorageBelow below = storageBelow(m_file.fd());
    const ByteCount size = facts().fileSize;
    m_canBePastCaches = below.canBePastCaches;
    writeBack(m_file.fd(), size, m_stop);
    dropFromCache(m_file.fd());
    m_cachedBefore = residentBytes(m_file.fd(), size, m_stop);
    m_isDirect = readsDirectly(m_file.fd());
    const std::lock_guard lock(m_mutex);
    m_facts.place = below.place;
    m_facts.fileSystem = below.fileSystem;
    m_facts.device = below.device;
    m_facts.model = below.model;
    m_facts.rotational = below.rotational;
    m_facts.cachedBefore = m_cachedBefore.value_or(ByteCount());
    m_facts.way = StorageWay::Cached; // until it is known better
}

Result<void> FileReading::open()
{
    const QByteArray path = QFile::encodeName(m_options.file);
    // Without waiting: opening a pipe would wait for whoever writes into it.
    m_file = FileHandle(::open(path.constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!m_file.isOpen())
        return napkin::fail(codeOf(errno), m_options.file, systemWords(errno));
    struct stat status{};
    if (::fstat(m_file.fd(), &status) != 0)
        return napkin::fail(ErrorCode::ReadFailed, m_options.file, systemWords(errno));
    if (S_ISDIR(status.st_mode))
        return napkin::fail(ErrorCode::InvalidArgument, m_options.file,
                            Words::tr("it is a folder; name a large file in it"));
    if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode))
        return napkin::fail(ErrorCode::InvalidArgument, m_options.file,
                            Words::tr("it is neither a file nor a block device"));
    std::uint64_t size = static_cast<std::uint64_t>(status.st_size);
    if (S_ISBLK(status.st_mode) && ::ioctl(m_file.fd(), BLKGETSIZE64, &size) != 0)
        return napkin::fail(ErrorCode::ReadFailed, m_options.file, systemWords(errno));
    const std::lock_guard lock(m_mutex);
    m_facts.fileSize = ByteCount::bytes(static_cast<std::int64_t>(size));
    m_facts.allocated =
        S_ISBLK(status.st_mode) ? m_facts.fileSize : ByteCount::bytes(status.st_blocks * 512LL);
    return {};
}

// What was never written is read from no disk.
Result<void> FileReading::checkSize()
{
    const std::int64_t size = facts().fileSize.bytes();
    if (size < leastStorageFile.bytes())
        return napkin::fail(
            ErrorCode::InvalidArgument, m_options.file,
            Words::tr("it has %1, and %2 are the least: name a larger file, such as a model")
                .arg(formatBytesBinary(ByteCount::bytes(size)),
                     formatBytesBinary(leastStorageFile)));
    const off_t hole = ::lseek(m_file.fd(), 0, SEEK_HOLE);
    if (hole >= 0 && hole < size)
        return napkin::fail(ErrorCode::InvalidArgument, m_options.file,
                            Words::tr("it has holes that no disk holds; copy it, or name another"));
    return {};
}

Result<void> FileReading::readAt(char* buffer, std::int64_t offset)
{
    const std::int64_t size = facts().fileSize.bytes();
    const std::int64_t request = m_options.request.bytes();
    const std::int64_t wanted = std::min(request, size - offset);
    std::int64_t got = 0;
    while (got < wanted) {
        // Whole requests, also at the end of the file: direct reads know no other.
        const ssize_t some = readSome(m_file.fd(), buffer + got, request - got, offset + got);
        if (some < 0)
            return napkin::fail(ErrorCode::ReadFailed, m_options.file, systemWords(errno));
        if (some == 0)
            return napkin::fail(ErrorCode::ReadFailed, m_options.file,
                                Words::tr("it became shorter while it was read"));
        got += some;
    }
    m_bytes.fetch_add(wanted);
    const std::lock_guard lock(m_mutex);
    m_lastRead = std::chrono::steady_clock::now();
    return {};
}

void FileReading::read()
{
    const std::int64_t size = facts().fileSize.bytes();
    const std::int64_t request = m_options.request.bytes();
    const Buffer buffer = makeBuffer(static_cast<std::size_t>(request));
    if (!buffer) {
        fail({ErrorCode::OutOfMemory, {}, m_options.file, nullptr});
        return;
    }
    while (!m_stop.load()) {
        const std::int64_t offset = m_next.fetch_add(request);
        if (offset >= size)
            return;
        if (auto done = readAt(buffer.get(), offset); !done) {
            fail(done.error());
            return;
        }
    }
}

void FileReading::judge()
{
    const std::atomic<bool> never{false};
    const auto after = residentBytes(m_file.fd(), facts().fileSize, never);
    const StorageWay way = wayOf(after);
    // What was read the usual way fills the memory for nobody.
    if (!m_isDirect || way == StorageWay::Dropped)
        dropFromCache(m_file.fd());
    const std::lock_guard lock(m_mutex);
    m_facts.way = way;
}

StorageWay FileReading::wayOf(std::optional<ByteCount> cachedAfter) const
{
    if (!m_canBePastCaches)
        return StorageWay::Cached;
    const auto size = static_cast<double>(facts().fileSize.bytes());
    const bool wasEmpty =
        m_cachedBefore && static_cast<double>(m_cachedBefore->bytes()) <= fewPages * size;
    const StorageWay usual = wasEmpty ? StorageWay::Dropped : StorageWay::Cached;
    if (!m_isDirect || !m_cachedBefore || !cachedAfter)
        return m_isDirect && !m_cachedBefore ? StorageWay::Direct : usual;
    // Some file systems take a direct read and then go through the page cache after all (btrfs when
    // it compresses, ext4 with a journal of data): it shows.
    if (static_cast<double>(m_cachedBefore->bytes()) > mostPages * size)
        return StorageWay::Cached;
    const std::int64_t grown = cachedAfter->bytes() - m_cachedBefore->bytes();
    const bool isThrough =
        grown > grownAtLeast &&
        static_cast<double>(grown) > grownShare * static_cast<double>(m_bytes.load());
    return isThrough ? usual : StorageWay::Direct;
}

} // namespace napkin
