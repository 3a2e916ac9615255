// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/peerstore.h"

#include "core/base/logging.h"
#include "core/peer/message.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHostAddress>
#include <QLockFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <QSysInfo>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PeerStore)
};

constexpr std::chrono::milliseconds lockLimit(1'000);
constexpr qint64 largestFile = 1024 * 1024;
constexpr qint64 seenResolution = 60; // seconds
constexpr QFile::Permissions ownerFile = QFile::ReadOwner | QFile::WriteOwner;
constexpr QFile::Permissions ownerFolder = ownerFile | QFile::ExeOwner;
constexpr QFile::Permissions othersWrite = QFile::WriteGroup | QFile::WriteOther;
constexpr QFile::Permissions others =
    othersWrite | QFile::ReadGroup | QFile::ReadOther | QFile::ExeGroup | QFile::ExeOther;

Result<void> checkRights(const QString& file)
{
    const QFileInfo info(file);
    if (info.permissions() & others)
        return fail(ErrorCode::KeysExposed, file, Words::tr("run: chmod 600 %1").arg(file));
    const QString folder = info.absolutePath();
    if (QFileInfo(folder).permissions() & othersWrite)
        return fail(ErrorCode::KeysExposed, file,
                    Words::tr("others may write in its folder; run: chmod go-w %1").arg(folder));
    return {};
}

Result<void> makeFolder(const QString& file)
{
    const QString folder = QFileInfo(file).absolutePath();
    if (QFileInfo(folder).isDir())
        return {};
    // The last folder is for the keys alone; what is above it is as usual.
    const bool made =
        QDir().mkpath(QFileInfo(folder).absolutePath()) && QDir().mkdir(folder, ownerFolder);
    if (made || QFileInfo(folder).isDir())
        return {};
    return fail(ErrorCode::StorageUnavailable, folder, Words::tr("the folder cannot be made"));
}

void dropExpired(PeerBook& book, const QDateTime& now)
{
    std::erase_if(book.invitations, [&](const Invitation& invitation) {
        // One from far in the future was written by a clock that was set back since.
        return invitation.expires <= now ||
               invitation.expires >
                   now.addSecs(2 * std::chrono::seconds(PeerStore::invitationLife).count()) ||
               invitation.wrongTries >= PeerStore::mostWrongTries;
    });
}

tl::unexpected<Error> notPaired(const QString& what)
{
    return fail(ErrorCode::NotFound, what, Words::tr("it is not among the paired machines"));
}

} // namespace

QString PeerStore::defaultPath()
{
    QString chosen = qEnvironmentVariable("NAPKIN_PEERS");
    if (!chosen.isEmpty())
        return chosen;
    // Without a home Qt would take the root folder for one.
    if (qEnvironmentVariableIsEmpty("HOME") && qEnvironmentVariableIsEmpty("XDG_CONFIG_HOME"))
        return {};
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/napkin/peers.json");
}

PeerStore::PeerStore(QString file, std::shared_ptr<const Clock> clock)
    : m_file(std::move(file))
    , m_clock(std::move(clock))
{}

Result<PeerBook> PeerStore::load() const
{
    QFile file(m_file);
    if (!file.exists())
        return PeerBook();
    if (const auto safe = checkRights(m_file); !safe)
        return tl::unexpected(safe.error());
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::StorageUnavailable, m_file, file.errorString());
    auto book = decodePeerBook(file.read(largestFile + 1));
    if (book)
        return book;
    Error error = book.error();
    error.context = m_file;
    if (error.code == ErrorCode::ParseFailed)
        error.detail = Words::tr("this list of paired machines is damaged (%1); move the file "
                                 "away and pair again")
                           .arg(error.detail);
    if (error.code == ErrorCode::StorageTooNew)
        error.detail = Words::tr("this list of paired machines is of a later format");
    return tl::unexpected(error);
}

Result<PeerBook> PeerStore::read() const
{
    auto book = load();
    if (book)
        dropExpired(*book, m_clock->now());
    return book;
}

Result<void> PeerStore::save(const PeerBook& book) const
{
    QSaveFile file(m_file);
    const QByteArray bytes = encodePeerBook(book);
    const bool saved = file.open(QIODevice::WriteOnly) && file.setPermissions(ownerFile) &&
                       file.write(bytes) == bytes.size() && file.commit();
    if (!saved)
        return fail(ErrorCode::StorageUnavailable, m_file, file.errorString());
    return {};
}

Result<PeerBook> PeerStore::change(const std::function<Result<void>(PeerBook&)>& edit)
{
    if (m_file.isEmpty())
        return fail(ErrorCode::StorageUnavailable, Words::tr("The list of paired machines"),
                    Words::tr("there is no home folder to keep it in; set HOME, or name a file "
                              "with --peers"));
    if (const auto made = makeFolder(m_file); !made)
        return tl::unexpected(made.error());
    QLockFile lock(m_file + QStringLiteral(".lock"));
    if (!lock.tryLock(static_cast<int>(lockLimit.count()))) {
        const bool held = lock.error() == QLockFile::LockFailedError;
        return fail(held ? ErrorCode::StorageLocked : ErrorCode::StorageUnavailable, m_file,
                    held ? Words::tr("another program is writing it")
                         : Words::tr("its folder cannot be written"));
    }
    auto before = load();
    if (!before)
        return before;
    PeerBook after = *before;
    dropExpired(after, m_clock->now());
    if (const auto edited = edit(after); !edited)
        return tl::unexpected(edited.error());
    if (after == *before)
        return after;
    if (const auto saved = save(after); !saved)
        return tl::unexpected(saved.error());
    return after;
}

Result<PeerBook> PeerStore::identify()
{
    auto known = read();
    if (!known || !known->self.isNull())
        return known;
    return change([](PeerBook& book) -> Result<void> {
        if (!book.self.isNull())
            return {};
        book.self = PeerId::create();
        const QString host = tidyName(QSysInfo::machineHostName());
        book.name = host.isEmpty() ? QStringLiteral("napkin") : host;
        return {};
    });
}

Result<PairingCode> PeerStore::invite()
{
    if (const auto self = identify(); !self)
        return tl::unexpected(self.error());
    PairingCode code = PairingCode::create();
    const QByteArray key = code.key();
    const QDateTime expires = m_clock->now().addSecs(std::chrono::seconds(invitationLife).count());
    const auto changed = change([&](PeerBook& book) -> Result<void> {
        if (book.invitations.size() >= PeerBook::mostInvitations)
            return fail(ErrorCode::PeerBusy, m_file,
                        Words::tr("%1 invitations are open; they expire within %2 minutes")
                            .arg(PeerBook::mostInvitations)
                            .arg(invitationLife.count()));
        book.invitations.push_back({code.invitation(), key, expires, 0});
        return {};
    });
    if (!changed)
        return tl::unexpected(changed.error());
    return code;
}

Result<PairedPeer> PeerStore::pair(PairedPeer peer, QString invitation)
{
    peer.paired = m_clock->now();
    peer.seen = peer.paired;
    const auto changed = change([&](PeerBook& book) -> Result<void> {
        if (!invitation.isEmpty() && std::erase_if(book.invitations, [&](const Invitation& open) {
                                         return open.id == invitation;
                                     }) == 0)
            return fail(ErrorCode::NotFound, Words::tr("The invitation"),
                        Words::tr("it was used or has expired"));
        if (!book.find(peer.id) && book.peers.size() >= PeerBook::mostPeers)
            return fail(ErrorCode::PeerBusy, m_file,
                        Words::tr("%1 machines are paired already").arg(PeerBook::mostPeers));
        peer.name = book.freeName(peer.name, peer.id);
        book.put(peer);
        return {};
    });
    if (!changed)
        return tl::unexpected(changed.error());
    return peer;
}

void PeerStore::countWrongTry(const QString& invitation)
{
    const auto changed = change([&](PeerBook& book) -> Result<void> {
        for (Invitation& open : book.invitations) {
            if (open.id == invitation)
                ++open.wrongTries;
        }
        dropExpired(book, m_clock->now());
        return {};
    });
    if (!changed)
        qCWarning(lcServer, "a wrong try was not counted: %s", qPrintable(changed.error().detail));
}

Result<void> PeerStore::checkName(const QString& name, PeerId owner) const
{
    const QString tidy = tidyName(name);
    const QString context = Words::tr("The name “%1”").arg(tidyName(name));
    if (tidy.isEmpty())
        return fail(ErrorCode::InvalidArgument, context,
                    Words::tr("a name has at least one letter"));
    if (!QHostAddress(tidy).isNull())
        return fail(ErrorCode::InvalidArgument, context,
                    Words::tr("it reads as an address, which another machine may have"));
    const auto book = read();
    if (book && book->freeName(tidy, owner) != tidy)
        return fail(ErrorCode::InvalidArgument, context,
                    Words::tr("another paired machine is called so"));
    return book.map([](const PeerBook&) {});
}

Result<void> PeerStore::rename(PeerId id, const QString& name)
{
    const QString tidy = tidyName(name);
    if (const auto checked = checkName(name, id); !checked)
        return checked;
    return change([&](PeerBook& book) -> Result<void> {
               const PairedPeer* peer = book.find(id);
               if (!peer)
                   return notPaired(id.text());
               if (book.freeName(tidy, id) != tidy)
                   return fail(ErrorCode::InvalidArgument, Words::tr("The name “%1”").arg(tidy),
                               Words::tr("another paired machine is called so"));
               PairedPeer renamed = *peer;
               renamed.name = tidy;
               book.put(renamed);
               return {};
           })
        .map([](const PeerBook&) {});
}

Result<void> PeerStore::revoke(PeerId id)
{
    return change([&](PeerBook& book) -> Result<void> {
               if (std::erase_if(book.peers,
                                 [&](const PairedPeer& peer) { return peer.id == id; }) == 0)
                   return notPaired(id.text());
               return {};
           })
        .map([](const PeerBook&) {});
}

void PeerStore::markSeen(PeerId id)
{
    const QDateTime now = m_clock->now();
    const auto isRecent = [&](const PairedPeer& peer) {
        return peer.seen && std::abs(peer.seen->secsTo(now)) < seenResolution;
    };
    const auto known = read();
    if (!known)
        return;
    if (const PairedPeer* peer = known->find(id); !peer || isRecent(*peer))
        return;
    const auto changed = change([&](PeerBook& book) -> Result<void> {
        for (PairedPeer& peer : book.peers) {
            if (peer.id == id)
                peer.seen = now;
        }
        return {};
    });
    if (!changed)
        qCInfo(lcServer, "last seen was not kept: %s", qPrintable(changed.error().detail));
}

} // namespace napkin
