// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"

#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/helptext.h"

#include <QCoreApplication>

#include <CLI/CLI.hpp>

#include <algorithm>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::CommandLine)
};

QString programHelp()
{
    return Words::tr("Examples:\n"
                     "  napkin-cli demo\n"
                     "      see it work on this machine alone\n"
                     "  napkin-cli serve\n"
                     "      make this machine a far end; iperf3 --server does as well\n"
                     "  napkin-cli measure throughput spark-b --reverse\n"
                     "      measure what arrives here from spark-b\n"
                     "  napkin-cli peers\n"
                     "      see the machines that this one is paired with\n"
                     "  napkin-cli worksheet\n"
                     "      read rated beside measured\n"
                     "\n"
                     "Exit codes:\n"
                     "  0    complete\n"
                     "  1    a fault inside napkin-cli, or its output could not be written\n"
                     "  2    wrong use, or bad input\n"
                     "  3    the measurement failed, nothing was recorded\n"
                     "  4    ended early by a fault, a partial run was recorded\n"
                     "  5    the notebook, or the file of paired machines, cannot be used\n"
                     "  6    notebook verify found problems\n"
                     "  130  interrupted; what had been measured is recorded as partial\n"
                     "\n"
                     "napkin-cli COMMAND --help tells more about a command.");
}

const CLI::App* deepest(const CLI::App* app)
{
    while (!app->get_subcommands().empty())
        app = app->get_subcommands().front();
    return app;
}

QString fullName(const CLI::App* app)
{
    QStringList names;
    for (; app != nullptr && app->get_parent() != nullptr; app = app->get_parent())
        names.prepend(QString::fromStdString(app->get_name()));
    return names.join(u' ');
}

} // namespace

CommandLine::CommandLine(int helpWidth)
    : m_app(std::make_unique<CLI::App>(std::string(), std::string("napkin-cli")))
{
    m_app->formatter(helpFormatter(helpWidth));
    m_app->description(
        Words::tr("Measures the links between machines and keeps what was measured in a notebook: "
                  "the same one that the program napkin shows.")
            .toStdString());
    m_app->footer(programHelp().toStdString());
    m_app->set_version_flag("--version", std::string("napkin-cli ") + NAPKIN_VERSION,
                            Words::tr("Show the version and end").toStdString());
    m_app->require_subcommand(1);
    addCommon(m_app.get());
    addServe(*this);
    addPeers(*this);
    addMeasure(*this);
    addFacts(*this);
    addReach(*this);
    addDiscover(*this);
    addWorksheet(*this);
    addList(*this);
    addShow(*this);
    addAnnotations(*this);
    addNotebook(*this);
    addClasses(*this);
    addDemo(*this);
}

CommandLine::~CommandLine() = default;

void CommandLine::addCommon(CLI::App* app)
{
    app->set_help_flag("-h,--help", Words::tr("Show this help and end").toStdString());
    addText(app, "--notebook", m_notebook,
            Words::tr("The notebook file to use instead of your own; a new one is created where "
                      "something is to be recorded"),
            "FILE");
    addFlag(app, "--json", m_json,
            Words::tr("One JSON document on standard output instead of text"));
}

CLI::App* CommandLine::addGroup(const QString& name, const QString& description,
                                const QString& examples)
{
    CLI::App* group = addCommand(name, description, examples);
    group->require_subcommand(1);
    return group;
}

CLI::App* CommandLine::addCommand(const QString& name, const QString& description,
                                  const QString& examples, CLI::App* parent)
{
    CLI::App* app = (parent ? parent : m_app.get())
                        ->add_subcommand(name.toStdString(), description.toStdString());
    app->footer(examples.toStdString());
    addCommon(app);
    return app;
}

void CommandLine::onChosen(CLI::App* app, Command command)
{
    app->final_callback([this, app, run = std::move(command)] {
        if (app->get_subcommands().empty())
            m_chosen = Chosen{fullName(app), run, QString(), QString(), Output::Text};
    });
}

void CommandLine::addPeersFile(CLI::App* app)
{
    addText(app, "--peers", m_peers,
            Words::tr("The file of paired machines to use instead of your own"), "FILE");
}

void CommandLine::addText(CLI::App* app, const std::string& names, std::string& target,
                          const QString& description, const std::string& value, Need need)
{
    CLI::Option* option = app->add_option(names, target, description.toStdString());
    option->type_name(value);
    option->required(need == Need::Required);
    option->check([](const std::string& given) {
        return given.empty() ? Words::tr("it is empty").toStdString() : std::string();
    });
}

void CommandLine::addWords(CLI::App* app, const std::string& names,
                           std::vector<std::string>& target, const QString& description,
                           const std::string& value)
{
    app->add_option(names, target, description.toStdString())->type_name(value)->required();
}

void CommandLine::addFlag(CLI::App* app, const std::string& names, bool& target,
                          const QString& description)
{
    app->add_flag(names, target, description.toStdString());
}

Misuse CommandLine::misuse(const CLI::ParseError& error) const
{
    const QString words = QString::fromUtf8(error.what());
    const std::vector<std::string> extras = m_app->remaining(true);
    QString what = words.section(u':', 0, 0);
    QString why = words;
    const CLI::App* chosen = deepest(m_app.get());
    const bool isGroup = !chosen->get_subcommands([](const CLI::App*) { return true; }).empty();
    if (dynamic_cast<const CLI::RequiredError*>(&error) && extras.empty()) {
        what = isGroup ? Words::tr("The command line") : words.section(u' ', 0, 0);
        why = isGroup ? Words::tr("a command is missing") : Words::tr("it is required and missing");
    } else if (!extras.empty()) {
        what = u'“' + QString::fromStdString(extras.front()) + u'”';
        why = extras.front().starts_with('-') ? Words::tr("there is no such option")
                                              : Words::tr("there is no such command or argument");
    } else if (dynamic_cast<const CLI::ValidationError*>(&error)) {
        why = words.section(QStringLiteral(": "), 1);
    } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
        why = words.contains(QStringLiteral("missing"))
                  ? Words::tr("its value is missing")
                  : Words::tr("it is given more than once or with too many values");
    }
    const QString name = fullName(chosen);
    const QString help = name.isEmpty() ? QStringLiteral("napkin-cli --help")
                                        : QStringLiteral("napkin-cli %1 --help").arg(name);
    return {wrongUse(what, why).value(), Words::tr("%1 lists what is possible.").arg(help), name,
            Output::Text};
}

std::variant<Chosen, Answer, Misuse, Incomplete> CommandLine::parse(int argc, char** argv)
{
    const bool wantsJson = std::any_of(argv + std::min(argc, 1), argv + argc, [](const char* word) {
        return qstrcmp(word, "--json") == 0;
    });
    const Output output = wantsJson ? Output::Json : Output::Text;
    try {
        m_app->parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return Answer{QString::fromStdString(m_app->help())};
    } catch (const CLI::CallForVersion& version) {
        return Answer{QString::fromUtf8(version.what())};
    } catch (const CLI::ParseError& error) {
        const bool isGroup =
            !deepest(m_app.get())->get_subcommands([](const CLI::App*) { return true; }).empty();
        if (isGroup && !wantsJson && m_app->remaining(true).empty() &&
            dynamic_cast<const CLI::RequiredError*>(&error))
            return Incomplete{QString::fromStdString(m_app->help())};
        Misuse found = misuse(error);
        found.output = output;
        return found;
    } catch (const std::exception& error) {
        return Misuse{
            wrongUse(Words::tr("The command line"), QString::fromUtf8(error.what())).value(),
            QString(), QString(), output};
    }
    m_chosen->notebookFile = QString::fromStdString(m_notebook);
    m_chosen->peersFile = QString::fromStdString(m_peers);
    m_chosen->output = output;
    return *m_chosen;
}

} // namespace napkin::cli
