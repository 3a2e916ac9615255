// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Annotate)
};

enum class Annotation { Label, Note, Void };

struct AnnotateOptions
{
    Annotation kind = Annotation::Label;
    std::string record;
    std::vector<std::string> text; // words
};

QString textOf(const AnnotateOptions& options)
{
    QStringList words;
    for (const std::string& word : options.text)
        words << QString::fromStdString(word);
    return words.join(u' ').trimmed();
}

QCoro::Task<Result<void>> write(std::shared_ptr<Notebook> notebook, Annotation kind, RecordId id,
                                QString text)
{
    switch (kind) {
    case Annotation::Label:
        co_return co_await notebook->setLabel(id, text);
    case Annotation::Note:
        co_return co_await notebook->addNote(id, text);
    case Annotation::Void:
        break;
    }
    co_return co_await notebook->voidRecord(id, text);
}

QString doneText(Annotation kind, std::int64_t number, const QString& text)
{
    switch (kind) {
    case Annotation::Label:
        return text.isEmpty() ? Words::tr("Run %1 has no label now.").arg(number)
                              : Words::tr("Run %1 is now labelled “%2”.").arg(number).arg(text);
    case Annotation::Note:
        return Words::tr("The note is kept with run %1.").arg(number);
    case Annotation::Void:
        break;
    }
    return Words::tr("Run %1 is voided and no longer counts. It stays in the notebook.")
        .arg(number);
}

QCoro::Task<int> annotate(std::shared_ptr<const Context> context, AnnotateOptions options)
{
    const QString text = textOf(options);
    if (text.isEmpty() && options.kind != Annotation::Label)
        co_return context->fail(wrongUse(options.kind == Annotation::Note
                                             ? Words::tr("An empty note")
                                             : Words::tr("An empty reason"),
                                         Words::tr("write a few words"))
                                    .value());
    auto opened = co_await openNotebook(context, Notebook::Mode::ReadWrite);
    if (!opened)
        co_return context->fail(opened.error());
    const std::shared_ptr<Notebook> notebook = std::move(*opened);
    const auto id = co_await notebook->find(QString::fromStdString(options.record));
    if (!id)
        co_return context->fail(id.error(), Words::tr("napkin-cli list shows the numbers."));
    const auto written = co_await write(notebook, options.kind, *id, text);
    if (!written)
        co_return context->fail(written.error());
    const auto record = co_await notebook->load(*id);
    if (!record)
        co_return context->fail(record.error());
    Json payload;
    payload["notebook"] = jsonText(notebook->path());
    payload["record"] = jsonRecord(*record);
    co_return context->finish(ExitCode::Complete, payload,
                              doneText(options.kind, record->number, text));
}

CLI::App* add(CommandLine& line, const QString& name, const QString& description,
              const QString& examples, const std::shared_ptr<AnnotateOptions>& options)
{
    CLI::App* app = line.addCommand(name, description, examples);
    CommandLine::addText(app, "ID", options->record,
                         Words::tr("Number of the run as list shows it, or its id, or the "
                                   "beginning of the id"),
                         "ID", Need::Required);
    line.onChosen(app, [options](std::shared_ptr<const Context> context) {
        return annotate(std::move(context), *options);
    });
    return app;
}

} // namespace

void addAnnotations(CommandLine& line)
{
    auto label = std::make_shared<AnnotateOptions>();
    label->kind = Annotation::Label;
    CLI::App* app = add(line, QStringLiteral("label"), Words::tr("Give a run another label"),
                        Words::tr("Examples:\n"
                                  "  napkin-cli label 12 new cable\n"
                                  "  napkin-cli label 12 \"\"       takes the label away"),
                        label);
    CommandLine::addWords(app, "TEXT", label->text, Words::tr("The label"), "TEXT");

    auto note = std::make_shared<AnnotateOptions>();
    note->kind = Annotation::Note;
    app = add(line, QStringLiteral("note"), Words::tr("Add a note to a run"),
              Words::tr("Example:\n"
                        "  napkin-cli note 12 the switch was busy with a backup"),
              note);
    CommandLine::addWords(app, "TEXT", note->text, Words::tr("The note"), "TEXT");

    auto voided = std::make_shared<AnnotateOptions>();
    voided->kind = Annotation::Void;
    app = add(line, QStringLiteral("void"),
              Words::tr("Mark a run as not counting\n"
                        "It stays in the notebook with the reason, and no longer stands for its "
                        "link. This cannot be undone."),
              Words::tr("Example:\n"
                        "  napkin-cli void 12 --reason \"wrong cable\""),
              voided);
    CommandLine::addWords(app, "--reason", voided->text, Words::tr("Why it does not count"),
                          "TEXT");
}

} // namespace napkin::cli
