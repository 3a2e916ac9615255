// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/verify.h"

#include "core/notebook/connection.h"
#include "core/notebook/figurecolumns.h"
#include "core/notebook/recordrow.h"
#include "core/results/json.h"

#include <QCoreApplication>

#include <SQLiteCpp/Transaction.h>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::NotebookCheck)
};

void checkPages(SQLite::Database& db, VerifyReport& report)
{
    SQLite::Statement integrity(db, "PRAGMA integrity_check");
    while (integrity.executeStep()) {
        const QString line = textOf(integrity.getColumn(0));
        if (line != QStringLiteral("ok"))
            report.problems.push_back(Words::tr("SQLite's integrity check: ") + line);
    }
}

void checkReferences(SQLite::Database& db, VerifyReport& report)
{
    SQLite::Statement check(db, "PRAGMA foreign_key_check");
    while (check.executeStep())
        report.problems.push_back(
            Words::tr("Row %1 of the table %2 refers to a row of %3 that is not there.")
                .arg(textOf(check.getColumn(1)), textOf(check.getColumn(0)),
                     textOf(check.getColumn(2))));
}

std::optional<QString> maybeText(const SQLite::Column& column)
{
    return column.isNull() ? std::nullopt : std::optional(textOf(column));
}

std::string recordSql()
{
    return std::string(
               "SELECT number, id, content, sha256, chain, kind, near_name, far_name, completion, "
               "origin, flow, streams, flags, link, label, started_at, period, near_port, "
               "far_port, fault_code, fault_context, fault_detail, echo_method, wait_mode, "
               "message_bytes, far_address, figures_version, ") +
           figureColumns + " FROM record ORDER BY number";
}
constexpr int figuresVersion = 26;
constexpr int firstFigure = 27;

RecordRow storedRow(const SQLite::Statement& query)
{
    RecordRow row;
    row.kind = textOf(query.getColumn(5));
    row.nearName = textOf(query.getColumn(6));
    row.farName = textOf(query.getColumn(7));
    row.completion = textOf(query.getColumn(8));
    row.origin = textOf(query.getColumn(9));
    row.flow = textOf(query.getColumn(10));
    row.streams = query.getColumn(11).getInt64();
    row.figures = figuresFrom(query, firstFigure,
                              probeKindFromName(row.kind).value_or(ProbeKind::Throughput));
    row.flags = textOf(query.getColumn(12));
    row.nearPort = maybeText(query.getColumn(17));
    row.farPort = maybeText(query.getColumn(18));
    row.faultCode = maybeText(query.getColumn(19));
    row.faultContext = maybeText(query.getColumn(20));
    row.faultDetail = maybeText(query.getColumn(21));
    row.echoMethod = maybeText(query.getColumn(22));
    row.waitMode = maybeText(query.getColumn(23));
    if (const SQLite::Column bytes = query.getColumn(24); !bytes.isNull())
        row.messageBytes = bytes.getInt64();
    row.farAddress = maybeText(query.getColumn(25));
    return row;
}

// Does what lists show agree with the content that was hashed? Figures of another version need not.
bool columnsAgree(const SQLite::Statement& query, const RecordRow& row, const ProbeResult& result)
{
    const QString link = result.spec.link ? result.spec.link->text() : QString();
    RecordRow stored = storedRow(query);
    if (query.getColumn(figuresVersion).getInt() != keyFiguresVersion)
        stored.figures = row.figures;
    return stored == row && textOf(query.getColumn(1)) == result.id.text() &&
           textOf(query.getColumn(13)) == link &&
           textOf(query.getColumn(14)) == result.spec.label &&
           query.getColumn(15).getString() == timeText(result.startedAt) &&
           (!result.spec.linkPeriod ||
            textOf(query.getColumn(16)) == result.spec.linkPeriod->text());
}

// What is wrong with a row; empty: nothing. `isOld`: only that its figures are of another version.
QString contentProblem(const SQLite::Statement& query, const QByteArray& sha256, bool& isOld)
{
    const QByteArray content = QByteArray::fromStdString(query.getColumn(2).getString());
    if (sha256Of(content) != sha256)
        return Words::tr("its content does not match its SHA-256");
    const auto result = resultFromJson(content);
    if (!result)
        return Words::tr("its content cannot be read: ") + result.error().detail;
    const RecordRow row = rowOf(*result);
    isOld = query.getColumn(figuresVersion).getInt() != keyFiguresVersion &&
            figuresFrom(query, firstFigure, result->spec.kind()) != row.figures;
    if (!columnsAgree(query, row, *result))
        return Words::tr("its columns do not agree with its content");
    return {};
}

void checkRecords(SQLite::Database& db, VerifyReport& report)
{
    QByteArray chain;
    std::int64_t expected = 1;
    const auto tell = [&](std::int64_t number, const QString& what) {
        report.problems.push_back(Words::tr("Record %1: %2.").arg(number).arg(what));
    };
    SQLite::Statement query(db, recordSql());
    while (query.executeStep()) {
        ++report.records;
        const std::int64_t number = query.getColumn(0).getInt64();
        if (number != expected)
            tell(expected, Words::tr("missing, the next one is %1").arg(number));
        expected = number + 1;
        const QByteArray sha256 = QByteArray::fromStdString(query.getColumn(3).getString());
        bool isOld = false;
        if (const QString problem = contentProblem(query, sha256, isOld); !problem.isEmpty())
            tell(number, problem);
        else if (isOld)
            report.outdated.push_back(number);
        chain = chainAfter(chain, sha256);
        const QByteArray stored = QByteArray::fromStdString(query.getColumn(4).getString());
        if (stored != chain)
            tell(number, Words::tr("it does not follow from the records before it"));
        chain = stored; // one break is told once
    }
    SQLite::Statement last(db, "SELECT seq FROM sqlite_sequence WHERE name = 'record'");
    const std::int64_t given = last.executeStep() ? last.getColumn(0).getInt64() : 0;
    if (given != expected - 1)
        tell(expected, Words::tr("missing, numbers up to %1 were given").arg(given));
}

void checkDrawings(SQLite::Database& db, VerifyReport& report)
{
    SQLite::Statement query(db, "SELECT id, content FROM drawing");
    while (query.executeStep()) {
        const auto read =
            drawingFromJson(QByteArray::fromStdString(query.getColumn(1).getString()));
        if (!read)
            report.problems.push_back(Words::tr("The drawing %1 cannot be read: %2.")
                                          .arg(textOf(query.getColumn(0)), read.error().detail));
    }
}

// Content that can not be read keeps the figures that it has.
std::int64_t refreshRows(SQLite::Database& db)
{
    SQLite::Statement update(db, std::string("UPDATE record SET (") + figureColumns +
                                     ", figures_version) = (" + figureValues +
                                     ", :version) WHERE number = :number");
    SQLite::Statement query(db, "SELECT number, content, sha256 FROM record "
                                "WHERE figures_version <> ? ORDER BY number");
    query.bind(1, keyFiguresVersion);
    std::int64_t count = 0;
    while (query.executeStep()) {
        const QByteArray content = QByteArray::fromStdString(query.getColumn(1).getString());
        const auto result = resultFromJson(content);
        if (!result ||
            sha256Of(content) != QByteArray::fromStdString(query.getColumn(2).getString()))
            continue;
        bindFigures(update, keyFigures(*result));
        update.bind(":version", keyFiguresVersion);
        update.bind(":number", query.getColumn(0).getInt64());
        update.exec();
        update.reset();
        ++count;
    }
    return count;
}

} // namespace

Result<std::int64_t> refreshFigures(SQLite::Database& db)
{
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    // Nothing else may change a record: the guard is away for this transaction alone, which nobody
    // else can write in.
    const std::string guard =
        db.execAndGet("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = "
                      "'record_no_update'")
            .getString();
    db.exec("DROP TRIGGER record_no_update");
    const std::int64_t count = refreshRows(db);
    db.exec(guard);
    transaction.commit();
    return count;
}

Result<VerifyReport> verifyNotebook(SQLite::Database& db)
{
    VerifyReport report;
    for (const auto check : {checkPages, checkReferences, checkRecords, checkDrawings}) {
        try {
            check(db, report);
        } catch (const std::exception& e) { // SQLite's, or out of memory over a broken page
            report.problems.push_back(Words::tr("A part of the file cannot be read: %1.")
                                          .arg(QString::fromUtf8(e.what())));
        }
    }
    return report;
}

} // namespace napkin::detail
