// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/mtumessage.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QtEndian>

#include <algorithm>

namespace napkin::pathmtu {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PathMtu)
};

constexpr qsizetype longestAddress = 45;
constexpr int largestMtu = 65'575;
constexpr QByteArrayView magic("NkM1");

template <typename Number>
void put(QByteArray& bytes, Number number)
{
    const Number big = qToBigEndian(number);
    bytes.append(reinterpret_cast<const char*>(&big), sizeof big);
}

// Takes fields off the front; once one is missing or out of its range, all are.
class Fields
{
public:
    explicit Fields(QByteArrayView bytes)
        : m_left(bytes)
    {}

    template <typename Number>
    Number take(std::uint64_t most)
    {
        if (m_left.size() < qsizetype(sizeof(Number))) {
            m_isBroken = true;
            return 0;
        }
        const auto number = qFromBigEndian<Number>(m_left.data());
        m_left = m_left.sliced(sizeof(Number));
        m_isBroken = m_isBroken || static_cast<std::uint64_t>(number) > most;
        return m_isBroken ? Number{0} : number;
    }
    std::uint32_t sequence() { return take<std::uint32_t>(UINT32_MAX); }
    std::optional<int> mtu()
    {
        const auto number = static_cast<int>(take<std::uint32_t>(largestMtu));
        return number > 0 ? std::optional(number) : std::nullopt;
    }
    QString address()
    {
        const auto size = qsizetype(take<std::uint8_t>(longestAddress));
        if (m_isBroken || m_left.size() < size) {
            m_isBroken = true;
            return {};
        }
        const QString text = QString::fromLatin1(m_left.first(size));
        m_left = m_left.sliced(size);
        const auto fits = [](QChar c) {
            return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || c == u':' || c == u'.';
        };
        m_isBroken = m_isBroken || !std::ranges::all_of(text, fits);
        return m_isBroken ? QString() : text;
    }
    [[nodiscard]] bool isAtEnd() const { return !m_isBroken && m_left.isEmpty(); }

private:
    QByteArrayView m_left;
    bool m_isBroken = false;
};

void putMtu(QByteArray& bytes, std::optional<int> mtu)
{
    put(bytes, static_cast<std::uint32_t>(std::clamp(mtu.value_or(0), 0, largestMtu)));
}

void write(QByteArray& bytes, const Welcome& message)
{
    putMtu(bytes, message.interfaceMtu);
}

void write(QByteArray& bytes, const Arrived& message)
{
    put(bytes, message.sequence);
}

void write(QByteArray& bytes, const SendBack& message)
{
    put(bytes, message.sequence);
    putMtu(bytes, message.size);
}

void write(QByteArray& bytes, const SentBack& message)
{
    put(bytes, message.sequence);
    put(bytes, static_cast<std::uint8_t>(message.outcome));
    putMtu(bytes, message.told);
}

void write(QByteArray& bytes, const TooBig& message)
{
    put(bytes, message.sequence);
    putMtu(bytes, message.mtu);
    const QByteArray by = message.by.section(u'%', 0, 0).toLatin1().left(longestAddress);
    put(bytes, static_cast<std::uint8_t>(by.size()));
    bytes += by;
}

void write(QByteArray& bytes, const Bulk& message)
{
    put(bytes, static_cast<std::uint8_t>(message.direction == Direction::Forward ? 0 : 1));
    put(bytes, static_cast<std::uint64_t>(std::clamp<std::int64_t>(message.bytes, 0, mostBulk)));
}

Message read(std::uint8_t kind, Fields& fields)
{
    switch (kind) {
    case 0:
        return Welcome{fields.mtu()};
    case 1:
        return Arrived{fields.sequence()};
    case 2: {
        SendBack message{fields.sequence(), 0};
        message.size = fields.mtu().value_or(0);
        return message;
    }
    case 3: {
        SentBack message{fields.sequence(), {}, {}};
        message.outcome = static_cast<SentBack::Outcome>(fields.take<std::uint8_t>(3));
        message.told = fields.mtu();
        return message;
    }
    case 4: {
        TooBig message{fields.sequence(), {}, {}};
        message.mtu = fields.mtu();
        message.by = fields.address();
        return message;
    }
    default: {
        Bulk message;
        message.direction =
            fields.take<std::uint8_t>(1) == 0 ? Direction::Forward : Direction::Reverse;
        message.bytes = static_cast<std::int64_t>(fields.take<std::uint64_t>(mostBulk));
        return message;
    }
    }
}

} // namespace

QByteArray encode(const Message& message)
{
    QByteArray body;
    put(body, static_cast<std::uint8_t>(protocolVersion));
    put(body, static_cast<std::uint8_t>(message.index()));
    std::visit([&body](const auto& of) { write(body, of); }, message);
    QByteArray frame;
    put(frame, static_cast<std::uint32_t>(body.size()));
    return frame + body;
}

Result<Message> decode(QByteArrayView frame)
{
    Fields fields(frame);
    const int version = fields.take<std::uint8_t>(UINT8_MAX);
    if (frame.size() > 0 && version != protocolVersion)
        return fail(ErrorCode::Unsupported, {},
                    Words::tr("it speaks version %1 of the path MTU protocol, and version %2 is "
                              "spoken here; the same release of Napkin on both machines helps")
                        .arg(version)
                        .arg(protocolVersion));
    const auto kind = fields.take<std::uint8_t>(std::variant_size_v<Message> - 1);
    Message message = read(kind, fields);
    if (!fields.isAtEnd())
        return fail(ErrorCode::ProtocolViolation, {},
                    Words::tr("a message about the path MTU that makes no sense"));
    return message;
}

QByteArray token(const DataTicket& ticket, Direction direction)
{
    const QByteArray label =
        QByteArrayLiteral("napkin path mtu ") + directionName(direction).toLatin1();
    return QMessageAuthenticationCode::hash(label, ticket.text().toLatin1(),
                                            QCryptographicHash::Sha256)
        .left(tokenSize);
}

QByteArray encodeDatagram(const QByteArray& token, std::uint32_t sequence, qsizetype bytes)
{
    QByteArray datagram = magic.toByteArray() + token;
    put(datagram, sequence);
    datagram.resize(std::max(bytes, datagramHeader), '\0');
    return datagram;
}

std::optional<std::uint32_t> sequenceOf(QByteArrayView datagram, const QByteArray& token)
{
    if (datagram.size() < datagramHeader || !datagram.startsWith(magic) ||
        !equalInConstantTime(datagram.sliced(magic.size(), tokenSize).toByteArray(), token))
        return std::nullopt;
    return qFromBigEndian<std::uint32_t>(datagram.data() + magic.size() + tokenSize);
}

} // namespace napkin::pathmtu
