// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>
#include <QToolTip>

#include <memory>

namespace napkin {

namespace {

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto mix = [share](int x, int y) {
        return static_cast<int>(static_cast<double>(x) * (1 - share) +
                                static_cast<double>(y) * share);
    };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

// Fusion with a little more room around words.
class RoomyStyle final : public QProxyStyle
{
public:
    RoomyStyle()
        : QProxyStyle(QStringLiteral("Fusion"))
    {
        setObjectName(QStringLiteral("napkin"));
    }

    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option,
                                         const QSize& size, const QWidget* widget) const override
    {
        const QSize plain = QProxyStyle::sizeFromContents(type, option, size, widget);
        switch (type) {
        case CT_PushButton:
            return plain + QSize(gap(3), gap(1));
        case CT_ComboBox:
        case CT_LineEdit:
            return plain + QSize(gap(1), gap(1));
        case CT_MenuItem:
            return plain + QSize(gap(2), 2);
        default:
            return plain;
        }
    }

    // The platform's icons on dialog buttons do not follow the palette.
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                                QStyleHintReturn* returned) const override
    {
        return hint == SH_DialogButtonBox_ButtonsHaveIcons
                   ? 0
                   : QProxyStyle::styleHint(hint, option, widget, returned);
    }

    // Fusion outlines fields in a darker shade of the window, which is lost on a dark one.
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (element == PE_FrameLineEdit)
            outline(*option, *painter);
        else if (element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton ||
                 element == PE_IndicatorItemViewItemCheck)
            outlineMark(element, *option, *painter);
        else if (element == PE_PanelButtonTool && option->state & State_On)
            tintTaken(*option, *painter);
    }

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override
    {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        if (control == CC_SpinBox)
            outline(*option, *painter);
    }

    // A menu bar without Fusion's lines: the words, tinted while they are open.
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override
    {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (element == CE_MenuBarEmptyArea) {
            painter->fillRect(option->rect, option->palette.window());
        } else if (element == CE_MenuBarItem && item) {
            painter->fillRect(option->rect, option->palette.window());
            if (option->state & (State_Selected | State_Sunken)) {
                QColor tint = themeColor(ColorRole::Accent, option->palette);
                tint.setAlphaF(0.16F);
                painter->fillRect(option->rect, tint);
            }
            drawItemText(painter, option->rect, Qt::AlignCenter | Qt::TextShowMnemonic,
                         option->palette, option->state & State_Enabled, item->text,
                         QPalette::WindowText);
        } else {
            QProxyStyle::drawControl(element, option, painter, widget);
        }
    }

private:
    // The empty box is all there is to see of a choice that is not taken.
    static void outlineMark(PrimitiveElement element, const QStyleOption& option, QPainter& painter)
    {
        if (!isDark(option.palette))
            return;
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(themeColor(
            option.state & State_Enabled ? ColorRole::Outline : ColorRole::Line, option.palette));
        painter.setBrush(Qt::NoBrush);
        const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
        if (element == PE_IndicatorRadioButton)
            painter.drawEllipse(box);
        else
            painter.drawRoundedRect(box, 2, 2);
        painter.restore();
    }

    // Of several buttons, the one that is taken: a darker shade alone is lost on a dark ground.
    static void tintTaken(const QStyleOption& option, QPainter& painter)
    {
        const QColor accent = themeColor(ColorRole::Accent, option.palette);
        QColor tint = accent;
        tint.setAlphaF(0.18F);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(accent);
        painter.setBrush(tint);
        painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter.restore();
    }

    static void outline(const QStyleOption& option, QPainter& painter)
    {
        if (!isDark(option.palette) || option.state & State_HasFocus)
            return;
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(themeColor(ColorRole::Line, option.palette));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter.restore();
    }
};

// The platform's own palette, read before ours replaces it.
bool systemIsDark(const QApplication& app)
{
    static const bool dark = isDark(app.palette());
    return dark;
}

} // namespace

QString appearanceName(Appearance appearance)
{
    switch (appearance) {
    case Appearance::Light:
        return QStringLiteral("light");
    case Appearance::Dark:
        return QStringLiteral("dark");
    case Appearance::System:
        break;
    }
    return QStringLiteral("system");
}

Appearance appearanceFromName(QStringView name)
{
    for (const Appearance a : {Appearance::Light, Appearance::Dark}) {
        if (name == appearanceName(a))
            return a;
    }
    return Appearance::System;
}

QPalette themePalette(bool dark)
{
    QPalette key;
    key.setColor(QPalette::Window, dark ? Qt::black : Qt::white); // which table
    const auto color = [&key](ColorRole role) { return themeColor(role, key); };
    const QColor ground = color(ColorRole::Ground);
    const QColor surface = color(ColorRole::Surface);
    const QColor line = color(ColorRole::Line);
    const QColor text = color(ColorRole::Text);
    const QColor secondary = color(ColorRole::Secondary);
    const QColor accent = color(ColorRole::Accent);
    const QColor faint = mixed(secondary, surface, 0.4);

    QPalette p;
    p.setColor(QPalette::Window, surface);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, ground);
    p.setColor(QPalette::AlternateBase, surface);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, secondary);
    p.setColor(QPalette::Button, dark ? mixed(surface, text, 0.06) : ground);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, color(ColorRole::Problem));
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, ground);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::ToolTipBase, ground);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Light, mixed(surface, Qt::white, dark ? 0.10 : 1.0));
    p.setColor(QPalette::Midlight, mixed(surface, line, 0.5));
    p.setColor(QPalette::Mid, line);
    p.setColor(QPalette::Dark, mixed(line, text, 0.2));
    p.setColor(QPalette::Shadow, dark ? QColor(Qt::black) : mixed(line, text, 0.5));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                            QPalette::PlaceholderText, QPalette::ToolTipText})
        p.setColor(QPalette::Disabled, role, faint);
    p.setColor(QPalette::Disabled, QPalette::Highlight, line);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, faint);
    p.setColor(QPalette::Disabled, QPalette::Base, surface);
    return p;
}

void applyAppearance(QApplication& app, Appearance appearance)
{
    const bool dark =
        appearance == Appearance::Dark || (appearance == Appearance::System && systemIsDark(app));
    if (app.style()->objectName() != QStringLiteral("napkin"))
        QApplication::setStyle(std::make_unique<RoomyStyle>().release()); // the application owns it
    const QPalette palette = themePalette(dark);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

} // namespace napkin
