// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/soaksummary.h"
#include "tests/ui/measure/samples.h"

namespace napkin::test {

// Two hours both ways with a slow fall, two stalls, a drop-out, a damaged block and a program that
// was away; or a clean one.
enum class SoakMood { Clean, Faulty };

inline ProbeResult sampleSoak(SoakMood mood = SoakMood::Faulty)
{
    using namespace std::chrono_literals;
    SoakOptions options;
    options.duration = 2h;
    ProbeResult result = sampleResult(options);
    std::mt19937 random(9);
    std::normal_distribution<double> spread(1, 0.01);
    SoakData data;
    data.elapsed = 2h;
    const bool isFaulty = mood == SoakMood::Faulty;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        SoakTotal total;
        total.direction = direction;
        for (int i = 0; i < 720; ++i) {
            if (isFaulty && i >= 300 && i < 312)
                continue; // no connection
            const double rate = (direction == Direction::Forward ? 940e6 : 925e6) *
                                (isFaulty ? 1 - 0.08 * i / 720 : 1) * spread(random);
            SoakSpan span;
            span.direction = direction;
            span.start = i * 10s;
            span.length = 10s;
            span.bytes = ByteCount::bytes(std::llround(rate * 10 / 8));
            span.median = BitRate::bitsPerSecond(std::llround(rate));
            span.least = BitRate::bitsPerSecond(std::llround(rate * 0.97));
            span.most = BitRate::bitsPerSecond(std::llround(rate * 1.02));
            span.rtt = 800us;
            total.received += span.bytes;
            data.spans.push_back(span);
        }
        total.checked = total.received;
        total.blocks = total.received.bytes() / 262'144;
        total.retransmits = 12;
        data.totals.push_back(total);
    }
    if (isFaulty) {
        const auto event = [&data](SoakEvent::Kind kind, Duration start, Duration length) {
            SoakEvent one;
            one.kind = kind;
            one.start = start;
            one.length = length;
            data.events.push_back(one);
            return &data.events.back();
        };
        event(SoakEvent::Kind::Stall, 20min, 3s)->direction = Direction::Forward;
        event(SoakEvent::Kind::DropOut, 50min, 2min)->cause = SoakEvent::Cause::Silent;
        event(SoakEvent::Kind::ProgramGap, 80min, 12min);
        SoakEvent* damaged = event(SoakEvent::Kind::Corrupted, 95min, 0s);
        damaged->direction = Direction::Reverse;
        damaged->block = 1'234'567;
        damaged->offset = 4'711;
        damaged->expected = 0x5a;
        damaged->got = 0x5e;
        damaged->wrongBytes = 1;
        event(SoakEvent::Kind::Stall, 110min, 1500ms)->direction = Direction::Reverse;
        data.stalls = 2;
        data.dropOuts = 1;
        data.programGaps = 1;
        data.programGap = 12min;
        data.withoutConnection = 2min;
        data.totals[1].corrupted = 1;
    }
    result.data = std::move(data);
    result.quality = assessQuality(result);
    return result;
}

} // namespace napkin::test
