// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <QCoreApplication>

#include <array>
#include <new>
#include <system_error>
#include <utility>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Error)
};

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
    Name{ErrorCode::ReadFailed, "read-failed"},
    Name{ErrorCode::WrongValues, "wrong-values"},
    Name{ErrorCode::NothingMeasured, "nothing-measured"},
    Name{ErrorCode::ProgramEnded, "program-ended"},
    Name{ErrorCode::StorageUnavailable, "storage-unavailable"},
    Name{ErrorCode::StorageReadOnly, "storage-read-only"},
    Name{ErrorCode::StorageFull, "storage-full"},
    Name{ErrorCode::StorageLocked, "storage-locked"},
    Name{ErrorCode::StorageCorrupt, "storage-corrupt"},
    Name{ErrorCode::StorageTooNew, "storage-too-new"},
    Name{ErrorCode::NotANotebook, "not-a-notebook"},
    Name{ErrorCode::KeysExposed, "keys-exposed"},
    Name{ErrorCode::Unsupported, "unsupported"},
    Name{ErrorCode::OutOfMemory, "out-of-memory"},
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

Error errorFrom(const std::exception& exception)
{
    const auto* system = dynamic_cast<const std::system_error*>(&exception);
    const bool isShort =
        dynamic_cast<const std::bad_alloc*>(&exception) != nullptr ||
        (system != nullptr && (system->code() == std::errc::not_enough_memory ||
                               system->code() == std::errc::resource_unavailable_try_again));
    const QString words = QString::fromUtf8(exception.what());
    return isShort ? Error{ErrorCode::OutOfMemory, {}, words, nullptr}
                   : Error{ErrorCode::Internal, words, {}, nullptr};
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
    return fail(ErrorCode::ParseFailed, name.toString(), Words::tr("not an error code"));
}

} // namespace napkin
