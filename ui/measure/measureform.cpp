// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measureform.h"

#include "core/base/errortext.h"
#include "core/workflow/linkspec.h"
#include "core/workflow/measurerecord.h"
#include "ui/measure/measurewords.h"
#include "ui/measure/options/fields.h"
#include "ui/measure/options/optionseditor.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elidingcombo.h"
#include "ui/widgets/foldbutton.h"
#include "ui/widgets/headings.h"

#include <QComboBox>
#include <QCompleter>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QNetworkInterface>
#include <QPushButton>
#include <QSpinBox>
#include <QStringListModel>
#include <QVBoxLayout>

namespace napkin {

MeasureForm::MeasureForm(QWidget* parent)
    : QWidget(parent)
{
    makeFields();
    makeAdvanced();
    layOut();
    showFieldsOfKind();
    setDrawing({});
}

void MeasureForm::makeFields()
{
    m_link = new ElidingCombo;
    makeShrinkable(m_link);
    m_near = new ElidingCombo;
    makeShrinkable(m_near);
    m_near->addItem(tr("Either end"), static_cast<int>(NearEnd::Automatic));
    m_near->setToolTip(tr("Which of the two paired machines measures, towards the other"));
    connect(m_near, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling)
            fillFromLink(Typed::Replaced);
    });
    m_hint = new TypeLabel({}, TypeSize::Small);
    m_hint->setWordWrap(true);
    m_host = new QLineEdit;
    m_host->setPlaceholderText(tr("spark-b or 192.168.100.11"));
    m_peerNames = new QStringListModel(this);
    auto* completer = new QCompleter(m_peerNames, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    m_host->setCompleter(completer);
    m_port = spinBox(1, 65'535, defaultThroughputPort, {});
    m_kind = new ElidingCombo;
    makeShrinkable(m_kind);
    m_machine = new ElidingCombo;
    makeShrinkable(m_machine);
    m_machine->setObjectName(QStringLiteral("measureMachine"));
    fillMachines();
    m_need = new TypeLabel({}, TypeSize::Small);
    m_need->setWordWrap(true);
    m_need->setObjectName(QStringLiteral("measureNeed"));
    m_editors = makeOptionsEditors();
    for (OptionsEditor* one : m_editors) {
        m_kind->addItem(kindTitle(one->kind()), static_cast<int>(one->kind()));
        connect(one, &OptionsEditor::changed, this, &MeasureForm::showFieldsOfKind);
    }
    m_label = new QLineEdit;
    m_label->setPlaceholderText(tr("jumbo frames, other cable"));
    m_label->setMaxLength(200);

    connect(m_link, &QComboBox::currentIndexChanged, this, [this] {
        if (m_filling)
            return;
        fillFromLink(Typed::Replaced);
        Q_EMIT linkChosen();
    });
    connect(m_host, &QLineEdit::textChanged, this, &MeasureForm::tellFarEnd);
    connect(m_port, &QSpinBox::valueChanged, this, &MeasureForm::portChanged);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &MeasureForm::showFieldsOfKind);
}

void MeasureForm::makeAdvanced()
{
    m_more = new FoldButton(tr("More options"));
    m_advanced = new QWidget;
    m_advanced->hide();
    connect(m_more, &QAbstractButton::toggled, this, [this](bool open) {
        m_advanced->setVisible(open);
        if (open)
            fillInterfaces();
    });
    m_interface = new QComboBox;
    m_interface->setEditable(true);
    makeShrinkable(m_interface);
    m_interface->lineEdit()->setPlaceholderText(tr("as routed"));
    m_interface->lineEdit()->setAccessibleName(tr("Interface"));
    m_source = new QLineEdit;
    m_source->setPlaceholderText(tr("as routed"));
    m_ipVersion = new QComboBox;
    m_ipVersion->addItem(tr("Either"), static_cast<int>(IpVersion::Any));
    m_ipVersion->addItem(tr("IPv4"), static_cast<int>(IpVersion::V4));
    m_ipVersion->addItem(tr("IPv6"), static_cast<int>(IpVersion::V6));
}

void MeasureForm::layOut()
{
    m_basicForm = formLayout();
    addField(m_basicForm, tr("Cable"), m_link);
    addField(m_basicForm, tr("Near end"), m_near);
    m_basicForm->addRow(m_hint);
    addField(m_basicForm, tr("Far end"), m_host);
    addField(m_basicForm, tr("Port"), m_port);
    addField(m_basicForm, tr("Measure"), m_kind);
    m_basicForm->addRow(m_need);
    addField(m_basicForm, tr("Machine"), m_machine);
    QFormLayout* labelForm = formLayout();
    addField(labelForm, tr("Label"), m_label);
    m_commonForm = formLayout();
    addField(m_commonForm, tr("Interface"), m_interface);
    addField(m_commonForm, tr("Source"), m_source);
    addField(m_commonForm, tr("IP version"), m_ipVersion);
    QList<QFormLayout*> forms{m_basicForm, labelForm, m_commonForm};
    for (const OptionsEditor* one : m_editors)
        forms << one->usualForm() << one->moreForm();
    alignLabels(forms);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(gap(4), gap(4), gap(4), gap(4));
    column->setSpacing(gap(2));
    column->addLayout(m_basicForm);
    auto* advanced = new QVBoxLayout(m_advanced);
    advanced->setContentsMargins(0, 0, 0, 0);
    advanced->setSpacing(gap(2));
    for (OptionsEditor* one : m_editors) {
        column->addWidget(one);
        advanced->addWidget(one->more());
    }
    advanced->addLayout(m_commonForm);
    column->addLayout(labelForm);
    column->addWidget(m_more);
    column->addWidget(m_advanced);
    column->addSpacing(gap(1));
    column->addLayout(makeButtons());
    column->addStretch();
}

QVBoxLayout* MeasureForm::makeButtons()
{
    m_measure = new QPushButton(themeIcon(u"play"), tr("Measure"));
    m_measure->setDefault(true);
    m_measure->setMinimumHeight(32);
    connect(m_measure, &QPushButton::clicked, this, &MeasureForm::measureRequested);
    m_farEndCard = new QPushButton(themeIcon(u"card"), tr("Far-end card"));
    m_farEndCard->setToolTip(tr("The lines that make the other machine a far end"));
    connect(m_farEndCard, &QPushButton::clicked, this, &MeasureForm::farEndCardRequested);
    auto* buttons = new QVBoxLayout;
    buttons->setSpacing(gap(2));
    buttons->addWidget(m_measure);
    buttons->addWidget(m_farEndCard);
    return buttons;
}

ProbeKind MeasureForm::kind() const
{
    return static_cast<ProbeKind>(m_kind->currentData().toInt());
}

OptionsEditor* MeasureForm::editor() const
{
    return m_editors[static_cast<std::size_t>(kind())];
}

void MeasureForm::showFieldsOfKind()
{
    for (OptionsEditor* one : m_editors) {
        one->setVisible(one == editor());
        one->more()->setVisible(one == editor());
    }
    tellFarEnd();
}

// What can be measured hangs on who answers.
void MeasureForm::tellFarEnd()
{
    const bool paired = isFarPaired();
    for (OptionsEditor* one : m_editors)
        one->setFarEnd(paired ? OptionsEditor::FarEnd::Paired : OptionsEditor::FarEnd::Stock);
    for (const ProbeKind kind : {ProbeKind::MessageSweep, ProbeKind::Soak})
        setChoice(m_kind, static_cast<int>(kind), kindTitle(kind),
                  paired ? QString() : needsPairedWords());
    const auto chosen = editor()->options();
    const auto* path = chosen ? std::get_if<PathMtuOptions>(&*chosen) : nullptr;
    showField(m_basicForm, m_port,
              !isOfMachine(kind()) && (!chosen || needsPort(*chosen) || (path && path->bulkCheck)));
    const bool lacking = chosen && needsPeer(*chosen) && !paired;
    m_need->setText(lacking ? tr("This needs a paired machine as the far end. Pair it under "
                                 "Peers, and say of the drawn machine which one it is.")
                            : QString());
    m_need->setVisible(lacking);
    showEnds();
}

void MeasureForm::fillInterfaces()
{
    const QString kept = m_interface->currentText();
    m_interface->clear();
    m_interface->addItem({});
    for (const QNetworkInterface& interface : QNetworkInterface::allInterfaces())
        m_interface->addItem(interface.name());
    m_interface->setCurrentText(kept);
}

Result<ProbeSpec> MeasureForm::spec() const
{
    const auto chosen = editor()->options();
    if (!chosen)
        return tl::unexpected(chosen.error());
    if (isOfMachine(kind()))
        return machineSpec(*chosen);
    ProbeSpec spec;
    spec.controller = thisMachine();
    spec.near = spec.controller;
    if (const auto id = link()) {
        if (const auto filled =
                specForLink(m_drawing, *id, *chosen, LocalHost::current(m_book), nearEnd())) {
            spec = *filled;
        } else if (const Link* drawn = m_drawing.link(*id)) {
            spec.link = drawn->id;
            spec.linkPeriod = drawn->period;
        }
    }
    spec.options = *chosen;
    const QString host = m_host->text().trimmed();
    if (host.isEmpty()) {
        return fail(ErrorCode::InvalidArgument, tr("The far end"),
                    tr("type the address or name of the other machine"));
    }
    spec.far.host = host;
    spec.far.port = m_port->value();
    if (!spec.far.peer)
        spec.far.peer = typedPeer();
    // A paired machine's name need not be one that the network knows.
    if (const PairedPeer* named = spec.link ? nullptr : m_book.find(QStringView(host)))
        spec.far.host = named->host;
    if (needsPeer(*chosen) && !spec.far.peer) {
        return fail(ErrorCode::InvalidArgument, m_kind->currentText(),
                    tr("choose a cable to a paired machine, or another way to measure"));
    }
    // Left empty, the cable's own binding stands.
    if (const QString name = m_interface->currentText().trimmed(); !name.isEmpty())
        spec.interfaceName = name;
    if (const QString source = m_source->text().trimmed(); !source.isEmpty())
        spec.sourceAddress = source;
    spec.ipVersion = static_cast<IpVersion>(m_ipVersion->currentData().toInt());
    spec.label = m_label->text().trimmed();
    if (const auto valid = validate(spec); !valid)
        return tl::unexpected(valid.error());
    return spec;
}

int MeasureForm::port() const
{
    return m_port->value();
}

void MeasureForm::focusHost()
{
    leaveMachine();
    m_host->setFocus();
    m_host->selectAll();
}

void MeasureForm::focusMeasure()
{
    m_measure->setFocus();
}

void MeasureForm::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        Q_EMIT measureRequested();
    else
        QWidget::keyPressEvent(event);
}

} // namespace napkin
