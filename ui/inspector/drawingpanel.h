// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/drawingdocument.h"
#include "ui/document/selection.h"

#include <QWidget>

class QLabel;

namespace napkin {

class CommitEdit;

// What there is to say when not exactly one thing is selected: the drawing as a whole, or how many
// things are.
class DrawingPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit DrawingPanel(DrawingDocument* document, QWidget* parent = nullptr);

    void present(const Selection& selection);
    void commit();
    [[nodiscard]] CommitEdit* nameEdit() const { return m_name; }

Q_SIGNALS:
    void done(); // Return in the name

private:
    void refresh();

    DrawingDocument* m_document;
    Selection m_selection;
    CommitEdit* m_name;
    QLabel* m_counts;
    QLabel* m_hint;
};

} // namespace napkin
