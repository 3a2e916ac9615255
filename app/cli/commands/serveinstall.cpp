// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/peercommands.h"
#include "app/cli/systemctl.h"
#include "app/cli/userunit.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Serve)
};

const QString& unitName()
{
    static const QString name = QStringLiteral("napkin.service");
    return name;
}

using Commands = std::vector<QStringList>;

// Each in turn, up to the first that fails.
QCoro::Task<Result<void>> tellManager(Commands commands, CancelToken cancel)
{
    for (const QStringList& command : commands) {
        if (const auto told = co_await systemctlUser(command, cancel); !told)
            co_return told;
    }
    co_return Result<void>{};
}

QStringList shellLines(const Commands& commands)
{
    QStringList lines;
    for (const QStringList& command : commands)
        lines << QStringLiteral("systemctl --user ") + command.join(u' ');
    return lines;
}

QString lingerLine()
{
    return QStringLiteral("loginctl enable-linger ") + qEnvironmentVariable("USER");
}

Result<void> writeUnit(const QString& path, const QString& text)
{
    const QByteArray bytes = text.toUtf8();
    QSaveFile file(path);
    const bool written = QDir().mkpath(QFileInfo(path).absolutePath()) &&
                         file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() &&
                         file.commit();
    if (!written)
        return fail(ErrorCode::StorageUnavailable, path, file.errorString());
    return {};
}

Json jsonLines(const QStringList& lines)
{
    Json list = Json::array();
    for (const QString& line : lines)
        list.push_back(jsonText(line));
    return list;
}

// What happened, and what is left to do by hand when the manager could not be told.
QString outcomeText(const QString& done, const Result<void>& told, const QStringList& byHand)
{
    if (told)
        return done;
    const QString why = told.error().code == ErrorCode::NotFound
                            ? Words::tr("there is no systemctl here")
                            : told.error().detail;
    return Words::tr("The user's service manager could not be told (%1). Say there:\n  %2")
        .arg(why.isEmpty() ? errorCodeName(told.error().code) : why,
             byHand.join(QStringLiteral("\n  ")));
}

} // namespace

QCoro::Task<int> installService(std::shared_ptr<const Context> context, InstallOptions options)
{
    const auto store = context->peerStore();
    if (const auto book = store->identify(); !book) // also makes the folder that the unit names
        co_return failPeers(*context, book.error());
    const QString path = userUnitPath();
    const QString folder = QFileInfo(store->file()).absolutePath();
    const QString text =
        userUnit(QCoreApplication::applicationFilePath(), options.arguments, folder);
    if (const auto written = writeUnit(path, text); !written)
        co_return context->fail(written.error());
    const Commands commands{{QStringLiteral("daemon-reload")},
                            {QStringLiteral("enable"), unitName()},
                            {QStringLiteral("restart"), unitName()}};
    const auto told = co_await tellManager(commands, context->cancel);
    if (!told && told.error().isCancelled())
        co_return context->fail(told.error());
    const QStringList byHand = shellLines(commands);
    const QString done = Words::tr("The service runs, and starts whenever you log in. Its log: "
                                   "journalctl --user -u %1")
                             .arg(unitName());
    co_return context->finish(
        ExitCode::Complete,
        Json{{"unit", jsonText(path)},
             {"enabled", told.has_value()},
             {"commands", told ? Json::array() : jsonLines(byHand)},
             {"linger", jsonText(lingerLine())}},
        Words::tr("%1 is written.\n%2\nTo keep it running while you are logged out: %3")
            .arg(path, outcomeText(done, told, byHand), lingerLine()));
}

QCoro::Task<int> uninstallService(std::shared_ptr<const Context> context)
{
    const QString path = userUnitPath();
    if (!QFileInfo::exists(path))
        co_return context->fail(fail(ErrorCode::NotFound, path).value(),
                                Words::tr("The service is not installed."));
    const auto stopped = co_await tellManager(
        {{QStringLiteral("disable"), QStringLiteral("--now"), unitName()}}, context->cancel);
    if (!stopped && stopped.error().isCancelled())
        co_return context->fail(stopped.error());
    if (!QFile::remove(path))
        co_return context->fail(fail(ErrorCode::StorageUnavailable, path).value());
    const auto reloaded =
        co_await tellManager({{QStringLiteral("daemon-reload")}}, context->cancel);
    const Result<void> told = stopped ? reloaded : stopped;
    const QStringList byHand{QStringLiteral("systemctl --user stop ") + unitName(),
                             QStringLiteral("systemctl --user daemon-reload")};
    co_return context->finish(
        ExitCode::Complete,
        Json{{"unit", jsonText(path)},
             {"stopped", told.has_value()},
             {"commands", told ? Json::array() : jsonLines(byHand)}},
        Words::tr("%1 is removed.\n%2")
            .arg(path, outcomeText(Words::tr("The service is stopped."), told, byHand)));
}

} // namespace napkin::cli
