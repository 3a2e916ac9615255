// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/quantity/provenance.h"
#include "core/quantity/quantity.h"
#include "core/results/hostfacts.h"
#include "core/results/spec.h"

#include <QDateTime>
#include <QString>

#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace napkin {

// How the bytes of a sample were counted.
enum class CountedBy {
    Acknowledged, // TCP_INFO's acknowledged bytes, on the sending side
    Received,     // bytes read, on the receiving side
};

// One stream over one interval of about 100 ms. Unknown is nullopt, never zero.
struct ThroughputSample
{
    int stream = 0; // 0, 1, ... within its direction
    Direction direction = Direction::Forward;
    Duration start{}; // since the data began to flow
    Duration length{};
    ByteCount bytes;
    CountedBy countedBy = CountedBy::Received;
    std::optional<std::int64_t> retransmits; // segments, in this interval; only a sender knows
    std::optional<ByteCount> congestionWindow;
    std::optional<Duration> rtt; // smoothed, as the kernel has it
    bool omitted = false;        // within the omit period: not part of any figure
    bool operator==(const ThroughputSample&) const = default;
};

// One stream over the whole measured time (without omit): the figures of record.
struct StreamTotal
{
    int stream = 0;
    Direction direction = Direction::Forward;
    ByteCount received;            // the receiver's count at the end
    std::optional<ByteCount> sent; // what the sender handed to its socket; only for comparison
    Duration duration{};           // the receiver's own time over which it counted
    std::optional<std::int64_t> retransmits;
    bool operator==(const StreamTotal&) const = default;
};

// CPU time of a process over the run, as a share of one core: 1.0 is one core busy all the time.
struct CpuUse
{
    Ratio total;
    Ratio user;
    Ratio system;
    bool operator==(const CpuUse&) const = default;
};

struct ThroughputData
{
    std::vector<ThroughputSample> samples;
    std::vector<StreamTotal> totals; // empty in a partial run: the far end never told
    std::optional<CpuUse> nearCpu;
    std::optional<CpuUse> farCpu;
    QString congestionControl; // what was in use at the near end
    QString farProgram;        // "iperf3 3.12", "napkin 0.1.0", or empty: not told
    bool operator==(const ThroughputData&) const = default;
};

struct ConnectSample
{
    enum class Outcome { Connected, Refused, TimedOut, Unreachable };
    Duration start{}; // since the first attempt
    Duration time{};  // from SYN to established, or to the refusal
    Outcome outcome = Outcome::Connected;
    bool operator==(const ConnectSample&) const = default;
};

struct ConnectData
{
    std::vector<ConnectSample> samples;
    bool operator==(const ConnectData&) const = default;
};

// In the order of ProbeKind.
using ProbeData =
    std::variant<ThroughputData, ConnectData, LatencyData, SweepData, LoadedLatencyData,
                 PathMtuData, UdpData, MemoryData, StorageData, SoakData>;
static_assert(std::variant_size_v<ProbeData> == probeKinds.size());

// What was known of one end. Empty or nullopt: not known.
struct HostConditions
{
    QString hostName;
    QString operatingSystem; // "Debian GNU/Linux 12 (bookworm)"
    QString kernel;          // "Linux 6.1.0-18-amd64"
    QString cpu;             // model
    QString address;         // the address the data went from or to
    QString interfaceName;   // through which it went; "lo" when both ends are one machine
    QString driver;
    std::optional<BitRate> negotiatedSpeed;
    std::optional<int> mtu;               // bytes
    std::optional<HostFacts> facts;       // as the run began
    std::optional<HostActivity> activity; // while it ran
    bool operator==(const HostConditions&) const = default;
};

struct Conditions
{
    HostConditions near;
    HostConditions far;                  // a stock iperf3 far end tells next to nothing
    std::optional<ClockOffset> farClock; // against the near end's
    bool operator==(const Conditions&) const = default;
};

// Why a figure should be read with care.
enum class QualityFlag {
    Partial,           // ended before its time
    TooShort,          // under 0.9 s of samples, fewer than five handshakes or rounds of a sweep,
                       // fewer than ten passes over memory, or fewer than 20 answers
    Loopback,          // this machine talking to itself: no link was measured
    StreamsUnequal,    // a stream got less than half of its fair share
    NotSteady,         // the rate of the second half differs from the first by more than 10 %; of
                       // a run that ends when it is sure: it drifts, steps or swings
    CpuBound,          // a core of either end was at its limit: the wire may be faster
    WrongInterface,    // the bytes took another interface than the link's
    BackgroundTraffic, // the link's interfaces carried more than this run
    ClockTooCoarse,    // the clock's step is more than 1 % of what was timed
    PeerOverloaded,    // an end had more to do than cores before the run began
    IntervalAnomaly,   // samples came at times that were not asked for
    Contradictory,     // the two ends' counts can not both be true
    OtherWork,         // other programs had the cores that a machine's memory was measured with
    FromCache,         // part of a file came from the machine's memory, or may have
    NotADisk,          // the file lies on another machine, or in memory
    CpuTaken,          // other programs kept an end's processors busy: the wire may be faster
    LongWarmUp,        // over a quarter of the time was left out at the start
    FaultsSeen,        // a soak saw stalls, drop-outs or damaged blocks
    // What follows is found of the link, and no doubt of the run: see isFinding().
    MessagesLost, // 1 % or more of the messages or datagrams
    BlackHole,    // larger packets vanish without a word, or a large transfer stood still
};

struct QualityNote
{
    QualityFlag flag = QualityFlag::Partial;
    QString evidence; // figures behind it, English, for JSON and logs
    bool operator==(const QualityNote&) const = default;
};

enum class Completion {
    Complete,
    Partial, // stopped by the user or by a fault; what had been gathered is kept
};

// One run of a probe, as it is kept. A run in which nothing was gathered is no ProbeResult but an
// Error.
struct ProbeResult
{
    RecordId id; // made by the session
    ProbeSpec spec;
    QDateTime startedAt; // UTC
    QDateTime endedAt;
    Completion completion = Completion::Complete;
    std::optional<Error> fault; // why it is partial
    Origin origin = Origin::Mine;
    Conditions conditions;
    std::vector<QualityNote> quality;
    QString tool;        // "napkin"
    QString toolVersion; // NAPKIN_VERSION
    ProbeData data;
    bool operator==(const ProbeResult&) const = default;
};

enum class Phase { Resolving, Connecting, Omitting, Measuring, Finishing };

// What a probe tells while it runs, on the caller's thread, 10 to 20 times a second. The samples
// are new ones since the last call.
struct Progress
{
    Phase phase = Phase::Connecting;
    double fraction = 0; // of the whole run, 0 to 1
    ProbeData data;      // only the new samples are filled
};
using ProgressSink = std::function<void(const Progress&)>;

[[nodiscard]] QString qualityFlagName(QualityFlag flag); // stable
[[nodiscard]] Result<QualityFlag> qualityFlagFromName(QStringView name);
[[nodiscard]] QString qualityFlagText(QualityFlag flag); // a translated sentence
// Whether it tells something bad of what was measured, and nothing against the measuring: such a
// run stands for its link like one without a flag.
[[nodiscard]] bool isFinding(QualityFlag flag);

// Which quality notes a result has earned, from its data and conditions alone.
[[nodiscard]] std::vector<QualityNote> assessQuality(const ProbeResult& result);

} // namespace napkin
