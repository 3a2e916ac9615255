// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/peers/factsview.h"

#include "core/quantity/format.h"
#include "core/workflow/factstext.h"
#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/reltime.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace napkin {

namespace {

enum Column { Name, Kind, State, Speed, Mtu, Addresses, Driver, ColumnCount };

QString words(const Told& told)
{
    return told.text.isEmpty() ? unknownText(told.whyNot) : told.text;
}

QTreeWidget* makeTree()
{
    auto* tree = new QTreeWidget;
    tree->setAccessibleName(FactsView::tr("Interfaces"));
    tree->setHeaderLabels({FactsView::tr("Interface"), FactsView::tr("Kind"),
                           FactsView::tr("State"), FactsView::tr("Speed"), FactsView::tr("MTU"),
                           FactsView::tr("Addresses"), FactsView::tr("Driver")});
    tree->setFrameShape(QFrame::NoFrame);
    tree->setUniformRowHeights(true);
    tree->setAllColumnsShowFocus(true);
    tree->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree->header()->setSectionsMovable(false);
    return tree;
}

} // namespace

FactsView::FactsView(QWidget* parent)
    : QWidget(parent)
    , m_title(new TypeLabel({}, TypeSize::Heading))
    , m_holder(new QWidget)
    , m_tree(makeTree())
{
    m_title->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    (new QVBoxLayout(m_holder))->setContentsMargins(0, 0, 0, 0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap(2));
    column->addWidget(m_title);
    column->addWidget(m_holder);
    column->addWidget(m_tree, 1);
}

void FactsView::present(const HostFacts& facts, const QString& name)
{
    m_title->setText(tr("Facts of %1").arg(name));
    m_title->setToolTip(tr("Read %1").arg(exactTime(facts.readAt)));
    addMachine(facts);
    m_tree->clear();
    for (const InterfaceFacts& one : facts.interfaces)
        addInterface(one);
    for (int column = 0; column < ColumnCount; ++column) {
        m_tree->resizeColumnToContents(column);
        m_tree->setColumnWidth(column, std::min(m_tree->columnWidth(column), 280));
    }
    setAccessibleName(m_title->text());
}

void FactsView::addRow(const QString& name, const QString& text)
{
    constexpr int pairs = 2; // beside each other
    const int count = m_grid->count() / 2;
    const int row = count / pairs;
    const int column = (count % pairs) * 2;
    auto* what = new TypeLabel(name, TypeSize::Small);
    auto* value = new QLabel(text);
    value->setTextFormat(Qt::PlainText);
    value->setWordWrap(true);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_grid->addWidget(what, row, column, Qt::AlignTop);
    m_grid->addWidget(value, row, column + 1, Qt::AlignTop);
}

void FactsView::addMachine(const HostFacts& facts)
{
    delete m_machine;
    m_machine = new QWidget;
    m_grid = new QGridLayout(m_machine);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(gap(3));
    m_grid->setVerticalSpacing(gap(1));
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnStretch(3, 1);
    m_holder->layout()->addWidget(m_machine);
    const auto known = [](const QString& text) { return words({text, {}}); };
    addRow(tr("System"), known(facts.operatingSystem));
    addRow(tr("Kernel"), known(facts.kernel));
    addRow(tr("CPU"), known(facts.cpu));
    addRow(tr("Cores"), words(coresTold(facts)));
    addRow(tr("Governor"), words(governorTold(facts)));
    addRow(tr("Load"), words(loadTold(facts)));
    addRow(tr("Temperature"), words(temperatureTold(facts)));
    addRow(tr("Clock"), words(clockTold(facts)));
    for (const RouteFacts& route : facts.routes)
        addRow(tr("Route"), routeText(route));
}

void FactsView::addInterface(const InterfaceFacts& facts)
{
    auto* item = new QTreeWidgetItem(m_tree);
    const auto brief = [](const Told& told) {
        return told.text.isEmpty() ? tr("not known") : told.text;
    };
    item->setText(Name, facts.name);
    item->setText(Kind, interfaceKindText(facts.kind));
    item->setText(State, words(stateTold(facts)));
    item->setText(Speed, brief(speedTold(facts)));
    item->setToolTip(Speed, words(speedTold(facts)));
    item->setText(Mtu, brief(mtuTold(facts)));
    item->setText(Addresses, facts.addresses.isEmpty() ? tr("none") : facts.addresses.join(u' '));
    item->setToolTip(Addresses, facts.addresses.join(u'\n'));
    item->setText(Driver, facts.driver.isEmpty() ? tr("not known") : facts.driver);

    QList<std::pair<QString, QString>> details;
    if (speedTold(facts).text.isEmpty())
        details.append({tr("Speed"), words(speedTold(facts))});
    if (!facts.partOf.isEmpty())
        details.append({tr("Part of"), facts.partOf});
    if (!facts.carriedBy.isEmpty())
        details.append({tr("Carried by"), facts.carriedBy});
    if (facts.wifi) {
        details.append({tr("Wi-Fi channel"), words(wifiChannelTold(facts))});
        details.append({tr("Wi-Fi signal"), words(wifiSignalTold(facts))});
        details.append({tr("Wi-Fi rates"), words(wifiRatesTold(facts))});
        if (const Told name = wifiNameTold(facts); !name.text.isEmpty())
            details.append({tr("Wi-Fi network"), name.text});
    }
    details.append({tr("PCI Express"), words(pcieTold(facts))});
    details.append({tr("Pause frames"), words(pauseTold(facts))});
    details.append({tr("Coalescing"), words(coalescingTold(facts))});
    details.append({tr("Offloads on"), words(offloadsTold(facts))});
    for (const auto& [name, text] : details) {
        auto* child = new QTreeWidgetItem(item);
        child->setText(Name, tr("%1: %2", "what it is, its value").arg(name, text));
        child->setToolTip(Name, text);
        child->setFirstColumnSpanned(true);
    }
}

QString FactsView::text() const
{
    QStringList all{m_title->text()};
    for (const QLabel* label : m_holder->findChildren<QLabel*>())
        all << label->text();
    return all.join(u' ');
}

} // namespace napkin
