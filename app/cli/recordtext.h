// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/textreport.h"
#include "core/notebook/record.h"

#include <QString>

namespace napkin::cli {

enum class Samples { Left, Shown };

// Everything of a record, in sections.
[[nodiscard]] QString recordText(const Record& record, const LinkOfRun& link, Samples samples,
                                 int width);

} // namespace napkin::cli
