// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/helptext.h"

#include "app/cli/terminal.h"

#include <QCoreApplication>
#include <QStringList>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>

namespace napkin::cli {

namespace {

constexpr qsizetype widestLabel = 26;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::HelpText)
};

struct Entry
{
    QString label;
    QString description;
};

QString optionLabel(const CLI::Option& option)
{
    QStringList names;
    for (const std::string& name : option.get_snames())
        names << QStringLiteral("-") + QString::fromStdString(name);
    for (const std::string& name : option.get_lnames())
        names << QStringLiteral("--") + QString::fromStdString(name);
    QString label = names.join(QStringLiteral(", "));
    if (option.get_items_expected_max() > 0)
        label += u' ' + QString::fromStdString(option.get_type_name());
    return label;
}

bool isCommon(const CLI::Option& option)
{
    const std::string name = option.get_name();
    return name == "--notebook" || name == "--json" || name == "--help";
}

QString section(const QString& title, const std::vector<Entry>& entries, int width)
{
    if (entries.empty())
        return {};
    qsizetype widest = 0;
    for (const Entry& entry : entries) {
        if (entry.label.size() <= widestLabel)
            widest = std::max(widest, entry.label.size());
    }
    const int margin = static_cast<int>(widest) + 4;
    QString text = u'\n' + title + u'\n';
    for (const Entry& entry : entries) {
        text += QStringLiteral("  ") + entry.label.leftJustified(widest);
        text += entry.label.size() > widest ? u'\n' + QString(margin, u' ') : QStringLiteral("  ");
        text += wrapped(entry.description, width, margin) + u'\n';
    }
    return text;
}

QString usage(const CLI::App& app, const QString& name, bool hasCommands)
{
    QString text = name;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional())
            text += u' ' + QString::fromStdString(option->get_name(true));
    }
    if (hasCommands)
        text += u' ' + Words::tr("COMMAND");
    return text + u' ' + Words::tr("[options]");
}

class HelpText : public CLI::FormatterBase
{
public:
    explicit HelpText(int width)
        : m_width(width)
    {}
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;

private:
    int m_width;
};

std::string HelpText::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const
{
    std::vector<Entry> arguments;
    std::vector<Entry> options;
    std::vector<Entry> common; // what every command has comes last
    for (const CLI::Option* option : app->get_options()) {
        const QString description = QString::fromStdString(option->get_description());
        if (option->get_positional())
            arguments.push_back({QString::fromStdString(option->get_name(true)), description});
        else
            (isCommon(*option) ? common : options).push_back({optionLabel(*option), description});
    }
    options.insert(options.end(), common.begin(), common.end());
    std::vector<Entry> commands;
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
        const QString description = QString::fromStdString(command->get_description());
        commands.push_back(
            {QString::fromStdString(command->get_name()), description.section(u'\n', 0, 0)});
    }
    const QString fullName = QString::fromStdString(name);
    const QString about =
        QString::fromStdString(app->get_description()).replace(u'\n', QStringLiteral("\n\n"));
    QString text = Words::tr("Usage: %1").arg(usage(*app, fullName, !commands.empty())) +
                   QStringLiteral("\n\n") + wrapped(about, m_width) + u'\n';
    text += section(Words::tr("Commands:"), commands, m_width);
    text += section(Words::tr("Arguments:"), arguments, m_width);
    text += section(Words::tr("Options:"), options, m_width);
    const QString footer = QString::fromStdString(app->get_footer());
    if (!footer.isEmpty())
        text += u'\n' + footer;
    return text.toStdString();
}

} // namespace

std::shared_ptr<CLI::FormatterBase> helpFormatter(int width)
{
    return std::make_shared<HelpText>(width);
}

} // namespace napkin::cli
