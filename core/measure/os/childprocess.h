// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/measure/os/socket.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QStringList>

#include <functional>

namespace napkin {

struct ChildOutput
{
    int exitCode = -1; // -1: it had to be killed, or died of a signal
    QByteArray text;   // standard output and standard error as they came, at most 64 KiB
};

// Runs a program with the locale C and nothing to read, and collects what it says. NotFound when it
// is not there, PermissionDenied when it may not be run, Cancelled. Blocks until it ended; at the
// deadline it is killed, which is no error.
[[nodiscard]] Result<ChildOutput> runChild(const QString& program, const QStringList& arguments,
                                           Deadline deadline, const Interrupt& interrupt);

// The same, with no end to what it may say: each piece is handed over as it comes. The result's
// text stays empty. Stopped, as by the interrupt, when the taker says no.
enum class GoOn { Yes, No };
using TakeOutput = std::function<GoOn(QByteArrayView piece)>;
[[nodiscard]] Result<ChildOutput> followChild(const QString& program, const QStringList& arguments,
                                              Deadline deadline, const Interrupt& interrupt,
                                              const TakeOutput& take);

} // namespace napkin
