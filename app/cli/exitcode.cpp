// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/exitcode.h"

namespace napkin::cli {

ExitCode exitCodeFor(const Error& error)
{
    switch (error.code) {
    case ErrorCode::Cancelled:
        return ExitCode::Interrupted;
    case ErrorCode::InvalidArgument:
    case ErrorCode::ParseFailed:
    case ErrorCode::NotFound:
    case ErrorCode::NoSuchInterface: // only ever one that was named
        return ExitCode::WrongUse;
    case ErrorCode::StorageUnavailable:
    case ErrorCode::StorageReadOnly:
    case ErrorCode::StorageFull:
    case ErrorCode::StorageLocked:
    case ErrorCode::StorageCorrupt:
    case ErrorCode::StorageTooNew:
    case ErrorCode::NotANotebook:
    case ErrorCode::KeysExposed:
        return ExitCode::NotebookUnusable;
    case ErrorCode::Internal:
        return ExitCode::InternalFault;
    default:
        return ExitCode::MeasurementFailed;
    }
}

} // namespace napkin::cli
