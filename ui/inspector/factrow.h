// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/provenance.h"

#include <QWidget>

class QLabel;

namespace napkin {

class Badge;

// One figure with its badge: what it is, the figure, when or whence at the right, and smaller
// below it more of the same figure (another unit, ratios).
class FactRow final : public QWidget
{
    Q_OBJECT
public:
    explicit FactRow(const QString& caption, QWidget* parent = nullptr);

    // `why` is the badge's tooltip.
    void setFact(Provenance provenance, Origin origin, const QString& value, const QString& why);
    void setUnknown(const QString& text); // words instead of a figure, without a badge
    void setBelow(const QString& text);
    void setAside(const QString& text, const QString& tooltip = {});
    [[nodiscard]] QString value() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void recolour();

    QLabel* m_caption;
    Badge* m_badge;
    QLabel* m_value;
    QLabel* m_aside;
    QLabel* m_below;
};

} // namespace napkin
