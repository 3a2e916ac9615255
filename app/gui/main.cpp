// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pictures.h"
#include "app/shared/translation.h"
#include "core/base/errortext.h"
#include "core/base/worker.h"
#include "core/measure/host/hostfacts.h"
#include "core/measure/remote/routedprobe.h"
#include "core/peer/discovery.h"
#include "ui/peers/peerdesk.h"
#include "ui/theme/systemappearance.h"
#include "ui/theme/theme.h"
#include "ui/window/mainwindow.h"
#include "ui/worksheet/worksheetfeed.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTextStream>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>

using namespace napkin;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Program)
};

struct Options
{
    QString notebook;
    QString peers;    // file; empty: the usual one
    QString pictures; // folder; empty: show the window
    std::optional<Appearance> appearance;
};

void say(FILE* where, const QString& text)
{
    QTextStream(where) << text << Qt::endl;
}

// What the program takes. Made once there is an application, for its words.
struct CommandLine
{
    QCommandLineOption notebook{QStringLiteral("notebook"),
                                Words::tr("Open or create this notebook."), Words::tr("file")};
    QCommandLineOption peers{QStringLiteral("peers"),
                             Words::tr("Keep the paired machines in this file."),
                             Words::tr("file")};
    QCommandLineOption pictures{
        QStringLiteral("save-pictures"),
        Words::tr("Save canvas.png and worksheet.png into this folder and end."),
        Words::tr("folder")};
    QCommandLineOption appearance{QStringLiteral("appearance"), Words::tr("light, dark or system."),
                                  Words::tr("name")};

    void tell(QCommandLineParser& parser) const
    {
        parser.setApplicationDescription(
            Words::tr("A lab notebook for the wires between your machines."));
        parser.addHelpOption();
        parser.addVersionOption();
        parser.addOptions({notebook, peers, pictures, appearance});
    }
};

void nameProgram()
{
    QCoreApplication::setApplicationName(QStringLiteral("napkin"));
    QCoreApplication::setOrganizationName(QStringLiteral("napkin"));
    QCoreApplication::setApplicationVersion(QStringLiteral(NAPKIN_VERSION));
}

// Help and version need no display: answered before anything looks for one. Ends the program.
void answerWithoutDisplay(int argc, char** argv)
{
    const auto isGiven = [argc, argv](std::initializer_list<const char*> words) {
        return std::any_of(argv + std::min(argc, 1), argv + argc, [&words](const char* word) {
            return std::any_of(words.begin(), words.end(),
                               [word](const char* known) { return std::strcmp(word, known) == 0; });
        });
    };
    const bool wantsHelp = isGiven({"-h", "-?", "--help", "--help-all"});
    if (!wantsHelp && !isGiven({"-v", "--version"}))
        return;
    QCoreApplication app(argc, argv);
    nameProgram();
    installTranslations(app);
    QCommandLineParser parser;
    CommandLine().tell(parser);
    if (wantsHelp)
        parser.showHelp();
    parser.showVersion();
}

// Qt ends the program where it finds no display, with words for developers.
void sayNoDisplay(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (type == QtFatalMsg) {
        say(stderr, Words::tr("There is no display to show the window on. Start napkin in a "
                              "graphical session, or use napkin-cli, which needs none; napkin "
                              "--save-pictures FOLDER draws without one as well."));
        std::_Exit(1);
    }
    const bool isAboutDisplay =
        context.category != nullptr && std::strncmp(context.category, "qt.qpa", 6) == 0;
    if (!isAboutDisplay)
        say(stderr, message);
}

Options readOptions(const QApplication& app)
{
    QCommandLineParser parser;
    const CommandLine line;
    line.tell(parser);
    const auto& [notebook, peers, pictures, appearance] = line;
    parser.process(app);
    Options options;
    if (parser.isSet(notebook) && parser.value(notebook).isEmpty()) {
        say(stderr, Words::tr("--notebook needs the name of a file."));
        std::exit(2);
    }
    options.notebook = parser.isSet(notebook) ? parser.value(notebook) : MainWindow::lastNotebook();
    options.peers = parser.value(peers);
    options.pictures = parser.value(pictures);
    if (parser.isSet(appearance)) {
        options.appearance = appearanceFromName(parser.value(appearance));
        if (appearanceName(*options.appearance) != parser.value(appearance)) {
            say(stderr, Words::tr("“%1” is no appearance. Use light, dark or system.")
                            .arg(parser.value(appearance)));
            std::exit(2);
        }
    }
    return options;
}

// Without a display, pictures can still be drawn. Must be known before there is a QApplication.
void chooseDisplay(std::span<char*> arguments)
{
    const bool pictures = std::any_of(arguments.begin(), arguments.end(), [](const char* word) {
        return std::strncmp(word, "--save-pictures", 15) == 0;
    });
    const bool display =
        qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    if (pictures && !display && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

// Off this thread: reading takes milliseconds, and a stuck driver more.
QCoro::Task<Result<HostFacts>> readOwnFacts()
{
    Worker worker;
    co_return co_await runOn(worker, [] { return Result<HostFacts>(readHostFacts()); });
}

QCoro::Task<Result<std::vector<FoundPeer>>> lookAround(CancelToken cancel)
{
    const auto discovery = co_await discover({}, std::move(cancel));
    if (!discovery)
        co_return tl::unexpected(discovery.error());
    std::vector<FoundPeer> found;
    for (const Discovered& one : discovery->found) {
        if (one.said.peerPort == 0)
            continue;
        const int port = one.said.peerPort;
        found.push_back({one.said.name,
                         port == defaultPeerPort ? one.address : endpointText(one.address, port)});
    }
    co_return found;
}

std::shared_ptr<PeerDesk> makePeerDesk(const QString& file)
{
    PeerDesk::Parts parts;
    parts.store = std::make_shared<PeerStore>(file.isEmpty() ? PeerStore::defaultPath() : file);
    parts.services = measuringServices();
    parts.ownFacts = readOwnFacts;
    parts.lookAround = lookAround;
    return std::make_shared<PeerDesk>(std::move(parts));
}

// Saves as soon as the rows are there, then ends the program.
void savePicturesAndQuit(MainWindow& window, const QString& folder)
{
    const auto giveUp = [](const Error& error) {
        say(stderr, describe(error).joined());
        QApplication::exit(1);
    };
    QObject::connect(&window, &MainWindow::opened, &window, [&window, folder, giveUp] {
        WorksheetFeed* feed = &window.workspace()->feed();
        QObject::connect(feed, &WorksheetFeed::failed, &window, giveUp);
        const auto save = [&window, folder, giveUp] {
            const auto saved = savePictures(window, folder);
            if (!saved) {
                giveUp(saved.error());
                return;
            }
            for (const QString& path : *saved)
                say(stdout, path);
            QApplication::exit(0);
        };
        if (feed->isLoaded())
            save();
        else
            QObject::connect(feed, &WorksheetFeed::changed, &window, save,
                             Qt::SingleShotConnection);
    });
    QObject::connect(&window, &MainWindow::openFailed, &window, giveUp);
}

} // namespace

int main(int argc, char** argv)
{
    answerWithoutDisplay(argc, argv);
    chooseDisplay({argv, static_cast<std::size_t>(argc)});
    const auto usualHandler = qInstallMessageHandler(sayNoDisplay);
    QApplication app(argc, argv);
    qInstallMessageHandler(usualHandler);
    nameProgram();
    QApplication::setApplicationDisplayName(QStringLiteral("Napkin"));
    QApplication::setDesktopFileName(QStringLiteral("napkin"));
    // The window hides first and ends when all is written.
    QApplication::setQuitOnLastWindowClosed(false);

    installTranslations(app);
    const Options options = readOptions(app);
    Appearance chosen = options.appearance.value_or(
        appearanceFromName(QSettings().value(QStringLiteral("window/appearance")).toString()));
    const SystemAppearance system;
    const auto apply = [&app, &chosen, &system] {
        const auto dark = chosen == Appearance::System ? system.dark() : std::nullopt;
        applyAppearance(app, dark ? (*dark ? Appearance::Dark : Appearance::Light) : chosen);
    };
    QObject::connect(&system, &SystemAppearance::changed, &app, apply);
    apply();

    auto catalogue = Catalogue::load();
    if (!catalogue) {
        say(stderr, describe(catalogue.error()).joined());
        return 1;
    }
    const std::shared_ptr<PeerDesk> peers = makePeerDesk(options.peers);
    MainWindow window({std::make_shared<const Catalogue>(std::move(*catalogue)),
                       std::make_shared<const SystemClock>(), routedProbes(peers->store()), peers});
    QObject::connect(&window, &MainWindow::appearanceChosen, &app,
                     [&chosen, apply](Appearance appearance) {
                         chosen = appearance;
                         apply();
                     });
    if (options.pictures.isEmpty())
        QObject::connect(&window, &MainWindow::closed, &app, &QApplication::quit);
    else
        savePicturesAndQuit(window, options.pictures);
    window.show();
    window.openNotebook(options.notebook);
    return QApplication::exec();
}
