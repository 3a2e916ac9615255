// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace napkin::cli {

// Help that fits the terminal: usage, what it does, arguments, options and commands in columns,
// then the examples.
class HelpText : public CLI::FormatterBase
{
public:
    explicit HelpText(int width)
        : m_width(width)
    {}
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;

private:
    int m_width;
};

} // namespace napkin::cli
