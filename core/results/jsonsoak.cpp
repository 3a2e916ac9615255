// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/jsoncolumns.h"
#include "core/results/jsonprobes.h"

#include <QCoreApplication>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultJson)
};

using Json = nlohmann::json;
using Value = Columns::Value;
using Event = SoakEvent;

constexpr int mostConnections = 1'000'000;
// So that sums of hostile ones stay in range: three years, and a petabyte a span.
constexpr std::int64_t mostTime = 100'000'000'000'000'000;
constexpr std::int64_t mostBytes = 1'000'000'000'000'000;

const char* kindName(Event::Kind kind)
{
    switch (kind) {
    case Event::Kind::DropOut:
        return "drop-out";
    case Event::Kind::Corrupted:
        return "corrupted";
    case Event::Kind::OutOfSequence:
        return "out-of-sequence";
    case Event::Kind::ProgramGap:
        return "program-gap";
    case Event::Kind::HeldUp:
        return "held-up";
    case Event::Kind::Stall:
        break;
    }
    return "stall";
}

const char* causeName(Event::Cause cause)
{
    switch (cause) {
    case Event::Cause::Reset:
        return "reset";
    case Event::Cause::Closed:
        return "closed";
    case Event::Cause::Silent:
        return "silent";
    case Event::Cause::Framing:
        return "framing";
    case Event::Cause::Other:
        break;
    }
    return "other";
}

const char* partName(Event::Part part)
{
    switch (part) {
    case Event::Part::Header:
        return "header";
    case Event::Part::Report:
        return "report";
    case Event::Part::Payload:
        break;
    }
    return "payload";
}

Json eventToJson(const Event& e)
{
    Json json{{"kind", kindName(e.kind)},
              {"direction", nullptr},
              {"start_ns", e.start.count()},
              {"length_ns", e.length.count()},
              {"open", e.isOpen},
              {"cause", causeName(e.cause)},
              {"connection", e.connection},
              {"block", e.block},
              {"part", partName(e.part)},
              {"offset", e.offset},
              {"expected", e.expected},
              {"got", e.got},
              {"wrong_bytes", e.wrongBytes},
              {"wanted_block", e.wantedBlock},
              {"senders", e.isSenders}};
    if (e.direction)
        json["direction"] = directionName(*e.direction).toStdString();
    return json;
}

Event readEvent(JsonReader& reader, const Json& json)
{
    Event e;
    e.kind = reader.named<Event::Kind>(json, "kind",
                                       {{"stall", Event::Kind::Stall},
                                        {"drop-out", Event::Kind::DropOut},
                                        {"corrupted", Event::Kind::Corrupted},
                                        {"out-of-sequence", Event::Kind::OutOfSequence},
                                        {"program-gap", Event::Kind::ProgramGap},
                                        {"held-up", Event::Kind::HeldUp}});
    if (const auto direction = reader.optionalText(json, "direction")) {
        if (*direction == directionName(Direction::Forward))
            e.direction = Direction::Forward;
        else if (*direction == directionName(Direction::Reverse))
            e.direction = Direction::Reverse;
        else
            reader.failAt(QStringLiteral("direction"), Words::tr("not a direction"));
    }
    e.start = Duration(reader.integer(json, "start_ns", 0, mostTime));
    e.length = Duration(reader.integer(json, "length_ns", 0, mostTime));
    e.isOpen = reader.boolean(json, "open");
    e.cause = reader.named<Event::Cause>(json, "cause",
                                         {{"other", Event::Cause::Other},
                                          {"reset", Event::Cause::Reset},
                                          {"closed", Event::Cause::Closed},
                                          {"silent", Event::Cause::Silent},
                                          {"framing", Event::Cause::Framing}});
    e.connection = static_cast<int>(reader.integer(json, "connection", 0, mostConnections));
    e.block = reader.integer(json, "block", 0);
    e.part = reader.named<Event::Part>(json, "part",
                                       {{"payload", Event::Part::Payload},
                                        {"header", Event::Part::Header},
                                        {"report", Event::Part::Report}});
    e.offset = reader.integer(json, "offset", 0, 16 * 1024 * 1024);
    e.expected = static_cast<int>(reader.integer(json, "expected", 0, 255));
    e.got = static_cast<int>(reader.integer(json, "got", 0, 255));
    e.wrongBytes = reader.integer(json, "wrong_bytes", 0, 16 * 1024 * 1024);
    e.wantedBlock = reader.integer(json, "wanted_block", 0);
    e.isSenders = reader.boolean(json, "senders");
    return e;
}

Json spansToJson(const std::vector<SoakSpan>& s)
{
    using S = SoakSpan;
    return {
        {"direction", column(s, [](const S& x) { return Json(static_cast<int>(x.direction)); })},
        {"start_ns", column(s, [](const S& x) { return Json(x.start.count()); })},
        {"length_ns", column(s, [](const S& x) { return Json(x.length.count()); })},
        {"bytes", column(s, [](const S& x) { return Json(x.bytes.bytes()); })},
        {"least_bps", column(s, [](const S& x) { return Json(x.least.bitsPerSecond()); })},
        {"median_bps", column(s, [](const S& x) { return Json(x.median.bitsPerSecond()); })},
        {"most_bps", column(s, [](const S& x) { return Json(x.most.bitsPerSecond()); })},
        {"retransmits", column(s, [](const S& x) { return orNull(x.retransmits); })},
        {"rtt_ns",
         column(s, [](const S& x) { return x.rtt ? Json(x.rtt->count()) : Json(nullptr); })}};
}

std::vector<SoakSpan> readSpans(JsonReader& reader, const Json& in)
{
    const Json* json = reader.object(in, "spans");
    if (json == nullptr)
        return {};
    Columns columns(reader, *json, "direction");
    std::vector<SoakSpan> s(columns.size());
    columns.each(
        "direction", [&](size_t i, Value v) { s[i].direction = static_cast<Direction>(*v); }, 0, 1);
    columns.each("start_ns", [&](size_t i, Value v) { s[i].start = Duration(*v); }, 0, mostTime);
    columns.each("length_ns", [&](size_t i, Value v) { s[i].length = Duration(*v); }, 0, mostTime);
    columns.each(
        "bytes", [&](size_t i, Value v) { s[i].bytes = ByteCount::bytes(*v); }, 0, mostBytes);
    const auto rates = [&](const char* key, BitRate SoakSpan::* member) {
        columns.each(
            key, [&](size_t i, Value v) { s[i].*member = BitRate::bitsPerSecond(*v); }, 0,
            anyCount);
    };
    rates("least_bps", &SoakSpan::least);
    rates("median_bps", &SoakSpan::median);
    rates("most_bps", &SoakSpan::most);
    columns.each(
        "retransmits", [&](size_t i, Value v) { s[i].retransmits = v; }, 0, anyCount, true);
    columns.each(
        "rtt_ns",
        [&](size_t i, Value v) {
            if (v)
                s[i].rtt = Duration(*v);
        },
        0, anyCount, true);
    return s;
}

Json totalToJson(const SoakTotal& t)
{
    return {{"direction", directionName(t.direction).toStdString()},
            {"received_bytes", t.received.bytes()},
            {"checked_bytes", t.checked.bytes()},
            {"blocks", t.blocks},
            {"corrupted", t.corrupted},
            {"lost", t.lost},
            {"duplicated", t.duplicated},
            {"retransmits", orNull(t.retransmits)}};
}

SoakTotal readTotal(JsonReader& reader, const Json& json)
{
    SoakTotal t;
    t.direction = reader.named<Direction>(
        json, "direction", {{"forward", Direction::Forward}, {"reverse", Direction::Reverse}});
    t.received = ByteCount::bytes(reader.integer(json, "received_bytes", 0, 1'000 * mostBytes));
    t.checked = ByteCount::bytes(reader.integer(json, "checked_bytes", 0, 1'000 * mostBytes));
    t.blocks = reader.integer(json, "blocks", 0, mostBytes);
    t.corrupted = reader.integer(json, "corrupted", 0, mostBytes);
    t.lost = reader.integer(json, "lost", 0, mostBytes);
    t.duplicated = reader.integer(json, "duplicated", 0, mostBytes);
    t.retransmits = reader.optionalInteger(json, "retransmits");
    return t;
}

template <typename T>
std::vector<T> readList(JsonReader& reader, const Json& in, const char* key, size_t most,
                        T (*read)(JsonReader&, const Json&))
{
    std::vector<T> items;
    const Json* list = reader.array(in, key);
    if (list == nullptr)
        return items;
    if (list->size() > most)
        reader.failAt(QString::fromLatin1(key), Words::tr("too many values"));
    for (const Json& item : *list) {
        if (!reader.ok())
            break;
        items.push_back(read(reader, item));
    }
    return items;
}

} // namespace

Json toJson(const SoakData& data)
{
    return {{"spans", spansToJson(data.spans)},
            {"events", column(data.events, eventToJson)},
            {"totals", column(data.totals, totalToJson)},
            {"stalls", data.stalls},
            {"drop_outs", data.dropOuts},
            {"resets", data.resets},
            {"program_gaps", data.programGaps},
            {"held_ups", data.heldUps},
            {"events_left_out", data.eventsLeftOut},
            {"elapsed_ns", data.elapsed.count()},
            {"without_connection_ns", data.withoutConnection.count()},
            {"program_gap_ns", data.programGap.count()}};
}

SoakData soakFromJson(JsonReader& reader, const Json& json)
{
    SoakData data;
    data.spans = readSpans(reader, json);
    data.events = readList(reader, json, "events", 2 * mostSoakEvents, readEvent);
    data.totals = readList(reader, json, "totals", 2, readTotal);
    data.stalls = reader.integer(json, "stalls", 0, mostBytes);
    data.dropOuts = reader.integer(json, "drop_outs", 0, mostBytes);
    data.resets = reader.integer(json, "resets", 0, mostBytes);
    data.programGaps = reader.integer(json, "program_gaps", 0, mostBytes);
    data.heldUps = reader.integer(json, "held_ups", 0, mostBytes);
    data.eventsLeftOut = reader.integer(json, "events_left_out", 0, mostBytes);
    data.elapsed = Duration(reader.integer(json, "elapsed_ns", 0, mostTime));
    data.withoutConnection = Duration(reader.integer(json, "without_connection_ns", 0, mostTime));
    data.programGap = Duration(reader.integer(json, "program_gap_ns", 0, mostTime));
    return data;
}

} // namespace napkin::detail
