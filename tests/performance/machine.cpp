// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QRegularExpression>
#include <QStringList>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

// Memory and storage of this machine, ours and stock programs in turn.

namespace {

using nlohmann::json;

struct Settings
{
    QString what;
    QString file;
    int rounds = 3;
    int seconds = 5;
};

struct Contender
{
    const char* name;
    std::function<double()> gigabytes; // per second
};

QByteArray outputOf(const QString& program, const QStringList& words)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, words);
    if (!process.waitForFinished(600'000) || process.exitCode() != 0)
        throw std::runtime_error(
            (program + QStringLiteral(" failed: ") + QString::fromUtf8(process.readAll()))
                .toStdString());
    return process.readAll();
}

double oursOf(const QStringList& words, const char* figure)
{
    const QTemporaryDir folder;
    QProcess process;
    process.start(QStringLiteral(NAPKIN_CLI),
                  words + QStringList{QStringLiteral("--json"), QStringLiteral("--notebook"),
                                      folder.filePath(QStringLiteral("n.napkin"))});
    if (!process.waitForFinished(600'000) || process.exitCode() != 0)
        throw std::runtime_error("napkin-cli failed: " +
                                 process.readAllStandardOutput().toStdString());
    const json document = json::parse(process.readAllStandardOutput().toStdString());
    const json& value = document.at("record").at("summary").at(figure);
    return value.is_null() ? 0 : value.get<double>() / 1e9;
}

// The four loops of STREAM, mixed: a line for reading and one for writing, "6228.32 memory read
// rate (MB per sec) (geometric mean of 2 instances)". MB are MiB; under five seconds it tells
// nothing.
double stressNg(int seconds)
{
    const QString out = QString::fromUtf8(outputOf(
        QStringLiteral("stress-ng"),
        {QStringLiteral("--stream"), QStringLiteral("0"), QStringLiteral("--stream-l3-size"),
         QStringLiteral("32M"), QStringLiteral("--metrics-brief"), QStringLiteral("-t"),
         QStringLiteral("%1s").arg(std::max(seconds, 10))}));
    static const QRegularExpression rate(QStringLiteral(
        "([0-9.]+) memory (?:read|write) rate \\(MB per sec\\)(?:.*mean of ([0-9]+) instance)?"));
    double sum = 0;
    for (auto matches = rate.globalMatch(out); matches.hasNext();) {
        const auto match = matches.next();
        sum += match.captured(1).toDouble() * std::max(1, match.captured(2).toInt());
    }
    return sum * 1024 * 1024 / 1e9;
}

// The triad as anybody would write it, with none of our code: threads that nobody pins, started
// anew for each pass; the best of the passes, as STREAM has it.
double plainLoop(int seconds)
{
    constexpr std::size_t elements = 16 * 1024 * 1024;
    const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    const auto make = [] { return std::unique_ptr<double[]>(new double[elements]); };
    const auto a = make();
    const auto b = make();
    const auto c = make();
    const auto together = [threads](const std::function<void(std::size_t, std::size_t)>& job) {
        std::vector<std::jthread> crew;
        for (std::size_t i = 0; i < threads; ++i)
            crew.emplace_back(
                [&job, i, threads] { job(elements / threads * i, elements / threads * (i + 1)); });
    };
    together([&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            a[i] = 1;
            b[i] = 2;
            c[i] = 3;
        }
    });
    using Clock = std::chrono::steady_clock;
    double best = 0;
    const auto until = Clock::now() + std::chrono::seconds(seconds);
    while (Clock::now() < until) {
        const auto start = Clock::now();
        together([&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                a[i] = b[i] + 3.0 * c[i];
        });
        const std::chrono::duration<double> took = Clock::now() - start;
        best = std::max(best, 3 * sizeof(double) * elements / took.count() / 1e9);
    }
    if (a[elements / threads / 2] != 11)
        throw std::runtime_error("the plain loop came to something else");
    return best;
}

// "83886080 bytes (84 MB, 80 MiB) copied, 0.0512 s, 1.6 GB/s"
double dd(const QString& file)
{
    const QString out = QString::fromUtf8(outputOf(
        QStringLiteral("dd"), {QStringLiteral("if=") + file, QStringLiteral("of=/dev/null"),
                               QStringLiteral("bs=1M"), QStringLiteral("iflag=direct")}));
    static const QRegularExpression copied(
        QStringLiteral("([0-9]+) bytes .* copied, ([0-9.e-]+) s"));
    const auto match = copied.match(out);
    return match.captured(1).toDouble() / match.captured(2).toDouble() / 1e9;
}

double fio(const QString& file)
{
    const QByteArray out = outputOf(
        QStringLiteral("fio"),
        {QStringLiteral("--name=read"), QStringLiteral("--filename=") + file,
         QStringLiteral("--readonly"), QStringLiteral("--rw=read"), QStringLiteral("--bs=1M"),
         QStringLiteral("--direct=1"), QStringLiteral("--ioengine=libaio"),
         QStringLiteral("--iodepth=4"), QStringLiteral("--output-format=json")});
    const json document = json::parse(out.mid(out.indexOf('{')).toStdString());
    return document.at("jobs").at(0).at("read").at("bw_bytes").get<double>() / 1e9;
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void compare(const std::vector<Contender>& contenders, int rounds)
{
    std::vector<std::vector<double>> all(contenders.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t n = 0; n < contenders.size(); ++n) {
            // Who goes first changes, so that a drift of the machine favours nobody.
            const std::size_t i = (n + static_cast<std::size_t>(round)) % contenders.size();
            all[i].push_back(contenders[i].gigabytes());
            std::printf("  %-22s %8.2f GB/s\n", contenders[i].name, all[i].back());
            std::fflush(stdout);
        }
    }
    const double ours = median(all.front());
    for (std::size_t i = 0; i < contenders.size(); ++i)
        std::printf("median, %-18s %8.2f GB/s, ours / this %.2f\n", contenders[i].name,
                    median(all[i]), median(all[i]) > 0 ? ours / median(all[i]) : 0.0);
}

Settings settingsFrom(int argc, char** argv)
{
    Settings settings;
    settings.what = QString::fromLocal8Bit(argc > 1 ? argv[1] : "memory");
    for (int i = 2; i < argc; ++i) {
        const QString word = QString::fromLocal8Bit(argv[i]);
        if (word == QStringLiteral("--rounds") && i + 1 < argc)
            settings.rounds = std::max(1, QString::fromLocal8Bit(argv[++i]).toInt());
        else if (word == QStringLiteral("--seconds") && i + 1 < argc)
            settings.seconds = std::max(1, QString::fromLocal8Bit(argv[++i]).toInt());
        else
            settings.file = word;
    }
    if (settings.what == QStringLiteral("storage") && settings.file.isEmpty())
        throw std::runtime_error("storage needs a FILE of 64 MiB at least");
    return settings;
}

void run(const Settings& settings)
{
    const QString seconds = QString::number(settings.seconds);
    if (settings.what == QStringLiteral("memory")) {
        const auto ours = [&](const char* figure) {
            return [figure, seconds] {
                return oursOf({QStringLiteral("measure"), QStringLiteral("memory"),
                               QStringLiteral("--time"), seconds},
                              figure);
            };
        };
        compare({{"napkin-cli, best", ours("best_bytes_per_second")},
                 {"napkin-cli, median", ours("median_bytes_per_second")},
                 {"plain loop, best", [&] { return plainLoop(settings.seconds); }},
                 {"stress-ng --stream", [&] { return stressNg(settings.seconds); }}},
                settings.rounds);
        return;
    }
    compare({{"napkin-cli",
              [&] {
                  return oursOf({QStringLiteral("measure"), QStringLiteral("storage"),
                                 settings.file, QStringLiteral("--time"), QStringLiteral("600")},
                                "mean_bytes_per_second");
              }},
             {"dd, direct", [&] { return dd(settings.file); }},
             {"fio, direct, 4 deep", [&] { return fio(settings.file); }}},
            settings.rounds);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        run(settingsFrom(argc, argv));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
