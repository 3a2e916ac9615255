// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/peers/peersmodel.h"

#include "core/base/errortext.h"
#include "ui/widgets/ledger.h"
#include "ui/widgets/reltime.h"

#include <algorithm>

namespace napkin {

namespace {

QString placeText(const PairedPeer& peer)
{
    if (peer.host.isEmpty())
        return PeersModel::tr("not known");
    const bool six = peer.host.contains(QLatin1Char(':'));
    const QString host = six ? QLatin1Char('[') + peer.host + QLatin1Char(']') : peer.host;
    return peer.port == defaultPeerPort || peer.port == 0
               ? peer.host
               : host + QLatin1Char(':') + QString::number(peer.port);
}

QString stateText(const PeerEntry& entry)
{
    switch (entry.reach) {
    case PeerEntry::Reach::Asking:
        return PeersModel::tr("asking…");
    case PeerEntry::Reach::Reachable:
        return entry.version.isEmpty() ? PeersModel::tr("reachable")
                                       : PeersModel::tr("reachable, Napkin %1").arg(entry.version);
    case PeerEntry::Reach::NotReachable:
        return PeersModel::tr("not reachable"); // why: in the tooltip
    case PeerEntry::Reach::NotAsked:
        break;
    }
    return PeersModel::tr("not asked yet");
}

} // namespace

PeersModel::PeersModel(std::shared_ptr<const Clock> clock, QObject* parent)
    : QAbstractTableModel(parent)
    , m_clock(std::move(clock))
{}

void PeersModel::setPeers(const std::vector<PeerEntry>& peers)
{
    const auto same = [](const PeerEntry& a, const PeerEntry& b) { return a.peer.id == b.peer.id; };
    if (std::ranges::equal(m_peers, peers, same)) { // the selection and an open editor stay
        m_peers = peers;
        if (!m_peers.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_peers = peers;
    endResetModel();
}

const PeerEntry* PeersModel::peer(int row) const
{
    return row >= 0 && row < rowCount() ? &m_peers[static_cast<std::size_t>(row)] : nullptr;
}

int PeersModel::rowOf(PeerId id) const
{
    const auto at =
        std::ranges::find_if(m_peers, [id](const PeerEntry& one) { return one.peer.id == id; });
    return at == m_peers.end() ? -1 : static_cast<int>(at - m_peers.begin());
}

int PeersModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_peers.size());
}

int PeersModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PeersModel::data(const QModelIndex& index, int role) const
{
    const PeerEntry* entry = index.isValid() ? peer(index.row()) : nullptr;
    if (!entry)
        return {};
    const QDateTime seen = entry->peer.seen.value_or(QDateTime());
    if (role == MutedRole)
        return index.column() == State && entry->reach != PeerEntry::Reach::Reachable;
    if (role == Qt::ToolTipRole && index.column() == Seen && seen.isValid())
        return exactTime(seen);
    if (role == Qt::ToolTipRole && index.column() == Paired)
        return exactTime(entry->peer.paired);
    const bool explains = role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole;
    if (explains && index.column() == State && entry->why &&
        entry->reach == PeerEntry::Reach::NotReachable)
        return describe(*entry->why).joined();
    if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::ToolTipRole &&
        role != SortRole)
        return {};
    switch (index.column()) {
    case Name:
        return entry->peer.name;
    case Address:
        return placeText(entry->peer);
    case Paired:
        return role == SortRole ? QVariant(entry->peer.paired)
                                : relativeTime(entry->peer.paired, m_clock->now());
    case Seen:
        if (role == SortRole)
            return seen.isValid() ? QVariant(seen) : QVariant();
        return seen.isValid() ? relativeTime(seen, m_clock->now()) : tr("never");
    case State:
        return stateText(*entry);
    default:
        return {};
    }
}

QVariant PeersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Machine");
    case Address:
        return tr("Address");
    case Paired:
        return tr("Paired");
    case Seen:
        return tr("Last seen");
    case State:
        return tr("State");
    default:
        return {};
    }
}

Qt::ItemFlags PeersModel::flags(const QModelIndex& index) const
{
    const auto flags = QAbstractTableModel::flags(index);
    return index.column() == Name ? flags | Qt::ItemIsEditable : flags;
}

bool PeersModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const PeerEntry* entry = peer(index.row());
    const QString name = value.toString().trimmed();
    if (role != Qt::EditRole || index.column() != Name || !entry || name == entry->peer.name)
        return false;
    const PeerId id = entry->peer.id;
    Q_EMIT renameRequested(id, name);
    return true;
}

} // namespace napkin
