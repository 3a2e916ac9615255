// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/notebook/notebookfixture.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace napkin::test {

namespace {

using namespace std::chrono_literals;

ProbeResult resultOf(ProbeOptions options)
{
    static int count = 0;
    ProbeResult result;
    result.id = RecordId::create();
    result.spec.near.name = QStringLiteral("spark-a");
    result.spec.far.host = QStringLiteral("192.0.2.7");
    result.spec.far.port = 5201;
    result.spec.options = std::move(options);
    result.startedAt = QDateTime(QDate(2026, 12, 1), QTime(10, 0), Qt::UTC).addSecs(60LL * ++count);
    result.endedAt = result.startedAt.addSecs(10);
    result.tool = QStringLiteral("napkin");
    result.toolVersion = QStringLiteral("0.1.0");
    return result;
}

void addDirection(ThroughputData& data, Direction direction, BitRate rate, Duration length)
{
    const ByteRate bytes = rate.toByteRate();
    for (int i = 0; i < static_cast<int>(length / 1s); ++i)
        data.samples.push_back({0, direction, i * 1s, 1s, ByteCount::bytes(bytes.bytesPerSecond()),
                                CountedBy::Received, 1, std::nullopt, std::nullopt, false});
    data.totals.push_back({0, direction, ByteCount::bytes(bytes.bytesPerSecond() * (length / 1s)),
                           std::nullopt, length, direction == Direction::Forward ? 3 : 5});
}

} // namespace

ProbeResult throughputResult(BitRate rate, Flow flow)
{
    ThroughputOptions options;
    options.flow = flow;
    ProbeResult result = resultOf(options);
    ThroughputData data;
    if (flow != Flow::Reverse)
        addDirection(data, Direction::Forward, rate, 10s);
    if (flow != Flow::Forward)
        addDirection(data, Direction::Reverse, rate, 10s);
    result.data = data;
    return result;
}

ProbeResult connectResult(Duration median)
{
    ProbeResult result = resultOf(ConnectOptions());
    ConnectData data;
    for (int i = 0; i < 3; ++i)
        data.samples.push_back({i * 50ms, median, ConnectSample::Outcome::Connected});
    result.data = data;
    return result;
}

ProbeResult latencyResult(Duration time)
{
    LatencyOptions options;
    options.interval = 5ms;
    ProbeResult result = resultOf(options);
    result.spec.far.port = 0;
    LatencyData data;
    for (int i = 0; i < 200; ++i)
        data.samples.push_back({i * 5ms, time, RoundTrip::Outcome::Answered});
    data.samples.push_back({200 * 5ms, 1s, RoundTrip::Outcome::Lost});
    data.means = QStringLiteral("ICMP socket");
    result.data = data;
    return result;
}

ProbeResult pathMtuResult(int mtu, int interfaceMtu)
{
    ProbeResult result = resultOf(PathMtuOptions());
    PathMtuData data;
    const auto tried = [&data](int size, SizeProbe::Fate fate) {
        data.probes.push_back({Direction::Forward, size, fate, 1, std::nullopt, {}});
    };
    tried(576, SizeProbe::Fate::Passed);
    tried(mtu, SizeProbe::Fate::Passed);
    tried(mtu + 1, SizeProbe::Fate::Silent);
    data.nearInterfaceMtu = interfaceMtu;
    data.means = QStringLiteral("ICMP socket");
    result.data = data;
    return result;
}

ProbeResult udpResult(BitRate offered, BitRate arrived)
{
    UdpOptions options;
    options.rate = offered;
    ProbeResult result = resultOf(options);
    constexpr std::int64_t size = 1'250;
    const auto packets = [](BitRate rate) { return rate.bitsPerSecond() / (8 * size) * 10; };
    UdpTotal total;
    total.direction = Direction::Forward;
    total.packetsSent = packets(offered);
    total.packetsReceived = packets(arrived);
    total.sent = ByteCount::bytes(*total.packetsSent * size);
    total.received = ByteCount::bytes(total.packetsReceived * size);
    total.lost = *total.packetsSent - total.packetsReceived;
    total.duration = 10s;
    UdpData data;
    data.totals = {total};
    data.datagramSize = size;
    result.data = data;
    return result;
}

ProbeResult memoryResult()
{
    ProbeResult result = resultOf(MemoryOptions());
    result.spec.far = Endpoint();
    MemoryData data;
    data.arraySize = ByteCount::bytes(100'000'000);
    data.threads = 8;
    data.cores = 8;
    data.pinned = true;
    data.cacheSize = ByteCount::mebibytes(24);
    for (int i = 0; i < 21; ++i)
        data.samples.push_back({i * 10ms, 10ms, i == 0});
    result.data = data;
    return result;
}

ProbeResult storageResult()
{
    StorageOptions options;
    options.file = QStringLiteral("llama-70b.gguf");
    ProbeResult result = resultOf(options);
    result.spec.far = Endpoint();
    StorageData data;
    data.way = StorageWay::Direct;
    data.place = StoragePlace::Disk;
    data.fileSize = ByteCount::gigabytes(6);
    data.allocated = data.fileSize;
    data.fileSystem = QStringLiteral("ext4");
    data.device = QStringLiteral("nvme0n1p2");
    data.model = QStringLiteral("Samsung SSD 990 PRO 2TB");
    data.rotational = false;
    for (int i = 0; i < 20; ++i)
        data.samples.push_back({i * 100ms, 100ms, ByteCount::bytes(300'000'000)});
    result.data = data;
    return result;
}

ProbeResult partialResult(BitRate rate)
{
    ProbeResult result = throughputResult(rate);
    std::get<ThroughputData>(result.data).totals.clear();
    result.completion = Completion::Partial;
    result.fault = Error{ErrorCode::ConnectionLost, {}, QStringLiteral("192.0.2.7:5201"), nullptr};
    result.quality = {{QualityFlag::Partial, QStringLiteral("ended after 5 s")}};
    return result;
}

Result<std::unique_ptr<Notebook>> tryOpen(const QString& path, Notebook::Mode mode)
{
    return sync(Notebook::open(path, mode, std::make_shared<SystemClock>()), 20s);
}

std::unique_ptr<Notebook> openNotebook(const QString& path)
{
    auto opened = tryOpen(path);
    if (!opened)
        throw std::runtime_error(
            (errorCodeName(opened.error().code) + QStringLiteral(": ") + opened.error().detail)
                .toStdString());
    return std::move(*opened);
}

std::int64_t recordIn(Notebook& notebook, const ProbeResult& result)
{
    const auto number = sync(notebook.record(result), 20s);
    if (!number)
        throw std::runtime_error(
            (errorCodeName(number.error().code) + QStringLiteral(": ") + number.error().detail)
                .toStdString());
    return *number;
}

SQLite::Database rawDatabase(const QString& path)
{
    SQLite::Database db(path.toStdString(), SQLite::OPEN_READWRITE, 5'000);
    db.exec("PRAGMA foreign_keys = ON");
    return db;
}

QString refusalOf(SQLite::Database& db, const char* sql)
{
    try {
        db.exec(sql);
        return {};
    } catch (const SQLite::Exception& e) {
        return QString::fromUtf8(e.what());
    }
}

} // namespace napkin::test
