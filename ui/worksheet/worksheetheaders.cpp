// SPDX-License-Identifier: GPL-3.0-or-later
// What the columns of the worksheet are called, and what their names mean.
#include "ui/worksheet/cells.h"
#include "ui/worksheet/worksheetmodel.h"

namespace napkin {

namespace {

bool isDirected(int column)
{
    switch (column) {
    case WorksheetModel::ForwardBits:
    case WorksheetModel::ForwardBytes:
    case WorksheetModel::ForwardRatio:
    case WorksheetModel::ReverseBits:
    case WorksheetModel::ReverseBytes:
    case WorksheetModel::ReverseRatio:
    case WorksheetModel::BothBits:
    case WorksheetModel::Retransmits:
        return true;
    default:
        return false;
    }
}

QString headerTip(int column)
{
    switch (column) {
    case WorksheetModel::RttMedian:
        return WorksheetModel::tr("There and back, half of the messages faster, the link idle. "
                                  "RTTs of other messages are not to be compared with it.");
    case WorksheetModel::RttTail:
        return WorksheetModel::tr("There and back, 99 of 100 messages faster, the link idle. RTTs "
                                  "of other messages are not to be compared with it.");
    case WorksheetModel::UdpArrived:
        return WorksheetModel::tr("What arrived of the datagrams that were offered, payload only");
    case WorksheetModel::UdpLost:
        return WorksheetModel::tr("The share of the datagrams that did not arrive. It depends on "
                                  "how much was offered.");
    case WorksheetModel::LoadedRtt:
        return WorksheetModel::tr("RTT p50 of the kind of load that slows it most, and how many "
                                  "times the idle one that is");
    case WorksheetModel::PathMtu:
        return WorksheetModel::tr("The largest IP packet that passes both ways, in bytes");
    case WorksheetModel::Alpha:
        return WorksheetModel::tr("One way, half of an RTT: what a message of no length takes");
    case WorksheetModel::Beta:
        return WorksheetModel::tr("The rate at which longer messages go");
    default:
        return {};
    }
}

} // namespace

bool WorksheetModel::isTextColumn(int column)
{
    return column == WorksheetModel::Name || column == WorksheetModel::Class ||
           column == WorksheetModel::Label || column == WorksheetModel::LastMeasured;
}

QString WorksheetModel::directionHelp()
{
    return tr("Along the cable: → from the first end in its name to the second, ← back, whichever "
              "end it was measured from. Without a cable: → to the far end.");
}

QVariant WorksheetModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return cells::alignment(isTextColumn(section));
    if (role == Qt::ToolTipRole && isDirected(section))
        return directionHelp();
    if (const QString tip = headerTip(section); role == Qt::ToolTipRole && !tip.isEmpty())
        return tip;
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Link");
    case Class:
        return tr("Class");
    case RatedBits:
        return tr("Rated Gb/s");
    case RatedBytes:
        return tr("Rated GB/s");
    case ForwardBits:
        return tr("→ Gb/s");
    case ForwardBytes:
        return tr("→ GB/s");
    case ForwardRatio:
        return tr("→ of rated");
    case ReverseBits:
        return tr("← Gb/s");
    case ReverseBytes:
        return tr("← GB/s");
    case ReverseRatio:
        return tr("← of rated");
    case BothBits:
        return tr("Both → / ← Gb/s");
    case Retransmits:
        return tr("Retransmissions");
    case ConnectTime:
        return tr("Connect time");
    case RttMedian:
        return tr("RTT p50");
    case RttTail:
        return tr("RTT p99");
    case LoadedRtt:
        return tr("RTT under load");
    case PathMtu:
        return tr("Path MTU (B)");
    case UdpArrived:
        return tr("UDP arrived");
    case UdpLost:
        return tr("UDP lost");
    case Alpha:
        return tr("Alpha, one way");
    case Beta:
        return tr("Beta GB/s");
    case LastMeasured:
        return tr("Last measured");
    case Label:
        return tr("Label");
    case Runs:
        return tr("Runs");
    default:
        return {};
    }
}

} // namespace napkin
