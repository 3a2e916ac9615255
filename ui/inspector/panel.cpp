// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/panel.h"

#include <QApplication>
#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace napkin {

namespace {

// Keeps a label in a colour of the theme, light or dark.
class TintedLabel final : public QLabel
{
public:
    TintedLabel(ColorRole role, const QString& text, QWidget* parent)
        : QLabel(text, parent)
        , m_role(role)
    {
        tint(*this, m_role);
    }

protected:
    void changeEvent(QEvent* event) override
    {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange)
            tint(*this, m_role);
    }

private:
    ColorRole m_role;
};

} // namespace

void tint(QLabel& label, ColorRole role)
{
    const QPalette base = QApplication::palette(&label);
    const QColor colour = themeColor(role, base);
    if (label.palette().color(QPalette::WindowText) == colour)
        return;
    QPalette palette = label.palette();
    palette.setColor(QPalette::WindowText, colour);
    label.setPalette(palette);
}

int captionWidth(const QWidget& widget)
{
    return widget.fontMetrics().averageCharWidth() * 12;
}

QVBoxLayout* panelColumn(QWidget& panel)
{
    auto* column = new QVBoxLayout(&panel);
    column->setContentsMargins(gap(4), gap(4), gap(4), gap(4));
    column->setSpacing(gap(2));
    return column;
}

QLabel* panelKind(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

QLabel* addField(QVBoxLayout& column, const QString& caption, QWidget* field)
{
    auto* label = new TintedLabel(ColorRole::Secondary, caption, field->parentWidget());
    label->setBuddy(field);
    label->setMinimumWidth(captionWidth(*label));
    field->setAccessibleName(caption);
    field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    field->setMinimumWidth(80);
    auto* row = new QHBoxLayout;
    row->setSpacing(gap(2));
    row->addWidget(label);
    row->addWidget(field, 1);
    column.addLayout(row);
    return label;
}

QLabel* addFieldBelow(QVBoxLayout& column, const QString& caption, QWidget* field)
{
    auto* label = new TintedLabel(ColorRole::Secondary, caption, field->parentWidget());
    label->setBuddy(field);
    label->setTextFormat(Qt::PlainText);
    field->setAccessibleName(caption);
    field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    field->setMinimumWidth(80);
    auto* pair = new QVBoxLayout;
    pair->setSpacing(gap(1));
    pair->addWidget(label);
    pair->addWidget(field);
    column.addLayout(pair);
    return label;
}

QLabel* wordLine(LineKind kind, QWidget* parent)
{
    const ColorRole role = kind == LineKind::Note      ? ColorRole::Secondary
                           : kind == LineKind::Caution ? ColorRole::Caution
                                                       : ColorRole::Problem;
    auto* label = new TintedLabel(role, {}, parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace napkin
