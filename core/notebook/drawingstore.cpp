// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/drawingstore.h"

#include "core/notebook/connection.h"

#include <QCoreApplication>

#include <sqlite3.h>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Notebook)
};

} // namespace

Result<std::vector<DrawingEntry>> listDrawings(SQLite::Database& db)
{
    std::vector<DrawingEntry> entries;
    SQLite::Statement query(
        db, "SELECT id, name, changed_at FROM drawing ORDER BY changed_at DESC, rowid DESC");
    while (query.executeStep()) {
        const auto id = DrawingId::fromText(textOf(query.getColumn(0)));
        if (!id)
            throw SQLite::Exception(Words::tr("a drawing has no id").toStdString(), SQLITE_CORRUPT);
        entries.push_back({*id, textOf(query.getColumn(1)), timeFrom(query.getColumn(2))});
    }
    return entries;
}

Result<DrawingWithLayout> loadDrawing(SQLite::Database& db, DrawingId id)
{
    const QString what = Words::tr("The drawing %1").arg(id.text());
    SQLite::Statement query(db, "SELECT content FROM drawing WHERE id = ?");
    query.bind(1, toUtf8(id.text()));
    if (!query.executeStep())
        return fail(ErrorCode::NotFound, what);
    auto drawing = drawingFromJson(QByteArray::fromStdString(query.getColumn(0).getString()));
    if (!drawing)
        return fail(ErrorCode::StorageCorrupt, {},
                    what + QStringLiteral(": ") + drawing.error().detail);
    return drawing;
}

Result<void> saveDrawing(SQLite::Database& db, const DrawingWithLayout& drawing,
                         const QDateTime& at)
{
    if (auto valid = validate(drawing.drawing); !valid)
        return valid;
    const QByteArray content = toJson(drawing.drawing, drawing.layout);
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement insertion(
        db, "INSERT INTO drawing (id, name, content, changed_at) VALUES (?1, ?2, ?3, ?4) "
            "ON CONFLICT (id) DO UPDATE SET name = ?2, content = ?3, changed_at = ?4");
    insertion.bind(1, toUtf8(drawing.drawing.id.text()));
    insertion.bind(2, toUtf8(drawing.drawing.name));
    insertion.bind(3, content.toStdString());
    insertion.bind(4, timeText(at));
    insertion.exec();
    if (auto registered = registerLinks(db, drawing.drawing, at); !registered)
        return registered;
    transaction.commit();
    return {};
}

} // namespace napkin::detail
