// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <array>

namespace napkin {

namespace {

struct Shades
{
    QRgb light;
    QRgb dark;
};

Shades shadesOf(ColorRole role)
{
    switch (role) {
    case ColorRole::Ground:
        return {0xffffffff, 0xff1c1e21};
    case ColorRole::Surface:
        return {0xfff6f7f9, 0xff25282c};
    case ColorRole::Line:
        return {0xffd1d9e0, 0xff40444a};
    case ColorRole::Outline:
        return {0xff848d97, 0xff6f757c};
    case ColorRole::Text:
        return {0xff1f2328, 0xffe6e6e6};
    case ColorRole::Secondary:
        return {0xff59636e, 0xffa0a4a8};
    case ColorRole::Accent:
        return {0xff0969da, 0xff6cb2ff};
    case ColorRole::Measured:
        return {0xff1a7f37, 0xff4cc38a};
    case ColorRole::Modelled:
        return {0xff6e40c9, 0xffb392f0};
    case ColorRole::Rated:
        return {0xff57606a, 0xff9da7b1};
    case ColorRole::Problem:
        return {0xffcf222e, 0xffff7b72};
    case ColorRole::Assumed:
    case ColorRole::Caution:
        return {0xff9a6700, 0xffe3b341};
    }
    return {0xff000000, 0xffffffff};
}

} // namespace

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

QColor themeColor(ColorRole role, const QPalette& palette)
{
    const Shades shades = shadesOf(role);
    return QColor::fromRgba(isDark(palette) ? shades.dark : shades.light);
}

QColor seriesColor(int n, const QPalette& palette)
{
    // Okabe and Ito's set; its sky blue and its orange are darker on a light
    // ground, where they would hardly be seen, and all but one lighter on a dark one.
    static constexpr std::array<QRgb, 6> light{0xff0072b2, 0xffd55e00, 0xff009e73,
                                               0xffcc79a7, 0xff3a97cf, 0xffb98000};
    static constexpr std::array<QRgb, 6> dark{0xff3d9fdb, 0xfff0803c, 0xff1fbf92,
                                              0xffd993b9, 0xff7cc6ef, 0xffe69f00};
    const auto& set = isDark(palette) ? dark : light;
    const int size = static_cast<int>(set.size());
    return QColor::fromRgba(set[static_cast<std::size_t>(((n % size) + size) % size)]);
}

} // namespace napkin
