// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <atomic>
#include <optional>

// The kernel's cache of what files hold. All of it for any thread that may wait for a disk; `stop`
// ends the long ones early.
namespace napkin {

// Writes what was changed and not yet written, so that it can be dropped. False: it could not, or
// was stopped.
bool writeBack(int fd, ByteCount size, const std::atomic<bool>& stop);

// Asks the kernel to forget the file's pages. What other programs hold stays.
void dropFromCache(int fd);

// How much of the first `size` bytes is there. Counted page by page where the file is one's own or
// writable; else from 512 places, which are asked for without waiting. Nullopt: neither can be
// done, or it was stopped.
[[nodiscard]] std::optional<ByteCount> residentBytes(int fd, ByteCount size,
                                                     const std::atomic<bool>& stop);

} // namespace napkin
