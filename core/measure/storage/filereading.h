// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/measure/os/filehandle.h"
#include "core/results/storage.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

namespace napkin {

// A file that is being read by threads of its own. A disk or a server that does not answer holds
// such a thread for as long as it likes: whoever waits here goes on without them, and what they use
// lives as long as they do.
class FileReading : public std::enable_shared_from_this<FileReading>
{
public:
    [[nodiscard]] static std::shared_ptr<FileReading> make(const StorageOptions& options);

    // Each of these starts threads and returns at once; ended() tells when they are through.
    // Opens the file, finds out what it lies on, writes back and drops what the page cache holds.
    [[nodiscard]] Result<void> startPreparing();
    // Reads from the start to the end, several requests at once.
    [[nodiscard]] Result<void> startReading();
    // Looks at the page cache again: decides which way the bytes came.
    [[nodiscard]] Result<void> startJudging();

    void stop() { m_stop.store(true); }
    // Waits until what was started has ended, at most that long; whether it has.
    [[nodiscard]] bool waitFor(Duration time);

    // What is known of the file, without samples; complete after preparing and after judging.
    [[nodiscard]] StorageData facts() const;
    [[nodiscard]] std::optional<Error> fault() const;
    [[nodiscard]] std::int64_t bytesRead() const { return m_bytes.load(); }
    [[nodiscard]] SteadyTime lastRead() const; // when the last bytes came

private:
    explicit FileReading(StorageOptions options)
        : m_options(std::move(options))
    {}
    using Job = void (FileReading::*)();
    [[nodiscard]] Result<void> start(Job job, int threads);
    void runOne(Job job);
    void fail(Error error);

    void prepare();
    [[nodiscard]] Result<void> open();
    [[nodiscard]] Result<void> checkSize();
    void read();
    [[nodiscard]] Result<void> readAt(char* buffer, std::int64_t offset);
    void judge();
    [[nodiscard]] StorageWay wayOf(std::optional<ByteCount> cachedAfter) const;

    const StorageOptions m_options;
    FileHandle m_file;
    bool m_isDirect = false;
    bool m_canBePastCaches = false;
    std::optional<ByteCount> m_cachedBefore;
    std::atomic<bool> m_stop{false};
    std::atomic<std::int64_t> m_next{0};
    std::atomic<std::int64_t> m_bytes{0};

    mutable std::mutex m_mutex; // of what follows
    std::condition_variable m_ended;
    StorageData m_facts;
    int m_working = 0;
    std::optional<Error> m_fault;
    SteadyTime m_lastRead;
};

} // namespace napkin
