// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/memory/triad.h"

namespace napkin {

void triad(double* __restrict a, const double* __restrict b, const double* __restrict c, double s,
           std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        a[i] = b[i] + s * c[i];
}

} // namespace napkin
