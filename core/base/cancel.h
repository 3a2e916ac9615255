// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

namespace napkin {

// Cancellation travels as a value; whoever waits looks at it and ends with ErrorCode::Cancelled.
using CancelToken = std::stop_token;
using CancelSource = std::stop_source;

} // namespace napkin
