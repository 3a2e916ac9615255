// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "core/notebook/worksheet.h"
#include "core/workflow/linkspec.h"
#include "ui/document/drawingdocument.h"
#include "ui/inspector/peerchoice.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QPushButton;

namespace napkin {

class ClassCombo;
class CommitEdit;
class FactRow;

// One cable: its ends, class and name; what it is rated and what was measured.
class CablePanel final : public QWidget
{
    Q_OBJECT
public:
    CablePanel(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent = nullptr);

    void present(LinkId link);
    void setWorksheet(const std::vector<WorksheetRow>& rows);
    void setPeers(const std::vector<PeerChoice>& choices);
    void commit(); // what is being typed
    void refreshAges();
    [[nodiscard]] CommitEdit* nameEdit() const { return m_name; }
    [[nodiscard]] QWidget* firstField() const;

Q_SIGNALS:
    void measureRequested(napkin::LinkId link, napkin::NearEnd near);
    void done(); // Return in the name

private:
    enum class End { A, B };

    void refresh();
    void showEnd(QComboBox& combo, QLabel& caption, const Link& link, End end);
    void takeEnd(QComboBox& combo, End end);
    void showNear(const Link& link);
    void showRated(const LinkClass* kind);
    void showMeasured(const Link& link);
    void showRate(FactRow& row, const std::optional<MeasuredRate>& rate,
                  const std::vector<Fact<BitRate>>& ratings);
    [[nodiscard]] const WorksheetRow* row(const Link& link) const;

    DrawingDocument* m_document;
    const Catalogue* m_catalogue;
    std::vector<WorksheetRow> m_rows;
    LinkId m_link;
    QComboBox* m_portA;
    QComboBox* m_portB;
    QLabel* m_captionA;
    QLabel* m_captionB;
    QLabel* m_endFault;
    ClassCombo* m_class;
    CommitEdit* m_name;
    FactRow* m_rated;
    QLabel* m_ratedNote;
    FactRow* m_forward;
    FactRow* m_reverse;
    FactRow* m_bothForward;
    FactRow* m_bothReverse;
    FactRow* m_connect;
    QLabel* m_runs;
    std::vector<PeerChoice> m_choices;
    QComboBox* m_near; // which end measures, where both are paired machines
    QLabel* m_nearCaption;
    QPushButton* m_measure;
};

} // namespace napkin
