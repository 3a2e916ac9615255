// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/recordstore.h"

#include "core/notebook/connection.h"
#include "core/notebook/drawingstore.h"
#include "core/notebook/figurecolumns.h"
#include "core/notebook/recordrow.h"
#include "core/results/json.h"

#include <QCoreApplication>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Notebook)
};

template <typename Id>
void bindId(SQLite::Statement& statement, const char* name, const std::optional<Id>& id)
{
    if (id)
        statement.bind(name, toUtf8(id->text()));
    else
        statement.bind(name);
}

void bindText(SQLite::Statement& statement, const char* name, const std::optional<QString>& text)
{
    if (text)
        statement.bind(name, toUtf8(*text));
    else
        statement.bind(name);
}

bool exists(SQLite::Database& db, RecordId id)
{
    SQLite::Statement query(db, "SELECT 1 FROM record WHERE id = ?");
    query.bind(1, toUtf8(id.text()));
    return query.executeStep();
}

Result<void> requireRecord(SQLite::Database& db, RecordId id)
{
    if (exists(db, id))
        return {};
    return fail(ErrorCode::NotFound, Words::tr("The record %1").arg(id.text()));
}

// The period the run belongs to: the one it names, or else the one its link is in now.
Result<std::optional<LinkPeriodId>> periodOf(SQLite::Database& db, const ProbeSpec& spec)
{
    if (!spec.link) {
        if (spec.linkPeriod)
            return fail(ErrorCode::InvalidArgument, Words::tr("A period without its link"));
        return std::optional<LinkPeriodId>();
    }
    const QString what = Words::tr("The link %1").arg(spec.link->text());
    SQLite::Statement link(db, "SELECT period FROM link WHERE id = ?");
    link.bind(1, toUtf8(spec.link->text()));
    if (!link.executeStep())
        return fail(ErrorCode::InvalidArgument, what,
                    Words::tr("this notebook does not know it; save the drawing first"));
    if (!spec.linkPeriod) {
        return LinkPeriodId::fromText(textOf(link.getColumn(0))).map([](LinkPeriodId id) {
            return std::optional(id);
        });
    }
    SQLite::Statement period(db, "SELECT 1 FROM link_period WHERE id = ? AND link = ?");
    period.bind(1, toUtf8(spec.linkPeriod->text()));
    period.bind(2, toUtf8(spec.link->text()));
    if (!period.executeStep())
        return fail(ErrorCode::InvalidArgument, what,
                    Words::tr("it has no such period; save the drawing first"));
    return spec.linkPeriod;
}

// Only what can be read back is worth an acknowledgement.
Result<QByteArray> contentOf(const ProbeResult& result)
{
    QByteArray content = toJson(result);
    const auto back = resultFromJson(content);
    if (!back)
        return fail(ErrorCode::InvalidArgument, Words::tr("The result"), back.error().detail);
    return content;
}

QByteArray lastChain(SQLite::Database& db)
{
    SQLite::Statement query(db, "SELECT chain FROM record ORDER BY number DESC LIMIT 1");
    return query.executeStep() ? QByteArray::fromStdString(query.getColumn(0).getString())
                               : QByteArray();
}

void bindRow(SQLite::Statement& s, const RecordRow& row)
{
    s.bind(":kind", toUtf8(row.kind));
    s.bind(":near", toUtf8(row.nearName));
    s.bind(":far", toUtf8(row.farName));
    bindText(s, ":near_port", row.nearPort);
    bindText(s, ":far_port", row.farPort);
    bindText(s, ":fault_code", row.faultCode);
    bindText(s, ":fault_context", row.faultContext);
    bindText(s, ":fault_detail", row.faultDetail);
    s.bind(":completion", toUtf8(row.completion));
    s.bind(":origin", toUtf8(row.origin));
    s.bind(":flow", toUtf8(row.flow));
    s.bind(":streams", row.streams);
    bindText(s, ":echo_method", row.echoMethod);
    bindText(s, ":wait_mode", row.waitMode);
    if (row.messageBytes)
        s.bind(":message_bytes", *row.messageBytes);
    else
        s.bind(":message_bytes");
    bindText(s, ":far_address", row.farAddress);
    bindFigures(s, row.figures);
    s.bind(":flags", toUtf8(row.flags));
    s.bind(":figures_version", keyFiguresVersion);
}

void insert(SQLite::Database& db, const ProbeResult& result, const QByteArray& content,
            const std::optional<LinkPeriodId>& period)
{
    const QByteArray sha256 = sha256Of(content);
    SQLite::Statement s(
        db, std::string("INSERT INTO record (id, kind, started_at, near_name, far_name, link, "
                        "period, completion, origin, flow, streams, flags, label, content, "
                        "sha256, chain, near_port, far_port, fault_code, fault_context, "
                        "fault_detail, echo_method, wait_mode, message_bytes, far_address, "
                        "figures_version, ") +
                figureColumns +
                ") VALUES (:id, :kind, :started, :near, :far, :link, :period, :completion, "
                ":origin, :flow, :streams, :flags, :label, :content, :sha256, :chain, :near_port, "
                ":far_port, :fault_code, :fault_context, :fault_detail, :echo_method, "
                ":wait_mode, :message_bytes, :far_address, :figures_version, " +
                figureValues + ")");
    bindRow(s, rowOf(result));
    s.bind(":id", toUtf8(result.id.text()));
    s.bind(":started", timeText(result.startedAt));
    bindId(s, ":link", result.spec.link);
    bindId(s, ":period", period);
    s.bind(":label", toUtf8(result.spec.label));
    s.bind(":content", content.toStdString());
    s.bind(":sha256", sha256.toStdString());
    s.bind(":chain", chainAfter(lastChain(db), sha256).toStdString());
    s.exec();
}

// Adds a row about a record to one of the tables of that shape.
Result<void> insertAbout(SQLite::Database& db, const char* sql, RecordId id, const QString& text,
                         const QDateTime& at)
{
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    if (auto there = requireRecord(db, id); !there)
        return there;
    SQLite::Statement insertion(db, sql);
    insertion.bind(1, toUtf8(id.text()));
    insertion.bind(2, toUtf8(text));
    insertion.bind(3, timeText(at));
    insertion.exec();
    transaction.commit();
    return {};
}

// Inside the caller's transaction.
Result<std::int64_t> enter(SQLite::Database& db, const ProbeResult& result,
                           const QByteArray& content)
{
    if (exists(db, result.id))
        return fail(ErrorCode::InvalidArgument, Words::tr("The record %1").arg(result.id.text()),
                    Words::tr("it is in the notebook already"));
    const auto period = periodOf(db, result.spec);
    if (!period)
        return tl::unexpected(period.error());
    insert(db, result, content, *period);
    return db.getLastInsertRowid();
}

} // namespace

Result<std::int64_t> insertRecord(SQLite::Database& db, const ProbeResult& result)
{
    const auto content = contentOf(result);
    if (!content)
        return tl::unexpected(content.error());
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    auto number = enter(db, result, *content);
    if (number)
        transaction.commit();
    return number;
}

Result<std::int64_t> insertRecordOnNewLink(SQLite::Database& db, const ProbeResult& result,
                                           const LinkEntry& link, const QDateTime& at)
{
    const auto content = contentOf(result);
    if (!content)
        return tl::unexpected(content.error());
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    insertLink(db, link, at);
    auto number = enter(db, result, *content);
    if (number)
        transaction.commit();
    return number;
}

Result<void> insertLabel(SQLite::Database& db, RecordId id, const QString& label,
                         const QDateTime& at)
{
    return insertAbout(db, "INSERT INTO label (record, text, at) VALUES (?, ?, ?)", id, label, at);
}

Result<void> insertNote(SQLite::Database& db, RecordId id, const QString& note, const QDateTime& at)
{
    if (note.trimmed().isEmpty())
        return fail(ErrorCode::InvalidArgument, Words::tr("An empty note"));
    return insertAbout(db, "INSERT INTO note (record, text, at) VALUES (?, ?, ?)", id, note, at);
}

Result<void> insertVoiding(SQLite::Database& db, RecordId id, const QString& reason,
                           const QDateTime& at)
{
    if (reason.trimmed().isEmpty())
        return fail(ErrorCode::InvalidArgument, Words::tr("An empty reason"),
                    Words::tr("say why the record does not count"));
    SQLite::Statement query(db, "SELECT 1 FROM voiding WHERE record = ?");
    query.bind(1, toUtf8(id.text()));
    if (query.executeStep())
        return fail(ErrorCode::InvalidArgument, Words::tr("The record %1").arg(id.text()),
                    Words::tr("it is void already"));
    query.reset();
    return insertAbout(db, "INSERT INTO voiding (record, reason, at) VALUES (?, ?, ?)", id, reason,
                       at);
}

} // namespace napkin::detail
