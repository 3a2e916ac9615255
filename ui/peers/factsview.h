// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/hostfacts.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QTreeWidget;
class QVBoxLayout;

namespace napkin {

// What a machine is: its system, its routes, and a table of its interfaces, each of which opens to
// what is known of its adapter.
class FactsView : public QWidget
{
    Q_OBJECT
public:
    explicit FactsView(QWidget* parent = nullptr);

    void present(const HostFacts& facts, const QString& name);
    [[nodiscard]] QTreeWidget* interfaces() const { return m_tree; }
    [[nodiscard]] QString text() const; // of the machine

private:
    void addRow(const QString& name, const QString& text);
    void addMachine(const HostFacts& facts);
    void addInterface(const InterfaceFacts& facts);

    QLabel* m_title;
    QWidget* m_holder;
    QWidget* m_machine = nullptr;
    QGridLayout* m_grid = nullptr;
    QTreeWidget* m_tree;
};

} // namespace napkin
