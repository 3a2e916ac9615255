// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace napkin {

// Makes canvases and what is drawn on them known to screen readers. Call before the first canvas is
// shown; more than once does no harm.
void installCanvasAccessibility();

} // namespace napkin
