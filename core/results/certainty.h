// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace napkin {

// How well a mean is known from a series of equally long intervals (rates, or latencies in the
// order of sending).
struct Certainty
{
    enum class Verdict {
        Sure,      // steady, and known to plus or minus 1 % or better
        NotYet,    // steady as far as can be told, but not known well enough
        NotSteady, // it drifts, steps or swings: no interval would be honest
    };
    Verdict verdict = Verdict::NotYet;
    std::size_t warmUp = 0; // values cut from the beginning (MSER-5)
    double mean = 0;        // of the rest
    double halfWidth = 0;   // of the 95 % interval, in units of the values; 0 where there is none
    double lowest = 0;      // of the rest: the spread that is told where there is no interval
    double highest = 0;
};

// From what is there so far, which is at least 40 values (2 s at 20 a second) after the cut.
// Nothing is remembered: a caller that stops a run asks again and again, and stops after five Sure
// in a row. The interval: Student's t with the variance of an AR(1) series, of at least 15
// effective values; of ten pieces where neighbours correlate negatively. A half width is never told
// as under 1 % of the mean. What changes more slowly than the run lasts can not be seen: a link
// that is level for 2 s and then steps is Sure by then.
[[nodiscard]] Certainty certaintyOf(std::span<const double> values);

} // namespace napkin
