// SPDX-License-Identifier: GPL-3.0-or-later
// What the measure form takes from the cable that is chosen, and from the paired machines.
#include "core/workflow/linkspec.h"
#include "ui/measure/measureform.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStringListModel>

namespace napkin {

void MeasureForm::setDrawing(const Drawing& drawing)
{
    const auto kept = link();
    m_drawing = drawing;
    m_filling = true;
    m_link->clear();
    m_link->addItem(tr("None, just an address"), QString());
    for (const Link& one : m_drawing.links)
        m_link->addItem(linkTitle(m_drawing, one), one.id.text());
    const int index = kept ? m_link->findData(kept->text()) : 0;
    m_link->setCurrentIndex(std::max(0, index));
    m_filling = false;
    fillFromLink(kept == link() ? Typed::Kept : Typed::Replaced);
}

void MeasureForm::setPeers(const PeerBook& book)
{
    m_book = book;
    fillMachines();
    QStringList names;
    for (const PairedPeer& peer : m_book.peers)
        names << peer.name;
    if (names != m_peerNames->stringList()) // an open list stays as it is
        m_peerNames->setStringList(names);
    fillFromLink(Typed::Kept);
}

void MeasureForm::setNearEnd(NearEnd near)
{
    const int index = m_near->findData(static_cast<int>(near));
    m_near->setCurrentIndex(std::max(0, index));
}

NearEnd MeasureForm::nearEnd() const
{
    return static_cast<NearEnd>(m_near->currentData().toInt());
}

// Either end can measure where both are paired machines.
void MeasureForm::fillNear()
{
    const auto chosen = link();
    const Link* cable = chosen ? m_drawing.link(*chosen) : nullptr;
    const Machine* a = cable ? m_drawing.machineOf(cable->a) : nullptr;
    const Machine* b = cable ? m_drawing.machineOf(cable->b) : nullptr;
    const auto isPeer = [this](const Machine* machine) {
        return machine && machine->peer && m_book.find(*machine->peer);
    };
    const bool both = isPeer(a) && isPeer(b);
    const bool wasFilling = std::exchange(m_filling, true);
    const NearEnd kept = both ? nearEnd() : NearEnd::Automatic;
    while (m_near->count() > 1)
        m_near->removeItem(1);
    if (both) {
        m_near->addItem(a->name, static_cast<int>(NearEnd::A));
        m_near->addItem(b->name, static_cast<int>(NearEnd::B));
    }
    setNearEnd(kept);
    m_filling = wasFilling;
    m_near->setVisible(both);
    m_basicForm->labelForField(m_near)->setVisible(both);
}

QString MeasureForm::wayText(const ProbeSpec& spec) const
{
    if (spec.near.peer)
        return tr("%1 measures towards %2. This machine only steers.")
            .arg(spec.near.name, spec.far.name);
    return spec.far.peer
               ? tr("From this machine to %1, which is paired with it.").arg(spec.far.name)
               : tr("From this machine to %1.").arg(spec.far.name);
}

void MeasureForm::selectLink(std::optional<LinkId> wanted)
{
    if (wanted)
        leaveMachine();
    const int index = wanted ? m_link->findData(wanted->text()) : 0;
    m_link->setCurrentIndex(std::max(0, index));
    fillFromLink(Typed::Replaced);
}

std::optional<LinkId> MeasureForm::link() const
{
    const auto id = LinkId::fromText(m_link->currentData().toString());
    if (!id)
        return std::nullopt;
    return *id;
}

void MeasureForm::fillFromLink(Typed typed)
{
    m_link->setToolTip(m_link->currentText());
    fillNear();
    const auto chosen = link();
    m_hint->setVisible(chosen.has_value());
    m_linkIsPaired = false;
    m_interface->lineEdit()->setPlaceholderText(tr("as routed"));
    m_source->setPlaceholderText(tr("as routed"));
    if (!chosen) {
        if (!m_filledHost.isEmpty() && m_host->text() == m_filledHost)
            m_host->clear();
        m_filledHost.clear();
        tellFarEnd();
        return;
    }
    const auto filled =
        specForLink(m_drawing, *chosen, ThroughputOptions{}, LocalHost::current(m_book), nearEnd());
    // What somebody typed stays, what a cable put there goes.
    const bool isOurs = m_host->text().isEmpty() || m_host->text() == m_filledHost;
    if (isOurs || (filled && typed == Typed::Replaced)) {
        m_filledHost = filled ? filled->far.host : QString();
        m_host->setText(m_filledHost);
        if (filled && typed == Typed::Replaced)
            m_port->setValue(filled->far.port);
    }
    if (filled && !filled->interfaceName.isEmpty())
        m_interface->lineEdit()->setPlaceholderText(filled->interfaceName);
    if (filled && !filled->sourceAddress.isEmpty())
        m_source->setPlaceholderText(filled->sourceAddress);
    m_hint->setText(filled ? wayText(*filled)
                           : tr("No port of this cable has the other machine’s address yet. Type "
                                "it below; the run is filed under the cable."));
    m_linkIsPaired = filled && filled->far.peer.has_value();
    tellFarEnd();
}

// Without a cable, a paired machine is known by its name or by the address it was paired under.
std::optional<PeerId> MeasureForm::typedPeer() const
{
    const QString typed = m_host->text().trimmed();
    if (typed.isEmpty())
        return std::nullopt;
    if (const PairedPeer* named = m_book.find(QStringView(typed)))
        return named->id;
    for (const PairedPeer& peer : m_book.peers) {
        if (peer.host == typed)
            return peer.id;
    }
    return std::nullopt;
}

bool MeasureForm::isFarPaired() const
{
    return m_linkIsPaired || typedPeer().has_value();
}

} // namespace napkin
