// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/context.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
class ParseError;
} // namespace CLI

namespace napkin::cli {

enum class Need { Optional, Required };

// What was understood: a command to run.
struct Chosen
{
    QString name; // "measure throughput"
    Command command;
    QString notebookFile;
    QString peersFile;
    Output output = Output::Text;
};
// Help or version was asked for.
struct Answer
{
    QString text;
};
// It makes no sense.
struct Misuse
{
    Error error;
    QString advice;
    QString name; // of the command it came to
    Output output = Output::Text;
};
// A group of commands without a command: its help is the best answer.
struct Incomplete
{
    QString help;
};

// The commands and their options. Each commands/*.cpp adds its own.
class CommandLine
{
public:
    explicit CommandLine(int helpWidth);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    CommandLine(CommandLine&&) = delete;
    CommandLine& operator=(CommandLine&&) = delete;

    [[nodiscard]] std::variant<Chosen, Answer, Misuse, Incomplete> parse(int argc, char** argv);

    // For the commands. Every command takes --notebook and --json.
    [[nodiscard]] CLI::App* addCommand(const QString& name, const QString& description,
                                       const QString& examples, CLI::App* parent = nullptr);
    [[nodiscard]] CLI::App* addGroup(const QString& name, const QString& description,
                                     const QString& examples);
    // When `app` itself is meant, and not one of its own commands.
    void onChosen(CLI::App* app, Command command);
    // For commands that have to do with paired machines: --peers.
    void addPeersFile(CLI::App* app);

    // An empty value is wrong use: it is rarely meant, and must not pass for the default.
    static void addText(CLI::App* app, const std::string& names, std::string& target,
                        const QString& description, const std::string& value,
                        Need need = Need::Optional);
    // One or more words, which may be empty; `value` as in addText.
    static void addWords(CLI::App* app, const std::string& names, std::vector<std::string>& target,
                         const QString& description, const std::string& value);
    static void addFlag(CLI::App* app, const std::string& names, bool& target,
                        const QString& description);

private:
    void addCommon(CLI::App* app);
    [[nodiscard]] Misuse misuse(const CLI::ParseError& error) const;

    std::unique_ptr<CLI::App> m_app;
    std::string m_notebook;
    std::string m_peers;
    bool m_json = false;
    std::optional<Chosen> m_chosen;
};

} // namespace napkin::cli
