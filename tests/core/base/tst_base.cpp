// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/boundedjson.h"
#include "core/base/deadline.h"
#include "core/base/errortext.h"
#include "core/base/id.h"

#include <QTest>

using namespace napkin;
using namespace std::chrono_literals;

class BaseTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyErrorHasANameAndWords()
    {
        for (int i = 0; i <= static_cast<int>(ErrorCode::Internal); ++i) {
            const auto code = static_cast<ErrorCode>(i);
            const auto back = errorCodeFromName(errorCodeName(code));
            QVERIFY(back.has_value());
            QCOMPARE(*back, code);
            const ErrorText text = describe(
                Error{code, QStringLiteral("because"), QStringLiteral("box:5201"), nullptr});
            QVERIFY2(!text.what.isEmpty(), qPrintable(errorCodeName(code)));
            QVERIFY(!text.what.contains(QStringLiteral("%1")));
            QCOMPARE(text.why, QStringLiteral("Because."));
        }
        QVERIFY(!errorCodeFromName(u"fine").has_value());
    }
    void busyTellsWhatToDo()
    {
        const QString text =
            describe(Error{ErrorCode::PeerBusy, {}, QStringLiteral("spark-b:5201"), nullptr})
                .joined();
        QVERIFY(text.startsWith(QStringLiteral("spark-b:5201 is busy with another test.")));
        QVERIFY(text.contains(QStringLiteral("napkin-cli serve --port 5202")));
    }
    void causeIsKept()
    {
        const auto outer =
            failBecause(ErrorCode::StorageUnavailable, QStringLiteral("a.napkin"),
                        Error{ErrorCode::NotFound, QStringLiteral("no such file"), {}, nullptr});
        QCOMPARE(outer.value().cause->code, ErrorCode::NotFound);
        QCOMPARE(outer.value().detail, QStringLiteral("no such file"));
    }
    void idsAreTextAndBack()
    {
        const LinkId id = LinkId::create();
        QCOMPARE(id.text().size(), 32);
        QVERIFY(LinkId::fromText(id.text()) == id);
        QVERIFY(LinkId::fromText(id.text().toUpper()) == id);
        QVERIFY(LinkId::create() != id);
        QVERIFY(LinkId().isNull());
        for (const auto* bad :
             {"", "12", "zz345678901234567890123456789012", "123456789012345678901234567890123"})
            QVERIFY(!LinkId::fromText(QString::fromLatin1(bad)).has_value());
    }
    void deadlinePassesOnce()
    {
        const Deadline past(-5ms);
        QVERIFY(past.hasPassed());
        QCOMPARE(past.remaining(), 0ms);
        const Deadline later(10s);
        QVERIFY(!later.hasPassed());
        QVERIFY(later.within(1s).remaining() <= 1s);
        QVERIFY(later.within(60s).end() == later.end());
    }
    void jsonIsBounded_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("good");
        QTest::newRow("object") << QByteArray(R"({"a":[1,{"b":null}]})") << true;
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("cut") << QByteArray(R"({"a":[1,2)") << false;
        QTest::newRow("two documents") << QByteArray("{}{}") << false;
        QTest::newRow("twice the same key") << QByteArray(R"({"a":1,"a":2})") << false;
        QTest::newRow("same key in another object")
            << QByteArray(R"({"a":{"a":1},"b":{"a":2}})") << true;
        QTest::newRow("16 deep") << QByteArray(16, '[') + QByteArray(16, ']') << true;
        QTest::newRow("17 deep") << QByteArray(17, '[') + QByteArray(17, ']') << false;
        QTest::newRow("a million deep") << QByteArray(1'000'000, '[') << false;
        QTest::newRow("not UTF-8") << QByteArray("\"\xff\xfe\"") << false;
        QTest::newRow("not a number") << QByteArray("[nan]") << false;
        QTest::newRow("number too large") << QByteArray("[1e999]") << false;
    }
    void jsonIsBounded()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, good);
        const auto json = parseJson(text);
        QCOMPARE(json.has_value(), good);
        if (!good)
            QVERIFY(!json.error().detail.isEmpty());
    }
    void jsonOverItsSizeIsRefused()
    {
        const auto json = parseJson(QByteArray(100, ' ') + "1", JsonBounds{100, 4});
        QVERIFY(!json.has_value());
        QCOMPARE(json.error().code, ErrorCode::FrameTooLarge);
    }
    void readerNamesTheFirstFault()
    {
        const auto json =
            parseJson(QByteArray(R"({"n":"x","big":18446744073709551615,"half":1.5})"));
        JsonReader reader(*json);
        QCOMPARE(reader.integer(*json, "n"), 0);
        QCOMPARE(reader.text(*json, "missing"), QString());
        QVERIFY(reader.fault()->detail.startsWith(QStringLiteral("n:")));
        for (const auto* key : {"big", "half", "missing"}) {
            JsonReader other(*json);
            QCOMPARE(other.integer(*json, key), 0);
            QVERIFY(!other.ok());
        }
    }
};

QTEST_GUILESS_MAIN(BaseTest)
#include "tst_base.moc"
