// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/quantity/parse.h"
#include "core/quantity/provenance.h"

#include <QTest>

using namespace napkin;
using namespace std::chrono_literals;

namespace {

QString plain(QString text)
{
    return text.replace(QChar(0x00a0), u' ');
}

const QLocale english(QLocale::English, QLocale::UnitedStates);
const QLocale german(QLocale::German, QLocale::Germany);
const QLocale french(QLocale::French, QLocale::France);

} // namespace

class QuantityTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void ladderOfTheLesson_data()
    {
        QTest::addColumn<double>("gigabits");
        QTest::addColumn<double>("gigabytes");
        QTest::newRow("2.5 GbE") << 2.5 << 0.3125;
        QTest::newRow("10 GbE") << 10.0 << 1.25;
        QTest::newRow("25 GbE") << 25.0 << 3.125;
        QTest::newRow("Thunderbolt 4") << 40.0 << 5.0;
        QTest::newRow("100 GbE") << 100.0 << 12.5;
        QTest::newRow("Thunderbolt 5") << 120.0 << 15.0;
        QTest::newRow("200 GbE") << 200.0 << 25.0;
    }
    void ladderOfTheLesson()
    {
        QFETCH(double, gigabits);
        QFETCH(double, gigabytes);
        const BitRate rate = BitRate::gigabitsPerSecond(gigabits);
        QCOMPARE(rate.toByteRate().gigabytesPerSecond(), gigabytes);
        QVERIFY(rate.toByteRate().toBitRate() == rate);
    }
    void rateOfBytesOverTime()
    {
        QCOMPARE(BitRate::of(ByteCount::bytes(1'250'000'000), 1s).gigabitsPerSecond(), 10.0);
        QCOMPARE(BitRate::of(ByteCount::bytes(1), 1ns).bitsPerSecond(),
                 std::int64_t(8'000'000'000));
        QCOMPARE(BitRate::of(ByteCount::bytes(0), 1s).bitsPerSecond(), std::int64_t(0));
        // A day at 200 Gb/s, to the last bit.
        QCOMPARE(BitRate::of(ByteCount::bytes(2'160'000'000'000'000), 86'400s).bitsPerSecond(),
                 std::int64_t(200'000'000'000));
    }
    // As people round: half goes up, in every place and wherever it comes from.
    void halfGoesUp_data()
    {
        QTest::addColumn<double>("gigabits");
        QTest::addColumn<QString>("shown");
        QTest::newRow("exact tie, even below") << 312.5 << QStringLiteral("313");
        QTest::newRow("exact tie, odd below") << 313.5 << QStringLiteral("314");
        QTest::newRow("a decimal") << 62.25 << QStringLiteral("62.3");
        QTest::newRow("no binary fraction") << 1.005 << QStringLiteral("1.01");
        QTest::newRow("nor this one") << 9.945 << QStringLiteral("9.95");
        QTest::newRow("just below") << 1.004999 << QStringLiteral("1.00");
        QTest::newRow("up to the next digit") << 99.95 << QStringLiteral("100");
        QTest::newRow("small") << 0.0125 << QStringLiteral("0.0125");
        QTest::newRow("small, next digit") << 0.09995 << QStringLiteral("0.100");
        QTest::newRow("small tie") << 0.01235 << QStringLiteral("0.0124");
    }
    void halfGoesUp()
    {
        QFETCH(double, gigabits);
        QFETCH(QString, shown);
        QCOMPARE(formatNumber(gigabits, english), shown);
        QCOMPARE(formatNumber(-gigabits, english), u'-' + shown);
    }
    void halfGoesUpWithUnits()
    {
        const BitRate rate = BitRate::gigabitsPerSecond(2.5);
        QCOMPARE(plain(formatByteRate(rate.toByteRate(), english)), QStringLiteral("313 MB/s"));
        QCOMPARE(plain(formatRating(rate.toByteRate(), english)), QStringLiteral("313 MB/s"));
        QCOMPARE(formatGigabytes(rate.toByteRate(), english), QStringLiteral("0.313"));
        QCOMPARE(formatRatedGigabytes(rate.toByteRate(), english), QStringLiteral("0.313"));
        QCOMPARE(plain(formatBitRate(BitRate::bitsPerSecond(1'005'000'000), english)),
                 QStringLiteral("1.01 Gb/s"));
        QCOMPARE(plain(formatDuration(1'005us, english)), QStringLiteral("1.01 ms"));
    }
    void parsesRates_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bits");
        const auto row = [](const char* text, qint64 bits) {
            QTest::newRow(text) << QString::fromUtf8(text) << bits;
        };
        row("2.5 GbE", 2'500'000'000);
        row("2.5GbE", 2'500'000'000);
        row("2.5 Gb/s", 2'500'000'000);
        row(" 10 Gbit/s ", 10'000'000'000);
        row("100 Gbps", 100'000'000'000);
        row("941 Mb/s", 941'000'000);
        row("312 MB/s", 2'496'000'000);
        row("25 GBps", 200'000'000'000);
        row("1 GiB/s", 8'589'934'592);
        row("1e3 b/s", 1'000);
        row("9600 bit/s", 9'600);
        row(".5 Gb/s", 500'000'000);
        row("1.2 TB/s", 9'600'000'000'000);
        row("10\u00a0Gb/s", 10'000'000'000);
    }
    void parsesRates()
    {
        QFETCH(QString, text);
        QFETCH(qint64, bits);
        const auto rate = parseBitRate(text, english);
        QVERIFY2(rate.has_value(), qPrintable(rate ? QString() : rate.error().detail));
        QCOMPARE(rate->bitsPerSecond(), bits);
    }
    void refusesRatesWithTheReason_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* text, const char* why) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(why);
        };
        row("", "empty");
        row("2.5", "unit is missing");
        row("fast", "does not begin with a number");
        row("2.5 gb/s", "bits or bytes");
        row("2.5 gbps", "bits or bytes");
        row("10 Gb", "an amount, not a rate");
        row("10 GB", "an amount, not a rate");
        row("10 GHz", "not a unit of rate");
        row("1,000 Mb/s", "comma");
        row("1.000.000 b/s", "separators");
        row("-1 Gb/s", "negative");
        row("1e30 Gb/s", "too large");
        row("10 kbE", "not a unit of rate");
    }
    void refusesRatesWithTheReason()
    {
        QFETCH(QString, text);
        QFETCH(QString, why);
        const auto rate = parseBitRate(text, english);
        QVERIFY(!rate.has_value());
        QCOMPARE(rate.error().code, ErrorCode::ParseFailed);
        QVERIFY2(rate.error().detail.contains(why), qPrintable(rate.error().detail));
    }
    void decimalCommaOnlyWhereTheLocaleHasIt()
    {
        QCOMPARE(parseBitRate(u"2,5 Gb/s", german)->gigabitsPerSecond(), 2.5);
        QCOMPARE(parseBitRate(u"2.5 Gb/s", german)->gigabitsPerSecond(), 2.5);
        QVERIFY(!parseBitRate(u"2,5 Gb/s", english).has_value());
        QVERIFY(!parseBitRate(u"1.000,5 Mb/s", german).has_value());
        QVERIFY(!parseBitRate(u"1.000 Mb/s", german).has_value());
        QCOMPARE(parseBitRate(u"0.125 Gb/s", german)->megabitsPerSecond(), 125.0);
        QCOMPARE(parseBitRate(u"1,000 Gb/s", german)->gigabitsPerSecond(), 1.0);
        QCOMPARE(parseBitRate(u"1.000 Gb/s", english)->gigabitsPerSecond(), 1.0);
    }
    void parsesSizesAndTimes()
    {
        QCOMPARE(parseByteCount(u"128 KiB", english)->bytes(), 131'072);
        QCOMPARE(parseByteCount(u"1 MiB", english)->bytes(), 1'048'576);
        QCOMPARE(parseByteCount(u"16 kB", english)->bytes(), 16'000);
        QCOMPARE(parseByteCount(u"8192 bytes", english)->bytes(), 8'192);
        QCOMPARE(parseByteCount(u"0.5 KiB", english)->bytes(), 512);
        for (const auto* bad : {"1", "1 MB/s", "0.3 B", "1 Mb", "x"})
            QVERIFY(!parseByteCount(QString::fromLatin1(bad), english).has_value());
        QCOMPARE(*parseDuration(u"300us", english), Duration(300us));
        QCOMPARE(*parseDuration(u"300 µs", english), Duration(300us));
        QCOMPARE(*parseDuration(u"1.5 ms", english), Duration(1500us));
        QCOMPARE(*parseDuration(u"10 s", english), Duration(10s));
        QCOMPARE(*parseDuration(u"2 min", english), Duration(2min));
        for (const auto* bad : {"10", "10 m", "s", "1e20 s"})
            QVERIFY(!parseDuration(QString::fromLatin1(bad), english).has_value());
    }
    void formatsThreeDigits_data()
    {
        QTest::addColumn<qint64>("bits");
        QTest::addColumn<QString>("text");
        const auto row = [](qint64 bits, const char* text) {
            QTest::newRow(text) << bits << QString::fromLatin1(text);
        };
        row(0, "0 b/s");
        row(999, "999 b/s");
        row(1'000, "1.00 kb/s");
        row(94'100'000, "94.1 Mb/s");
        row(941'499'999, "941 Mb/s");
        row(999'499'999, "999 Mb/s");
        row(999'950'000, "1.00 Gb/s");
        row(2'500'000'000, "2.50 Gb/s");
        row(9'416'000'000, "9.42 Gb/s");
        row(99'960'000'000, "100 Gb/s");
        row(189'850'000'000, "190 Gb/s");
    }
    void formatsThreeDigits()
    {
        QFETCH(qint64, bits);
        QFETCH(QString, text);
        QCOMPARE(plain(formatBitRate(BitRate::bitsPerSecond(bits), english)), text);
    }
    void formatsInTheLocale()
    {
        const auto rate = BitRate::gigabitsPerSecond(9.416);
        QCOMPARE(plain(formatBitRate(rate, german)), QStringLiteral("9,42 Gb/s"));
        QCOMPARE(plain(formatByteRate(rate.toByteRate(), english)), QStringLiteral("1.18 GB/s"));
        // Where the locale groups thousands, so do we; the digits are all there.
        QCOMPARE(formatNumber(12'345.6, english), QStringLiteral("12,346"));
        QCOMPARE(formatNumber(12'345.6, french).remove(QChar(0x202f)).remove(QChar(0x00a0)),
                 QStringLiteral("12346"));
    }
    void formatsRatings()
    {
        const auto bits = [](double giga) {
            return plain(formatRating(BitRate::gigabitsPerSecond(giga), english));
        };
        QCOMPARE(bits(10), QStringLiteral("10 Gb/s"));
        QCOMPARE(bits(2.5), QStringLiteral("2.5 Gb/s"));
        QCOMPARE(bits(120), QStringLiteral("120 Gb/s"));
        QCOMPARE(bits(63.015), QStringLiteral("63.0 Gb/s"));
        QCOMPARE(bits(0.1), QStringLiteral("100 Mb/s"));
        const auto ten = BitRate::gigabitsPerSecond(10);
        QCOMPARE(plain(formatRating(ten.toByteRate(), english)), QStringLiteral("1.25 GB/s"));
        QCOMPARE(plain(formatRating(ten.toByteRate(), german)), QStringLiteral("1,25 GB/s"));
        QCOMPARE(formatRatedGigabits(ten, english), QStringLiteral("10"));
        QCOMPARE(formatRatedGigabytes(BitRate::gigabitsPerSecond(1).toByteRate(), english),
                 QStringLiteral("0.125"));
    }
    void formatsOthers()
    {
        QCOMPARE(plain(formatDuration(0s, english)), QStringLiteral("0 s"));
        QCOMPARE(plain(formatDuration(12us, english)), QStringLiteral("12.0 µs"));
        QCOMPARE(plain(formatDuration(999'960ns, english)), QStringLiteral("1.00 ms"));
        QCOMPARE(plain(formatDuration(10s, english)), QStringLiteral("10.0 s"));
        QCOMPARE(plain(formatDuration(2h, english)), QStringLiteral("2.00 h"));
        QCOMPARE(plain(formatBytesBinary(ByteCount::kibibytes(128), english)),
                 QStringLiteral("128 KiB"));
        QCOMPARE(plain(formatBytesBinary(ByteCount::mebibytes(1), english)),
                 QStringLiteral("1 MiB"));
        QCOMPARE(plain(formatBytes(ByteCount::bytes(8192), english)), QStringLiteral("8.19 kB"));
        QCOMPARE(plain(formatRatio(Ratio::of(0.942), english)), QStringLiteral("94 %"));
        QCOMPARE(plain(formatRatio(Ratio::of(0.042), english)), QStringLiteral("4.2 %"));
        QCOMPARE(plain(formatRatio(Ratio::of(1.0), english)), QStringLiteral("100 %"));
        // 75 Gb/s on Thunderbolt 5: 62 or 63 % of 120 (62.5), 94 % of 80.
        QCOMPARE(plain(formatRatio(
                     Ratio::of(BitRate::gigabitsPerSecond(75), BitRate::gigabitsPerSecond(80)),
                     english)),
                 QStringLiteral("94 %"));
        QCOMPARE(formatNumber(std::nan(""), english), QStringLiteral("–"));
    }
    void parseReadsWhatFormatWrites()
    {
        for (const qint64 bits : {1'000LL, 94'100'000LL, 2'500'000'000LL, 120'000'000'000LL}) {
            for (const QLocale& locale : {english, german}) {
                const auto back =
                    parseBitRate(formatBitRate(BitRate::bitsPerSecond(bits), locale), locale);
                QVERIFY(back.has_value());
                QCOMPARE(back->bitsPerSecond(), bits);
            }
        }
    }
    void factsKnowWhoseTheyAre()
    {
        const auto rated =
            Fact<BitRate>::rated(BitRate::gigabitsPerSecond(10), QStringLiteral("IEEE 802.3an"));
        QCOMPARE(rated.provenance(), Provenance::Rated);
        QCOMPARE(rated.origin(), Origin::Published);
        const auto modelled =
            Fact<Duration>::modelled(Duration(839us), QStringLiteral("m/beta"),
                                     {{Provenance::Rated, 1}, {Provenance::Assumed, 2}});
        QCOMPARE(modelled.inputs().size(), size_t(2));
        for (const auto p :
             {Provenance::Rated, Provenance::Assumed, Provenance::Modelled, Provenance::Measured})
            QVERIFY(provenanceFromName(provenanceName(p)) == p);
        for (const auto o : {Origin::Mine, Origin::Emulated, Origin::Imported, Origin::Published})
            QVERIFY(originFromName(originName(o)) == o);
        QVERIFY(!provenanceFromName(u"guessed").has_value());
    }
};

QTEST_GUILESS_MAIN(QuantityTest)
#include "tst_quantity.moc"
