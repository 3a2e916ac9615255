// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <array>
#include <utility>

namespace napkin {

namespace {

using Name = std::pair<ErrorCode, const char*>;

constexpr std::array names{
    Name{ErrorCode::Cancelled, "cancelled"},
    Name{ErrorCode::TimedOut, "timed-out"},
    Name{ErrorCode::InvalidArgument, "invalid-argument"},
    Name{ErrorCode::ParseFailed, "parse-failed"},
    Name{ErrorCode::NotFound, "not-found"},
    Name{ErrorCode::NameNotResolved, "name-not-resolved"},
    Name{ErrorCode::ConnectionRefused, "connection-refused"},
    Name{ErrorCode::HostUnreachable, "host-unreachable"},
    Name{ErrorCode::ConnectionLost, "connection-lost"},
    Name{ErrorCode::PeerBusy, "peer-busy"},
    Name{ErrorCode::PeerSilent, "peer-silent"},
    Name{ErrorCode::PeerRefused, "peer-refused"},
    Name{ErrorCode::ProtocolViolation, "protocol-violation"},
    Name{ErrorCode::FrameTooLarge, "frame-too-large"},
    Name{ErrorCode::AddressInUse, "address-in-use"},
    Name{ErrorCode::AddressNotAvailable, "address-not-available"},
    Name{ErrorCode::PermissionDenied, "permission-denied"},
    Name{ErrorCode::NoSuchInterface, "no-such-interface"},
    Name{ErrorCode::NothingMeasured, "nothing-measured"},
    Name{ErrorCode::StorageUnavailable, "storage-unavailable"},
    Name{ErrorCode::StorageReadOnly, "storage-read-only"},
    Name{ErrorCode::StorageFull, "storage-full"},
    Name{ErrorCode::StorageLocked, "storage-locked"},
    Name{ErrorCode::StorageCorrupt, "storage-corrupt"},
    Name{ErrorCode::StorageTooNew, "storage-too-new"},
    Name{ErrorCode::NotANotebook, "not-a-notebook"},
    Name{ErrorCode::KeysExposed, "keys-exposed"},
    Name{ErrorCode::Unsupported, "unsupported"},
    Name{ErrorCode::Internal, "internal"},
};

} // namespace

tl::unexpected<Error> fail(ErrorCode code, QString context, QString detail)
{
    return tl::unexpected(Error{code, std::move(detail), std::move(context), nullptr});
}

tl::unexpected<Error> failBecause(ErrorCode code, QString context, Error error)
{
    return tl::unexpected(Error{code, error.detail, std::move(context),
                                std::make_shared<const Error>(std::move(error))});
}

QString errorCodeName(ErrorCode code)
{
    for (const auto& [known, name] : names) {
        if (known == code)
            return QString::fromLatin1(name);
    }
    return QStringLiteral("internal");
}

Result<ErrorCode> errorCodeFromName(QStringView name)
{
    for (const auto& [code, known] : names) {
        if (name == QLatin1StringView(known))
            return code;
    }
    return fail(ErrorCode::ParseFailed, name.toString(), QStringLiteral("not an error code"));
}

} // namespace napkin
