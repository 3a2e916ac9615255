// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include <memory>
#include <optional>

namespace napkin {

namespace {

// Draws a one-colour SVG in the palette's colours at the moment of painting, at whatever size.
class LineIconEngine final : public QIconEngine
{
public:
    LineIconEngine(QByteArray svg, std::optional<QPalette> palette)
        : m_svg(std::move(svg))
        , m_palette(std::move(palette))
    {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        QByteArray svg = m_svg;
        svg.replace("#000000", colorFor(mode).name().toLatin1());
        QSvgRenderer renderer(svg);
        const int side = std::min(rect.width(), rect.height());
        QRectF square(0, 0, side, side);
        square.moveCenter(QRectF(rect).center());
        painter->setRenderHint(QPainter::Antialiasing);
        renderer.render(painter, square);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine* clone() const override
    {
        return std::make_unique<LineIconEngine>(m_svg, m_palette).release();
    }

private:
    [[nodiscard]] QColor colorFor(QIcon::Mode mode) const
    {
        const QPalette palette = m_palette ? *m_palette : QGuiApplication::palette();
        switch (mode) {
        case QIcon::Disabled:
            return palette.color(QPalette::Disabled, QPalette::WindowText);
        case QIcon::Selected:
            return palette.color(QPalette::HighlightedText);
        case QIcon::Normal:
        case QIcon::Active:
            break;
        }
        return palette.color(QPalette::WindowText);
    }

    QByteArray m_svg;
    std::optional<QPalette> m_palette;
};

QIcon iconFrom(QStringView name, std::optional<QPalette> palette)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    // QIcon owns the engine.
    return QIcon(std::make_unique<LineIconEngine>(file.readAll(), std::move(palette)).release());
}

} // namespace

QIcon themeIcon(QStringView name, const QPalette& palette)
{
    return iconFrom(name, palette);
}

QIcon themeIcon(QStringView name)
{
    return iconFrom(name, std::nullopt);
}

} // namespace napkin
