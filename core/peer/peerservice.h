// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/id.h"

#include <QCoroTask>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <functional>

namespace napkin {

// Who is at the other end of a peer channel, by the key it holds and by what it said of itself.
struct PeerIdentity
{
    PeerId id;
    QString name;             // as this machine calls it
    QString version;          // of its program, "0.1.0"
    QString address;          // where its channel comes from
    QStringList capabilities; // names of methods
};

// Tells the caller something on the way ("progress"). Dropped when the channel is full.
using PeerEvents = std::function<void(nlohmann::json)>;

// One thing that a paired machine may ask for. Registered by the program's composition root.
class PeerService
{
public:
    virtual ~PeerService() = default;
    [[nodiscard]] virtual QStringList methods() const = 0; // "facts", "offer", "measure"

    // Answers one call. The arguments come from outside: nothing of them is to be trusted. Several
    // calls may be under way at once. The token is stopped when the caller cancels, goes away or is
    // revoked, and at the method's time limit; the call must then end within 1 s. On the thread of
    // the server, which must not be blocked.
    virtual QCoro::Task<Result<nlohmann::json>> answer(PeerIdentity caller, QString method,
                                                       nlohmann::json arguments, CancelToken cancel,
                                                       PeerEvents events) = 0;
};

} // namespace napkin
