// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/spec.h"
#include "core/topology/topology.h"
#include "core/workflow/linkspec.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStringListModel;
class QVBoxLayout;

namespace napkin {

class FoldButton;
class OptionsEditor;

// What to measure and how. A cable of the drawing fills in the far end and binds the run to its
// near port where that is known, so that the run takes this cable and no other. What is typed over
// that counts until a cable is chosen again.
class MeasureForm : public QWidget
{
    Q_OBJECT
public:
    explicit MeasureForm(QWidget* parent = nullptr);

    void setDrawing(const Drawing& drawing);
    // Which machines are paired with this one. Where both ends of a cable are, either measures.
    void setPeers(const PeerBook& book);
    void setNearEnd(NearEnd near);
    void selectLink(std::optional<LinkId> wanted);
    [[nodiscard]] std::optional<LinkId> link() const;

    // InvalidArgument says which field.
    [[nodiscard]] Result<ProbeSpec> spec() const;
    [[nodiscard]] int port() const;
    void focusHost();
    void focusMeasure(); // the button

Q_SIGNALS:
    void measureRequested();
    void linkChosen(); // another cable, or none
    void portChanged(int port);
    void farEndCardRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeFields();
    void makeAdvanced();
    void layOut();
    enum class Typed { Kept, Replaced };
    void fillFromLink(Typed typed);
    void showFieldsOfKind();
    void tellFarEnd();
    void fillNear();
    void fillInterfaces();
    void fillMachines();
    void leaveMachine(); // a link is to be measured
    void showEnds();     // the fields of the two ends, or of the one machine
    [[nodiscard]] Result<ProbeSpec> machineSpec(const ProbeOptions& options) const;
    [[nodiscard]] NearEnd nearEnd() const;
    [[nodiscard]] QString wayText(const ProbeSpec& spec) const;
    [[nodiscard]] ProbeKind kind() const;
    [[nodiscard]] OptionsEditor* editor() const; // of the kind chosen
    [[nodiscard]] QVBoxLayout* makeButtons();
    [[nodiscard]] std::optional<PeerId> typedPeer() const;
    [[nodiscard]] bool isFarPaired() const;

    Drawing m_drawing;
    PeerBook m_book;
    QComboBox* m_link;
    QComboBox* m_near;
    QLabel* m_hint;
    QLineEdit* m_host;
    QStringListModel* m_peerNames; // to complete it with
    QSpinBox* m_port;
    QComboBox* m_kind;
    QComboBox* m_machine;                  // whose memory is measured
    QLabel* m_need;                        // why what is chosen can not be measured
    std::vector<OptionsEditor*> m_editors; // in the order of ProbeKind
    QLineEdit* m_label;
    FoldButton* m_more;
    QWidget* m_advanced;
    QComboBox* m_interface;
    QLineEdit* m_source;
    QComboBox* m_ipVersion;
    QPushButton* m_measure;
    QPushButton* m_farEndCard;
    QFormLayout* m_basicForm;
    QFormLayout* m_commonForm;
    QString m_filledHost; // what the cable put into the field
    bool m_linkIsPaired = false;
    bool m_filling = false;
};

} // namespace napkin
