// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/badge.h"

#include "ui/theme/theme.h"
#include "ui/widgets/reltime.h"

#include <QCoreApplication>

#include <cmath>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Badge)
};

struct Face
{
    QString letter;
    ColorRole role;
};

Face faceOf(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Rated:
        return {QStringLiteral("R"), ColorRole::Rated};
    case Provenance::Assumed:
        return {QStringLiteral("A"), ColorRole::Assumed};
    case Provenance::Modelled:
        return {QStringLiteral("≈"), ColorRole::Modelled};
    case Provenance::Measured:
        return {QStringLiteral("M"), ColorRole::Measured};
    }
    return {};
}

// A rating is somebody else's by nature: its shape says so already.
bool isForeign(Provenance provenance, Origin origin)
{
    return origin != Origin::Mine && provenance != Provenance::Rated;
}

void drawShape(QPainter& painter, const QRectF& shape, Provenance provenance, const QColor& color,
               bool foreign)
{
    QPen pen(color, std::max(1.0, shape.height() / 12));
    pen.setJoinStyle(Qt::MiterJoin);
    QColor tint = color;
    tint.setAlphaF(0.14F);
    painter.setBrush(Qt::NoBrush);
    switch (provenance) {
    case Provenance::Rated:
        painter.setPen(pen);
        painter.drawRect(shape);
        break;
    case Provenance::Assumed:
        pen.setDashPattern({2.2, 1.6});
        painter.setPen(pen);
        painter.drawEllipse(shape);
        break;
    case Provenance::Modelled: {
        const QPointF c = shape.center();
        const double r = shape.width() / 2 + 1;
        painter.setPen(pen);
        if (foreign)
            painter.setBrush(tint);
        painter.drawPolygon(QPolygonF(
            {{c.x(), c.y() - r}, {c.x() + r, c.y()}, {c.x(), c.y() + r}, {c.x() - r, c.y()}}));
        break;
    }
    case Provenance::Measured:
        painter.setPen(pen);
        painter.setBrush(foreign ? tint : color);
        painter.drawRect(shape);
        break;
    }
}

} // namespace

QSizeF badgeSize(const QFontMetricsF& metrics)
{
    const double side = std::ceil(metrics.ascent() * 1.06);
    return {side, side};
}

void paintBadge(QPainter& painter, const QRectF& rect, Provenance provenance, Origin origin,
                const QPalette& palette)
{
    const Face face = faceOf(provenance);
    const QColor color = themeColor(face.role, palette);
    const bool foreign = isForeign(provenance, origin);
    const double side = std::min(rect.width(), rect.height());
    QRectF shape(0, 0, side - 2, side - 2);
    shape.moveCenter(rect.center());

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawShape(painter, shape, provenance, color, foreign);
    const bool onColor = provenance == Provenance::Measured && !foreign;
    painter.setPen(onColor ? themeColor(ColorRole::Ground, palette) : color);
    QFont font = painter.font();
    font.setBold(provenance != Provenance::Modelled);
    font.setPixelSize(std::max(6, static_cast<int>(std::lround(side * 0.66))));
    painter.setFont(font);
    // Centred by the letter's own outline: the font's line would put it too high or too low.
    const QRectF ink = QFontMetricsF(font).tightBoundingRect(face.letter);
    painter.drawText(shape.center() - ink.center(), face.letter);
    painter.restore();
}

QString badgeText(Provenance provenance, Origin origin, const QString& source,
                  const QDateTime& date)
{
    QString word = provenanceWord(provenance);
    if (!word.isEmpty())
        word[0] = word[0].toUpper();
    QStringList parts{word};
    if (isForeign(provenance, origin))
        parts << originWord(origin);
    if (!source.isEmpty())
        parts << source;
    if (date.isValid())
        parts << exactTime(date);
    return parts.join(Words::tr(", ", "between the parts of a short note"));
}

Badge::Badge(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::setFact(Provenance provenance, Origin origin, const QString& text)
{
    m_kind = Kind{provenance, origin};
    setToolTip(text);
    setAccessibleName(text);
    update();
}

void Badge::clear()
{
    m_kind.reset();
    setToolTip({});
    setAccessibleName({});
    update();
}

QSize Badge::sizeHint() const
{
    const QSizeF size = badgeSize(QFontMetricsF(font()));
    return {static_cast<int>(std::ceil(size.width())) + 2,
            static_cast<int>(std::ceil(size.height())) + 2};
}

void Badge::paintEvent(QPaintEvent*)
{
    if (!m_kind)
        return;
    QPainter painter(this);
    painter.setFont(font());
    paintBadge(painter, QRectF(rect()).adjusted(1, 1, -1, -1), m_kind->provenance, m_kind->origin,
               palette());
}

} // namespace napkin
