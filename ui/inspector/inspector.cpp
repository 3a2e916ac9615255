// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspector.h"

#include "ui/inspector/cablepanel.h"
#include "ui/inspector/commitedit.h"
#include "ui/inspector/drawingpanel.h"
#include "ui/inspector/machinepanel.h"

#include <QKeyEvent>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <chrono>

namespace napkin {

namespace {

constexpr int usualWidth = 300;
constexpr int leastWidth = 288; // a figure with its unit and its age, and a scroll bar
constexpr std::chrono::seconds ageStep(30);

} // namespace

Inspector::Inspector(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_scroll(new QScrollArea(this))
    , m_holder(new QWidget(this))
    , m_drawing(new DrawingPanel(document, m_holder))
    , m_machine(new MachinePanel(document, catalogue, m_holder))
    , m_cable(new CablePanel(document, catalogue, m_holder))
    , m_ageTimer(new QTimer(this))
{
    setAccessibleName(tr("Inspector"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_scroll);
    auto* panels = new QVBoxLayout(m_holder);
    panels->setContentsMargins(0, 0, 0, 0);
    for (QWidget* panel : {static_cast<QWidget*>(m_drawing), static_cast<QWidget*>(m_machine),
                           static_cast<QWidget*>(m_cable)}) {
        panels->addWidget(panel);
        panel->hide();
    }
    m_scroll->setWidget(m_holder);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setAccessibleName(tr("Inspector"));

    connect(m_machine, &MachinePanel::farEndCardRequested, this, &Inspector::farEndCardRequested);
    connect(m_cable, &CablePanel::measureRequested, this, &Inspector::measureRequested);
    connect(m_drawing, &DrawingPanel::done, this, &Inspector::left);
    connect(m_machine, &MachinePanel::done, this, &Inspector::left);
    connect(m_cable, &CablePanel::done, this, &Inspector::left);
    connect(document, &DrawingDocument::machineRemoved, this, &Inspector::dropVanished);
    connect(document, &DrawingDocument::linkRemoved, this, &Inspector::dropVanished);
    connect(document, &DrawingDocument::wasReset, this, [this] { setSelection({}); });
    connect(m_ageTimer, &QTimer::timeout, m_cable, &CablePanel::refreshAges);
    m_ageTimer->start(ageStep);
    setSelection({});
}

void Inspector::setSelection(const Selection& selection)
{
    m_selection = selection;
    const bool one = selection.machines.size() + selection.links.size() == 1;
    if (one && !selection.machines.empty()) {
        m_machine->present(selection.machines.front());
        showPanel(m_machine);
    } else if (one) {
        m_cable->present(selection.links.front());
        showPanel(m_cable);
    } else {
        m_drawing->present(selection);
        showPanel(m_drawing);
    }
}

void Inspector::showPanel(QWidget* panel)
{
    if (m_shown == panel)
        return;
    if (m_shown) {
        m_machine->commit();
        m_cable->commit();
        m_drawing->commit();
        m_shown->hide();
    }
    m_shown = panel;
    panel->show();
    m_scroll->ensureVisible(0, 0);
}

// What is shown may be undone or removed from elsewhere.
void Inspector::dropVanished()
{
    Selection left;
    for (const MachineId id : m_selection.machines) {
        if (m_document->drawing().machine(id))
            left.machines.push_back(id);
    }
    for (const LinkId id : m_selection.links) {
        if (m_document->drawing().link(id))
            left.links.push_back(id);
    }
    if (!(left == m_selection))
        setSelection(left);
}

void Inspector::setWorksheet(const std::vector<WorksheetRow>& rows)
{
    m_cable->setWorksheet(rows);
}

void Inspector::setPeers(const std::vector<PeerChoice>& choices)
{
    m_machine->setPeers(choices);
    m_cable->setPeers(choices);
}

void Inspector::focusName()
{
    CommitEdit* edit = m_shown == m_machine ? m_machine->nameEdit()
                       : m_shown == m_cable ? m_cable->nameEdit()
                                            : m_drawing->nameEdit();
    edit->setFocus(Qt::ShortcutFocusReason);
    edit->selectAll();
    m_scroll->ensureWidgetVisible(edit);
}

void Inspector::focusFirstField()
{
    if (m_shown != m_cable) {
        focusName();
        return;
    }
    m_cable->firstField()->setFocus(Qt::ShortcutFocusReason);
    m_scroll->ensureWidgetVisible(m_cable->firstField());
}

QSize Inspector::sizeHint() const
{
    return {usualWidth, 480};
}

QSize Inspector::minimumSizeHint() const
{
    return {leastWidth, 160};
}

void Inspector::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape) {
        QWidget::keyPressEvent(event);
        return;
    }
    event->accept();
    Q_EMIT left();
}

} // namespace napkin
