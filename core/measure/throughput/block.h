// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace napkin {

// Memory that starts on a page. A large std::vector starts 16 bytes into one, and the kernel's copy
// to and from such memory was seen to take three times the CPU time (AMD EPYC, 128 KiB and up).
template <typename T>
class PageAllocator
{
public:
    using value_type = T;

    PageAllocator() = default;
    template <typename U>
    explicit PageAllocator(const PageAllocator<U>& /*other*/)
    {}

    T* allocate(std::size_t count)
    {
        return static_cast<T*>(::operator new(count * sizeof(T), alignment));
    }
    void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, alignment); }
    bool operator==(const PageAllocator& /*other*/) const { return true; }

private:
    static constexpr std::align_val_t alignment{4096};
};

// What is sent from and received into.
using Block = std::vector<std::byte, PageAllocator<std::byte>>;

} // namespace napkin
