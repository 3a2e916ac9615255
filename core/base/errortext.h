// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

namespace napkin {

// A fault in the user's language: what happened, why as far as known, what to do. Both programs say
// the same words, which is why this stands in core and not in ui.
struct ErrorText
{
    QString what;
    QString why;    // may be empty
    QString advice; // may be empty

    // The three as one paragraph.
    [[nodiscard]] QString joined() const;
};

[[nodiscard]] ErrorText describe(const Error& error);

} // namespace napkin
