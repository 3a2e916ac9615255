// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
} // namespace CLI

namespace napkin::cli {

// Help that fits the terminal: usage, what it does, arguments, options and commands in columns,
// then the examples.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> helpFormatter(int width);

} // namespace napkin::cli
