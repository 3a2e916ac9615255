// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/connection.h"
#include "core/notebook/drawingstore.h"

#include <QCoreApplication>

#include <sqlite3.h>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Notebook)
};

template <typename IdType>
IdType idFrom(const SQLite::Column& column)
{
    const auto id = IdType::fromText(textOf(column));
    if (!id)
        throw SQLite::Exception(Words::tr("a link has no id").toStdString(), SQLITE_CORRUPT);
    return *id;
}

template <typename IdType>
std::optional<IdType> maybeIdFrom(const SQLite::Column& column)
{
    return column.isNull() ? std::nullopt : std::optional(idFrom<IdType>(column));
}

void insertPeriod(SQLite::Database& db, LinkId link, LinkPeriodId period, const QString& classId,
                  const QDateTime& at)
{
    SQLite::Statement insertion(
        db, "INSERT INTO link_period (id, link, class, started_at) VALUES (?, ?, ?, ?)");
    insertion.bind(1, toUtf8(period.text()));
    insertion.bind(2, toUtf8(link.text()));
    insertion.bind(3, toUtf8(classId));
    insertion.bind(4, timeText(at));
    insertion.exec();
}

// Enters the period when it is new; undoing a change of class comes back to an old one.
Result<void> registerPeriod(SQLite::Database& db, const Link& link, const QString& title,
                            const QDateTime& at)
{
    SQLite::Statement query(db, "SELECT link, class FROM link_period WHERE id = ?");
    query.bind(1, toUtf8(link.period.text()));
    if (!query.executeStep()) {
        insertPeriod(db, link.id, link.period, link.classId, at);
        return {};
    }
    if (textOf(query.getColumn(0)) != link.id.text())
        return fail(ErrorCode::InvalidArgument, Words::tr("The cable “%1”").arg(title),
                    Words::tr("its period belongs to another cable"));
    if (textOf(query.getColumn(1)) != link.classId)
        return fail(ErrorCode::InvalidArgument, Words::tr("The cable “%1”").arg(title),
                    Words::tr("another class needs a new period"));
    return {};
}

struct LinkRow
{
    QString name;
    QString ends;
    std::optional<DrawingId> drawing;
    std::optional<PortId> a;
    std::optional<PortId> b;
};

template <typename IdType>
void bindId(SQLite::Statement& statement, int index, const std::optional<IdType>& id)
{
    if (id)
        statement.bind(index, toUtf8(id->text()));
    else
        statement.bind(index);
}

void upsertLink(SQLite::Database& db, LinkId id, LinkPeriodId period, const LinkRow& row)
{
    SQLite::Statement insertion(
        db, "INSERT INTO link (id, name, ends, drawing, period, a_port, b_port) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO UPDATE "
            "SET name = ?2, ends = ?3, drawing = ?4, period = ?5, a_port = ?6, b_port = ?7");
    insertion.bind(1, toUtf8(id.text()));
    insertion.bind(2, toUtf8(row.name));
    insertion.bind(3, toUtf8(row.ends));
    bindId(insertion, 4, row.drawing);
    insertion.bind(5, toUtf8(period.text()));
    bindId(insertion, 6, row.a);
    bindId(insertion, 7, row.b);
    insertion.exec();
}

bool isNameTaken(SQLite::Database& db, const QString& name)
{
    SQLite::Statement query(db, "SELECT 1 FROM link WHERE name = ?");
    query.bind(1, toUtf8(name));
    return query.executeStep();
}

} // namespace

Result<std::vector<LinkEntry>> listLinks(SQLite::Database& db)
{
    std::vector<LinkEntry> entries;
    SQLite::Statement query(
        db, "SELECT l.id, l.period, l.name, p.class, l.ends, l.drawing IS NOT NULL, "
            "l.a_port, l.b_port "
            "FROM link l JOIN link_period p ON p.id = l.period ORDER BY l.number");
    while (query.executeStep())
        entries.push_back(
            {idFrom<LinkId>(query.getColumn(0)), idFrom<LinkPeriodId>(query.getColumn(1)),
             textOf(query.getColumn(2)), textOf(query.getColumn(3)), textOf(query.getColumn(4)),
             query.getColumn(5).getInt() != 0, maybeIdFrom<PortId>(query.getColumn(6)),
             maybeIdFrom<PortId>(query.getColumn(7))});
    return entries;
}

Result<LinkEntry> plannedLink(const QString& name, const QString& classId)
{
    const QString trimmed = name.trimmed();
    constexpr qsizetype longest = 300;
    if (trimmed.isEmpty() || trimmed.size() > longest)
        return fail(ErrorCode::InvalidArgument, Words::tr("The name of the link"),
                    Words::tr("1 to %1 characters are possible").arg(longest));
    return LinkEntry{LinkId::create(), LinkPeriodId::create(), trimmed, classId, {}, false, {}, {}};
}

void insertLink(SQLite::Database& db, const LinkEntry& entry, const QDateTime& at)
{
    upsertLink(db, entry.id, entry.period, {entry.name, {}, {}, {}, {}});
    insertPeriod(db, entry.id, entry.period, entry.classId, at);
}

Result<LinkEntry> createLink(SQLite::Database& db, const QString& name, const QString& classId,
                             const QDateTime& at)
{
    auto entry = plannedLink(name, classId);
    if (!entry)
        return entry;
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    if (isNameTaken(db, entry->name))
        return fail(ErrorCode::InvalidArgument, Words::tr("The name “%1”").arg(entry->name),
                    Words::tr("another link of this notebook has it"));
    insertLink(db, *entry, at);
    transaction.commit();
    return entry;
}

Result<void> registerLinks(SQLite::Database& db, const Drawing& drawing, const QDateTime& at)
{
    // Whatever is not drawn any more stays, with its records.
    SQLite::Statement forget(db, "UPDATE link SET drawing = NULL WHERE drawing = ?");
    forget.bind(1, toUtf8(drawing.id.text()));
    forget.exec();
    for (const Link& link : drawing.links) {
        Link nameless = link;
        nameless.name.clear();
        const QString title = linkTitle(drawing, link);
        if (auto registered = registerPeriod(db, link, title, at); !registered)
            return registered;
        upsertLink(db, link.id, link.period,
                   {title, linkTitle(drawing, nameless), drawing.id, link.a, link.b});
    }
    return {};
}

} // namespace napkin::detail
