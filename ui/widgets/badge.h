// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/provenance.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>
#include <QWidget>

#include <optional>

namespace napkin {

// The mark beside every figure that says what kind of claim it is, by shape and letter, not colour
// alone: rated a hollow square R, assumed a dashed circle A, modelled a diamond ≈, measured a
// filled square M. A value that is not one's own has a lighter face.

// Square, in line with text of that font.
[[nodiscard]] QSizeF badgeSize(const QFontMetricsF& metrics);
void paintBadge(QPainter& painter, const QRectF& rect, Provenance provenance, Origin origin,
                const QPalette& palette);

// Why: "Measured, run 12, 1 December 2026 10:14". `source` and `date` may be empty.
[[nodiscard]] QString badgeText(Provenance provenance, Origin origin, const QString& source,
                                const QDateTime& date);
// How a fact's own source reads; for measured values pass the run's words, since the fact only
// knows the record's id.
template <typename Q>
[[nodiscard]] QString badgeText(const Fact<Q>& fact)
{
    const bool measured = fact.provenance() == Provenance::Measured;
    return badgeText(fact.provenance(), fact.origin(), measured ? QString() : fact.source(),
                     fact.date());
}

class Badge : public QWidget
{
    Q_OBJECT
public:
    explicit Badge(QWidget* parent = nullptr);

    // Tooltip and accessible name come from the text.
    void setFact(Provenance provenance, Origin origin, const QString& text);
    void clear(); // nothing is drawn, the space stays

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Kind
    {
        Provenance provenance;
        Origin origin;
    };
    std::optional<Kind> m_kind;
};

} // namespace napkin
