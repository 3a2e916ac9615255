// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/context.h"
#include "app/cli/signalwatch.h"
#include "app/cli/textreport.h"
#include "app/shared/translation.h"
#include "core/base/taskscope.h"

#include <QCoreApplication>
#include <QLoggingCategory>

#include <fcntl.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <system_error>

namespace {

using namespace napkin;
using namespace napkin::cli;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Main)
};

constexpr int helpWidthWithoutTerminal = 80;
constexpr int widestHelp = 100;

// The environment's wish, as far as it is about letters. A locale that is not installed still says
// what the terminal can show.
Charset charsetOfEnvironment()
{
    if (std::setlocale(LC_CTYPE, "") != nullptr)
        return qstricmp(nl_langinfo(CODESET), "UTF-8") == 0 ? Charset::Utf8 : Charset::Ascii;
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const QByteArray value = qgetenv(name).toLower();
        if (!value.isEmpty())
            return value.contains("utf-8") || value.contains("utf8") ? Charset::Utf8
                                                                     : Charset::Ascii;
    }
    return Charset::Ascii;
}

// Qt works in UTF-8 whatever the terminal shows, and would say so on every start in another locale.
void dropMessage(QtMsgType, const QMessageLogContext&, const QString&) {}

// Whoever closes standard output must not find its text in the next file or connection that is
// opened.
void holdStandardStreams()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // For reading: what is written to output that is closed must not seem to have arrived.
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) [[maybe_unused]]
            const int held = open("/dev/null", O_RDONLY); // the lowest one free
    }
}

QCoro::Task<void> runAndExit(Command command, std::shared_ptr<const Context> context)
{
    int code = static_cast<int>(ExitCode::InternalFault);
    std::optional<Error> fault;
    try {
        code = co_await command(context);
    } catch (const std::exception& error) {
        fault = errorFrom(error);
    }
    if (fault) {
        if (fault->context.isEmpty())
            fault->context = context->command;
        code = context->fail(*fault);
    }
    QCoreApplication::exit(code);
}

// Output that never arrived is no success, whatever the command came to.
int afterWriting(Terminal& terminal, int code)
{
    const auto fault = terminal.writeFault();
    if (!fault)
        return code;
    terminal.note(
        faultText({Words::tr("The output could not be written."),
                   QString::fromStdString(std::generic_category().message(*fault)) + u'.',
                   Words::tr("Free some space, or write it to another place. What was recorded is "
                             "in the notebook.")}));
    return code == static_cast<int>(ExitCode::Complete) ? static_cast<int>(ExitCode::InternalFault)
                                                        : code;
}

int answer(Terminal& terminal, const std::variant<Chosen, Answer, Misuse, Incomplete>& parsed)
{
    if (const auto* text = std::get_if<Answer>(&parsed)) {
        terminal.print(text->text);
        return static_cast<int>(ExitCode::Complete);
    }
    if (const auto* incomplete = std::get_if<Incomplete>(&parsed))
        terminal.note(incomplete->help);
    return static_cast<int>(ExitCode::WrongUse);
}

} // namespace

int main(int argc, char** argv)
{
    holdStandardStreams();
    // Whoever uses the program is told in sentences; QT_LOGGING_RULES="napkin.*=true" brings log
    // lines.
    QLoggingCategory::setFilterRules(
        QStringLiteral("napkin.*.warning=false\nnapkin.*.info=false\nnapkin.*.debug=false"));
    const auto terminal = std::make_shared<Terminal>(charsetOfEnvironment());
    const auto usualHandler = qInstallMessageHandler(dropMessage);
    QCoreApplication application(argc, argv);
    qInstallMessageHandler(usualHandler);
    QCoreApplication::setApplicationName(QStringLiteral("napkin"));
    QCoreApplication::setApplicationVersion(QStringLiteral(NAPKIN_VERSION));
    installTranslations(application);

    SignalWatch signalWatch;
    CommandLine line(std::min(terminal->width().value_or(helpWidthWithoutTerminal), widestHelp));
    const auto parsed = line.parse(argc, argv);

    TaskScope scope;
    QObject::connect(&signalWatch, &SignalWatch::interrupted, &scope, &TaskScope::cancel);
    auto context = std::make_shared<Context>();
    context->terminal = terminal;
    context->cancel = scope.token();
    if (const auto* misuse = std::get_if<Misuse>(&parsed)) {
        context->command = misuse->name;
        context->output = misuse->output;
        return afterWriting(*terminal, context->fail(misuse->error, misuse->advice));
    }
    const auto* chosen = std::get_if<Chosen>(&parsed);
    if (!chosen)
        return afterWriting(*terminal, answer(*terminal, parsed));
    context->command = chosen->name;
    context->output = chosen->output;
    context->notebookFile = chosen->notebookFile;
    context->peersFile = chosen->peersFile;
    // From inside the event loop, since a command may end before it first waits.
    QMetaObject::invokeMethod(
        &scope, [&scope, chosen, context] { scope.start(runAndExit(chosen->command, context)); },
        Qt::QueuedConnection);
    const int code = QCoreApplication::exec();
    return afterWriting(*terminal, code);
}
