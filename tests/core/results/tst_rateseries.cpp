// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/rateseries.h"

#include <QTest>

#include <cmath>

using namespace napkin;
using namespace std::chrono_literals;

namespace {

void add(ThroughputData& data, int stream, Direction direction, Duration length, std::int64_t bytes,
         bool omitted = false)
{
    ThroughputSample sample;
    sample.stream = stream;
    sample.direction = direction;
    sample.length = length;
    sample.bytes = ByteCount::bytes(bytes);
    sample.omitted = omitted;
    data.samples.push_back(sample);
}

} // namespace

class TestRateSeries : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void streamsAreAddedUp()
    {
        ThroughputData data;
        add(data, 0, Direction::Forward, 50ms, 9'999, true);
        for (int i = 1; i <= 3; ++i) {
            add(data, 0, Direction::Forward, 50ms, 1'000 * i);
            add(data, 1, Direction::Forward, 50ms, 500);
            add(data, 0, Direction::Reverse, 50ms, 100);
        }
        const std::vector<double> expected{240'000, 400'000, 560'000}; // bits per second
        QVERIFY(rateSeries(data, Direction::Forward) == expected);
        QVERIFY((rateSeries(data, Direction::Reverse) == std::vector<double>(3, 16'000.0)));
    }

    void whatIsNotWholeIsLeftOut()
    {
        ThroughputData data;
        for (int i = 0; i < 3; ++i) {
            add(data, 0, Direction::Forward, 100ms, 1'250);
            if (i < 2)
                add(data, 1, Direction::Forward, 100ms, 1'250);
        }
        QCOMPARE(rateSeries(data, Direction::Forward).size(), size_t(2)); // of the slower stream
        ThroughputData single;
        add(single, 0, Direction::Forward, 100ms, 1'250);
        add(single, 0, Direction::Forward, 100ms, 1'250);
        add(single, 0, Direction::Forward, 3ms, 1'250); // the end of the run
        QCOMPARE(rateSeries(single, Direction::Forward).size(), size_t(2));
    }

    void nothing()
    {
        QVERIFY(rateSeries({}, Direction::Forward).empty());
        QVERIFY(!rateCertainty({}, Direction::Reverse));
    }

    // Two rates in turn for a while: known, and where.
    void certainty()
    {
        ThroughputData data;
        for (int i = 0; i < 200; ++i)
            add(data, 0, Direction::Forward, 50ms, i % 2 == 0 ? 6'250'000 : 6'262'500);
        const auto certainty = rateCertainty(data, Direction::Forward);
        QVERIFY(certainty.has_value());
        QVERIFY(std::abs(certainty->mean - 1.001e9) < 1e6);
    }
};

QTEST_GUILESS_MAIN(TestRateSeries)
#include "tst_rateseries.moc"
