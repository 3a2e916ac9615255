// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace napkin {

// a[i] = b[i] + s * c[i] for all i under `count`. The arrays do not overlap. In a source of its own
// that is always optimised, with ordinary stores: nothing goes past the caches by non-temporal
// ones.
void triad(double* a, const double* b, const double* c, double s, std::size_t count);

} // namespace napkin
