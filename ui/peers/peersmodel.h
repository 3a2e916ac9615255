// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "ui/peers/peerdesk.h"

#include <QAbstractTableModel>

#include <memory>

namespace napkin {

// The paired machines, one row each. The name is edited in place.
class PeersModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    // The state before the address, which may be long.
    enum Column { Name, State, Address, Paired, Seen, ColumnCount };

    PeersModel(std::shared_ptr<const Clock> clock, QObject* parent = nullptr);

    void setPeers(const std::vector<PeerEntry>& peers);
    [[nodiscard]] const PeerEntry* peer(int row) const; // null out of range
    [[nodiscard]] int rowOf(PeerId id) const;           // -1: not there

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void renameRequested(napkin::PeerId id, const QString& name);

private:
    std::shared_ptr<const Clock> m_clock;
    std::vector<PeerEntry> m_peers;
};

} // namespace napkin
