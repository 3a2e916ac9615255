// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <tl/expected.hpp>

#include <exception>
#include <memory>

namespace napkin {

// What went wrong, as far as a program can act on it. Sentences for people: errortext.h.
enum class ErrorCode {
    Cancelled, // asked for, not a fault
    TimedOut,
    InvalidArgument,
    ParseFailed,
    NotFound,
    NameNotResolved,
    ConnectionRefused,
    HostUnreachable,
    ConnectionLost, // the far end went away in the middle
    PeerBusy,       // serving somebody else
    PeerSilent,     // connected, then said nothing
    PeerRefused,    // said no, with a reason
    ProtocolViolation,
    FrameTooLarge,
    AddressInUse,
    AddressNotAvailable,
    PermissionDenied,
    NoSuchInterface,
    ReadFailed,      // a file of what is measured could not be read to its end
    WrongValues,     // memory gave back something else than was written
    NothingMeasured, // the run ended without a single byte or reply
    ProgramEnded,    // the program that measured was ended from outside
    StorageUnavailable,
    StorageReadOnly,
    StorageFull,
    StorageLocked,
    StorageCorrupt,
    StorageTooNew,
    NotANotebook,
    KeysExposed, // others on this machine can read or replace the keys of its peers
    Unsupported,
    OutOfMemory, // or out of threads
    Internal,
};

// A fault as a value. `context` says what it concerns ("spark-b:5201", a path), `detail` adds what
// is known (a library's or the far end's own words), `cause` is the fault below it.
struct Error
{
    ErrorCode code = ErrorCode::Internal;
    QString detail;
    QString context;
    std::shared_ptr<const Error> cause;

    [[nodiscard]] bool isCancelled() const { return code == ErrorCode::Cancelled; }
    bool operator==(const Error& other) const
    {
        return code == other.code && detail == other.detail && context == other.context;
    }
};

template <typename T>
using Result = tl::expected<T, Error>;

// `return fail(ErrorCode::NotFound, path)` from a function that returns a Result.
[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, QString context = {}, QString detail = {});

// The same fault, seen from one level up: `error` becomes the cause.
[[nodiscard]] tl::unexpected<Error> failBecause(ErrorCode code, QString context, Error error);

// An exception of a library or of the language as a fault: OutOfMemory where memory or threads ran
// out, Internal with its words otherwise.
[[nodiscard]] Error errorFrom(const std::exception& exception);

// Stable name of the code, for JSON, logs and tests ("peer-busy"). English, never translated.
[[nodiscard]] QString errorCodeName(ErrorCode code);
[[nodiscard]] Result<ErrorCode> errorCodeFromName(QStringView name);

} // namespace napkin
