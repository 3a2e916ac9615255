// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pictures.h"

#include "ui/canvas/napkinpage.h"
#include "ui/widgets/ledger.h"
#include "ui/window/mainwindow.h"
#include "ui/worksheet/worksheetfeed.h"
#include "ui/worksheet/worksheetpage.h"

#include <QDir>

namespace napkin {

Result<QStringList> savePictures(MainWindow& window, const QString& folder)
{
    if (!QDir().mkpath(folder))
        return fail(ErrorCode::StorageUnavailable, folder);
    const QString canvas = QDir(folder).absoluteFilePath(QStringLiteral("canvas.png"));
    if (const auto saved = window.napkinPage()->canvas()->savePicture(canvas); !saved)
        return tl::unexpected(saved.error());
    const QString worksheet = QDir(folder).absoluteFilePath(QStringLiteral("worksheet.png"));
    window.setMode(WindowMode::Worksheet);
    WorksheetPage* page = window.worksheetPage();
    if (const auto& records = window.workspace()->feed().records(); !records.empty())
        page->showRecord(records.front().id);
    // Wide enough that no column is cut off.
    const int columns = page->view()->horizontalHeader()->length() + 2;
    page->resize(std::max(960, columns), 560);
    if (!page->savePicture(worksheet, 2))
        return fail(ErrorCode::StorageUnavailable, worksheet);
    return QStringList{canvas, worksheet};
}

} // namespace napkin
