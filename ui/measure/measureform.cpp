// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measureform.h"

#include "core/base/errortext.h"
#include "core/quantity/parse.h"
#include "core/workflow/linkspec.h"
#include "core/workflow/measurerecord.h"
#include "ui/measure/measurewords.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elidingcombo.h"
#include "ui/widgets/foldbutton.h"
#include "ui/widgets/headings.h"

#include <QComboBox>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QNetworkInterface>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace napkin {

namespace {

QSpinBox* spinBox(int least, int most, int value, const QString& suffix)
{
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setGroupSeparatorShown(false);
    return box;
}

// Labels are buddies, so that screen readers and mnemonics find the field.
void addField(QFormLayout* form, const QString& label, QWidget* field)
{
    field->setAccessibleName(label);
    form->addRow(label, field);
    form->labelForField(field)->setMinimumHeight(field->sizeHint().height()); // in line with it
}

QFormLayout* formLayout()
{
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(gap(3));
    form->setVerticalSpacing(gap(2));
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setContentsMargins(0, 0, 0, 0);
    return form;
}

// The fields of both forms begin in one line.
void alignLabels(std::initializer_list<QFormLayout*> forms)
{
    std::vector<QWidget*> labels;
    int widest = 0;
    for (const QFormLayout* form : forms) {
        for (int row = 0; row < form->rowCount(); ++row) {
            const QLayoutItem* item = form->itemAt(row, QFormLayout::LabelRole);
            if (item && item->widget()) {
                labels.push_back(item->widget());
                widest = std::max(widest, item->widget()->sizeHint().width());
            }
        }
    }
    for (QWidget* label : labels)
        label->setMinimumWidth(widest);
}

void shrinkable(QComboBox* box)
{
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
}

} // namespace

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
    shrinkable(m_link);
    m_near = new ElidingCombo;
    shrinkable(m_near);
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
    m_port = spinBox(1, 65'535, defaultThroughputPort, {});
    m_kind = new QComboBox;
    m_kind->addItem(tr("Throughput"), static_cast<int>(ProbeKind::Throughput));
    m_kind->addItem(tr("Connect time"), static_cast<int>(ProbeKind::ConnectTime));
    m_flow = new QComboBox;
    for (const auto flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional})
        m_flow->addItem(flowWords(flow), static_cast<int>(flow));
    m_seconds = spinBox(1, 86'400, 10, tr(" s", "seconds, after a number"));
    m_streams = spinBox(1, 128, 1, {});
    m_attempts = spinBox(1, 10'000, 20, {});
    m_label = new QLineEdit;
    m_label->setPlaceholderText(tr("jumbo frames, other cable"));
    m_label->setMaxLength(200);

    connect(m_link, &QComboBox::currentIndexChanged, this, [this] {
        if (m_filling)
            return;
        fillFromLink(Typed::Replaced);
        Q_EMIT linkChosen();
    });
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
    m_omit = spinBox(0, 600, 0, tr(" s", "seconds, after a number"));
    m_omit->setToolTip(tr("Leave out the first seconds, while TCP finds its speed"));
    m_interval = spinBox(0, 60'000, 50, tr(" ms", "milliseconds, after a number"));
    m_blockSize = new QLineEdit(QStringLiteral("128 KiB"));
    m_blockSize->setToolTip(tr("Bytes handed to the socket at once: 4 B to 1 MiB"));
    m_interface = new QComboBox;
    m_interface->setEditable(true);
    shrinkable(m_interface);
    m_interface->lineEdit()->setPlaceholderText(tr("as routed"));
    m_interface->lineEdit()->setAccessibleName(tr("Interface"));
    m_source = new QLineEdit;
    m_source->setPlaceholderText(tr("as routed"));
    m_congestion = new QComboBox;
    m_congestion->setEditable(true);
    shrinkable(m_congestion);
    m_congestion->addItems({QString(), QStringLiteral("cubic"), QStringLiteral("bbr"),
                            QStringLiteral("reno"), QStringLiteral("dctcp")});
    m_congestion->lineEdit()->setPlaceholderText(tr("the system’s"));
    m_congestion->lineEdit()->setAccessibleName(tr("Congestion control"));
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
    addField(m_basicForm, tr("Direction"), m_flow);
    addField(m_basicForm, tr("Duration"), m_seconds);
    addField(m_basicForm, tr("Streams"), m_streams);
    addField(m_basicForm, tr("Attempts"), m_attempts);
    addField(m_basicForm, tr("Label"), m_label);
    m_advancedForm = formLayout();
    addField(m_advancedForm, tr("Leave out"), m_omit);
    addField(m_advancedForm, tr("One every"), m_interval);
    addField(m_advancedForm, tr("Block size"), m_blockSize);
    addField(m_advancedForm, tr("Interface"), m_interface);
    addField(m_advancedForm, tr("Source"), m_source);
    addField(m_advancedForm, tr("Congestion"), m_congestion);
    addField(m_advancedForm, tr("IP version"), m_ipVersion);
    m_advanced->setLayout(m_advancedForm);
    alignLabels({m_basicForm, m_advancedForm});

    m_measure = new QPushButton(themeIcon(u"play"), tr("Measure"));
    m_measure->setDefault(true);
    m_measure->setMinimumHeight(32);
    connect(m_measure, &QPushButton::clicked, this, &MeasureForm::measureRequested);
    auto* card = new QPushButton(themeIcon(u"card"), tr("Far-end card"));
    card->setToolTip(tr("The lines that make the other machine a far end"));
    connect(card, &QPushButton::clicked, this, &MeasureForm::farEndCardRequested);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(gap(4), gap(4), gap(4), gap(4));
    column->setSpacing(gap(2));
    column->addLayout(m_basicForm);
    column->addWidget(m_more);
    column->addWidget(m_advanced);
    column->addSpacing(gap(1));
    column->addWidget(m_measure);
    column->addWidget(card);
    column->addStretch();
}

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
    m_interface->lineEdit()->setPlaceholderText(tr("as routed"));
    m_source->setPlaceholderText(tr("as routed"));
    if (!chosen) {
        if (!m_filledHost.isEmpty() && m_host->text() == m_filledHost)
            m_host->clear();
        m_filledHost.clear();
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
}

void MeasureForm::showFieldsOfKind()
{
    const bool throughput =
        m_kind->currentData().toInt() == static_cast<int>(ProbeKind::Throughput);
    const auto show = [](QFormLayout* form, QWidget* field, bool visible) {
        field->setVisible(visible);
        form->labelForField(field)->setVisible(visible);
    };
    for (QWidget* field : {static_cast<QWidget*>(m_flow), static_cast<QWidget*>(m_seconds),
                           static_cast<QWidget*>(m_streams)})
        show(m_basicForm, field, throughput);
    show(m_basicForm, m_attempts, !throughput);
    show(m_advancedForm, m_omit, throughput);
    show(m_advancedForm, m_blockSize, throughput);
    show(m_advancedForm, m_congestion, throughput);
    show(m_advancedForm, m_interval, !throughput);
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

Result<ProbeOptions> MeasureForm::options() const
{
    if (m_kind->currentData().toInt() == static_cast<int>(ProbeKind::ConnectTime)) {
        ConnectOptions connect;
        connect.attempts = m_attempts->value();
        connect.interval = std::chrono::milliseconds(m_interval->value());
        return ProbeOptions(connect);
    }
    ThroughputOptions throughput;
    throughput.flow = static_cast<Flow>(m_flow->currentData().toInt());
    throughput.duration = std::chrono::seconds(m_seconds->value());
    throughput.streams = m_streams->value();
    throughput.omit = std::chrono::seconds(m_omit->value());
    const auto block = parseByteCount(m_blockSize->text());
    if (!block)
        return tl::unexpected(block.error());
    throughput.blockSize = *block;
    throughput.congestionControl = m_congestion->currentText().trimmed();
    return ProbeOptions(throughput);
}

Result<ProbeSpec> MeasureForm::spec() const
{
    const auto chosen = options();
    if (!chosen)
        return tl::unexpected(chosen.error());
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
    m_host->setFocus();
    m_host->selectAll();
}

void MeasureForm::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        Q_EMIT measureRequested();
    else
        QWidget::keyPressEvent(event);
}

} // namespace napkin
