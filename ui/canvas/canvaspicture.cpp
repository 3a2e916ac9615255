// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a drawing.

#include "ui/canvas/canvasview.h"

#include <QFileInfo>
#include <QPainter>
#include <QSvgGenerator>

#include <cmath>

namespace napkin {

namespace {

constexpr qreal margin = 24;
constexpr qreal pngScale = 2;
constexpr double mostSide = 16384; // of an image, in pixels

QRectF pictureRect(const CanvasScene& scene)
{
    const QRectF bounds = scene.drawnBounds();
    return bounds.isEmpty() ? QRectF(-160, -100, 320, 200)
                            : bounds.adjusted(-margin, -margin, margin, margin).toAlignedRect();
}

// The same drawing without marks: a scene of its own, so that the one on screen is left alone.
std::unique_ptr<CanvasScene> sceneForPicture(DrawingDocument* document, const Catalogue* catalogue,
                                             CanvasStyle style,
                                             const std::vector<WorksheetRow>& rows)
{
    auto scene = std::make_unique<CanvasScene>(document, catalogue);
    style.marks = CanvasStyle::Marks::Hidden;
    scene->setStyle(style);
    scene->setWorksheet(rows);
    return scene;
}

} // namespace

QImage CanvasView::renderPicture(qreal scale) const
{
    const auto scene = sceneForPicture(m_document, m_catalogue, m_scene->style(), m_rows);
    const QRectF source = pictureRect(*scene);
    const qreal fitting = std::min(scale, mostSide / std::max(source.width(), source.height()));
    QImage image((source.size() * fitting).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(m_scene->style().color(ColorRole::Ground));
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    scene->render(&painter, QRectF(QPointF(), QSizeF(image.size())), source);
    return image;
}

Result<void> CanvasView::savePicture(const QString& path) const
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == u"png") {
        if (!renderPicture(pngScale).save(path, "PNG"))
            return fail(ErrorCode::StorageUnavailable, path);
        return {};
    }
    if (suffix != u"svg")
        return fail(ErrorCode::InvalidArgument, path, tr("A picture is a .png or an .svg file."));
    const auto scene = sceneForPicture(m_document, m_catalogue, m_scene->style(), m_rows);
    const QRectF source = pictureRect(*scene);
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(source.size().toSize());
    generator.setViewBox(QRectF(QPointF(), source.size()));
    generator.setTitle(m_document->drawing().name);
    QPainter painter;
    if (!painter.begin(&generator))
        return fail(ErrorCode::StorageUnavailable, path);
    painter.fillRect(QRectF(QPointF(), source.size()), m_scene->style().color(ColorRole::Ground));
    scene->render(&painter, QRectF(QPointF(), source.size()), source);
    painter.end();
    if (QFileInfo(path).size() == 0)
        return fail(ErrorCode::StorageUnavailable, path);
    return {};
}

} // namespace napkin
