// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/conversation.h"
#include "core/peer/greeting.h"
#include "core/peer/peerpairing.h"
#include "core/peer/peerserver.h"
#include "tests/support/sync.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <vector>

namespace napkin::test {

// A wall clock that stands where it is put.
class HandClock final : public Clock
{
public:
    [[nodiscard]] QDateTime now() const override { return m_now; }
    void forward(std::chrono::seconds time) { m_now = m_now.addSecs(time.count()); }

private:
    QDateTime m_now = QDateTime::fromString(QStringLiteral("2026-12-01T10:00:00Z"), Qt::ISODate);
};

// Answers "echo" with its arguments, "long" with so many bytes, "count" with events, and "wait"
// once it is cancelled; "deaf" takes three seconds whatever happens.
class EchoService final : public PeerService
{
public:
    [[nodiscard]] QStringList methods() const override;
    QCoro::Task<Result<nlohmann::json>> answer(PeerIdentity caller, QString method,
                                               nlohmann::json arguments, CancelToken cancel,
                                               PeerEvents events) override;
    int running = 0;
    int cancelled = 0;
};

// Two machines with a store each, in one process.
class TwoMachines
{
public:
    explicit TwoMachines(PeerLimits limits = {});

    [[nodiscard]] Result<PairedPeer> pair(); // near with far, by a code
    [[nodiscard]] Result<PairedPeer> pairWithCode(const PairingCode& code);
    [[nodiscard]] Result<std::shared_ptr<PeerChannel>> open(); // near to far
    [[nodiscard]] TlsTarget target(TlsIdentity identity, QByteArray key) const;
    [[nodiscard]] TlsTarget pairedTarget() const; // as the near machine goes to the far one
    [[nodiscard]] PeerId farId() const { return far->read()->self; }

    QTemporaryDir folder;
    std::shared_ptr<HandClock> clock = std::make_shared<HandClock>();
    std::shared_ptr<PeerStore> near;
    std::shared_ptr<PeerStore> far;
    std::shared_ptr<EchoService> echo = std::make_shared<EchoService>();
    std::unique_ptr<PeerServer> server;
    std::vector<Error> refused;
    std::vector<Error> disconnected;
};

// The code, then the detail: for QVERIFY2.
[[nodiscard]] QByteArray words(const Error& error);

template <typename T>
bool failedWith(const Result<T>& result, ErrorCode code)
{
    if (!result && result.error().code == code)
        return true;
    qWarning("%s", result ? "it did not fail" : words(result.error()).constData());
    return false;
}

} // namespace napkin::test
