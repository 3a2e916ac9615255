// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/deadline.h"
#include "core/base/waiting.h"
#include "core/results/data.h"
#include "core/workflow/measurerecord.h"
#include "core/workflow/resulttext.h"
#include "core/workflow/soakkeeper.h"
#include "tests/core/notebook/notebookfixture.h"

#include <QDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <stdexcept>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

SoakData dataOf(Duration elapsed)
{
    SoakData data;
    data.elapsed = elapsed;
    SoakTotal total;
    total.received = ByteCount::bytes(1'000'000);
    total.checked = total.received;
    total.blocks = 10;
    data.totals = {total};
    SoakSpan span;
    span.length = 1s;
    span.bytes = total.received;
    data.spans = {span};
    return data;
}

ProbeSpec soakSpec()
{
    ProbeSpec spec;
    spec.far.host = QStringLiteral("10.0.0.2");
    spec.far.name = QStringLiteral("spark-b");
    spec.far.port = 5201;
    spec.options = SoakOptions{};
    return spec;
}

KeptSoak keptSoak(Duration elapsed = 120s)
{
    KeptSoak soak;
    soak.result.id = RecordId::create();
    soak.result.spec = soakSpec();
    soak.result.startedAt = QDateTime::currentDateTimeUtc().addSecs(-3'600);
    soak.result.endedAt = soak.result.startedAt.addMSecs(elapsed / 1ms);
    soak.result.completion = Completion::Partial;
    soak.result.tool = QStringLiteral("napkin");
    soak.result.toolVersion = QStringLiteral("0.1.0");
    soak.result.data = dataOf(elapsed);
    soak.savedAt = soak.result.endedAt;
    return soak;
}

// As a program that was killed leaves it.
void leave(const QString& notebook, const KeptSoak& soak)
{
    const auto file = SoakFile::create(notebook, soak.result.id).value();
    if (const auto saved = file->save(soak); !saved)
        throw std::runtime_error(saved.error().detail.toStdString());
}

// Tells as a soak does for `length`, then is complete; as fast as it can.
class FakeSoak final : public Probe
{
public:
    explicit FakeSoak(Duration length, std::chrono::milliseconds takes = 0ms)
        : m_length(length)
        , m_takes(takes)
    {}
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::Soak; }
    QCoro::Task<Result<void>> check(ProbeSpec, CancelToken) override { co_return Result<void>{}; }
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override
    {
        const Duration length = m_length;
        const auto until = Deadline(m_takes);
        asked = std::get<SoakOptions>(spec.options).duration;
        do {
            sink({Phase::Measuring, 0.5, dataOf(length)});
            if (m_takes > 0ms)
                (void)co_await sleepFor(50ms, cancel);
        } while (!until.hasPassed() && !cancel.stop_requested());
        ProbeResult result;
        result.spec = spec;
        result.data = dataOf(length);
        if (cancel.stop_requested()) {
            result.completion = Completion::Partial;
            result.fault = Error{ErrorCode::Cancelled, {}, {}, nullptr};
        }
        co_return result;
    }
    std::chrono::milliseconds asked{};

private:
    Duration m_length;
    std::chrono::milliseconds m_takes;
};

} // namespace

// A soak that outlives its program.
class TestSoakKeeper : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void comesBackEqual();
    void hostileFiles_data();
    void hostileFiles();
    void heldByTheProgramThatMeasures();
    void keptWhileItGoesOn();
    void goesOnAsOneRun();
    void keptAsItIs();
    void recordedIsNotInterrupted();
    void withItsNewLink();
    void whatIsLeftToDo();
    void verdictInWords();

private:
    [[nodiscard]] QStringList files() const
    {
        return QDir(m_folder->path()).entryList({QStringLiteral("*soak*")}, QDir::Files);
    }
    [[nodiscard]] std::vector<InterruptedSoak> interrupted()
    {
        return sync(interruptedSoaks(m_notebook.get()));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::unique_ptr<Notebook> m_notebook;
};

void TestSoakKeeper::init()
{
    m_notebook.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("my [n]otebook.napkin"));
    m_notebook = openNotebook(m_path);
}

void TestSoakKeeper::comesBackEqual()
{
    KeptSoak soak = keptSoak();
    soak.newLink =
        Notebook::plannedLink(QStringLiteral("desk"), QStringLiteral("ethernet-1g")).value();
    soak.savedAt =
        QDateTime::fromString(QStringLiteral("2026-12-02T10:00:00.123Z"), Qt::ISODateWithMs);
    const auto back = keptSoakFromJson(toJson(soak));
    QVERIFY2(back, back ? "" : qPrintable(back.error().detail));
    QVERIFY(back->result.data == soak.result.data && back->result.spec == soak.result.spec);
    QCOMPARE(back->result.id, soak.result.id);
    QCOMPARE(back->savedAt, soak.savedAt);
    QCOMPARE(back->newLink->id, soak.newLink->id);
    QCOMPARE(back->newLink->period, soak.newLink->period);
    QCOMPARE(back->newLink->classId, QStringLiteral("ethernet-1g"));
}

void TestSoakKeeper::hostileFiles_data()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char* place, const char* value) {
        QTest::newRow(place) << QString::fromLatin1(place) << QByteArray(value);
    };
    row("/format", "\"napkin-result\"");
    row("/version", "2");
    row("/saved_at", "\"yesterday\"");
    row("/result", "[]");
    row("/result/spec/kind", "\"udp\"");
    row("/result/data/stalls", "-1");
    row("/new_link", "{\"id\": \"1\"}");
}

// Refused, told by nobody, and left where it is.
void TestSoakKeeper::hostileFiles()
{
    QFETCH(QString, place);
    QFETCH(QByteArray, value);
    const KeptSoak soak = keptSoak();
    leave(m_path, soak);
    Json json = Json::parse(toJson(soak).toStdString());
    json[Json::json_pointer(place.toStdString())] = Json::parse(value.toStdString());
    const QString name = m_path + QStringLiteral(".soak-") + soak.result.id.text();
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(json.dump()));
    file.close();
    QVERIFY(interrupted().empty());
    QVERIFY(QFile::exists(name));
}

void TestSoakKeeper::heldByTheProgramThatMeasures()
{
    const KeptSoak soak = keptSoak();
    auto file = SoakFile::create(m_path, soak.result.id).value();
    QVERIFY(file->save(soak));
    QVERIFY(interrupted().empty());
    const auto again = SoakFile::create(m_path, soak.result.id);
    QVERIFY(!again);
    QCOMPARE(again.error().code, ErrorCode::StorageLocked);
    file.reset(); // as the kernel does when the program ends
    const auto found = interrupted();
    QCOMPARE(found.size(), 1U);
    QVERIFY(found[0].soak.result.data == soak.result.data);
    QVERIFY(interrupted().empty()); // who found it has it
}

void TestSoakKeeper::keptWhileItGoesOn()
{
    ProbeSet probes;
    probes.add(std::make_shared<FakeSoak>(30s, 7s));
    std::optional<QStringList> seen;
    MeasureEvents events;
    events.progress = [&](int, const Progress&) {
        if (!files().isEmpty())
            seen = files();
    };
    std::int64_t number = 0;
    events.recorded = [&](int, std::int64_t one, const ProbeResult&) { number = one; };
    const auto outcome =
        sync(measureAndRecord(probes, {soakSpec()}, m_notebook.get(), {}, events), 20s);
    QCOMPARE(outcome.completed, 1);
    QVERIFY(seen.has_value());
    QVERIFY(number > 0);
    QVERIFY2(files().isEmpty(), qPrintable(files().join(u' ')));
}

void TestSoakKeeper::goesOnAsOneRun()
{
    const KeptSoak soak = keptSoak(120s);
    leave(m_path, soak);
    auto found = interrupted();
    QCOMPARE(found.size(), 1U);
    const auto probe = std::make_shared<FakeSoak>(480s);
    ProbeSet probes;
    probes.add(probe);
    ProbeData told = SoakData();
    MeasureEvents events;
    events.progress = [&told](int, const Progress& progress) { append(told, progress.data); };
    ProbeResult recorded;
    events.recorded = [&](int, std::int64_t, const ProbeResult& result) { recorded = result; };
    const auto outcome = sync(measureAndRecord(probes, {remainingSpec(found[0])}, m_notebook.get(),
                                               {}, events, std::nullopt, std::move(found[0])));
    QCOMPARE(outcome.completed, 1);
    QCOMPARE(probe->asked, std::chrono::milliseconds(480s));
    QCOMPARE(recorded.id, soak.result.id);
    QCOMPARE(recorded.startedAt, soak.result.startedAt);
    QCOMPARE(std::get<SoakOptions>(recorded.spec.options).duration,
             std::chrono::milliseconds(600s));
    const auto& data = std::get<SoakData>(recorded.data);
    QCOMPARE(data.elapsed, Duration(600s));
    QCOMPARE(data.totals[0].blocks, 20);
    QCOMPARE(data.programGaps, 1);
    QVERIFY(data.programGap > 3'400s && data.programGap < 3'600s);
    QCOMPARE(data.dropOuts, 0); // the program's gap is no fault of the wire
    QVERIFY(std::get<SoakData>(told) == data);
    QVERIFY(files().isEmpty());
    QCOMPARE(sync(m_notebook->records({}))->size(), 1U);
    QVERIFY(sync(m_notebook->verify())->problems.empty());
}

void TestSoakKeeper::keptAsItIs()
{
    const KeptSoak soak = keptSoak();
    leave(m_path, soak);
    auto found = interrupted();
    QVERIFY(interruptedText(found.at(0), soak.savedAt.addSecs(720)).contains(u"spark-b"));
    const auto number = sync(keepAsIs(m_notebook.get(), std::move(found.at(0))));
    QVERIFY(number.has_value());
    const auto record = sync(m_notebook->load(soak.result.id));
    QVERIFY(record.has_value());
    QCOMPARE(record->number, *number);
    QCOMPARE(record->result.completion, Completion::Partial);
    QCOMPARE(record->result.fault->code, ErrorCode::ProgramEnded);
    QVERIFY(record->result.data == soak.result.data);
    found.clear();
    QVERIFY2(files().isEmpty(), qPrintable(files().join(u' ')));
}

// A program that ends between the record and the removal of the file.
void TestSoakKeeper::recordedIsNotInterrupted()
{
    const KeptSoak soak = keptSoak();
    leave(m_path, soak);
    QVERIFY(sync(m_notebook->record(soak.result)));
    QVERIFY(interrupted().empty());
    QVERIFY2(files().isEmpty(), qPrintable(files().join(u' ')));
}

void TestSoakKeeper::withItsNewLink()
{
    KeptSoak soak = keptSoak();
    soak.newLink =
        Notebook::plannedLink(QStringLiteral("desk"), QStringLiteral("ethernet-1g")).value();
    soak.result.spec.link = soak.newLink->id;
    soak.result.spec.linkPeriod = soak.newLink->period;
    leave(m_path, soak);
    auto found = interrupted();
    const auto number = sync(keepAsIs(m_notebook.get(), std::move(found.at(0))));
    QVERIFY2(number, number ? "" : qPrintable(number.error().detail));
    QCOMPARE(sync(m_notebook->records({}))->front().linkName, QStringLiteral("desk"));
}

void TestSoakKeeper::whatIsLeftToDo()
{
    const auto left = [](Duration elapsed) {
        const ProbeSpec spec = remainingSpec({keptSoak(elapsed), nullptr});
        const auto valid = validate(spec);
        return valid ? std::get<SoakOptions>(spec.options).duration : std::chrono::milliseconds(-1);
    };
    QCOMPARE(left(0s), std::chrono::milliseconds(600s));
    QCOMPARE(left(599'500ms), std::chrono::milliseconds(10s)); // the shortest there is
    QCOMPARE(left(100'200ms), std::chrono::milliseconds(500s));
    QCOMPARE(left(700s), std::chrono::milliseconds(10s));
}

void TestSoakKeeper::verdictInWords()
{
    ProbeResult result = keptSoak(600s).result;
    const auto valueOf = [&result](const QString& label) {
        for (const ResultRow& row : resultText(result).rows) {
            if (row.label == label)
                return QString(row.value).replace(QChar(0x00a0), u' ');
        }
        return QString();
    };
    result.quality = assessQuality(result);
    const QString clean = valueOf(QStringLiteral("Verdict"));
    QVERIFY2(clean.startsWith(QStringLiteral("No stall, no drop-out, no damaged block in 10")) &&
                 clean.contains(QStringLiteral("1.00 MB checked")),
             qPrintable(clean));
    QVERIFY(!resultText(result).table);
    QVERIFY(headline(result).startsWith(QStringLiteral("no faults")));
    QVERIFY(valueOf(QStringLiteral("Drift")).contains(QStringLiteral("too short")));
    auto& data = std::get<SoakData>(result.data);
    data.stalls = 2;
    data.dropOuts = 1;
    data.resets = 1;
    data.totals[0].corrupted = 1;
    SoakEvent damaged;
    damaged.kind = SoakEvent::Kind::Corrupted;
    damaged.direction = Direction::Reverse;
    damaged.start = 90s;
    damaged.block = 12;
    damaged.offset = 34;
    damaged.expected = 0xa0;
    damaged.got = 0xa1;
    damaged.wrongBytes = 1;
    data.events = {damaged};
    result.quality = assessQuality(result);
    const QString faulty = valueOf(QStringLiteral("Verdict"));
    QVERIFY2(faulty.contains(QStringLiteral("2 stalls, 1 drop-outs")), qPrintable(faulty));
    QVERIFY(headline(result).startsWith(QStringLiteral("faults")));
    const auto table = resultText(result).table;
    QVERIFY(table && table->rows.size() == 1);
    QVERIFY2(
        table->rows[0].last().contains(QStringLiteral("block 12, byte 34: 0xa1 instead of 0xa0")),
        qPrintable(table->rows[0].last()));
    const auto flag =
        std::ranges::find(result.quality, QualityFlag::FaultsSeen, &QualityNote::flag);
    QVERIFY(flag != result.quality.end());
    QVERIFY(flag->evidence.contains(QStringLiteral("stalls 2, drop-outs 1, damaged blocks 1")));
}

QTEST_GUILESS_MAIN(TestSoakKeeper)
#include "tst_soakkeeper.moc"
