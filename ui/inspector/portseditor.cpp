// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/portseditor.h"

#include "ui/inspector/address.h"
#include "ui/inspector/commitedit.h"
#include "ui/inspector/panel.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace napkin {

PortsEditor::PortsEditor(DrawingDocument* document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_grid(new QGridLayout)
    , m_fault(wordLine(LineKind::Fault, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap(2));
    column->addLayout(m_grid);
    column->addWidget(m_fault);
    m_fault->setObjectName(QStringLiteral("addressFault"));
    m_fault->hide();
    m_grid->setHorizontalSpacing(gap(1));
    m_grid->setVerticalSpacing(gap(1));
    m_grid->setColumnStretch(0, 2);
    m_grid->setColumnStretch(1, 3);
    auto* nameHead = wordLine(LineKind::Note, this);
    nameHead->setText(tr("Name"));
    auto* addressHead = wordLine(LineKind::Note, this);
    addressHead->setText(tr("Address"));
    m_grid->addWidget(nameHead, 0, 0);
    m_grid->addWidget(addressHead, 0, 1);
    auto* add = new QPushButton(themeIcon(u"add"), tr("Add port"), this);
    add->setObjectName(QStringLiteral("addPort"));
    column->addWidget(add, 0, Qt::AlignLeft);
    connect(add, &QPushButton::clicked, this, [this] {
        const PortId port = m_document->addPort(m_machine);
        const auto row = std::ranges::find(m_rows, port, &Row::port);
        if (row != m_rows.end())
            row->name->setFocus();
    });
}

void PortsEditor::present(const Machine& machine)
{
    const bool same = m_machine == machine.id &&
                      std::ranges::equal(m_rows, machine.ports, {}, &Row::port, &Port::id);
    m_machine = machine.id;
    if (!same)
        rebuild(machine);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Port& port = machine.ports[i];
        const QString title = portTitle(machine, port);
        m_rows[i].name->present(port.name);
        m_rows[i].name->setPlaceholderText(title);
        m_rows[i].name->setAccessibleName(tr("Name of %1").arg(title));
        m_rows[i].address->present(port.address);
        m_rows[i].address->setAccessibleName(tr("Address of %1").arg(title));
        const bool taken = m_document->isPortTaken(port.id);
        const QString what =
            taken ? tr("Remove %1 and its cable").arg(title) : tr("Remove %1").arg(title);
        m_rows[i].remove->setToolTip(what);
        m_rows[i].remove->setAccessibleName(what);
    }
    judge();
}

void PortsEditor::commit()
{
    // By copies of the pointers: taking one over may rebuild the rows.
    std::vector<QPointer<CommitEdit>> edits;
    for (const Row& row : m_rows) {
        edits.emplace_back(row.name);
        edits.emplace_back(row.address);
    }
    for (const auto& edit : edits) {
        if (edit)
            edit->commit();
    }
}

void PortsEditor::rebuild(const Machine& machine)
{
    for (const Row& row : m_rows) {
        for (QWidget* widget : {static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.address),
                                static_cast<QWidget*>(row.remove)}) {
            widget->hide();
            widget->deleteLater(); // it may be what asked for this
        }
    }
    m_rows.clear();
    for (const Port& port : machine.ports) {
        const Row row = makeRow(port.id);
        const int line = static_cast<int>(m_rows.size()) + 1;
        m_grid->addWidget(row.name, line, 0);
        m_grid->addWidget(row.address, line, 1);
        m_grid->addWidget(row.remove, line, 2);
        m_rows.push_back(row);
    }
    QWidget* before = nullptr;
    for (const Row& row : m_rows) {
        if (before)
            setTabOrder(before, row.name);
        setTabOrder(row.name, row.address);
        setTabOrder(row.address, row.remove);
        before = row.remove;
    }
    if (auto* add = findChild<QPushButton*>(QStringLiteral("addPort")); add && before)
        setTabOrder(before, add);
}

PortsEditor::Row PortsEditor::makeRow(PortId port)
{
    const Row row{port, new CommitEdit(this), new CommitEdit(this), new QToolButton(this)};
    row.name->setObjectName(QStringLiteral("portName"));
    row.name->setMinimumWidth(56);
    row.address->setObjectName(QStringLiteral("portAddress"));
    row.address->setPlaceholderText(tr("Host name or IP"));
    row.address->setMinimumWidth(72);
    row.remove->setIcon(themeIcon(u"delete"));
    row.remove->setAutoRaise(true);
    connect(row.name, &CommitEdit::committed, this,
            [this, port](const QString& text) { m_document->renamePort(port, text); });
    connect(row.address, &QLineEdit::textEdited, this, &PortsEditor::judge);
    connect(row.address, &CommitEdit::committed, this,
            [this, port](const QString& text) { takeAddress(port, text); });
    connect(row.remove, &QToolButton::clicked, this,
            [this, port] { m_document->removePort(port); });
    return row;
}

void PortsEditor::takeAddress(PortId port, const QString& text)
{
    const auto row = std::ranges::find(m_rows, port, &Row::port);
    if (addressFault(text.trimmed()).isEmpty())
        m_document->setPortAddress(port, text);
    else if (row != m_rows.end())
        row->address->setModified(true); // stays to be put right
    judge();
}

void PortsEditor::judge()
{
    QString first;
    for (const Row& row : m_rows) {
        const QString fault = addressFault(row.address->text().trimmed());
        QPalette palette = this->palette();
        if (!fault.isEmpty())
            palette.setColor(QPalette::Text, themeColor(ColorRole::Problem, palette));
        row.address->setPalette(palette);
        row.address->setAccessibleDescription(fault);
        if (first.isEmpty() && !fault.isEmpty())
            first = tr("%1 It is not saved.", "a fault in an address").arg(fault);
    }
    m_fault->setText(first);
    m_fault->setVisible(!first.isEmpty());
}

} // namespace napkin
