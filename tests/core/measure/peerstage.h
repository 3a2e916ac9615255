// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/remote/routedprobe.h"
#include "core/peer/peerserver.h"

#include <QDir>
#include <QTemporaryDir>

#include <memory>
#include <vector>

namespace napkin::test {

// A controller's store and machines that it is paired with, all in this process, over loopback.
class PeerStage
{
public:
    using Services = std::vector<std::shared_ptr<PeerService>>;

    PeerStage()
        : m_store(storeAt(QStringLiteral("controller")))
        , m_self(m_store->identify().value().self)
    {}

    [[nodiscard]] const std::shared_ptr<PeerStore>& store() const { return m_store; }

    // A machine that serves; throws when it can not.
    PeerId add(const QString& name,
               Services services = measuringServices(MeasureTargets::AlsoThisOne))
    {
        const auto store = storeAt(name);
        const PeerId id = store->identify().value().self;
        const QByteArray key(32, static_cast<char>('k' + m_servers.size()));
        (void)store->pair({m_self, QStringLiteral("controller"), key, {}, 0, today(), {}}).value();
        PeerServerOptions options;
        options.bindAddress = QStringLiteral("127.0.0.1");
        options.port = 0;
        options.store = store;
        options.services = std::move(services);
        auto server = PeerServer::start(std::move(options)).value();
        (void)m_store
            ->pair({id, name, key, QStringLiteral("127.0.0.1"), server->port(), today(), {}})
            .value();
        m_servers.push_back(std::move(server));
        return id;
    }
    void kill(size_t which) { m_servers[which].reset(); }

private:
    [[nodiscard]] static QDateTime today() { return QDateTime::currentDateTimeUtc(); }
    [[nodiscard]] std::shared_ptr<PeerStore> storeAt(const QString& name) const
    {
        const QString folder = m_folder.filePath(name);
        QDir().mkdir(folder);
        QFile::setPermissions(folder, QFileDevice::ReadOwner | QFileDevice::WriteOwner |
                                          QFileDevice::ExeOwner);
        return std::make_shared<PeerStore>(folder + QStringLiteral("/peers.json"));
    }

    QTemporaryDir m_folder;
    std::shared_ptr<PeerStore> m_store;
    PeerId m_self;
    std::vector<std::unique_ptr<PeerServer>> m_servers;
};

} // namespace napkin::test
