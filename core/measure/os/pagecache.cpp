// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/pagecache.h"

#include <QString>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

namespace napkin {

namespace {

constexpr std::int64_t window = 1LL << 30; // looked at in one go
constexpr std::int64_t flushStep = 8LL << 20;
constexpr int places = 512;

// For others the kernel says that all pages are there.
bool maySeePages(int fd)
{
    struct stat status{};
    if (::fstat(fd, &status) != 0)
        return false;
    if (status.st_uid == ::geteuid() || ::geteuid() == 0)
        return true;
    const QByteArray path = QByteArrayLiteral("/proc/self/fd/") + QByteArray::number(fd);
    return ::access(path.constData(), W_OK) == 0;
}

std::optional<std::int64_t> residentIn(int fd, std::int64_t from, std::int64_t length)
{
    const auto size = static_cast<std::size_t>(length);
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, from);
    if (memory == MAP_FAILED)
        return std::nullopt;
    const std::int64_t page = ::sysconf(_SC_PAGESIZE);
    std::vector<unsigned char> pages(static_cast<std::size_t>((length + page - 1) / page));
    const bool isTold = ::mincore(memory, size, pages.data()) == 0;
    ::munmap(memory, size);
    if (!isTold)
        return std::nullopt;
    const auto there = std::ranges::count_if(pages, [](unsigned char one) { return one & 1U; });
    return std::min(length, static_cast<std::int64_t>(there) * page);
}

std::optional<ByteCount> countPages(int fd, std::int64_t size, const std::atomic<bool>& stop)
{
    std::int64_t sum = 0;
    for (std::int64_t at = 0; at < size; at += window) {
        const auto some = residentIn(fd, at, std::min(window, size - at));
        if (!some || stop.load())
            return std::nullopt;
        sum += *some;
    }
    return ByteCount::bytes(sum);
}

// One byte each, taken only if it needs no wait.
std::optional<ByteCount> askPlaces(int fd, std::int64_t size)
{
    int there = 0;
    for (int i = 0; i < places; ++i) {
        char byte = 0;
        iovec part{&byte, 1};
        const ssize_t got = ::preadv2(fd, &part, 1, size / places * i, RWF_NOWAIT);
        if (got < 0 && errno != EAGAIN)
            return std::nullopt;
        there += got > 0 ? 1 : 0;
    }
    return ByteCount::bytes(size / places * there);
}

} // namespace

bool writeBack(int fd, ByteCount size, const std::atomic<bool>& stop)
{
    for (std::int64_t at = 0; at < size.bytes(); at += flushStep) {
        constexpr unsigned all =
            SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
        if (stop.load() || ::sync_file_range(fd, at, flushStep, all) != 0)
            return false;
    }
    return true;
}

void dropFromCache(int fd)
{
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

std::optional<ByteCount> residentBytes(int fd, ByteCount size, const std::atomic<bool>& stop)
{
    if (maySeePages(fd)) {
        if (const auto counted = countPages(fd, size.bytes(), stop))
            return counted;
    }
    return stop.load() ? std::nullopt : askPlaces(fd, size.bytes());
}

} // namespace napkin
