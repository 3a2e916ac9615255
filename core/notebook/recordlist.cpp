// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/connection.h"
#include "core/notebook/figurecolumns.h"
#include "core/notebook/recordstore.h"
#include "core/results/json.h"

#include <QCoreApplication>
#include <QStringList>

#include <sqlite3.h>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Notebook)
};

std::string summarySql()
{
    return std::string(
               "SELECT r.number, r.id, r.kind, r.started_at, r.near_name, r.far_name, "
               "r.link, r.period, "
               "l.name, p.class, r.completion, r.origin, r.flow, r.streams, r.flags, "
               "coalesce((SELECT text FROM label WHERE record = r.id ORDER BY number DESC "
               "LIMIT 1), "
               "r.label), "
               "v.reason, r.near_port, r.far_port, r.fault_code, r.fault_context, "
               "r.fault_detail, r.echo_method, r.wait_mode, r.message_bytes, r.far_address, ") +
           figureColumns +
           " FROM record r LEFT JOIN link l ON l.id = r.link LEFT JOIN link_period p ON p.id = "
           "r.period "
           "LEFT JOIN voiding v ON v.record = r.id ";
}

// Reads the columns of a row one after the other.
class Row
{
public:
    explicit Row(const SQLite::Statement& statement)
        : m_statement(statement)
    {}
    [[nodiscard]] int next() const { return m_next; }
    QString text() { return textOf(m_statement.getColumn(m_next++)); }
    std::int64_t number() { return m_statement.getColumn(m_next++).getInt64(); }
    QDateTime time() { return timeFrom(m_statement.getColumn(m_next++)); }
    std::optional<QString> maybeText()
    {
        const SQLite::Column column = m_statement.getColumn(m_next++);
        return column.isNull() ? std::nullopt : std::optional(textOf(column));
    }
    std::optional<std::int64_t> maybeNumber()
    {
        const SQLite::Column column = m_statement.getColumn(m_next++);
        return column.isNull() ? std::nullopt : std::optional(column.getInt64());
    }
    template <typename IdType>
    std::optional<IdType> maybeId()
    {
        const auto text = maybeText();
        return text ? std::optional(orCorrupt(IdType::fromText(*text))) : std::nullopt;
    }
    // What a column holds is one of ours, or the file is damaged.
    template <typename T>
    static T orCorrupt(const Result<T>& value)
    {
        if (!value)
            throw SQLite::Exception(Words::tr("a column holds what is not known").toStdString(),
                                    SQLITE_CORRUPT);
        return *value;
    }

private:
    const SQLite::Statement& m_statement;
    int m_next = 0;
};

Flow flowFrom(const QString& name)
{
    for (const Flow flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional}) {
        if (flowName(flow) == name)
            return flow;
    }
    throw SQLite::Exception(Words::tr("a column holds what is not known").toStdString(),
                            SQLITE_CORRUPT);
}

std::vector<QualityFlag> flagsFrom(const QString& names)
{
    std::vector<QualityFlag> flags;
    for (const QString& name : names.split(QLatin1Char(','), Qt::SkipEmptyParts))
        flags.push_back(Row::orCorrupt(qualityFlagFromName(name)));
    return flags;
}

// Of both directions, as far as each is known where something flowed.
std::optional<std::int64_t> sumOf(const RecordSummary& s)
{
    if ((s.forward && !s.forwardRetransmits) || (s.reverse && !s.reverseRetransmits) ||
        (!s.forward && !s.reverse))
        return std::nullopt;
    return s.forwardRetransmits.value_or(0) + s.reverseRetransmits.value_or(0);
}

std::optional<Error> faultFrom(Row& row)
{
    const auto code = row.maybeText();
    const auto context = row.maybeText();
    const auto detail = row.maybeText();
    if (!code)
        return std::nullopt;
    return Error{Row::orCorrupt(errorCodeFromName(*code)), detail.value_or(QString()),
                 context.value_or(QString()), nullptr};
}

std::optional<EchoMethod> methodFrom(const std::optional<QString>& name)
{
    if (name == QStringLiteral("icmp"))
        return EchoMethod::Icmp;
    if (name == QStringLiteral("tcp"))
        return EchoMethod::Tcp;
    return name == QStringLiteral("udp") ? std::optional(EchoMethod::Udp) : std::nullopt;
}

// Nullopt: no messages were sent, or it is not known how.
std::optional<EchoManner> mannerFrom(Row& row, ProbeKind kind)
{
    const auto method = methodFrom(row.maybeText());
    const auto wait = row.maybeText();
    const auto bytes = row.maybeNumber();
    EchoManner manner;
    if (wait == QStringLiteral("busy-poll"))
        manner.wait = WaitMode::BusyPoll;
    if (kind == ProbeKind::MessageSweep) {
        manner.method = EchoMethod::Tcp;
        return wait ? std::optional(manner) : std::nullopt;
    }
    if (!method || !bytes)
        return std::nullopt;
    manner.method = *method;
    manner.size = ByteCount::bytes(*bytes);
    return manner;
}

RecordSummary summaryFrom(const SQLite::Statement& statement)
{
    Row row(statement);
    RecordSummary s;
    s.number = row.number();
    s.id = Row::orCorrupt(RecordId::fromText(row.text()));
    s.kind = Row::orCorrupt(probeKindFromName(row.text()));
    s.startedAt = row.time();
    s.nearName = row.text();
    s.farName = row.text();
    s.link = row.maybeId<LinkId>();
    s.linkPeriod = row.maybeId<LinkPeriodId>();
    s.linkName = row.text();
    s.linkClassId = row.text();
    s.completion =
        row.text() == QStringLiteral("complete") ? Completion::Complete : Completion::Partial;
    s.origin = Row::orCorrupt(originFromName(row.text()));
    s.flow = flowFrom(row.text());
    s.streams = static_cast<int>(row.number());
    s.flags = flagsFrom(row.text());
    s.label = row.text();
    s.voided = row.maybeText();
    s.nearPort = row.maybeId<PortId>();
    s.farPort = row.maybeId<PortId>();
    s.fault = faultFrom(row);
    s.manner = mannerFrom(row, s.kind);
    s.farAddress = row.maybeText().value_or(QString());
    static_cast<KeyFigures&>(s) = figuresFrom(statement, row.next(), s.kind);
    s.retransmits = sumOf(s);
    return s;
}

std::string whereOf(const RecordQuery& query)
{
    QStringList parts;
    if (query.link)
        parts << QStringLiteral("r.link = :link");
    if (query.kind)
        parts << QStringLiteral("r.kind = :kind");
    if (!query.withVoided)
        parts << QStringLiteral("v.reason IS NULL");
    return parts.isEmpty() ? std::string()
                           : toUtf8(QStringLiteral("WHERE ") + parts.join(QStringLiteral(" AND ")));
}

std::vector<QString> notesOf(SQLite::Database& db, RecordId id)
{
    std::vector<QString> notes;
    SQLite::Statement query(db, "SELECT text FROM note WHERE record = ? ORDER BY number");
    query.bind(1, toUtf8(id.text()));
    while (query.executeStep())
        notes.push_back(textOf(query.getColumn(0)));
    return notes;
}

// Ids that begin with the text; two are enough to know.
std::vector<RecordId> idsBeginning(SQLite::Database& db, const QString& text)
{
    std::vector<RecordId> ids;
    SQLite::Statement query(db, "SELECT id FROM record WHERE id >= ?1 AND id < ?1 || 'g' LIMIT 2");
    query.bind(1, toUtf8(text));
    while (query.executeStep())
        ids.push_back(Row::orCorrupt(RecordId::fromText(textOf(query.getColumn(0)))));
    return ids;
}

} // namespace

Result<std::vector<RecordSummary>> listRecords(SQLite::Database& db, const RecordQuery& query)
{
    SQLite::Statement statement(db, summarySql() + whereOf(query) +
                                        " ORDER BY r.number DESC LIMIT :limit");
    if (query.link)
        statement.bind(":link", toUtf8(query.link->text()));
    if (query.kind)
        statement.bind(":kind", toUtf8(probeKindName(*query.kind)));
    statement.bind(":limit", query.limit > 0 ? query.limit : -1);
    std::vector<RecordSummary> found;
    while (statement.executeStep())
        found.push_back(summaryFrom(statement));
    return found;
}

Result<Record> loadRecord(SQLite::Database& db, RecordId id)
{
    const QString what = Words::tr("The record %1").arg(id.text());
    SQLite::Statement query(
        db,
        "SELECT number, content, sha256, "
        "coalesce((SELECT text FROM label WHERE record = r.id ORDER BY number DESC LIMIT 1), "
        "r.label), (SELECT reason FROM voiding WHERE record = r.id) FROM record r WHERE id = ?");
    query.bind(1, toUtf8(id.text()));
    if (!query.executeStep())
        return fail(ErrorCode::NotFound, what);
    Row row(query);
    Record record;
    record.number = row.number();
    auto result = resultFromJson(row.text().toUtf8());
    if (!result)
        return fail(ErrorCode::StorageCorrupt, {},
                    what + QStringLiteral(": ") + result.error().detail);
    record.result = std::move(*result);
    record.sha256 = row.text().toLatin1();
    record.label = row.text();
    record.voided = row.maybeText();
    record.notes = notesOf(db, id);
    return record;
}

Result<RecordId> findRecord(SQLite::Database& db, const QString& numberOrId)
{
    const QString text = numberOrId.trimmed().toLower();
    const QString what = Words::tr("The record “%1”").arg(numberOrId);
    bool isNumber = false;
    if (const qint64 number = text.toLongLong(&isNumber); isNumber && number > 0) {
        SQLite::Statement query(db, "SELECT id FROM record WHERE number = ?");
        query.bind(1, static_cast<std::int64_t>(number));
        if (query.executeStep())
            return Row::orCorrupt(RecordId::fromText(textOf(query.getColumn(0))));
    }
    if (text.isEmpty())
        return fail(ErrorCode::NotFound, what);
    const auto ids = idsBeginning(db, text);
    if (ids.empty())
        return fail(ErrorCode::NotFound, what);
    if (ids.size() > 1)
        return fail(ErrorCode::InvalidArgument, what,
                    Words::tr("several records begin with it; give more of the id"));
    return ids.front();
}

} // namespace napkin::detail
