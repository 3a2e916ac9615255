// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace napkin::test {

struct CliOutcome
{
    int code = -1; // -1: did not end by itself
    QByteArray out;
    QByteArray err;

    // Standard output, when it is exactly one JSON document on one line.
    [[nodiscard]] std::optional<nlohmann::json> document() const;
};

// The program under test, started and left running. Ends it when it goes out of scope.
class RunningCli
{
public:
    // `outputFile` takes standard output instead of the outcome.
    explicit RunningCli(const QStringList& arguments, const QStringList& environment = {},
                        const QString& outputFile = {});
    ~RunningCli();
    RunningCli(const RunningCli&) = delete;
    RunningCli& operator=(const RunningCli&) = delete;
    RunningCli(RunningCli&&) = delete;
    RunningCli& operator=(RunningCli&&) = delete;

    [[nodiscard]] QProcess& process() { return m_process; }
    void signal(int number);
    // Until this stands in what was written to standard error; false after 10 s.
    [[nodiscard]] bool hasSaid(const QByteArray& text);
    [[nodiscard]] CliOutcome outcome(); // waits for the end, at most 30 s

private:
    QProcess m_process;
    QByteArray m_err;
};

// Runs napkin-cli to its end. `environment` holds "NAME=value".
[[nodiscard]] CliOutcome runCli(const QStringList& arguments, const QStringList& environment = {},
                                const QString& outputFile = {});

// The same with standard output on a terminal of so many columns.
[[nodiscard]] CliOutcome runCliOnTerminal(const QStringList& arguments, int columns);

// `napkin-cli serve` on a free port of loopback.
class ServingCli
{
public:
    ServingCli();
    [[nodiscard]] QString port() const { return m_port; } // empty: it did not start
    [[nodiscard]] RunningCli& cli() { return m_cli; }

private:
    RunningCli m_cli;
    QString m_port;
};

// iperf3 --server of the system on a free port of loopback.
class StockServer
{
public:
    StockServer();
    ~StockServer();
    StockServer(const StockServer&) = delete;
    StockServer& operator=(const StockServer&) = delete;
    StockServer(StockServer&&) = delete;
    StockServer& operator=(StockServer&&) = delete;
    [[nodiscard]] QString port() const { return m_port; } // empty: it did not start

private:
    QProcess m_process;
    QString m_port;
};

// A TCP port of loopback on which nothing listens.
[[nodiscard]] QString freePort();

} // namespace napkin::test
