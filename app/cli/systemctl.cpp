// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/systemctl.h"

#include "core/base/gate.h"

#include <QProcess>

#include <memory>

namespace napkin::cli {

namespace {

constexpr std::chrono::seconds limit(20);
constexpr qsizetype longestWords = 500;

} // namespace

QCoro::Task<Result<void>> systemctlUser(QStringList arguments, CancelToken cancel)
{
    const QString context = QStringLiteral("systemctl --user ") + arguments.join(u' ');
    auto process = std::make_unique<QProcess>();
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setStandardInputFile(QProcess::nullDevice());
    Gate gate;
    gate.on(process.get(), &QProcess::finished)
        .on(process.get(), &QProcess::errorOccurred, Gate::Opened::Error)
        .after(limit)
        .on(cancel);
    process->start(QStringLiteral("systemctl"), QStringList{QStringLiteral("--user")} + arguments);
    switch (co_await gate) {
    case Gate::Opened::Cancelled:
        process->kill();
        co_return fail(ErrorCode::Cancelled);
    case Gate::Opened::TimedOut:
        process->kill();
        co_return fail(ErrorCode::TimedOut, context);
    case Gate::Opened::Signal:
        break;
    default:
        co_return fail(ErrorCode::NotFound, QStringLiteral("systemctl"));
    }
    if (process->exitStatus() == QProcess::NormalExit && process->exitCode() == 0)
        co_return Result<void>{};
    const QByteArray words = process->readAllStandardError().simplified();
    co_return fail(ErrorCode::Unsupported, context, QString::fromUtf8(words).left(longestWords));
}

} // namespace napkin::cli
