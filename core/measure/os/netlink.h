// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QString>

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/socket.h>

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace napkin {

// A question to the kernel.
class NetlinkMessage
{
public:
    // With the fixed header that its type asks for.
    template <typename Header>
    NetlinkMessage(int type, int flags, const Header& header)
        : NetlinkMessage(type, flags)
    {
        append(&header, sizeof header);
    }

    void add(int attribute, std::uint32_t value);
    void add(int attribute, std::string_view bytes);
    [[nodiscard]] nl_msg* raw() const { return m_message.get(); }
    [[nodiscard]] bool isWhole() const { return m_whole; } // nothing was too much for it

private:
    NetlinkMessage(int type, int flags);
    void append(const void* bytes, size_t size);

    std::unique_ptr<nl_msg, decltype(&nlmsg_free)> m_message;
    bool m_whole = true;
};

// A conversation with the kernel, which answers at once; should it not, a wait ends after a second.
// For one thread at a time.
class NetlinkSocket
{
public:
    [[nodiscard]] static Result<NetlinkSocket> open(int protocol); // NETLINK_ROUTE

    // Sends, and calls `answer` for each message that comes back, to the end. The error has the
    // code of the kernel's errno and no context. A list that changed while it was read is taken as
    // it came: each of its messages is whole.
    [[nodiscard]] Result<void> ask(const NetlinkMessage& question,
                                   const std::function<void(nlmsghdr*)>& answer);
    [[nodiscard]] nl_sock* raw() const { return m_socket.get(); }

private:
    explicit NetlinkSocket(nl_sock* socket);
    std::unique_ptr<nl_sock, decltype(&nl_socket_free)> m_socket;
};

// The attributes behind a fixed header of `headerSize` bytes, by type, at most `Most`.
template <int Most>
class Attributes
{
public:
    Attributes(nlmsghdr* message, int headerSize)
    {
        if (nlmsg_parse(message, headerSize, m_table.data(), Most, nullptr) < 0)
            m_table.fill(nullptr);
    }
    explicit Attributes(nlattr* nested)
    {
        if (nested == nullptr || nla_parse_nested(m_table.data(), Most, nested, nullptr) < 0)
            m_table.fill(nullptr);
    }

    [[nodiscard]] nlattr* find(int type) const { return m_table.at(static_cast<size_t>(type)); }
    // The value when it is there and long enough.
    template <typename T>
    [[nodiscard]] std::optional<T> value(int type) const
    {
        const nlattr* attribute = find(type);
        if (attribute == nullptr || nla_len(attribute) < static_cast<int>(sizeof(T)))
            return std::nullopt;
        T value{};
        std::memcpy(&value, nla_data(attribute), sizeof value);
        return value;
    }
    [[nodiscard]] QByteArray bytes(int type) const
    {
        const nlattr* attribute = find(type);
        return attribute == nullptr
                   ? QByteArray()
                   : QByteArray(static_cast<const char*>(nla_data(attribute)), nla_len(attribute));
    }
    [[nodiscard]] QString text(int type) const // up to its end or a NUL
    {
        const QByteArray all = bytes(type);
        return QString::fromUtf8(all.constData(),
                                 static_cast<qsizetype>(qstrnlen(all.constData(), all.size())));
    }

private:
    std::array<nlattr*, Most + 1> m_table{};
};

} // namespace napkin
