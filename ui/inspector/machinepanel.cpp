// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/machinepanel.h"

#include "core/quantity/format.h"
#include "ui/inspector/commitedit.h"
#include "ui/inspector/factrow.h"
#include "ui/inspector/panel.h"
#include "ui/inspector/portseditor.h"
#include "ui/inspector/section.h"
#include "ui/inspector/typecombo.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/elidingcombo.h"

#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace napkin {

MachinePanel::MachinePanel(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_catalogue(catalogue)
    , m_name(new CommitEdit(this))
    , m_nameFault(wordLine(LineKind::Fault, this))
    , m_type(new TypeCombo(catalogue, this))
    , m_peer(new ElidingCombo(this))
    , m_peerFault(wordLine(LineKind::Fault, this))
    , m_facts(new Section(tr("From the catalogue"), this))
    , m_memory(new FactRow(tr("Memory"), this))
    , m_bandwidth(new FactRow(tr("Bandwidth"), this))
    , m_typePorts(wordLine(LineKind::Note, this))
    , m_unconfirmed(wordLine(LineKind::Caution, this))
    , m_source(wordLine(LineKind::Note, this))
    , m_ports(new PortsEditor(document, this))
{
    QVBoxLayout* column = panelColumn(*this);
    column->addWidget(panelKind(tr("Machine"), this));
    addField(*column, tr("Name"), m_name);
    column->addWidget(m_nameFault);
    addField(*column, tr("Type"), m_type);
    addField(*column, tr("Is"), m_peer);
    column->addWidget(m_peerFault);
    m_peerFault->hide();
    m_peer->setObjectName(QStringLiteral("machinePeer"));
    m_peer->setAccessibleName(tr("Which machine it is"));
    column->addWidget(m_facts);
    for (QWidget* widget : {static_cast<QWidget*>(m_memory), static_cast<QWidget*>(m_bandwidth),
                            static_cast<QWidget*>(m_typePorts),
                            static_cast<QWidget*>(m_unconfirmed), static_cast<QWidget*>(m_source)})
        m_facts->content()->addWidget(widget);
    auto* ports = new Section(tr("Ports"), this);
    ports->content()->addWidget(m_ports);
    column->addWidget(ports);
    auto* card = new QPushButton(themeIcon(u"card"), tr("Far-end card"), this);
    card->setToolTip(tr("Lines to copy that make this machine the far end of a measurement"));
    column->addWidget(card, 0, Qt::AlignLeft);
    column->addStretch(1);
    m_name->setObjectName(QStringLiteral("machineName"));
    m_type->setObjectName(QStringLiteral("machineType"));
    m_bandwidth->setToolTip(tr("Of the memory"));
    m_unconfirmed->setText(tr("Unconfirmed: these figures could not be checked."));

    connect(m_name, &CommitEdit::committed, this, &MachinePanel::takeName);
    connect(m_name, &QLineEdit::returnPressed, this, &MachinePanel::done);
    connect(m_type, &TypeCombo::chosen, this,
            [this](const QString& id) { m_document->setMachineType(m_machine, id); });
    connect(m_peer, &QComboBox::activated, this, &MachinePanel::takePeer);
    connect(card, &QPushButton::clicked, this, [this] { Q_EMIT farEndCardRequested(m_machine); });
    setPeers({});
    connect(document, &DrawingDocument::machineChanged, this, &MachinePanel::refresh);
    connect(document, &DrawingDocument::linkAdded, this, &MachinePanel::refresh);
    connect(document, &DrawingDocument::linkRemoved, this, &MachinePanel::refresh);
}

void MachinePanel::present(MachineId machine)
{
    if (!(m_machine == machine))
        commit();
    m_machine = machine;
    m_peerFault->hide();
    refresh();
}

void MachinePanel::commit()
{
    m_name->commit();
    m_ports->commit();
}

void MachinePanel::setPeers(const std::vector<PeerChoice>& choices)
{
    m_choices = choices;
    m_peer->setToolTip(m_choices.empty()
                           ? tr("Pair this machine with others under Peers, then say here which "
                                "of them it is: they can be measured from, and answer more kinds "
                                "of measurement.")
                           : tr("Which machine it is: this one, or one that is paired with it"));
    refresh();
}

void MachinePanel::showPeer(const Machine& machine)
{
    m_peer->clear();
    m_peer->setEnabled(!m_choices.empty() || machine.peer); // what was said can be taken back
    m_peer->addItem(m_choices.empty() ? tr("no machine is paired yet") : tr("not said"), QString());
    const auto* items = qobject_cast<QStandardItemModel*>(m_peer->model());
    for (const PeerChoice& choice : m_choices) {
        QString text = choice.kind == PeerChoice::Kind::ThisMachine
                           ? tr("this machine (%1)").arg(choice.name)
                           : choice.name;
        const auto& all = m_document->drawing().machines;
        const auto other = std::ranges::find_if(all, [&](const Machine& one) {
            return one.peer == choice.id && !(one.id == machine.id);
        });
        if (other != all.end())
            text = tr("%1 (drawn as %2)").arg(text, other->name);
        m_peer->addItem(text, choice.id.text());
        items->item(m_peer->count() - 1)->setEnabled(other == all.end());
    }
    if (machine.peer && m_peer->findData(machine.peer->text()) < 0)
        m_peer->addItem(tr("a machine that is no longer paired"), machine.peer->text());
    m_peer->setCurrentIndex(machine.peer ? m_peer->findData(machine.peer->text()) : 0);
}

void MachinePanel::takePeer()
{
    const auto id = PeerId::fromText(m_peer->currentData().toString());
    const auto done = m_document->setMachinePeer(m_machine, id ? std::optional(*id) : std::nullopt);
    m_peerFault->setVisible(!done);
    if (!done) {
        m_peerFault->setText(done.error().detail);
        refresh();
    }
}

void MachinePanel::takeName(const QString& text)
{
    if (!m_document->renameMachine(m_machine, text))
        m_name->reset();
    refresh();
}

void MachinePanel::refresh()
{
    const Machine* machine = m_document->drawing().machine(m_machine);
    if (!machine)
        return;
    m_name->present(machine->name);
    const auto same =
        std::ranges::count(m_document->drawing().machines, machine->name, &Machine::name);
    m_nameFault->setText(same > 1 ? tr("Another machine has this name too.") : QString());
    m_nameFault->setVisible(same > 1);
    m_type->present(machine->typeId);
    showPeer(*machine);
    showType(m_catalogue ? m_catalogue->machineType(machine->typeId) : nullptr);
    m_ports->present(*machine);
}

void MachinePanel::showType(const MachineType* type)
{
    m_facts->setVisible(type != nullptr);
    if (!type)
        return;
    // What could not be confirmed is no rating but a stand-in.
    const Provenance claim = type->source.checked ? Provenance::Rated : Provenance::Assumed;
    const Origin whose = type->source.checked ? Origin::Published : Origin::Mine;
    const QString why =
        badgeText(claim, whose, type->source.text, type->source.date.startOfDay(Qt::UTC));
    QStringList choices;
    for (const ByteCount memory : type->memoryChoices)
        choices << formatBytesBinary(memory);
    if (choices.isEmpty())
        m_memory->setUnknown(tr("not known"));
    else
        m_memory->setFact(claim, whose, choices.join(tr(", ", "between choices")), why);
    if (type->memoryBandwidth)
        m_bandwidth->setFact(claim, whose, formatByteRate(*type->memoryBandwidth), why);
    else
        m_bandwidth->setUnknown(tr("not known"));
    const QString ports = portsOf(*type);
    m_typePorts->setText(ports);
    m_typePorts->setVisible(!ports.isEmpty());
    m_unconfirmed->setVisible(!type->source.checked);
    QString source =
        tr("Source: %1, looked up %2.")
            .arg(type->source.text, QLocale().toString(type->source.date, QLocale::ShortFormat));
    if (!type->note.isEmpty())
        source = type->note + u'\n' + source;
    m_source->setText(source);
}

QString MachinePanel::portsOf(const MachineType& type) const
{
    QStringList kinds;
    for (const PortKind& kind : type.ports) {
        const LinkClass* linkClass = m_catalogue->linkClass(kind.linkClassId);
        const QString name = linkClass ? linkClass->shortName : kind.linkClassId;
        QString text =
            kind.count > 1 ? tr("%1 × %2", "count of ports, kind").arg(kind.count).arg(name) : name;
        if (kind.optional)
            text = tr("%1 (option)").arg(text);
        kinds << text;
    }
    return kinds.isEmpty()
               ? QString()
               : tr("Sold with %1.").arg(kinds.join(tr(", ", "between kinds of ports")));
}

} // namespace napkin
