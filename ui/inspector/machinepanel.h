// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "ui/document/drawingdocument.h"
#include "ui/inspector/peerchoice.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace napkin {

class CommitEdit;
class FactRow;
class PortsEditor;
class Section;
class TypeCombo;

// One machine: its name, its type with what the catalogue says of it, its ports.
class MachinePanel final : public QWidget
{
    Q_OBJECT
public:
    MachinePanel(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent = nullptr);

    void present(MachineId machine);
    void setPeers(const std::vector<PeerChoice>& choices);
    void commit(); // what is being typed
    [[nodiscard]] CommitEdit* nameEdit() const { return m_name; }

Q_SIGNALS:
    void farEndCardRequested(napkin::MachineId machine);
    void done(); // Return in the name

private:
    void refresh();
    void showType(const MachineType* type);
    void showPeer(const Machine& machine);
    void takePeer();
    void takeName(const QString& text);
    [[nodiscard]] QString portsOf(const MachineType& type) const;

    DrawingDocument* m_document;
    const Catalogue* m_catalogue;
    MachineId m_machine;
    CommitEdit* m_name;
    QLabel* m_nameFault;
    TypeCombo* m_type;
    QComboBox* m_peer;
    QLabel* m_peerFault;
    std::vector<PeerChoice> m_choices;
    Section* m_facts;
    FactRow* m_memory;
    FactRow* m_bandwidth;
    QLabel* m_typePorts;
    QLabel* m_unconfirmed;
    QLabel* m_source;
    PortsEditor* m_ports;
};

} // namespace napkin
