// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/peer/announcement.h"

#include <QCoroTask>
#include <QObject>

#include <chrono>
#include <memory>
#include <vector>

namespace napkin {

// Tells the local network that this machine is here: every five seconds, and to whoever asks. By
// broadcast on each IPv4 interface and to a link-local IPv6 group; nothing leaves the wires this
// machine is on. Answers at most ten a second, and only to neighbours. On the thread that made it,
// which needs an event loop.
class Announcer : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        Announcement said;
        QHostAddress only = {};   // on the wire of this address; null: on every wire
        int port = discoveryPort; // UDP; 0: any free one
        std::chrono::milliseconds every{5'000};
    };
    // AddressInUse (another program has the port for itself), PermissionDenied.
    [[nodiscard]] static Result<std::unique_ptr<Announcer>> start(Options options);
    ~Announcer() override;

    [[nodiscard]] int port() const;

private:
    class Private;
    explicit Announcer(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_d;
};

// Who answered, from where.
struct Discovered
{
    QString address; // where the datagram came from, with its scope
    Announcement said;
    bool operator==(const Discovered&) const = default;
};

struct Discovery
{
    std::vector<Discovered> found; // at most 256, by name and address
    bool more = false;             // there were more
};

struct DiscoverOptions
{
    std::chrono::milliseconds time{6'000}; // longer than announcements are apart
    int port = discoveryPort;
    std::vector<QHostAddress> ask; // empty: everybody on the wires of this machine
};

// Asks who is there and collects the answers. Cancelled early: what was found until then.
// HostUnreachable when it could be asked nowhere.
QCoro::Task<Result<Discovery>> discover(DiscoverOptions options, CancelToken cancel);

} // namespace napkin
