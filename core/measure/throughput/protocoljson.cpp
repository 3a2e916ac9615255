// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/boundedjson.h"
#include "core/measure/throughput/protocol.h"

#include <QCoreApplication>

#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace napkin::iperf3 {

namespace {

using Json = nlohmann::json;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Iperf3Protocol)
};

constexpr int maxDepth = 8;
constexpr std::int64_t mostBytes = std::int64_t(1) << 56; // 100 Gb/s for ten weeks
constexpr double mostSeconds = 1e7;
constexpr int defaultDatagram = 1460;

// The key's value when it is there and a number, as the C library would read it. Some versions
// write counters as unsigned, some as floating point.
std::optional<double> plainNumber(const Json& in, const char* key)
{
    const auto found = in.find(key);
    if (found == in.end() || !found->is_number())
        return std::nullopt;
    const double value = found->get<double>();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> wholeNumber(const Json& in, const char* key)
{
    const auto found = in.find(key);
    if (found == in.end() || !found->is_number())
        return std::nullopt;
    if (found->is_number_unsigned()) {
        const auto value = found->get<std::uint64_t>();
        if (value == std::numeric_limits<std::uint64_t>::max())
            return -1; // how 3.12 writes "unknown"
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return std::nullopt;
        return static_cast<std::int64_t>(value);
    }
    if (found->is_number_integer())
        return found->get<std::int64_t>();
    const double value = found->get<double>();
    constexpr double limit = 9e18;
    if (!std::isfinite(value) || value < -limit || value > limit)
        return value >= 18446744073709549568.0 && std::isfinite(value)
                   ? std::optional<std::int64_t>(-1)
                   : std::nullopt;
    return static_cast<std::int64_t>(value);
}

QString shortText(const Json& in, const char* key)
{
    const auto found = in.find(key);
    constexpr size_t longest = 256;
    if (found == in.end() || !found->is_string())
        return {};
    return QString::fromStdString(found->get_ref<const std::string&>().substr(0, longest));
}

// Reads options with their ranges and remembers the first that is wrong.
class Options
{
public:
    explicit Options(const Json& in)
        : m_in(in)
    {}

    [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }

    std::int64_t number(const char* key, std::int64_t otherwise, std::int64_t least,
                        std::int64_t most)
    {
        if (!m_in.contains(key))
            return otherwise;
        const auto value = wholeNumber(m_in, key);
        if (value && *value >= least && *value <= most)
            return *value;
        refuse(key);
        return otherwise;
    }

    // Stock iperf3 takes the mere presence of a flag for "on", even with the value false. Which of
    // the two was meant cannot be known, so false is refused rather than the wrong way measured.
    bool flag(const char* key)
    {
        const auto found = m_in.find(key);
        if (found == m_in.end())
            return false;
        const bool isOn = (found->is_boolean() && found->get<bool>()) ||
                          (found->is_number_integer() && found->get<std::int64_t>() == 1);
        if (!isOn)
            refuse(key);
        return isOn;
    }

private:
    void refuse(const char* key)
    {
        if (!m_fault)
            m_fault = Error{ErrorCode::InvalidArgument,
                            {},
                            Words::tr("The option “%1”").arg(QLatin1StringView(key)),
                            nullptr};
    }

    const Json& m_in;
    std::optional<Error> m_fault;
};

bool isCount(std::optional<std::int64_t> value)
{
    return value && *value >= 0 && *value <= mostBytes;
}

bool isDifference(std::optional<std::int64_t> value)
{
    return value && *value >= -mostBytes && *value <= mostBytes;
}

std::optional<DatagramCounts> decodeDatagrams(const Json& in)
{
    const auto packets = wholeNumber(in, "packets");
    const auto errors = wholeNumber(in, "errors");
    const auto jitter = plainNumber(in, "jitter");
    if (!isCount(packets) || !isDifference(errors) || !jitter || *jitter < 0 ||
        *jitter > mostSeconds)
        return std::nullopt;
    DatagramCounts counts{*packets, *errors, *jitter, {}, {}, {}};
    const auto omittedPackets = wholeNumber(in, "omitted_packets");
    const auto omittedErrors = wholeNumber(in, "omitted_errors");
    if (isCount(omittedPackets) && isDifference(omittedErrors)) {
        counts.omittedPackets = omittedPackets;
        counts.omittedErrors = omittedErrors;
    }
    if (const auto late = wholeNumber(in, "out_of_order"); isCount(late))
        counts.outOfOrder = late;
    return counts;
}

Json streamToJson(const StreamResult& stream)
{
    const DatagramCounts datagrams = stream.datagrams.value_or(DatagramCounts());
    Json item{{"id", stream.id},
              {"bytes", stream.bytes},
              {"retransmits", stream.retransmits.value_or(-1)},
              {"jitter", datagrams.jitter},
              {"errors", datagrams.errors},
              {"packets", datagrams.packets}};
    if (datagrams.omittedPackets && datagrams.omittedErrors) {
        item["omitted_errors"] = *datagrams.omittedErrors;
        item["omitted_packets"] = *datagrams.omittedPackets;
    }
    if (datagrams.outOfOrder)
        item["out_of_order"] = *datagrams.outOfOrder;
    if (stream.startTime && stream.endTime) {
        item["start_time"] = *stream.startTime;
        item["end_time"] = *stream.endTime;
    }
    return item;
}

Result<StreamResult> decodeStream(const Json& in)
{
    const auto id = in.is_object() ? wholeNumber(in, "id") : std::nullopt;
    const auto bytes = in.is_object() ? wholeNumber(in, "bytes") : std::nullopt;
    if (!id || *id < 1 || *id > 2 * maxStreams + 1)
        return fail(ErrorCode::ProtocolViolation, {}, Words::tr("a stream without a valid number"));
    if (!bytes || *bytes < 0 || *bytes > mostBytes)
        return fail(ErrorCode::ProtocolViolation, {},
                    Words::tr("stream %1 has no valid count of bytes").arg(*id));
    StreamResult stream;
    stream.id = static_cast<int>(*id);
    stream.bytes = *bytes;
    if (const auto count = wholeNumber(in, "retransmits"); count && *count >= 0)
        stream.retransmits = count;
    stream.datagrams = decodeDatagrams(in);
    const auto start = plainNumber(in, "start_time");
    const auto end = plainNumber(in, "end_time");
    if (start && end && *start >= 0 && *end > *start && *end < mostSeconds) {
        stream.startTime = start;
        stream.endTime = end;
    }
    return stream;
}

constexpr size_t mostArrivals = 1'000;

Json arrivalsToJson(const std::vector<UdpArrival>& arrivals)
{
    Json list = Json::array();
    for (const UdpArrival& a : arrivals)
        list.push_back({a.start.count(), a.length.count(), a.packets, a.bytes.bytes()});
    return list;
}

// All or nothing: a list that makes no sense is as good as none.
std::vector<UdpArrival> decodeArrivals(const Json& in)
{
    const auto list = in.find("arrivals");
    if (list == in.end() || !list->is_array() || list->size() > mostArrivals)
        return {};
    std::vector<UdpArrival> arrivals;
    Duration end{};
    for (const Json& item : *list) {
        std::array<std::int64_t, 4> v{};
        if (!item.is_array() || item.size() != v.size())
            return {};
        for (size_t i = 0; i < v.size(); ++i) {
            if (!item[i].is_number_integer())
                return {};
            v.at(i) = item[i].get<std::int64_t>();
            if (v.at(i) < 0 || v.at(i) > mostBytes)
                return {};
        }
        const UdpArrival arrival{Duration(v[0]), Duration(v[1]), v[2], ByteCount::bytes(v[3])};
        if (arrival.start < end || arrival.length <= Duration::zero() ||
            arrival.length > std::chrono::hours(24) || arrival.start > std::chrono::hours(48))
            return {};
        end = arrival.start + arrival.length;
        arrivals.push_back(arrival);
    }
    return arrivals;
}

} // namespace

QByteArray encodeParameters(const Parameters& parameters)
{
    // Only what is on is written: false or 0 would switch it on at the other side.
    Json json{{parameters.udp ? "udp" : "tcp", true},
              {"omit", parameters.omitSeconds},
              {"time", parameters.timeSeconds},
              {"num", parameters.byteLimit},
              {"blockcount", parameters.blockLimit},
              {"parallel", parameters.streams},
              {"len", parameters.blockSize},
              {"pacing_timer", 1000},
              {"client_version", parameters.clientVersion.toStdString()}};
    if (parameters.flow == Flow::Reverse)
        json["reverse"] = true;
    if (parameters.flow == Flow::Bidirectional)
        json["bidirectional"] = true;
    if (parameters.udp && parameters.longNumbers)
        json["udp_counters_64bit"] = 1; // a number: newer servers take nothing else
    if (parameters.noDelay)
        json["nodelay"] = true;
    if (parameters.maxSegment > 0)
        json["MSS"] = parameters.maxSegment;
    if (parameters.window > 0)
        json["window"] = parameters.window;
    if (parameters.bandwidth > 0)
        json["bandwidth"] = parameters.bandwidth;
    if (!parameters.congestion.isEmpty())
        json["congestion"] = parameters.congestion.toStdString();
    return QByteArray::fromStdString(json.dump());
}

Result<Parameters> decodeParameters(const QByteArray& text)
{
    const auto json = parseJson(text, {parametersLimit, maxDepth});
    if (!json)
        return tl::unexpected(json.error());
    if (!json->is_object())
        return fail(ErrorCode::ParseFailed, {}, Words::tr("the options are not an object"));
    Options options(*json);
    if (options.flag("sctp"))
        return fail(ErrorCode::Unsupported, Words::tr("SCTP"));
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    Parameters p;
    p.udp = options.flag("udp");
    p.longNumbers = options.flag("udp_counters_64bit");
    p.timeSeconds = options.number("time", 10, 0, maxTimeSeconds);
    p.omitSeconds = options.number("omit", 0, 0, maxOmitSeconds);
    p.byteLimit = options.number("num", 0, 0, most);
    p.blockLimit = options.number("blockcount", 0, 0, most);
    p.streams = static_cast<int>(options.number("parallel", 1, 1, maxStreams));
    p.blockSize =
        static_cast<int>(p.udp ? options.number("len", defaultDatagram, minDatagram, maxDatagram)
                               : options.number("len", 128 * 1024, 1, 1024 * 1024));
    p.maxSegment = static_cast<int>(options.number("MSS", 0, 0, 32'767));
    p.window = static_cast<int>(options.number("window", 0, 0, 512 * 1024 * 1024));
    p.bandwidth = static_cast<std::uint64_t>(options.number("bandwidth", 0, 0, most));
    p.noDelay = options.flag("nodelay");
    const bool both = options.flag("bidirectional");
    const bool reverse = options.flag("reverse");
    p.flow = both ? Flow::Bidirectional : reverse ? Flow::Reverse : Flow::Forward;
    p.congestion = shortText(*json, "congestion");
    p.clientVersion = shortText(*json, "client_version");
    if (options.fault())
        return tl::unexpected(*options.fault());
    if (p.timeSeconds == 0 && p.byteLimit == 0 && p.blockLimit == 0)
        return fail(ErrorCode::InvalidArgument, Words::tr("A test without an end"));
    return p;
}

QByteArray encodeResults(const Results& results)
{
    Json streams = Json::array();
    for (const StreamResult& stream : results.streams)
        streams.push_back(streamToJson(stream));
    const int hasRetransmits =
        results.senderHasRetransmits ? (*results.senderHasRetransmits ? 1 : 0) : -1;
    Json json{{"cpu_util_total", results.cpuTotal},
              {"cpu_util_user", results.cpuUser},
              {"cpu_util_system", results.cpuSystem},
              {"sender_has_retransmits", hasRetransmits},
              {"streams", std::move(streams)}};
    if (!results.congestionUsed.isEmpty())
        json["congestion_used"] = results.congestionUsed.toStdString();
    if (!results.program.isEmpty())
        json["program"] = results.program.toStdString();
    if (results.bufferDrops)
        json["buffer_drops"] = *results.bufferDrops;
    if (!results.arrivals.empty())
        json["arrivals"] = arrivalsToJson(results.arrivals);
    return QByteArray::fromStdString(json.dump());
}

Result<Results> decodeResults(const QByteArray& text)
{
    const auto json = parseJson(text, {resultsLimit, maxDepth});
    if (!json)
        return failBecause(ErrorCode::ProtocolViolation, {}, json.error());
    const auto list = json->is_object() ? json->find("streams") : json->end();
    if (!json->is_object() || list == json->end() || !list->is_array())
        return fail(ErrorCode::ProtocolViolation, {}, Words::tr("the results name no streams"));
    if (list->size() > 2 * maxStreams)
        return fail(ErrorCode::ProtocolViolation, {},
                    Words::tr("the results name too many streams"));
    Results results;
    results.cpuTotal = plainNumber(*json, "cpu_util_total").value_or(-1);
    results.cpuUser = plainNumber(*json, "cpu_util_user").value_or(-1);
    results.cpuSystem = plainNumber(*json, "cpu_util_system").value_or(-1);
    if (const auto has = wholeNumber(*json, "sender_has_retransmits"); has && *has >= 0)
        results.senderHasRetransmits = *has > 0;
    results.congestionUsed = shortText(*json, "congestion_used");
    results.program = shortText(*json, "program");
    if (const auto drops = wholeNumber(*json, "buffer_drops"); isCount(drops))
        results.bufferDrops = drops;
    results.arrivals = decodeArrivals(*json);
    std::set<int> seen;
    for (const Json& item : *list) {
        auto stream = decodeStream(item);
        if (!stream)
            return tl::unexpected(stream.error());
        if (!seen.insert(stream->id).second)
            return fail(ErrorCode::ProtocolViolation, {},
                        Words::tr("stream %1 is named twice").arg(stream->id));
        results.streams.push_back(*stream);
    }
    return results;
}

} // namespace napkin::iperf3
