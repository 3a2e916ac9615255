// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taskscope.h"
#include "core/peer/framesocket.h"
#include "core/peer/peerserver.h"

#include <QObject>

#include <map>
#include <memory>

namespace napkin {

// The calls of one channel: each is handed to the service that knows its method, and answered
// exactly once.
class ServedCalls : public QObject
{
    Q_OBJECT
public:
    // `tasks` and `frames` outlive this.
    ServedCalls(std::vector<std::shared_ptr<PeerService>> services, PeerIdentity caller,
                PeerLimits limits, TaskScope* tasks, FrameSocket* frames, QObject* parent);
    ~ServedCalls() override; // stops them all

    void start(const CallMessage& message);
    void cancel(std::uint32_t call);
    void stopAll();
    void tell(std::uint32_t call, nlohmann::json value); // an event; dropped when congested
    void finish(std::uint32_t number, Result<nlohmann::json> outcome); // its service has ended

Q_SIGNALS:
    void started(QString method);
    void ended(QString method, std::optional<napkin::Error> fault);

private:
    struct Running
    {
        QString method;
        CancelSource cancel;
        std::unique_ptr<QTimer> timer;
        std::optional<ErrorCode> stopped; // why: Cancelled or TimedOut
        bool isAnswered = false;          // its service goes on in spite of that
    };
    [[nodiscard]] std::shared_ptr<PeerService> serviceFor(const QString& method) const;
    void stop(std::uint32_t number, ErrorCode why);
    void answer(std::uint32_t number, Running& call, const Result<nlohmann::json>& outcome);

    std::vector<std::shared_ptr<PeerService>> m_services;
    PeerIdentity m_caller;
    PeerLimits m_limits;
    TaskScope* m_tasks;
    FrameSocket* m_frames;
    std::map<std::uint32_t, Running> m_calls; // as long as their services run
};

} // namespace napkin
