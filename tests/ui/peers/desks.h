// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/hostfactsjson.h"
#include "tests/ui/peers/samples.h"
#include "ui/peers/peerdesk.h"

#include <QTemporaryDir>

#include <memory>

namespace napkin::test {

// Answers "facts" with the facts of a sample.
class SampleFactsService final : public PeerService
{
public:
    explicit SampleFactsService(QString name)
        : m_name(std::move(name))
    {}
    [[nodiscard]] QStringList methods() const override { return {QStringLiteral("facts")}; }
    QCoro::Task<Result<nlohmann::json>> answer(PeerIdentity, QString, nlohmann::json, CancelToken,
                                               PeerEvents) override
    {
        co_return hostFactsToJson(sampleFacts(m_name));
    }

private:
    QString m_name;
};

inline QCoro::Task<Result<HostFacts>> sampleOwnFacts()
{
    co_return sampleFacts(QStringLiteral("laptop"));
}

// A desk with a store of its own that serves on the loopback interface on any port; without
// services it answers sample facts.
inline std::unique_ptr<PeerDesk> makeDesk(const QTemporaryDir& folder, const QString& name,
                                          std::vector<std::shared_ptr<PeerService>> services = {})
{
    PeerDesk::Parts parts;
    parts.store =
        std::make_shared<PeerStore>(folder.filePath(name + QStringLiteral("/peers.json")));
    parts.services = std::move(services);
    if (parts.services.empty())
        parts.services = {std::make_shared<SampleFactsService>(name)};
    parts.ownFacts = sampleOwnFacts;
    parts.bindAddress = QStringLiteral("127.0.0.1");
    parts.peerPort = 0;
    parts.throughputPort = 0;
    [[maybe_unused]] const auto named = parts.store->identify().and_then([&](const PeerBook&) {
        return parts.store->change([&name](PeerBook& book) -> Result<void> {
            book.name = name;
            return {};
        });
    });
    Q_ASSERT(named);
    return std::make_unique<PeerDesk>(std::move(parts));
}

} // namespace napkin::test
