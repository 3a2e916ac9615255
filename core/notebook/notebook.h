// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/notebook/record.h"
#include "core/topology/topology.h"

#include <QCoroTask>
#include <QObject>
#include <QString>

#include <memory>

namespace napkin {

struct RecordQuery
{
    std::optional<LinkId> link;
    std::optional<ProbeKind> kind;
    bool withVoided = true;
    int limit = 0; // newest first; 0: all
};

struct DrawingEntry
{
    DrawingId id;
    QString name;
    QDateTime changedAt;
};

// What SQLite's own check and ours found. Empty: nothing wrong.
struct VerifyReport
{
    std::int64_t records = 0;
    std::vector<QString> problems; // translated sentences that name the record or the page
    // Whole records whose figures in lists were computed by another version of this program, and
    // would come out otherwise now. No damage: refreshFigures() computes them anew.
    std::vector<std::int64_t> outdated;
};

// One notebook file. Every call returns at once and works on threads of its own: one writer, one
// reader. Results come back on the caller's thread, which needs an event loop. What record()
// acknowledged survives kill -9 and power loss (WAL, synchronous=FULL). Destroying it finishes the
// write under way.
class Notebook : public QObject
{
    Q_OBJECT
public:
    enum class Mode { ReadWrite, ReadOnly };

    // Opens, or creates with its folder when ReadWrite. Migrates older files after a backup beside
    // them. StorageTooNew, NotANotebook, StorageLocked, StorageReadOnly, StorageCorrupt,
    // StorageUnavailable.
    static QCoro::Task<Result<std::unique_ptr<Notebook>>> open(QString path, Mode mode,
                                                               std::shared_ptr<const Clock> clock);
    // $XDG_DATA_HOME/napkin/notebook.napkin; empty where the user has no home, which open() tells.
    [[nodiscard]] static QString defaultPath();

    ~Notebook() override;

    [[nodiscard]] QString path() const;
    [[nodiscard]] NotebookId id() const;
    [[nodiscard]] Mode mode() const;

    // Its number. With `newLink` that link (plannedLink) is created together with the record that
    // is filed under it, or neither.
    QCoro::Task<Result<std::int64_t>> record(ProbeResult result,
                                             std::optional<LinkEntry> newLink = std::nullopt);
    QCoro::Task<Result<void>> setLabel(RecordId id, QString label);
    QCoro::Task<Result<void>> addNote(RecordId id, QString note);
    QCoro::Task<Result<void>> voidRecord(RecordId id,
                                         QString reason); // a reason is needed; not undone

    QCoro::Task<Result<std::vector<RecordSummary>>> records(RecordQuery query);
    QCoro::Task<Result<Record>> load(RecordId id);
    // A number ("12"), an id, or the beginning of one that only one record has.
    QCoro::Task<Result<RecordId>> find(QString numberOrId);

    QCoro::Task<Result<std::vector<DrawingEntry>>> drawings();
    QCoro::Task<Result<DrawingWithLayout>> loadDrawing(DrawingId id);
    QCoro::Task<Result<void>> saveDrawing(Drawing drawing,
                                          Layout layout); // also registers its links and periods

    QCoro::Task<Result<std::vector<LinkEntry>>> links();
    // A link that is to be created with its first record; nothing is written yet. InvalidArgument
    // for a name that is empty or too long.
    [[nodiscard]] static Result<LinkEntry> plannedLink(const QString& name, const QString& classId);
    // For machines without a display: a link that is in no drawing (yet).
    QCoro::Task<Result<LinkEntry>> createLink(QString name, QString classId);

    // A whole copy in a new file: InvalidArgument when there is one already.
    QCoro::Task<Result<void>> copyTo(QString path);
    QCoro::Task<Result<VerifyReport>> verify();
    // Computes anew what lists show of records of another version: how many. The records themselves
    // stay as they are.
    QCoro::Task<Result<std::int64_t>> refreshFigures();

    // Another number than before when something was written since, by this object or by any other
    // program. Cheap: to be asked again and again.
    QCoro::Task<Result<std::int64_t>> version();

Q_SIGNALS:
    void recordsChanged(); // recorded, labelled, noted or voided, by this object
    void drawingsChanged();

private:
    class Private;
    explicit Notebook(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_d;
};

} // namespace napkin
