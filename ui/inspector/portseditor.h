// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/drawingdocument.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace napkin {

class CommitEdit;

// The ports of one machine: name and address of each, to be added and removed. An address that
// cannot be one is not taken over; a line below says why.
class PortsEditor final : public QWidget
{
    Q_OBJECT
public:
    explicit PortsEditor(DrawingDocument* document, QWidget* parent = nullptr);

    void present(const Machine& machine);
    void commit();

private:
    struct Row
    {
        PortId port;
        CommitEdit* name;
        CommitEdit* address;
        QToolButton* remove;
    };

    void rebuild(const Machine& machine);
    Row makeRow(PortId port);
    void judge(); // shows the first fault among what is typed
    void takeAddress(PortId port, const QString& text);

    DrawingDocument* m_document;
    MachineId m_machine;
    QGridLayout* m_grid;
    QLabel* m_fault;
    std::vector<Row> m_rows;
};

} // namespace napkin
