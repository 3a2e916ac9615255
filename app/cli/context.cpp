// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/context.h"

#include "app/cli/textreport.h"
#include "core/base/clock.h"

#include <QFileInfo>

#include <algorithm>

namespace napkin::cli {

QString Context::notebookPath() const
{
    return notebookFile.isEmpty() ? Notebook::defaultPath() : notebookFile;
}

int Context::textWidth() const
{
    constexpr int widest = 80;
    return std::min(terminal->width().value_or(widest), widest);
}

std::shared_ptr<PeerStore> Context::peerStore() const
{
    return std::make_shared<PeerStore>(peersFile.isEmpty() ? PeerStore::defaultPath() : peersFile);
}

bool Context::isFirstUse() const
{
    const QString own = Notebook::defaultPath();
    return notebookFile.isEmpty() && !own.isEmpty() && !QFileInfo::exists(own);
}

int Context::finish(ExitCode code, Json payload, const QString& text) const
{
    if (isJson()) {
        Json document = jsonEnvelope(command, code == ExitCode::Complete);
        document.update(payload);
        terminal->printBytes(toLine(document));
    } else if (!text.isEmpty()) {
        terminal->print(text);
    }
    return static_cast<int>(code);
}

int Context::interrupted(const QString& sentence, Json payload) const
{
    terminal->note(QStringLiteral("napkin-cli: ") + sentence);
    if (isJson()) {
        Json document = jsonEnvelope(command, false);
        document["error"] =
            jsonError(Error{ErrorCode::Cancelled, {}, {}, nullptr}, ErrorText{sentence, {}, {}});
        document.update(payload);
        terminal->printBytes(toLine(document));
    }
    return static_cast<int>(ExitCode::Interrupted);
}

int Context::fail(const Error& error, const QString& advice) const
{
    return fail(exitCodeFor(error), error, Json::object(), advice);
}

int Context::fail(ExitCode code, const Error& error, Json payload, const QString& advice) const
{
    ErrorText words = describe(error);
    if (!advice.isEmpty())
        words.advice = advice;
    terminal->note(faultText(words));
    if (isJson()) {
        Json document = jsonEnvelope(command, false);
        document["error"] = jsonError(error, words);
        document.update(payload);
        terminal->printBytes(toLine(document));
    }
    return static_cast<int>(code);
}

QCoro::Task<Result<std::unique_ptr<Notebook>>> openNotebook(std::shared_ptr<const Context> context,
                                                            Notebook::Mode mode)
{
    co_return co_await Notebook::open(context->notebookPath(), mode,
                                      std::make_shared<SystemClock>());
}

} // namespace napkin::cli
