// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/headings.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>

namespace napkin {

namespace {

double factor(TypeSize size)
{
    switch (size) {
    case TypeSize::Title:
        return 1.5;
    case TypeSize::Heading:
        return 1.2;
    case TypeSize::Small:
        return 0.9;
    case TypeSize::Body:
        break;
    }
    return 1.0;
}

} // namespace

QFont sized(const QFont& base, TypeSize size)
{
    QFont font = base;
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor(size));
    else
        font.setPixelSize(static_cast<int>(font.pixelSize() * factor(size)));
    if (size == TypeSize::Heading || size == TypeSize::Title)
        font.setWeight(QFont::DemiBold);
    return font;
}

TypeLabel::TypeLabel(const QString& text, TypeSize size, QWidget* parent)
    : QLabel(text, parent)
    , m_size(size)
{
    restyle();
}

void TypeLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    const auto type = event->type();
    if (!m_restyling && (type == QEvent::ApplicationFontChange || type == QEvent::PaletteChange ||
                         type == QEvent::ApplicationPaletteChange))
        restyle();
}

void TypeLabel::restyle()
{
    m_restyling = true; // our own changes come back as events
    setFont(sized(QApplication::font(), m_size));
    if (m_size == TypeSize::Small) {
        QPalette p = palette();
        // On a base-coloured ground labels are drawn in Text.
        for (const auto role : {QPalette::WindowText, QPalette::Text})
            p.setColor(role, themeColor(ColorRole::Secondary, QApplication::palette()));
        setPalette(p);
    }
    m_restyling = false;
}

} // namespace napkin
