// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "core/notebook/worksheet.h"
#include "core/workflow/linkspec.h"
#include "ui/document/drawingdocument.h"
#include "ui/document/selection.h"
#include "ui/inspector/peerchoice.h"

#include <QWidget>

#include <vector>

class QScrollArea;
class QTimer;

namespace napkin {

class CablePanel;
class DrawingPanel;
class MachinePanel;

// Shows what is selected in the drawing and changes it, through undoable commands.
class Inspector final : public QWidget
{
    Q_OBJECT
public:
    // Both outlive the inspector; `catalogue` may be null.
    Inspector(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent = nullptr);

    void setSelection(const Selection& selection);
    void setWorksheet(const std::vector<WorksheetRow>& rows);
    void setPeers(const std::vector<PeerChoice>& choices); // none: nothing is asked about them
    void focusName();                                      // with all of it selected
    void focusFirstField();                                // of what is shown

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void measureRequested(napkin::LinkId link, napkin::NearEnd near);
    void farEndCardRequested(napkin::MachineId machine);
    void left(); // Escape, or Return in a name: the focus belongs to the drawing again

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showPanel(QWidget* panel);
    void dropVanished();

    DrawingDocument* m_document;
    Selection m_selection;
    QScrollArea* m_scroll;
    QWidget* m_holder;
    DrawingPanel* m_drawing;
    MachinePanel* m_machine;
    CablePanel* m_cable;
    QWidget* m_shown = nullptr;
    QTimer* m_ageTimer;
};

} // namespace napkin
