// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPalette>
#include <QStringView>

class QApplication;

namespace napkin {

// What a colour says. On Ground and on Surface, words have 4.5:1 or better and Outline, which
// carries meaning without being read, 3:1 (WCAG 2.1, 1.4.3 and 1.4.11). Line is decoration.
enum class ColorRole {
    Ground,  // behind drawings, tables and charts
    Surface, // behind bars, docks and forms
    Line,    // separators, grids: nothing is lost where they are not seen
    Outline, // the edge of a thing that is drawn
    Text,
    Secondary,
    Accent, // links, the selection, the step to take next
    Measured,
    Modelled,
    Assumed,
    Rated,
    Problem,
    Caution,
};

// Which of the two tables of colours a palette asks for.
[[nodiscard]] bool isDark(const QPalette& palette);
[[nodiscard]] QColor themeColor(ColorRole role, const QPalette& palette);

// The n-th set of a chart; safe for colour-blind readers, repeats after six. Tell sets apart by
// dash or marker too. 3:1 or better on Ground.
[[nodiscard]] QColor seriesColor(int n, const QPalette& palette);

// One of the line icons of resources/icons ("measure"), in the palette's text colour and sharp at
// any size. Null when there is none of that name. Without a palette it follows the application's,
// also when that changes later.
[[nodiscard]] QIcon themeIcon(QStringView name, const QPalette& palette);
[[nodiscard]] QIcon themeIcon(QStringView name);

// n times the basic distance of 4 px: 2 between things that belong together, 4 around groups.
[[nodiscard]] constexpr int gap(int n)
{
    return 4 * n;
}

enum class Appearance { System, Light, Dark };

// Stable names, for settings and the command line.
[[nodiscard]] QString appearanceName(Appearance appearance);
[[nodiscard]] Appearance appearanceFromName(QStringView name); // System when not known

// The whole palette, disabled colours, links and tooltips included.
[[nodiscard]] QPalette themePalette(bool dark);

// Sets style, palette and style sheet of the application. May be called again at any time.
void applyAppearance(QApplication& app, Appearance appearance);

} // namespace napkin
