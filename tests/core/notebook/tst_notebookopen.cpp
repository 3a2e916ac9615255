// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/connection.h"
#include "core/notebook/migrate.h"
#include "core/notebook/recordstore.h"
#include "tests/core/notebook/notebookfixture.h"

#include <QDir>
#include <QTest>
#include <QtEndian>

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <vector>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

const BitRate rate = BitRate::megabitsPerSecond(941);

// Root may write anywhere: within this scope the process is nobody.
class Unprivileged
{
public:
    Unprivileged()
        : m_wasRoot(::geteuid() == 0)
    {
        constexpr uid_t nobody = 65'534;
        if (m_wasRoot && ::setresuid(nobody, nobody, 0) != 0)
            throw std::runtime_error("could not become nobody");
    }
    ~Unprivileged()
    {
        if (m_wasRoot && (::seteuid(0) != 0 || ::setresuid(0, 0, 0) != 0))
            std::abort();
    }
    Unprivileged(const Unprivileged&) = delete;
    Unprivileged& operator=(const Unprivileged&) = delete;
    Unprivileged(Unprivileged&&) = delete;
    Unprivileged& operator=(Unprivileged&&) = delete;

private:
    bool m_wasRoot;
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        throw std::runtime_error("could not write a file of the test");
}

constexpr auto readableDir = QFile::ReadOwner | QFile::ExeOwner | QFile::ReadGroup |
                             QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther;
constexpr auto readable = QFile::ReadOwner | QFile::ReadGroup | QFile::ReadOther;

std::optional<ErrorCode> codeOf(const Result<std::unique_ptr<Notebook>>& opened)
{
    return opened ? std::nullopt : std::optional(opened.error().code);
}

int newest()
{
    return detail::migrations().back().to;
}

// Those that there are, and further ones that end where a later program would be.
std::vector<detail::Migration> furtherSteps(std::initializer_list<const char*> sql)
{
    std::vector<detail::Migration> steps(detail::migrations().begin(), detail::migrations().end());
    for (const char* step : sql)
        steps.push_back({steps.back().to + 1, step});
    return steps;
}

} // namespace

class TestNotebookOpen : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        QFile::setPermissions(m_dir->path(), readableDir | QFile::WriteOwner);
        m_path = m_dir->filePath(QStringLiteral("test.napkin"));
    }

    void headerSaysWhoseItIs()
    {
        openNotebook(m_path).reset();
        const QByteArray head = contentOf(m_path).left(100);
        QCOMPARE(head.mid(68, 4), QByteArray("NPKN"));
        QCOMPARE(qFromBigEndian<qint32>(head.constData() + 60), newest());
        auto db = rawDatabase(m_path);
        QCOMPARE(db.execAndGet("PRAGMA journal_mode").getString(), std::string("wal"));
    }

    void refusesWhatIsNoNotebook_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("text") << QByteArray("Dear diary");
        QTest::newRow("long text") << QByteArray("Dear diary ").repeated(1'000);
        QTest::newRow("zeros") << QByteArray(8192, 0);
        QTest::newRow("only the magic") << QByteArray("SQLite format 3\0", 16);
    }
    void refusesWhatIsNoNotebook()
    {
        QFETCH(QByteArray, content);
        write(m_path, content);
        for (const auto mode : {Notebook::Mode::ReadWrite, Notebook::Mode::ReadOnly})
            QCOMPARE(codeOf(tryOpen(m_path, mode)), ErrorCode::NotANotebook);
        QCOMPARE(contentOf(m_path), content);
        QCOMPARE(QDir(m_dir->path()).entryList(QDir::Files).size(), 1);
    }

    void refusesAnotherProgramsDatabase()
    {
        {
            SQLite::Database db(m_path.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x); PRAGMA application_id = 77;");
        }
        const QByteArray before = contentOf(m_path);
        for (const auto mode : {Notebook::Mode::ReadWrite, Notebook::Mode::ReadOnly})
            QCOMPARE(codeOf(tryOpen(m_path, mode)), ErrorCode::NotANotebook);
        QCOMPARE(contentOf(m_path), before);
        QCOMPARE(codeOf(tryOpen(m_dir->path())), ErrorCode::NotANotebook);
    }

    void refusesANewerOne()
    {
        openNotebook(m_path).reset();
        rawDatabase(m_path).exec("PRAGMA user_version = 99");
        const QByteArray before = contentOf(m_path);
        for (const auto mode : {Notebook::Mode::ReadWrite, Notebook::Mode::ReadOnly}) {
            const auto opened = tryOpen(m_path, mode);
            QCOMPARE(codeOf(opened), ErrorCode::StorageTooNew);
            QVERIFY(opened.error().detail.contains(QStringLiteral("99")));
            QCOMPARE(opened.error().context, m_path);
        }
        QCOMPARE(contentOf(m_path), before);
    }

    void anEmptyFileBecomesANotebook()
    {
        write(m_path, {});
        QCOMPARE(codeOf(tryOpen(m_path, Notebook::Mode::ReadOnly)), ErrorCode::NotANotebook);
        QVERIFY(tryOpen(m_path));
    }

    void missing()
    {
        QCOMPARE(codeOf(tryOpen(m_path, Notebook::Mode::ReadOnly)), ErrorCode::StorageUnavailable);
        QVERIFY(!QFile::exists(m_path));
        write(m_path, "a file");
        QCOMPARE(codeOf(tryOpen(m_path + QStringLiteral("/below.napkin"))),
                 ErrorCode::StorageUnavailable);
    }

    void readOnlyPlaces()
    {
        const auto result = throughputResult(rate);
        recordIn(*openNotebook(m_path), result);
        const QByteArray before = contentOf(m_path);
        QFile::setPermissions(m_path, readable);
        QFile::setPermissions(m_dir->path(), readableDir);
        {
            const Unprivileged nobody;
            QCOMPARE(codeOf(tryOpen(m_path)), ErrorCode::StorageReadOnly);
            QCOMPARE(codeOf(tryOpen(m_dir->filePath(QStringLiteral("new.napkin")))),
                     ErrorCode::StorageReadOnly);
            QCOMPARE(codeOf(tryOpen(m_dir->filePath(QStringLiteral("a/b/new.napkin")))),
                     ErrorCode::StorageReadOnly);
            auto opened = tryOpen(m_path, Notebook::Mode::ReadOnly);
            QVERIFY2(opened, qPrintable(opened ? QString() : opened.error().detail));
            QCOMPARE(sync((*opened)->records({}))->size(), size_t(1));
            QCOMPARE(sync((*opened)->load(result.id))->result, result);
            QVERIFY(sync((*opened)->verify())->problems.empty());
            QCOMPARE(sync((*opened)->record(throughputResult(rate))).error().code,
                     ErrorCode::StorageReadOnly);
        }
        QFile::setPermissions(m_dir->path(), readableDir | QFile::WriteOwner);
        QCOMPARE(contentOf(m_path), before);
    }

    // The newest records are still in the log: half a truth is refused.
    void readOnlyPlaceWithALogWaiting()
    {
        const auto notebook = openNotebook(m_path);
        recordIn(*notebook, throughputResult(rate));
        const QString folder = m_dir->filePath(QStringLiteral("copy"));
        QVERIFY(QDir().mkpath(folder));
        const QString copy = folder + QStringLiteral("/test.napkin");
        QVERIFY(QFile::copy(m_path, copy));
        QVERIFY(QFile::copy(m_path + QStringLiteral("-wal"), copy + QStringLiteral("-wal")));
        QFile::setPermissions(copy, readable);
        QFile::setPermissions(copy + QStringLiteral("-wal"), readable);
        QFile::setPermissions(folder, readableDir);
        {
            const Unprivileged nobody;
            QCOMPARE(codeOf(tryOpen(copy, Notebook::Mode::ReadOnly)), ErrorCode::StorageReadOnly);
        }
        QFile::setPermissions(folder, readableDir | QFile::WriteOwner);
    }

    void readOnlySeesWhatAnotherWrites()
    {
        const auto writer = openNotebook(m_path);
        auto reader = tryOpen(m_path, Notebook::Mode::ReadOnly);
        QVERIFY(reader);
        QCOMPARE((*reader)->mode(), Notebook::Mode::ReadOnly);
        recordIn(*writer, throughputResult(rate));
        QCOMPARE(sync((*reader)->records({}))->size(), size_t(1));
    }

    void lockedByAnother()
    {
        auto notebook = openNotebook(m_path);
        {
            auto db = rawDatabase(m_path);
            db.exec("BEGIN IMMEDIATE");
            const auto number = sync(notebook->record(throughputResult(rate)), 20s);
            QCOMPARE(number.error().code, ErrorCode::StorageLocked);
            QCOMPARE(number.error().context, m_path);
            QVERIFY(sync(notebook->records({}))->empty()); // reading goes on
        }
        notebook.reset();
        auto db = rawDatabase(m_path);
        db.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
        QCOMPARE(codeOf(tryOpen(m_path)), ErrorCode::StorageLocked);
    }

    void everyFaceOfAFullDisk()
    {
        const auto codeOf = [this](int sqlite, int system) {
            const SQLite::Exception e("it", sqlite);
            return detail::storageError(e, m_path, system).code;
        };
        QCOMPARE(codeOf(SQLITE_FULL, 0), ErrorCode::StorageFull);
        QCOMPARE(codeOf(SQLITE_IOERR_SHMSIZE, ENOSPC), ErrorCode::StorageFull);
        QCOMPARE(codeOf(SQLITE_IOERR_WRITE, EDQUOT), ErrorCode::StorageFull);
        QCOMPARE(codeOf(SQLITE_CANTOPEN, ENOSPC), ErrorCode::StorageFull);
        QCOMPARE(codeOf(SQLITE_IOERR_READ, EIO), ErrorCode::StorageUnavailable);
        QCOMPARE(codeOf(SQLITE_CANTOPEN, ENOENT), ErrorCode::StorageUnavailable);
        QVERIFY(!detail::isDiskFull(m_path));
    }

    // A place without shared memory, as on many network file systems.
    void noWriteAheadLog()
    {
        sqlite3_vfs* usual = sqlite3_vfs_find(nullptr);
        sqlite3_vfs_register(sqlite3_vfs_find("unix-dotfile"), 1);
        const auto opened = tryOpen(m_path);
        sqlite3_vfs_register(usual, 1);
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, ErrorCode::StorageUnavailable);
        QVERIFY2(opened.error().detail.contains(QStringLiteral("network file system")),
                 qPrintable(opened.error().detail));
    }

    void noPlaceForOnesOwn()
    {
        const QByteArray home = qgetenv("HOME");
        const QByteArray data = qgetenv("XDG_DATA_HOME");
        qunsetenv("HOME");
        qunsetenv("XDG_DATA_HOME");
        const QString path = Notebook::defaultPath();
        qputenv("HOME", home);
        qputenv("XDG_DATA_HOME", data);
        QCOMPARE(path, QString());
        const auto opened = tryOpen(path);
        QVERIFY(!opened);
        QVERIFY(opened.error().detail.contains(QStringLiteral("HOME")));
    }

    void diskFull()
    {
        openNotebook(m_path).reset();
        auto db = rawDatabase(m_path);
        const auto record = [&](const ProbeResult& result) {
            return detail::guarded(m_path, [&] { return detail::insertRecord(db, result); });
        };
        QVERIFY(record(throughputResult(rate)));
        db.exec("PRAGMA max_page_count = 1"); // that is: as many as there are
        auto large = throughputResult(rate);
        large.spec.label = QString(200'000, u'x');
        const auto full = record(large);
        QVERIFY(!full);
        QCOMPARE(full.error().code, ErrorCode::StorageFull);
        const auto notebook = openNotebook(m_path);
        QCOMPARE(sync(notebook->records({}))->size(), size_t(1));
        QCOMPARE(recordIn(*notebook, throughputResult(rate)), 2);
        QVERIFY(sync(notebook->verify())->problems.empty());
    }

    void damaged()
    {
        openNotebook(m_path).reset();
        QByteArray content = contentOf(m_path);
        const QByteArray whole = content;
        content.replace(100, 3'000, QByteArray(3'000, '\xaa'));
        write(m_path, content);
        for (const auto mode : {Notebook::Mode::ReadWrite, Notebook::Mode::ReadOnly})
            QCOMPARE(codeOf(tryOpen(m_path, mode)), ErrorCode::StorageCorrupt);
        write(m_path, whole.left(6'000));
        QCOMPARE(codeOf(tryOpen(m_path)), ErrorCode::StorageCorrupt);
    }

    void tablesMissing()
    {
        {
            SQLite::Database db(m_path.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            db.exec("PRAGMA application_id = 1313885006; PRAGMA user_version = 1; "
                    "CREATE TABLE other (x)");
        }
        QCOMPARE(codeOf(tryOpen(m_path)), ErrorCode::StorageCorrupt);
    }

    void migratesWithABackup()
    {
        const auto result = throughputResult(rate);
        recordIn(*openNotebook(m_path), result);
        const auto steps = furtherSteps({"CREATE TABLE colour (name TEXT NOT NULL) STRICT",
                                         "INSERT INTO colour VALUES ('blue')"});
        const QDateTime now(QDate(2027, 1, 2), QTime(3, 4, 5), Qt::UTC);
        {
            auto db = rawDatabase(m_path);
            const auto done = detail::migrate(db, m_path, steps, now);
            QVERIFY2(done, qPrintable(done ? QString() : done.error().detail));
            QCOMPARE(detail::schemaVersion(db), newest() + 2);
            QCOMPARE(db.execAndGet("SELECT name FROM colour").getString(), std::string("blue"));
            QVERIFY(detail::migrate(db, m_path, steps, now)); // nothing left to do
        }
        QCOMPARE(codeOf(tryOpen(m_path)), ErrorCode::StorageTooNew);
        const QString backup = m_path + QStringLiteral(".v%1-20270102-030405.backup").arg(newest());
        QCOMPARE(QDir(m_dir->path()).entryList({QStringLiteral("*.backup")}, QDir::Files).size(),
                 1);
        const auto old = openNotebook(backup);
        QCOMPARE(sync(old->load(result.id))->result, result);
    }

    void aFailedStepChangesNothing_data()
    {
        QTest::addColumn<QByteArray>("sql");
        QTest::newRow("syntax") << QByteArray("CREATE TABLE half (x); CREATE NONSENSE");
        QTest::newRow("dangling row")
            << QByteArray("INSERT INTO label (record, text, at) VALUES ('nobody', 'x', 'y')");
    }
    void aFailedStepChangesNothing()
    {
        QFETCH(QByteArray, sql);
        recordIn(*openNotebook(m_path), throughputResult(rate));
        const auto steps =
            furtherSteps({"CREATE TABLE colour (name TEXT NOT NULL) STRICT", sql.constData()});
        auto db = rawDatabase(m_path);
        const auto done = detail::migrate(db, m_path, steps, QDateTime::currentDateTimeUtc());
        QVERIFY(!done);
        QVERIFY(done.error().detail.contains(QStringLiteral("version %1").arg(newest() + 2)));
        QCOMPARE(detail::schemaVersion(db), newest() + 1); // the last whole one
        QVERIFY(!db.tableExists("half"));
        QCOMPARE(db.execAndGet("SELECT count(*) FROM label").getInt(), 0);
        QCOMPARE(QDir(m_dir->path()).entryList({QStringLiteral("*.backup")}, QDir::Files).size(),
                 1);
    }

    void noBackupNoMigration()
    {
        openNotebook(m_path).reset();
        const auto steps = furtherSteps({"CREATE TABLE colour (name TEXT)"});
        auto db = rawDatabase(m_path);
        const QString nowhere = m_dir->filePath(QStringLiteral("gone/test.napkin"));
        QVERIFY(!detail::migrate(db, nowhere, steps, QDateTime::currentDateTimeUtc()));
        QCOMPARE(detail::schemaVersion(db), newest());
    }

    void twoCreateAtOnce()
    {
        const auto clock = std::make_shared<SystemClock>();
        auto first = Notebook::open(m_path, Notebook::Mode::ReadWrite, clock);
        auto second = Notebook::open(m_path, Notebook::Mode::ReadWrite, clock);
        const auto one = sync(std::move(first), 20s);
        const auto two = sync(std::move(second), 20s);
        QVERIFY2(one, qPrintable(one ? QString() : one.error().detail));
        QVERIFY2(two, qPrintable(two ? QString() : two.error().detail));
        QVERIFY((*one)->id() == (*two)->id());
        QCOMPARE(recordIn(**one, throughputResult(rate)), 1);
        QCOMPARE(recordIn(**two, throughputResult(rate)), 2);
        for (const auto* notebook : {one->get(), two->get()})
            QCOMPARE(sync(const_cast<Notebook*>(notebook)->records({}))->size(), size_t(2));
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_path;
};

QTEST_GUILESS_MAIN(TestNotebookOpen)
#include "tst_notebookopen.moc"
