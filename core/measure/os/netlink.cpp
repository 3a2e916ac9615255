// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/netlink.h"

#include "core/measure/os/socket.h"

#include <netlink/errno.h>
#include <netlink/handlers.h>
#include <netlink/netlink.h>
#include <sys/time.h>

#include <cerrno>
#include <limits>
#include <utility>

namespace napkin {

namespace {

struct Conversation
{
    const std::function<void(nlmsghdr*)>& answer;
    std::uint32_t number = 0; // of the question
    int error = 0;            // the kernel's errno
};

int onMessage(nl_msg* message, void* conversation)
{
    static_cast<Conversation*>(conversation)->answer(nlmsg_hdr(message));
    return NL_OK;
}

// libnl's own check wants an acknowledgement to every question.
int checkNumber(nl_msg* message, void* conversation)
{
    const auto* ours = static_cast<const Conversation*>(conversation);
    return nlmsg_hdr(message)->nlmsg_seq == ours->number ? NL_OK : NL_SKIP;
}

int onError(sockaddr_nl* /*from*/, nlmsgerr* error, void* conversation)
{
    static_cast<Conversation*>(conversation)->error = -error->error;
    return NL_STOP;
}

tl::unexpected<Error> failWith(int error)
{
    return fail(codeOfErrno(error), {}, textOfErrno(error));
}

} // namespace

NetlinkMessage::NetlinkMessage(int type, int flags)
    : m_message(nlmsg_alloc_simple(type, flags), &nlmsg_free)
    , m_whole(m_message != nullptr)
{}

void NetlinkMessage::append(const void* bytes, size_t size)
{
    if (m_whole)
        m_whole = nlmsg_append(m_message.get(), const_cast<void*>(bytes), size, NLMSG_ALIGNTO) == 0;
}

void NetlinkMessage::add(int attribute, std::uint32_t value)
{
    if (m_whole)
        m_whole = nla_put_u32(m_message.get(), attribute, value) == 0;
}

void NetlinkMessage::add(int attribute, std::string_view bytes)
{
    if (m_whole)
        m_whole =
            bytes.size() <= std::numeric_limits<std::uint16_t>::max() &&
            nla_put(m_message.get(), attribute, static_cast<int>(bytes.size()), bytes.data()) == 0;
}

NetlinkSocket::NetlinkSocket(nl_sock* socket)
    : m_socket(socket, &nl_socket_free)
{}

Result<NetlinkSocket> NetlinkSocket::open(int protocol)
{
    NetlinkSocket socket(nl_socket_alloc());
    if (!socket.m_socket)
        return failWith(ENOMEM);
    errno = 0;
    if (nl_connect(socket.raw(), protocol) != 0)
        return failWith(errno != 0 ? errno : EPROTONOSUPPORT);
    nl_socket_disable_auto_ack(socket.raw());
    const timeval limit{1, 0};
    ::setsockopt(nl_socket_get_fd(socket.raw()), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    return socket;
}

Result<void> NetlinkSocket::ask(const NetlinkMessage& question,
                                const std::function<void(nlmsghdr*)>& answer)
{
    if (!question.isWhole())
        return failWith(EMSGSIZE);
    if (const int sent = nl_send_auto(raw(), question.raw()); sent < 0)
        return fail(ErrorCode::Internal, {}, QString::fromUtf8(nl_geterror(sent)));
    const std::unique_ptr<nl_cb, decltype(&nl_cb_put)> handlers(nl_cb_alloc(NL_CB_DEFAULT),
                                                                &nl_cb_put);
    if (!handlers)
        return failWith(ENOMEM);
    Conversation conversation{answer, nlmsg_hdr(question.raw())->nlmsg_seq};
    nl_cb_set(handlers.get(), NL_CB_VALID, NL_CB_CUSTOM, &onMessage, &conversation);
    nl_cb_set(handlers.get(), NL_CB_SEQ_CHECK, NL_CB_CUSTOM, &checkNumber, &conversation);
    nl_cb_err(handlers.get(), NL_CB_CUSTOM, &onError, &conversation);
    const int got = nl_recvmsgs(raw(), handlers.get());
    if (conversation.error != 0)
        return failWith(conversation.error);
    if (got == -NLE_AGAIN)
        return failWith(ETIMEDOUT);
    if (got < 0 && got != -NLE_DUMP_INTR)
        return fail(ErrorCode::Internal, {}, QString::fromUtf8(nl_geterror(got)));
    return {};
}

} // namespace napkin
