// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QUuid>

#include <compare>
#include <functional>

namespace napkin {

namespace detail {
[[nodiscard]] QString idText(const QUuid& value);
[[nodiscard]] Result<QUuid> idFromText(QStringView text);
} // namespace detail

// A stable id: 128 random bits, never reused, the same on every machine. The tag keeps kinds apart.
template <typename Tag>
class Id
{
public:
    Id() = default; // null: "none"
    [[nodiscard]] static Id create() { return Id(QUuid::createUuid()); }
    // 32 hexadecimal digits, as text() gives them.
    [[nodiscard]] static Result<Id> fromText(QStringView text)
    {
        return detail::idFromText(text).map([](const QUuid& value) { return Id(value); });
    }
    [[nodiscard]] QString text() const { return detail::idText(m_value); }
    [[nodiscard]] bool isNull() const { return m_value.isNull(); }

    friend bool operator==(const Id& a, const Id& b) { return a.m_value == b.m_value; }
    friend bool operator<(const Id& a, const Id& b) { return a.m_value < b.m_value; }
    friend size_t qHash(const Id& id, size_t seed = 0) { return qHash(id.m_value, seed); }

private:
    explicit Id(const QUuid& value)
        : m_value(value)
    {}
    QUuid m_value;
};

using NotebookId = Id<struct NotebookTag>;
using DrawingId = Id<struct DrawingTag>;
using MachineId = Id<struct MachineTag>;
using DeviceId = Id<struct DeviceTag>;
using PortId = Id<struct PortTag>;
using LinkId = Id<struct LinkTag>;
using LinkPeriodId = Id<struct LinkPeriodTag>;
using SessionId = Id<struct SessionTag>;
using RecordId = Id<struct RecordTag>;
using PeerId = Id<struct PeerTag>;

} // namespace napkin

template <typename Tag>
struct std::hash<napkin::Id<Tag>>
{
    size_t operator()(const napkin::Id<Tag>& id) const noexcept { return qHash(id); }
};
