// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QLabel>

namespace napkin {

// Type sizes relative to the platform's font.
enum class TypeSize { Title, Heading, Body, Small };

[[nodiscard]] QFont sized(const QFont& base, TypeSize size);

// A label in that size; Small is in the secondary colour. Follows font and palette changes.
class TypeLabel : public QLabel
{
    Q_OBJECT
public:
    TypeLabel(const QString& text, TypeSize size, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void restyle();
    TypeSize m_size;
    bool m_restyling = false;
};

} // namespace napkin
