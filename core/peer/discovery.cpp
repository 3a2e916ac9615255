// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/discovery.h"

#include "core/base/clock.h"
#include "core/base/gate.h"
#include "core/peer/localwires.h"

#include <QCoreApplication>
#include <QNetworkDatagram>
#include <QTimer>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <tuple>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Discovery)
};

// So many in a second, and no more.
class Allowance
{
public:
    explicit Allowance(int perSecond)
        : m_perSecond(perSecond)
    {}
    [[nodiscard]] bool take()
    {
        const SteadyTime now = std::chrono::steady_clock::now();
        if (now - m_since >= 1s) {
            m_since = now;
            m_taken = 0;
        }
        return m_taken++ < m_perSecond;
    }

private:
    int m_perSecond;
    int m_taken = 0;
    SteadyTime m_since;
};

// A UDP socket of each family, read within bounds.
class Ears
{
public:
    using Hear = std::function<void(const DiscoveryMessage&, const QNetworkDatagram&, QUdpSocket&)>;

    // `port` 0: any free one, the same for both where that can be had.
    [[nodiscard]] Result<void> open(int port, QAbstractSocket::BindMode mode, Hear hear);
    [[nodiscard]] int port() const { return m_v4.localPort(); }
    // Whether it could be said anywhere.
    bool say(const QByteArray& bytes, const std::vector<WireTarget>& targets, int to);
    void joinAll();

private:
    void read(QUdpSocket& socket);

    QUdpSocket m_v4;
    QUdpSocket m_v6;
    Hear m_hear;
    Allowance m_read{5'000}; // datagrams; more than 256 machines ever send
};

Result<void> Ears::open(int port, QAbstractSocket::BindMode mode, Hear hear)
{
    m_hear = std::move(hear);
    const auto wanted = static_cast<quint16>(port);
    if (!m_v4.bind(QHostAddress(QHostAddress::AnyIPv4), wanted, mode)) {
        const bool inUse = m_v4.error() == QAbstractSocket::AddressInUseError;
        return fail(inUse ? ErrorCode::AddressInUse : ErrorCode::PermissionDenied,
                    Words::tr("UDP port %1").arg(port), m_v4.errorString());
    }
    // Without IPv6 in the kernel there is nobody to talk to there.
    m_v6.bind(QHostAddress(QHostAddress::AnyIPv6), m_v4.localPort(), mode);
    for (QUdpSocket* socket : {&m_v4, &m_v6})
        QObject::connect(socket, &QUdpSocket::readyRead, socket, [this, socket] { read(*socket); });
    return {};
}

void Ears::read(QUdpSocket& socket)
{
    constexpr int atOnce = 64; // then everybody else's turn
    for (int i = 0; i < atOnce && socket.hasPendingDatagrams(); ++i) {
        // One byte more than allowed: what is cut off there was too long.
        const QNetworkDatagram datagram = socket.receiveDatagram(mostDiscoveryBytes + 1);
        if (!m_read.take() || !datagram.isValid() || datagram.data().size() > mostDiscoveryBytes)
            continue;
        if (const auto message = decodeDiscovery(datagram.data()))
            m_hear(*message, datagram, socket);
    }
    if (socket.hasPendingDatagrams())
        QMetaObject::invokeMethod(&socket, [this, &socket] { read(socket); }, Qt::QueuedConnection);
}

bool Ears::say(const QByteArray& bytes, const std::vector<WireTarget>& targets, int to)
{
    bool said = false;
    for (const WireTarget& target : targets) {
        const bool isV4 = target.address.protocol() == QAbstractSocket::IPv4Protocol;
        said = sayTo(isV4 ? m_v4 : m_v6, bytes, target, to) || said;
    }
    return said;
}

void Ears::joinAll()
{
    if (m_v6.state() == QAbstractSocket::BoundState)
        joinGroup(m_v6);
}

constexpr auto shared = QUdpSocket::ShareAddress | QUdpSocket::ReuseAddressHint;

} // namespace

class Announcer::Private
{
public:
    explicit Private(Options options)
        : m_options(std::move(options))
        , m_bytes(encodeDiscovery(m_options.said))
    {}

    [[nodiscard]] Result<void> open()
    {
        auto opened =
            m_ears.open(m_options.port, shared,
                        [this](const DiscoveryMessage& message, const QNetworkDatagram& datagram,
                               QUdpSocket& socket) { answer(message, datagram, socket); });
        if (!opened)
            return opened;
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { announce(); });
        m_timer.start(m_options.every);
        announce();
        return {};
    }
    [[nodiscard]] int port() const { return m_ears.port(); }

private:
    void announce()
    {
        m_ears.joinAll(); // of interfaces that came since
        m_ears.say(m_bytes, localWires(m_options.only), port());
    }
    void answer(const DiscoveryMessage& message, const QNetworkDatagram& datagram,
                QUdpSocket& socket)
    {
        if (!std::holds_alternative<DiscoveryQuery>(message) || datagram.senderPort() <= 0 ||
            !m_answers.take() || !isOnOurWire(datagram) || !isNeighbour(datagram.senderAddress()))
            return;
        socket.writeDatagram(m_bytes, datagram.senderAddress(),
                             static_cast<quint16>(datagram.senderPort()));
    }

    [[nodiscard]] bool isOnOurWire(const QNetworkDatagram& datagram) const
    {
        if (m_options.only.isNull())
            return true;
        const auto wires = localWires(m_options.only);
        return std::any_of(wires.begin(), wires.end(), [&datagram](const WireTarget& wire) {
            return static_cast<uint>(wire.interfaceIndex) == datagram.interfaceIndex();
        });
    }

    Options m_options;
    QByteArray m_bytes;
    Allowance m_answers{10};
    QTimer m_timer;
    Ears m_ears;
};

Result<std::unique_ptr<Announcer>> Announcer::start(Options options)
{
    auto d = std::make_unique<Private>(std::move(options));
    if (auto opened = d->open(); !opened)
        return tl::unexpected(opened.error());
    return std::unique_ptr<Announcer>(new Announcer(std::move(d)));
}

Announcer::Announcer(std::unique_ptr<Private> d)
    : m_d(std::move(d))
{}

Announcer::~Announcer() = default;

int Announcer::port() const
{
    return m_d->port();
}

namespace {

// What was found, each machine once for every address it answered from.
class Findings
{
public:
    void take(const Announcement& said, const QHostAddress& from)
    {
        const std::pair key(said.id.text(), from.toString());
        if (m_found.contains(key))
            return;
        if (m_found.size() >= most) {
            m_more = true;
            return;
        }
        m_found.emplace(key, Discovered{from.toString(), said});
    }
    [[nodiscard]] Discovery all() const
    {
        Discovery discovery;
        for (const auto& [key, found] : m_found)
            discovery.found.push_back(found);
        std::sort(discovery.found.begin(), discovery.found.end(),
                  [](const Discovered& a, const Discovered& b) {
                      return std::tie(a.said.name, a.address) < std::tie(b.said.name, b.address);
                  });
        discovery.more = m_more;
        return discovery;
    }

private:
    static constexpr size_t most = 256;
    std::map<std::pair<QString, QString>, Discovered> m_found;
    bool m_more = false;
};

std::vector<WireTarget> targetsOf(const DiscoverOptions& options)
{
    if (options.ask.empty())
        return localWires();
    std::vector<WireTarget> targets;
    targets.reserve(options.ask.size());
    for (const QHostAddress& address : options.ask)
        targets.push_back({address, 0});
    return targets;
}

} // namespace

QCoro::Task<Result<Discovery>> discover(DiscoverOptions options, CancelToken cancel)
{
    constexpr auto askAgain = 1s; // datagrams get lost
    const SteadyTime end = std::chrono::steady_clock::now() + options.time;
    Findings findings;
    const auto take = [&findings](const DiscoveryMessage& message, const QNetworkDatagram& datagram,
                                  const QUdpSocket&) {
        if (const auto* said = std::get_if<Announcement>(&message))
            findings.take(*said, datagram.senderAddress());
    };
    Ears asking;
    if (auto opened = asking.open(0, QUdpSocket::DefaultForPlatform, take); !opened)
        co_return tl::unexpected(opened.error());
    // What others say unasked too, where the port can be shared.
    Ears listening;
    if (options.ask.empty() && listening.open(options.port, shared, take))
        listening.joinAll();
    const QByteArray query = encodeDiscovery(DiscoveryQuery{});
    bool asked = false;
    while (std::chrono::steady_clock::now() < end && !cancel.stop_requested()) {
        asked = asking.say(query, targetsOf(options), options.port) || asked;
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        Gate gate;
        gate.after(std::min<std::chrono::milliseconds>(askAgain, std::max(left, 0ms))).on(cancel);
        co_await gate;
    }
    if (!asked && findings.all().found.empty())
        co_return fail(ErrorCode::HostUnreachable, Words::tr("The local network"),
                       Words::tr("no interface of this machine is up"));
    co_return findings.all();
}

} // namespace napkin
