// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/jsonoptions.h"

namespace napkin::detail {

namespace {

using Json = nlohmann::json;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::int64_t mostMilliseconds = 100'000'000; // over a day: more than any option allows

milliseconds readMilliseconds(JsonReader& reader, const Json& in, const char* key)
{
    return milliseconds(reader.integer(in, key, 0, mostMilliseconds));
}

ByteCount readBytes(JsonReader& reader, const Json& in, const char* key)
{
    return ByteCount::bytes(reader.integer(in, key, 0));
}

int readStreams(JsonReader& reader, const Json& in)
{
    return static_cast<int>(reader.integer(in, "streams", 1, 128));
}

Flow readFlow(JsonReader& reader, const Json& in)
{
    return reader.named<Flow>(in, "flow",
                              {{"forward", Flow::Forward},
                               {"reverse", Flow::Reverse},
                               {"bidirectional", Flow::Bidirectional}});
}

EchoMethod readMethod(JsonReader& reader, const Json& in)
{
    return reader.named<EchoMethod>(
        in, "method",
        {{"icmp", EchoMethod::Icmp}, {"tcp", EchoMethod::Tcp}, {"udp", EchoMethod::Udp}});
}

const char* waitName(WaitMode wait)
{
    return wait == WaitMode::Blocking ? "blocking" : "busy-poll";
}

WaitMode readWait(JsonReader& reader, const Json& in)
{
    return reader.named<WaitMode>(
        in, "wait", {{"blocking", WaitMode::Blocking}, {"busy-poll", WaitMode::BusyPoll}});
}

const char* endingName(Ending ending)
{
    return ending == Ending::FixedTime ? "fixed-time" : "when-sure";
}

Ending readEnding(JsonReader& reader, const Json& in)
{
    return reader.named<Ending>(
        in, "ending", {{"fixed-time", Ending::FixedTime}, {"when-sure", Ending::WhenSure}});
}

Json write(const ThroughputOptions& t)
{
    Json json{{"flow", flowName(t.flow).toStdString()},
              {"streams", t.streams},
              {"duration_ms", t.duration.count()},
              {"omit_ms", t.omit.count()},
              {"block_bytes", t.blockSize.bytes()},
              {"congestion_control", t.congestionControl.toStdString()}};
    // Only where it is not the usual: older results keep their bytes, and so their hashes.
    if (t.ending != Ending::FixedTime)
        json["ending"] = endingName(t.ending);
    return json;
}

Json write(const ConnectOptions& c)
{
    return {{"attempts", c.attempts},
            {"interval_ms", c.interval.count()},
            {"timeout_ms", c.timeout.count()}};
}

Json write(const LatencyOptions& l)
{
    return {{"method", echoMethodName(l.method)},     {"wait", waitName(l.wait)},
            {"message_bytes", l.messageSize.bytes()}, {"duration_ms", l.duration.count()},
            {"interval_us", l.interval.count()},      {"timeout_ms", l.timeout.count()},
            {"ending", endingName(l.ending)}};
}

Json write(const SweepOptions& s)
{
    return {{"wait", waitName(s.wait)},
            {"least_bytes", s.least.bytes()},
            {"most_bytes", s.most.bytes()},
            {"rounds", s.rounds},
            {"duration_ms", s.duration.count()}};
}

Json write(const LoadedLatencyOptions& l)
{
    return {{"method", echoMethodName(l.method)}, {"message_bytes", l.messageSize.bytes()},
            {"phase_ms", l.phase.count()},        {"interval_us", l.interval.count()},
            {"timeout_ms", l.timeout.count()},    {"streams", l.streams}};
}

Json write(const PathMtuOptions& p)
{
    return {
        {"timeout_ms", p.timeout.count()}, {"attempts", p.attempts}, {"bulk_check", p.bulkCheck}};
}

Json write(const UdpOptions& u)
{
    return {{"flow", flowName(u.flow).toStdString()}, {"streams", u.streams},
            {"rate_bps", u.rate.bitsPerSecond()},     {"datagram_bytes", u.datagramSize.bytes()},
            {"duration_ms", u.duration.count()},      {"omit_ms", u.omit.count()}};
}

// Of a path only the last part: whom a result is shown to need not know where a file lies.
QString nameOf(const QString& path)
{
    return path.section(u'/', -1, -1, QString::SectionSkipEmpty);
}

Json write(const MemoryOptions& m)
{
    return {{"duration_ms", m.duration.count()}, {"threads", m.threads}};
}

Json write(const StorageOptions& s)
{
    return {{"file", nameOf(s.file).toStdString()},
            {"duration_ms", s.duration.count()},
            {"request_bytes", s.request.bytes()},
            {"depth", s.depth}};
}

Json write(const SoakOptions& s)
{
    return {{"flow", flowName(s.flow).toStdString()},    {"duration_ms", s.duration.count()},
            {"rate_cap_bps", s.rateCap.bitsPerSecond()}, {"block_bytes", s.blockSize.bytes()},
            {"stall_after_ms", s.stallAfter.count()},    {"lost_after_ms", s.lostAfter.count()}};
}

ThroughputOptions readThroughput(JsonReader& reader, const Json& json)
{
    ThroughputOptions t;
    t.flow = readFlow(reader, json);
    t.streams = readStreams(reader, json);
    t.duration = readMilliseconds(reader, json, "duration_ms");
    t.omit = readMilliseconds(reader, json, "omit_ms");
    t.blockSize = readBytes(reader, json, "block_bytes");
    t.congestionControl = reader.text(json, "congestion_control");
    if (json.contains("ending"))
        t.ending = readEnding(reader, json);
    return t;
}

ConnectOptions readConnect(JsonReader& reader, const Json& json)
{
    ConnectOptions c;
    c.attempts = static_cast<int>(reader.integer(json, "attempts", 0, 1'000'000));
    c.interval = readMilliseconds(reader, json, "interval_ms");
    c.timeout = readMilliseconds(reader, json, "timeout_ms");
    return c;
}

LatencyOptions readLatency(JsonReader& reader, const Json& json)
{
    LatencyOptions l;
    l.method = readMethod(reader, json);
    l.wait = readWait(reader, json);
    l.messageSize = readBytes(reader, json, "message_bytes");
    l.duration = readMilliseconds(reader, json, "duration_ms");
    l.interval = microseconds(reader.integer(json, "interval_us", 0, 1000 * mostMilliseconds));
    l.timeout = readMilliseconds(reader, json, "timeout_ms");
    l.ending = readEnding(reader, json);
    return l;
}

SweepOptions readSweep(JsonReader& reader, const Json& json)
{
    SweepOptions s;
    s.wait = readWait(reader, json);
    s.least = readBytes(reader, json, "least_bytes");
    s.most = readBytes(reader, json, "most_bytes");
    s.rounds = static_cast<int>(reader.integer(json, "rounds", 0, 1'000'000));
    s.duration = readMilliseconds(reader, json, "duration_ms");
    return s;
}

LoadedLatencyOptions readLoaded(JsonReader& reader, const Json& json)
{
    LoadedLatencyOptions l;
    l.method = readMethod(reader, json);
    l.messageSize = readBytes(reader, json, "message_bytes");
    l.phase = readMilliseconds(reader, json, "phase_ms");
    l.interval = microseconds(reader.integer(json, "interval_us", 0, 1000 * mostMilliseconds));
    l.timeout = readMilliseconds(reader, json, "timeout_ms");
    l.streams = readStreams(reader, json);
    return l;
}

PathMtuOptions readPathMtu(JsonReader& reader, const Json& json)
{
    PathMtuOptions p;
    p.timeout = readMilliseconds(reader, json, "timeout_ms");
    p.attempts = static_cast<int>(reader.integer(json, "attempts", 0, 1'000));
    p.bulkCheck = reader.boolean(json, "bulk_check");
    return p;
}

UdpOptions readUdp(JsonReader& reader, const Json& json)
{
    UdpOptions u;
    u.flow = readFlow(reader, json);
    u.streams = readStreams(reader, json);
    u.rate = BitRate::bitsPerSecond(reader.integer(json, "rate_bps", 0));
    u.datagramSize = readBytes(reader, json, "datagram_bytes");
    u.duration = readMilliseconds(reader, json, "duration_ms");
    u.omit = readMilliseconds(reader, json, "omit_ms");
    return u;
}

MemoryOptions readMemory(JsonReader& reader, const Json& json)
{
    MemoryOptions m;
    m.duration = readMilliseconds(reader, json, "duration_ms");
    m.threads = static_cast<int>(reader.integer(json, "threads", 0, 1'000'000));
    return m;
}

StorageOptions readStorage(JsonReader& reader, const Json& json)
{
    StorageOptions s;
    s.file = nameOf(reader.text(json, "file"));
    s.duration = readMilliseconds(reader, json, "duration_ms");
    s.request = readBytes(reader, json, "request_bytes");
    s.depth = static_cast<int>(reader.integer(json, "depth", 0, 1'000'000));
    return s;
}

SoakOptions readSoak(JsonReader& reader, const Json& json)
{
    SoakOptions s;
    s.flow = readFlow(reader, json);
    s.duration = readMilliseconds(reader, json, "duration_ms");
    s.rateCap = BitRate::bitsPerSecond(reader.integer(json, "rate_cap_bps", 0));
    s.blockSize = readBytes(reader, json, "block_bytes");
    s.stallAfter = readMilliseconds(reader, json, "stall_after_ms");
    s.lostAfter = readMilliseconds(reader, json, "lost_after_ms");
    return s;
}

} // namespace

const char* echoMethodName(EchoMethod method)
{
    switch (method) {
    case EchoMethod::Tcp:
        return "tcp";
    case EchoMethod::Udp:
        return "udp";
    case EchoMethod::Icmp:
        break;
    }
    return "icmp";
}

const char* loadName(Load load)
{
    switch (load) {
    case Load::Sending:
        return "sending";
    case Load::Receiving:
        return "receiving";
    case Load::Both:
        return "both";
    case Load::Idle:
        break;
    }
    return "idle";
}

Load readLoad(JsonReader& reader, const Json& in, const char* key)
{
    return reader.named<Load>(in, key,
                              {{"idle", Load::Idle},
                               {"sending", Load::Sending},
                               {"receiving", Load::Receiving},
                               {"both", Load::Both}});
}

Json optionsToJson(const ProbeOptions& options)
{
    return std::visit([](const auto& any) { return write(any); }, options);
}

ProbeOptions optionsFromJson(JsonReader& reader, const Json& json, ProbeKind kind)
{
    switch (kind) {
    case ProbeKind::Throughput:
        return readThroughput(reader, json);
    case ProbeKind::ConnectTime:
        return readConnect(reader, json);
    case ProbeKind::Latency:
        return readLatency(reader, json);
    case ProbeKind::MessageSweep:
        return readSweep(reader, json);
    case ProbeKind::LoadedLatency:
        return readLoaded(reader, json);
    case ProbeKind::PathMtu:
        return readPathMtu(reader, json);
    case ProbeKind::UdpThroughput:
        return readUdp(reader, json);
    case ProbeKind::Memory:
        return readMemory(reader, json);
    case ProbeKind::Storage:
        return readStorage(reader, json);
    case ProbeKind::Soak:
        return readSoak(reader, json);
    }
    return {};
}

} // namespace napkin::detail
