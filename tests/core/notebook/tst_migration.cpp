// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/connection.h"
#include "core/notebook/migrate.h"
#include "core/notebook/recordrow.h"
#include "core/notebook/worksheet.h"
#include "core/results/json.h"
#include "tests/core/notebook/notebookfixture.h"

#include <QDir>
#include <QTest>

using namespace napkin;
using namespace napkin::test;

namespace {

const QDateTime now(QDate(2027, 1, 2), QTime(3, 4, 5), Qt::UTC);

std::optional<std::int64_t> bitsOf(const std::optional<BitRate>& rate)
{
    return rate ? std::optional(rate->bitsPerSecond()) : std::nullopt;
}

// A file of an earlier schema, written with the columns that the first had.
class OldNotebook
{
public:
    OldNotebook(const QString& path, size_t version)
        : m_db(path.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
    {
        if (!detail::migrate(m_db, path, detail::migrations().first(version), now))
            throw std::runtime_error("the schema was refused");
    }

    void add(const DrawingWithLayout& made)
    {
        m_db.exec("BEGIN");
        run("INSERT INTO drawing VALUES (?, ?, ?, ?)",
            {made.drawing.id.text(), made.drawing.name,
             QString::fromUtf8(toJson(made.drawing, made.layout)), time()});
        for (const Link& link : made.drawing.links) {
            run("INSERT INTO link (id, name, ends, drawing, period) VALUES (?, ?, ?, ?, ?)",
                {link.id.text(), linkTitle(made.drawing, link), linkTitle(made.drawing, link),
                 made.drawing.id.text(), link.period.text()});
            run("INSERT INTO link_period (id, link, class, started_at) VALUES (?, ?, ?, ?)",
                {link.period.text(), link.id.text(), link.classId, time()});
        }
        m_db.exec("COMMIT");
    }

    void add(const ProbeResult& result)
    {
        const QByteArray content = toJson(result);
        const QByteArray sha256 = detail::sha256Of(content);
        const detail::RecordRow row = detail::rowOf(result);
        m_chain = detail::chainAfter(m_chain, sha256);
        SQLite::Statement s(
            m_db,
            "INSERT INTO record (id, kind, started_at, near_name, far_name, link, period, "
            "completion, origin, flow, streams, forward_bps, reverse_bps, flags, label, content, "
            "sha256, chain, forward_retransmits, reverse_retransmits) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        int i = 0;
        const auto text = [&](const QString& value) { s.bind(++i, value.toStdString()); };
        const auto number = [&](std::optional<std::int64_t> value) {
            value ? s.bind(++i, *value) : s.bind(++i);
        };
        const auto id = [&](const auto& value) {
            value ? s.bind(++i, value->text().toStdString()) : s.bind(++i);
        };
        text(result.id.text());
        text(row.kind);
        text(QString::fromStdString(detail::timeText(result.startedAt)));
        text(row.nearName);
        text(row.farName);
        id(result.spec.link);
        id(result.spec.linkPeriod);
        text(row.completion);
        text(row.origin);
        text(row.flow);
        number(row.streams);
        number(bitsOf(row.figures.forward));
        number(bitsOf(row.figures.reverse));
        text(row.flags);
        text(result.spec.label);
        text(QString::fromUtf8(content));
        text(QString::fromLatin1(sha256));
        text(QString::fromLatin1(m_chain));
        number(row.figures.forwardRetransmits);
        number(row.figures.reverseRetransmits);
        s.exec();
    }

    void exec(const char* sql) { m_db.exec(sql); }

private:
    static QString time() { return QString::fromStdString(detail::timeText(now)); }
    void run(const char* sql, const QStringList& values)
    {
        SQLite::Statement statement(m_db, sql);
        for (int i = 0; i < values.size(); ++i)
            statement.bind(i + 1, values[i].toStdString());
        statement.exec();
    }

    SQLite::Database m_db;
    QByteArray m_chain;
};

// Over a link, from its end a or from b.
ProbeResult over(const Link& link, bool fromA, ProbeResult result)
{
    result.spec.link = link.id;
    result.spec.linkPeriod = link.period;
    result.spec.near.portId = fromA ? link.a : link.b;
    result.spec.far.portId = fromA ? link.b : link.a;
    return result;
}

} // namespace

class TestMigration : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = m_dir->filePath(QStringLiteral("test.napkin"));
    }

    void schemasAreTheFrozenOnes_data()
    {
        QTest::addColumn<int>("version");
        for (const detail::Migration& step : detail::migrations())
            QTest::addRow("%d", step.to) << step.to;
    }
    void schemasAreTheFrozenOnes()
    {
        QFETCH(int, version);
        SQLite::Database db(m_path.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        QVERIFY(detail::migrate(db, m_path,
                                detail::migrations().first(static_cast<size_t>(version)), now));
        SQLite::Statement query(
            db, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name");
        QByteArray found;
        while (query.executeStep())
            found += QByteArray::fromStdString(query.getColumn(0).getString()) + ";\n";
        QFile frozen(QStringLiteral(NAPKIN_TEST_DATA "/notebook/schema-%1.sql").arg(version));
        QVERIFY2(frozen.open(QIODevice::ReadOnly), found.constData());
        QCOMPARE(found, frozen.readAll());
    }

    // Ports and reasons come out of the content; nothing that was measured changes.
    void fromVersion1()
    {
        const auto made = twoMachinesTemplate();
        const Link& link = made.drawing.links.front();
        const auto sent = over(link, true, throughputResult(BitRate::megabitsPerSecond(900)));
        const auto received = over(link, false, throughputResult(BitRate::megabitsPerSecond(700)));
        auto partial = partialResult(BitRate::megabitsPerSecond(1));
        partial.fault->detail = QStringLiteral("“quoted”\n\"and\" more");
        {
            OldNotebook old(m_path, 1);
            old.add(made);
            for (const auto& result : {sent, received, partial})
                old.add(result);
        }
        const auto notebook = openNotebook(m_path);
        const auto runs = sync(notebook->records({}));
        QCOMPARE(runs->size(), size_t(3));
        QCOMPARE(runs->front().fault, partial.fault);
        QVERIFY(!runs->front().nearPort && !runs->front().farPort);
        QVERIFY(!runs->back().fault);
        QVERIFY(runs->back().nearPort == link.a && runs->back().farPort == link.b);
        const auto links = sync(notebook->links());
        QVERIFY(links->front().a == link.a && links->front().b == link.b);
        const auto row = buildWorksheet(*links, *runs, {}).front();
        QVERIFY(row.forward->record == sent.id && row.reverse->record == received.id);
        QCOMPARE(sync(notebook->load(partial.id))->result, partial);
        const auto report = sync(notebook->verify());
        QVERIFY2(report->problems.empty(),
                 qPrintable(report->problems.empty() ? QString() : report->problems.front()));
        auto db = rawDatabase(m_path);
        QVERIFY(refusalOf(db, "UPDATE record SET near_port = NULL").contains(u"never"));
        QCOMPARE(QDir(m_dir->path()).entryList({QStringLiteral("*.v1-*.backup")}).size(), 1);
    }

    // Runs of before know nothing of what came since; new ones are listed with it.
    void fromVersion2()
    {
        const auto sent = throughputResult(BitRate::megabitsPerSecond(900));
        {
            OldNotebook old(m_path, 2);
            old.add(sent);
        }
        const auto notebook = openNotebook(m_path);
        QCOMPARE(QDir(m_dir->path()).entryList({QStringLiteral("*.v2-*.backup")}).size(), 1);
        const auto latency = latencyResult(std::chrono::microseconds(312));
        recordIn(*notebook, latency);
        const auto runs = sync(notebook->records({}));
        QCOMPARE(runs->size(), size_t(2));
        QVERIFY(static_cast<const KeyFigures&>(runs->front()) == keyFigures(latency));
        QVERIFY(runs->front().latencyP50.has_value());
        QVERIFY(static_cast<const KeyFigures&>(runs->back()) == keyFigures(sent));
        QVERIFY(runs->back().forward && !runs->back().latencyP50 && !runs->back().lossRatio);
        const auto report = sync(notebook->verify());
        QCOMPARE(report->records, 2);
        QVERIFY2(report->problems.empty(),
                 qPrintable(report->problems.empty() ? QString() : report->problems.front()));
    }

    // How messages went and to which address comes out of the content.
    void fromVersion3()
    {
        auto echo = latencyResult(std::chrono::microseconds(312));
        auto& options = std::get<LatencyOptions>(echo.spec.options);
        options.method = EchoMethod::Tcp;
        options.wait = WaitMode::BusyPoll;
        options.messageSize = ByteCount::kibibytes(4);
        echo.spec.far.name = QStringLiteral("spark-b");
        echo.conditions.far.address = QStringLiteral("10.0.1.2");
        auto plain = throughputResult(BitRate::megabitsPerSecond(900));
        plain.spec.far.name = QStringLiteral("spark-b");
        const auto unnamed = pathMtuResult(1'500, 9'000);
        {
            OldNotebook old(m_path, 3);
            for (const auto& result : {echo, plain, unnamed})
                old.add(result);
        }
        const auto notebook = openNotebook(m_path);
        recordIn(*notebook, latencyResult(std::chrono::microseconds(200)));
        const auto runs = sync(notebook->records({}));
        QCOMPARE(runs->size(), size_t(4));
        const EchoManner usual{EchoMethod::Icmp, WaitMode::Blocking, ByteCount::bytes(64)};
        QCOMPARE(runs->at(0).manner, std::optional(usual));
        QVERIFY(!runs->at(1).manner && runs->at(1).farAddress.isEmpty());
        QVERIFY(!runs->at(2).manner);
        QCOMPARE(runs->at(2).farAddress, QStringLiteral("192.0.2.7"));
        const EchoManner told{EchoMethod::Tcp, WaitMode::BusyPoll, ByteCount::kibibytes(4)};
        QCOMPARE(runs->at(3).manner, std::optional(told));
        QCOMPARE(runs->at(3).farAddress, QStringLiteral("10.0.1.2"));
        auto db = rawDatabase(m_path);
        QVERIFY(refusalOf(db, "UPDATE record SET wait_mode = NULL").contains(u"never"));
    }

    // A link that is drawn no more: its first run says what a is.
    void endsOfALinkThatIsGone()
    {
        const auto made = twoMachinesTemplate();
        const Link& link = made.drawing.links.front();
        {
            OldNotebook old(m_path, 1);
            old.add(made);
            old.add(over(link, true, throughputResult(BitRate::megabitsPerSecond(900))));
            old.add(over(link, false, throughputResult(BitRate::megabitsPerSecond(700))));
            old.exec("UPDATE link SET drawing = NULL");
        }
        const auto links = sync(openNotebook(m_path)->links());
        QVERIFY(links->front().a == link.a && links->front().b == link.b);
    }

    // What cannot be read stays as it is, and keeps nobody from the rest.
    void damagedContent()
    {
        const auto made = twoMachinesTemplate();
        {
            OldNotebook old(m_path, 1);
            old.add(made);
            old.add(throughputResult(BitRate::megabitsPerSecond(900)));
            old.exec("DROP TRIGGER record_no_update; UPDATE record SET content = '{oh';"
                     "UPDATE drawing SET content = '';"
                     "CREATE TRIGGER record_no_update BEFORE UPDATE ON record "
                     "BEGIN SELECT RAISE(ABORT, 'records are never changed'); END");
        }
        const auto notebook = openNotebook(m_path);
        QCOMPARE(sync(notebook->records({}))->size(), size_t(1));
        QVERIFY(!sync(notebook->links())->front().a);
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_path;
};

QTEST_GUILESS_MAIN(TestMigration)
#include "tst_migration.moc"
