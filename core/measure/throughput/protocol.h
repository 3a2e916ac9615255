// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/results/spec.h"
#include "core/results/udp.h"

#include <QByteArray>

#include <cstdint>
#include <optional>
#include <vector>

// The iperf3 protocol's messages as bytes, without any socket. Pure functions, any thread.
namespace napkin::iperf3 {

inline constexpr int cookieSize = 37; // 36 characters and a NUL
inline constexpr qsizetype parametersLimit = 8 * 1024;
inline constexpr qsizetype resultsLimit = 16 * 1024 * 1024;
inline constexpr int maxStreams = 128; // per direction
inline constexpr std::int64_t maxTimeSeconds = 86'400;
inline constexpr std::int64_t maxOmitSeconds = 600;

enum class State : std::int8_t {
    TestStart = 1,
    TestRunning = 2,
    TestEnd = 4,
    ParamExchange = 9,
    CreateStreams = 10,
    ServerTerminate = 11,
    ClientTerminate = 12,
    ExchangeResults = 13,
    DisplayResults = 14,
    IperfDone = 16,
    AccessDenied = -1,
    ServerError = -2,
};

// What follows ServerError.
struct ServerFault
{
    std::int32_t code = 0;  // iperf3's own error number
    std::int32_t error = 0; // errno of the server
};
inline constexpr qsizetype serverFaultSize = 8;
inline constexpr std::int32_t faultRate = 27;
inline constexpr std::int32_t faultMaxDuration = 37;
inline constexpr std::int32_t faultBadParameters = 114;
inline constexpr std::int32_t faultDurationExpired = 160;
inline constexpr std::int32_t faultStreamCreation = 200;

[[nodiscard]] QByteArray makeCookie(); // random, with its NUL
[[nodiscard]] bool isCookie(QByteArrayView bytes);

[[nodiscard]] QByteArray encodeState(State state);
[[nodiscard]] QByteArray encodeServerFault(ServerFault fault); // with the state byte before it
[[nodiscard]] ServerFault decodeServerFault(QByteArrayView eightBytes);
[[nodiscard]] QString explain(ServerFault fault); // a translated sentence

// A JSON frame's length prefix.
[[nodiscard]] QByteArray encodeFrame(const QByteArray& json);
[[nodiscard]] std::uint32_t decodeLength(QByteArrayView fourBytes);

// The number of the stream that was opened as the index-th: 1, 3, 4, 5, ...
[[nodiscard]] constexpr int streamId(int index)
{
    return index == 0 ? 1 : index + 2;
}

inline constexpr int minDatagram = 16; // of UDP's payload: a header with a long number
inline constexpr int maxDatagram = 65'507;

struct Parameters
{
    bool udp = false;
    bool longNumbers = false; // UDP: datagrams are numbered with 64 bits, not 32
    Flow flow = Flow::Forward;
    std::int64_t timeSeconds = 10;
    std::int64_t omitSeconds = 0;
    std::int64_t byteLimit = 0;  // end after so many bytes; 0: none
    std::int64_t blockLimit = 0; // end after so many blocks; 0: none
    int streams = 1;
    int blockSize = 128 * 1024;  // UDP: the datagrams' payload
    int maxSegment = 0;          // 0: the system's
    int window = 0;              // socket buffers; 0: the system's
    std::uint64_t bandwidth = 0; // bit/s per stream; 0: unlimited
    bool noDelay = false;
    QString congestion;
    QString clientVersion;
};

[[nodiscard]] QByteArray encodeParameters(const Parameters& parameters);
// ParseFailed, InvalidArgument (out of range), Unsupported (SCTP).
[[nodiscard]] Result<Parameters> decodeParameters(const QByteArray& text);

// What one end tells about the datagrams of a stream; all of them with those of the omit period.
struct DatagramCounts
{
    // A sender: how many it sent. A receiver: the highest number that came, with the lost ones.
    std::int64_t packets = 0;
    std::int64_t errors = 0; // lost, as gaps show it; may be negative where datagrams came twice
    double jitter = 0;       // seconds
    std::optional<std::int64_t> omittedPackets; // both or neither; since 3.14
    std::optional<std::int64_t> omittedErrors;
    std::optional<std::int64_t> outOfOrder; // after omit; only Napkin tells
};

struct StreamResult
{
    int id = 1;
    std::int64_t bytes = 0; // after omit
    std::optional<std::int64_t> retransmits;
    std::optional<double> startTime; // seconds
    std::optional<double> endTime;
    std::optional<DatagramCounts> datagrams{}; // nullopt: none that are valid
};

struct Results
{
    double cpuTotal = 0; // per cent of one core
    double cpuUser = 0;
    double cpuSystem = 0;
    std::optional<bool> senderHasRetransmits; // nullopt: this side only receives
    QString congestionUsed;
    QString program; // "napkin 0.1.0"; stock iperf3 does not tell
    // Datagrams that a full receive buffer dropped, after omit; only Napkin tells.
    std::optional<std::int64_t> bufferDrops;
    std::vector<UdpArrival>
        arrivals; // of what came, after omit; only Napkin tells, and only Napkin
    std::vector<StreamResult> streams;
};

[[nodiscard]] QByteArray encodeResults(const Results& results);
[[nodiscard]] Result<Results> decodeResults(const QByteArray& text);

} // namespace napkin::iperf3
