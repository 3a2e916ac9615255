// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/ethtool.h"

#include <QCoreApplication>

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Ethtool)
};

QString reason(int error)
{
    switch (error) {
    case EOPNOTSUPP:
    case EINVAL:
        return Words::tr("the driver does not tell");
    case EPERM:
    case EACCES:
        return Words::tr("the kernel tells it to root only");
    case ENODEV:
        return Words::tr("the interface has gone");
    default:
        return Words::tr("the kernel says: %1").arg(textOfErrno(error));
    }
}

template <typename Struct>
Struct question(std::uint32_t command)
{
    Struct ask{};
    ask.cmd = command;
    return ask;
}

// A question whose answer goes on behind its fixed part.
template <typename Head>
class LongQuestion
{
public:
    LongQuestion(std::uint32_t command, size_t more)
        : m_room(sizeof(Head) + more)
    {
        head().cmd = command;
    }
    [[nodiscard]] Head& head() { return *reinterpret_cast<Head*>(m_room.data()); }
    [[nodiscard]] void* raw() { return m_room.data(); }
    [[nodiscard]] const std::byte* tail() const { return m_room.data() + sizeof(Head); }
    template <typename T>
    [[nodiscard]] T at(size_t index) const // `index` below what there is room for
    {
        T value{};
        std::memcpy(&value, tail() + index * sizeof(T), sizeof value);
        return value;
    }

private:
    std::vector<std::byte> m_room;
};

// What moves work between the stack and the adapter, of the kernel's some sixty features.
bool isOffload(const QString& name)
{
    static constexpr std::array names{"rx-checksum",
                                      "rx-gro",
                                      "rx-gro-hw",
                                      "rx-gro-list",
                                      "rx-hashing",
                                      "rx-lro",
                                      "rx-udp-gro-forwarding",
                                      "tls-hw-rx-offload",
                                      "tls-hw-tx-offload",
                                      "tx-checksum-ip-generic",
                                      "tx-checksum-ipv4",
                                      "tx-checksum-ipv6",
                                      "tx-generic-segmentation",
                                      "tx-gso-partial",
                                      "tx-scatter-gather",
                                      "tx-tcp-segmentation",
                                      "tx-tcp6-segmentation",
                                      "tx-udp-segmentation"};
    return std::ranges::any_of(names,
                               [&](const char* one) { return name == QLatin1StringView(one); });
}

constexpr std::uint32_t mostFeatures = 1'024;

} // namespace

Ethtool::Ethtool(const QString& interfaceName)
    : m_socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0))
    , m_name(interfaceName.toUtf8())
{
    if (!m_socket.isOpen()) // any kind of socket will do
        m_socket = Socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
}

int Ethtool::ask(void* question) const
{
    ifreq request{};
    if (!m_socket.isOpen() || m_name.size() >= IFNAMSIZ)
        return ENODEV;
    std::memcpy(request.ifr_name, m_name.constData(), static_cast<size_t>(m_name.size()));
    request.ifr_data = static_cast<char*>(question);
    return ::ioctl(m_socket.fd(), SIOCETHTOOL, &request) == 0 ? 0 : errno;
}

QString Ethtool::driver() const
{
    auto info = question<ethtool_drvinfo>(ETHTOOL_GDRVINFO);
    if (ask(&info) != 0)
        return {};
    return QString::fromUtf8(info.driver,
                             static_cast<qsizetype>(qstrnlen(info.driver, sizeof info.driver)));
}

tl::expected<Ethtool::LinkMode, int> Ethtool::linkMode() const
{
    // The masks of modes follow the fixed part: the first answer is how long they are.
    constexpr size_t mostMasks = std::size_t{3} * std::numeric_limits<std::int8_t>::max();
    LongQuestion<ethtool_link_settings> settings(ETHTOOL_GLINKSETTINGS,
                                                 mostMasks * sizeof(std::uint32_t));
    if (const int error = ask(settings.raw()); error != 0)
        return tl::unexpected(error);
    const int masks = -settings.head().link_mode_masks_nwords;
    if (masks <= 0 || masks > std::numeric_limits<std::int8_t>::max())
        return tl::unexpected(EOPNOTSUPP);
    settings.head().cmd = ETHTOOL_GLINKSETTINGS;
    settings.head().link_mode_masks_nwords = static_cast<std::int8_t>(masks);
    if (const int error = ask(settings.raw()); error != 0)
        return tl::unexpected(error);
    return LinkMode{settings.head().speed, settings.head().duplex};
}

Reading<BitRate> Ethtool::speed(bool carrier) const
{
    const auto mode = linkMode();
    if (!mode)
        return {std::nullopt, reason(mode.error())};
    if (mode->megabits != 0 && mode->megabits != static_cast<std::uint32_t>(SPEED_UNKNOWN))
        return {BitRate::bitsPerSecond(std::int64_t{mode->megabits} * 1'000'000), {}};
    return {std::nullopt,
            carrier ? Words::tr("the driver does not know it") : Words::tr("nothing is connected")};
}

Reading<Duplex> Ethtool::duplex(bool carrier) const
{
    const auto mode = linkMode();
    if (!mode)
        return {std::nullopt, reason(mode.error())};
    if (mode->duplex == DUPLEX_FULL)
        return {Duplex::Full, {}};
    if (mode->duplex == DUPLEX_HALF)
        return {Duplex::Half, {}};
    return {std::nullopt,
            carrier ? Words::tr("the driver does not know it") : Words::tr("nothing is connected")};
}

Reading<Coalescing> Ethtool::coalescing() const
{
    auto told = question<ethtool_coalesce>(ETHTOOL_GCOALESCE);
    if (const int error = ask(&told); error != 0)
        return {std::nullopt, reason(error)};
    const auto bounded = [](std::uint32_t value) {
        return static_cast<int>(std::min<std::uint32_t>(value, 1'000'000'000));
    };
    Coalescing c;
    c.receiveMicroseconds = bounded(told.rx_coalesce_usecs);
    c.receiveFrames = bounded(told.rx_max_coalesced_frames);
    c.sendMicroseconds = bounded(told.tx_coalesce_usecs);
    c.sendFrames = bounded(told.tx_max_coalesced_frames);
    c.adaptiveReceive = told.use_adaptive_rx_coalesce != 0;
    c.adaptiveSend = told.use_adaptive_tx_coalesce != 0;
    return {c, {}};
}

Reading<PauseFrames> Ethtool::pause() const
{
    auto told = question<ethtool_pauseparam>(ETHTOOL_GPAUSEPARAM);
    if (const int error = ask(&told); error != 0)
        return {std::nullopt, reason(error)};
    return {PauseFrames{told.autoneg != 0, told.rx_pause != 0, told.tx_pause != 0}, {}};
}

tl::expected<QStringList, int> Ethtool::featureNames() const
{
    LongQuestion<ethtool_sset_info> set(ETHTOOL_GSSET_INFO, sizeof(std::uint32_t));
    set.head().sset_mask = 1ULL << ETH_SS_FEATURES;
    if (const int error = ask(set.raw()); error != 0)
        return tl::unexpected(error);
    const auto count = set.at<std::uint32_t>(0);
    if (set.head().sset_mask == 0 || count == 0 || count > mostFeatures)
        return tl::unexpected(EOPNOTSUPP);
    // The kernel writes so many names as it has, whatever is asked for: room for the most.
    LongQuestion<ethtool_gstrings> strings(ETHTOOL_GSTRINGS,
                                           std::size_t{mostFeatures} * ETH_GSTRING_LEN);
    strings.head().string_set = ETH_SS_FEATURES;
    strings.head().len = count;
    if (const int error = ask(strings.raw()); error != 0)
        return tl::unexpected(error);
    QStringList names;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto* name =
            reinterpret_cast<const char*>(strings.tail()) + std::size_t{i} * ETH_GSTRING_LEN;
        names << QString::fromUtf8(name, static_cast<qsizetype>(qstrnlen(name, ETH_GSTRING_LEN)));
    }
    return names;
}

Reading<std::vector<Offload>> Ethtool::offloads() const
{
    const auto names = featureNames();
    if (!names)
        return {std::nullopt, reason(names.error())};
    constexpr std::uint32_t blocks = mostFeatures / 32;
    LongQuestion<ethtool_gfeatures> features(
        ETHTOOL_GFEATURES, std::size_t{blocks} * sizeof(ethtool_get_features_block));
    features.head().size = blocks;
    if (const int error = ask(features.raw()); error != 0)
        return {std::nullopt, reason(error)};
    std::vector<Offload> offloads;
    for (qsizetype i = 0; i < names->size(); ++i) {
        const auto bit = static_cast<std::uint32_t>(i);
        if (isOffload(names->at(i)))
            offloads.push_back(
                {names->at(i),
                 ((features.at<ethtool_get_features_block>(bit / 32).active >> (bit % 32)) & 1U) !=
                     0});
    }
    std::ranges::sort(offloads, {}, &Offload::name);
    return {std::move(offloads), {}};
}

} // namespace napkin
