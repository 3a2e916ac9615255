// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QStringList>

namespace napkin {

class MainWindow;

// Pictures of the open notebook at twice the size, from the real widgets: canvas.png and
// worksheet.png in `folder`, which is made. Their paths, or why not.
[[nodiscard]] Result<QStringList> savePictures(MainWindow& window, const QString& folder);

} // namespace napkin
