// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/standardinput.h"

#include "core/base/deadline.h"
#include "core/base/gate.h"

#include <QCoreApplication>
#include <QSocketNotifier>

#include <unistd.h>

#include <cerrno>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::StandardInput)
};

constexpr qsizetype longestLine = 1'000;
constexpr std::chrono::minutes patience(10);

tl::unexpected<Error> noLine(const QString& why)
{
    return fail(ErrorCode::InvalidArgument, Words::tr("Standard input"), why);
}

} // namespace

QCoro::Task<Result<QString>> readLine(CancelToken cancel)
{
    const Deadline deadline(patience);
    QByteArray line;
    while (true) {
        {
            QSocketNotifier notifier(STDIN_FILENO, QSocketNotifier::Read);
            Gate gate;
            gate.on(&notifier, &QSocketNotifier::activated).after(deadline.remaining()).on(cancel);
            const Gate::Opened opened = co_await gate;
            if (opened == Gate::Opened::Cancelled)
                co_return fail(ErrorCode::Cancelled);
            if (opened == Gate::Opened::TimedOut)
                co_return fail(ErrorCode::TimedOut, Words::tr("Standard input"));
        }
        char byte = 0;
        const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (count <= 0 && line.isEmpty())
            co_return noLine(Words::tr("it is empty"));
        if (count <= 0 || byte == '\n')
            co_return QString::fromUtf8(line);
        line += byte;
        if (line.size() > longestLine)
            co_return noLine(Words::tr("its first line is too long"));
    }
}

} // namespace napkin::cli
