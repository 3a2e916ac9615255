// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace napkin::detail {

// "NPKN": says in the file's header that it is one of ours.
inline constexpr std::int32_t applicationId = 0x4E504B4E;

// One step of the schema: `sql` brings a file from version `to - 1` to version `to`.
struct Migration
{
    int to = 0;
    const char* sql = nullptr;
};

// Every step there ever was, in order. A released step is never changed; a new one is added, with a
// frozen file of its schema in tests/data/notebook.
[[nodiscard]] std::span<const Migration> migrations();

} // namespace napkin::detail
