// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QFont>
#include <QPalette>

namespace napkin {

// What the items of a canvas are drawn with: the palette's colours and three sizes of the
// application's font. Sizes are in pixels, so that pictures of any resolution look the same.
struct CanvasStyle
{
    enum class Marks { Shown, Hidden }; // of selection and focus: hidden in pictures

    [[nodiscard]] static CanvasStyle from(const QPalette& palette, const QFont& font);

    [[nodiscard]] QColor color(ColorRole role) const { return themeColor(role, palette); }

    QPalette palette;
    QFont name;  // of machines
    QFont text;  // class and figures of cables
    QFont small; // types, ports, addresses
    Marks marks = Marks::Shown;
};

} // namespace napkin
