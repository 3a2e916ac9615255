// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvasstyle.h"

#include <QFontInfo>

#include <algorithm>
#include <cmath>

namespace napkin {

CanvasStyle CanvasStyle::from(const QPalette& palette, const QFont& font)
{
    const double pixels = QFontInfo(font).pixelSize();
    const auto sized = [&](double factor) {
        QFont copy(font);
        copy.setPixelSize(std::max(8, static_cast<int>(std::lround(pixels * factor))));
        return copy;
    };
    CanvasStyle style;
    style.palette = palette;
    style.name = sized(1.1);
    style.name.setWeight(QFont::DemiBold);
    style.text = sized(1.0);
    style.small = sized(0.9);
    return style;
}

} // namespace napkin
