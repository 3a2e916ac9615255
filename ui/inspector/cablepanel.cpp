// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/cablepanel.h"

#include "ui/inspector/classcombo.h"
#include "ui/inspector/commitedit.h"
#include "ui/inspector/factrow.h"
#include "ui/inspector/panel.h"
#include "ui/inspector/section.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elidingcombo.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace napkin {

namespace {

constexpr int longestCaption = 220; // pixels; fits the narrowest inspector

} // namespace

CablePanel::CablePanel(DrawingDocument* document, const Catalogue* catalogue, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_catalogue(catalogue)
    , m_portA(new ElidingCombo(this))
    , m_portB(new ElidingCombo(this))
    , m_endFault(wordLine(LineKind::Fault, this))
    , m_class(new ClassCombo(catalogue, this))
    , m_name(new CommitEdit(this))
    , m_rated(new FactRow(tr("Rated"), this))
    , m_ratedNote(wordLine(LineKind::Note, this))
    , m_forward(new FactRow(tr("→ forward"), this))
    , m_reverse(new FactRow(tr("← reverse"), this))
    , m_bothForward(new FactRow(tr("⇄ →"), this))
    , m_bothReverse(new FactRow(tr("⇄ ←"), this))
    , m_connect(new FactRow(tr("Connect"), this))
    , m_runs(wordLine(LineKind::Note, this))
    , m_near(new ElidingCombo(this))
    , m_measure(new QPushButton(themeIcon(u"measure"), tr("Measure"), this))
{
    QVBoxLayout* column = panelColumn(*this);
    column->addWidget(panelKind(tr("Cable"), this));
    m_captionA = addFieldBelow(*column, tr("First end"), m_portA);
    m_captionB = addFieldBelow(*column, tr("Second end"), m_portB);
    column->addWidget(m_endFault);
    addField(*column, tr("Class"), m_class);
    addField(*column, tr("Name"), m_name);
    m_name->setPlaceholderText(tr("none needed"));
    auto* figures = new Section(tr("Rated and measured"), this);
    column->addWidget(figures);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_rated), static_cast<QWidget*>(m_ratedNote),
          static_cast<QWidget*>(m_forward), static_cast<QWidget*>(m_reverse),
          static_cast<QWidget*>(m_bothForward), static_cast<QWidget*>(m_bothReverse),
          static_cast<QWidget*>(m_connect), static_cast<QWidget*>(m_runs)})
        figures->content()->addWidget(widget);
    m_nearCaption = addField(*column, tr("Measured by"), m_near);
    m_near->setObjectName(QStringLiteral("nearEnd"));
    m_near->setAccessibleName(tr("Which end measures"));
    m_near->setToolTip(tr("Both machines are paired with this one: the end that measures, towards "
                          "the other"));
    m_near->hide();
    m_nearCaption->hide();
    column->addWidget(m_measure, 0, Qt::AlignLeft);
    column->addStretch(1);
    m_endFault->hide();
    m_portA->setObjectName(QStringLiteral("portA"));
    m_portB->setObjectName(QStringLiteral("portB"));
    m_class->setObjectName(QStringLiteral("linkClass"));
    m_name->setObjectName(QStringLiteral("linkName"));
    m_measure->setObjectName(QStringLiteral("measure"));
    m_forward->setToolTip(tr("To the far end"));
    m_reverse->setToolTip(tr("From the far end"));
    m_bothForward->setToolTip(tr("To the far end, with both ways at once"));
    m_bothReverse->setToolTip(tr("From the far end, with both ways at once"));
    m_connect->setToolTip(tr("Median time of a TCP handshake"));

    connect(m_portA, &QComboBox::activated, this, [this] { takeEnd(*m_portA, End::A); });
    connect(m_portB, &QComboBox::activated, this, [this] { takeEnd(*m_portB, End::B); });
    connect(m_class, &ClassCombo::chosen, this,
            [this](const QString& id) { m_document->setLinkClass(m_link, id); });
    connect(m_name, &CommitEdit::committed, this,
            [this](const QString& text) { m_document->renameLink(m_link, text); });
    connect(m_name, &QLineEdit::returnPressed, this, &CablePanel::done);
    connect(m_measure, &QPushButton::clicked, this, [this] {
        Q_EMIT measureRequested(m_link, static_cast<NearEnd>(m_near->currentData().toInt()));
    });
    connect(document, &DrawingDocument::machineChanged, this, &CablePanel::refresh);
    connect(document, &DrawingDocument::linkChanged, this, &CablePanel::refresh);
    connect(document, &DrawingDocument::linkAdded, this, &CablePanel::refresh);
    connect(document, &DrawingDocument::linkRemoved, this, &CablePanel::refresh);
}

QWidget* CablePanel::firstField() const
{
    return m_class;
}

void CablePanel::present(LinkId link)
{
    if (!(m_link == link))
        commit();
    if (!(m_link == link))
        m_near->setCurrentIndex(-1); // chosen for another cable
    m_link = link;
    m_endFault->hide();
    refresh();
}

void CablePanel::setWorksheet(const std::vector<WorksheetRow>& rows)
{
    m_rows = rows;
    refresh();
}

void CablePanel::commit()
{
    m_name->commit();
}

void CablePanel::refreshAges()
{
    if (const Link* link = m_document->drawing().link(m_link))
        showMeasured(*link);
}

const WorksheetRow* CablePanel::row(const Link& link) const
{
    for (const WorksheetRow& row : m_rows) {
        if (row.link == link.id && row.period == link.period)
            return &row;
    }
    return nullptr;
}

void CablePanel::refresh()
{
    const Link* link = m_document->drawing().link(m_link);
    if (!link)
        return;
    showEnd(*m_portA, *m_captionA, *link, End::A);
    showEnd(*m_portB, *m_captionB, *link, End::B);
    showNear(*link);
    m_class->present(link->classId);
    m_name->present(link->name);
    showRated(m_catalogue ? m_catalogue->linkClass(link->classId) : nullptr);
    showMeasured(*link);
}

// The ports of the machine at that end; those with another cable cannot be chosen.
void CablePanel::showEnd(QComboBox& combo, QLabel& caption, const Link& link, End end)
{
    const PortId chosen = end == End::A ? link.a : link.b;
    const Machine* machine = m_document->drawing().machineOf(chosen);
    if (!machine)
        return;
    caption.setText(
        caption.fontMetrics().elidedText(machine->name, Qt::ElideMiddle, longestCaption));
    caption.setToolTip(machine->name);
    combo.setAccessibleName(tr("Port of %1").arg(machine->name));
    combo.clear();
    auto* items = qobject_cast<QStandardItemModel*>(combo.model());
    for (const Port& port : machine->ports) {
        QString text = portTitle(*machine, port);
        if (!port.address.isEmpty())
            text = tr("%1, %2", "port, its address").arg(text, port.address);
        const bool taken = m_document->isPortTaken(port.id, link.id);
        combo.addItem(taken ? tr("%1 (has another cable)").arg(text) : text, port.id.text());
        if (taken)
            items->item(combo.count() - 1)->setEnabled(false);
        if (port.id == chosen)
            combo.setCurrentIndex(combo.count() - 1);
    }
}

void CablePanel::setPeers(const std::vector<PeerChoice>& choices)
{
    m_choices = choices;
    refresh();
}

void CablePanel::showNear(const Link& link)
{
    const Machine* a = m_document->drawing().machineOf(link.a);
    const Machine* b = m_document->drawing().machineOf(link.b);
    const auto isPeer = [this](const Machine* machine) {
        return machine && machine->peer && isPaired(m_choices, *machine->peer);
    };
    const bool both = isPeer(a) && isPeer(b);
    m_near->setVisible(both);
    m_nearCaption->setVisible(both);
    const int kept = both ? m_near->currentIndex() : 0;
    m_near->clear();
    m_near->addItem(tr("either"), static_cast<int>(NearEnd::Automatic));
    if (both) {
        m_near->addItem(a->name, static_cast<int>(NearEnd::A));
        m_near->addItem(b->name, static_cast<int>(NearEnd::B));
    }
    m_near->setCurrentIndex(std::max(0, kept));
}

void CablePanel::takeEnd(QComboBox& combo, End end)
{
    const Link* link = m_document->drawing().link(m_link);
    const Result<PortId> port = PortId::fromText(combo.currentData().toString());
    if (!link || !port)
        return;
    const Result<void> moved = m_document->setLinkEnds(m_link, end == End::A ? *port : link->a,
                                                       end == End::A ? link->b : *port);
    m_endFault->setVisible(!moved);
    if (!moved) {
        m_endFault->setText(moved.error().detail);
        refresh();
    }
}

} // namespace napkin
