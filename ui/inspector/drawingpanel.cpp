// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/drawingpanel.h"

#include "ui/inspector/commitedit.h"
#include "ui/inspector/panel.h"

#include <QLabel>
#include <QVBoxLayout>

namespace napkin {

DrawingPanel::DrawingPanel(DrawingDocument* document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_name(new CommitEdit(this))
    , m_counts(new QLabel(this))
    , m_hint(wordLine(LineKind::Note, this))
{
    QVBoxLayout* column = panelColumn(*this);
    column->addWidget(panelKind(tr("Drawing"), this));
    addField(*column, tr("Name"), m_name);
    column->addWidget(m_counts);
    column->addWidget(m_hint);
    column->addStretch(1);
    m_name->setObjectName(QStringLiteral("drawingName"));
    m_counts->setWordWrap(true);
    connect(m_name, &CommitEdit::committed, m_document, &DrawingDocument::renameDrawing);
    connect(m_name, &QLineEdit::returnPressed, this, &DrawingPanel::done);
    for (auto signal : {&DrawingDocument::machineAdded, &DrawingDocument::machineRemoved})
        connect(document, signal, this, &DrawingPanel::refresh);
    for (auto signal : {&DrawingDocument::linkAdded, &DrawingDocument::linkRemoved})
        connect(document, signal, this, &DrawingPanel::refresh);
    connect(document, &DrawingDocument::drawingRenamed, this, &DrawingPanel::refresh);
    connect(document, &DrawingDocument::wasReset, this, &DrawingPanel::refresh);
    refresh();
}

void DrawingPanel::present(const Selection& selection)
{
    m_selection = selection;
    refresh();
}

void DrawingPanel::commit()
{
    m_name->commit();
}

void DrawingPanel::refresh()
{
    const Drawing& drawing = m_document->drawing();
    m_name->present(drawing.name);
    const bool some = !m_selection.isEmpty();
    const std::size_t machines = some ? m_selection.machines.size() : drawing.machines.size();
    const std::size_t cables = some ? m_selection.links.size() : drawing.links.size();
    const QString counts =
        tr("%1, %2", "3 machines, 2 cables")
            .arg(machines == 1 ? tr("1 machine")
                               : tr("%n machines", nullptr, static_cast<int>(machines)),
                 cables == 1 ? tr("1 cable") : tr("%n cables", nullptr, static_cast<int>(cables)));
    m_counts->setText(some ? tr("Selected: %1").arg(counts) : counts);
    if (some)
        m_hint->setText(tr("Arrows move the machines, Delete removes what is selected."));
    else if (drawing.machines.empty())
        m_hint->setText(tr("Press B on the drawing to add a machine."));
    else
        m_hint->setText(tr("Select a machine or a cable to see and change it here."));
}

} // namespace napkin
