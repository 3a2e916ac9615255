// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/measurements.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::MeasureTcp)
};

std::shared_ptr<MeasureOptions> optionsFor(ProbeKind kind)
{
    auto options = std::make_shared<MeasureOptions>();
    options->kind = kind;
    return options;
}

} // namespace

void addThroughput(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Measure how much arrives per second over TCP\n"
                  "Bytes are sent for some seconds, and what arrived is counted at the receiver. "
                  "The far end runs napkin-cli serve, or iperf3 --server. Forward is from this "
                  "machine to HOST. Progress goes to standard error, the result to standard "
                  "output and into the notebook."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure throughput spark-b\n"
                  "  napkin-cli measure throughput spark-b --reverse --streams 4 --time 30\n"
                  "  napkin-cli measure throughput spark-b --when-sure\n"
                  "  napkin-cli measure throughput 10.0.0.2:5202 --link rack --class ethernet-10g\n"
                  "  napkin-cli measure throughput fe80::1%eth0 --omit 2 --label \"new cable\"\n"
                  "  napkin-cli measure throughput spark-b --json > run.json\n"
                  "\n"
                  "Ctrl-C ends the run early and keeps what was measured as a partial run.")};
    auto options = optionsFor(ProbeKind::Throughput);
    CLI::App* app = addMeasurement(line, group, help, options);
    using Line = CommandLine;
    Line::addText(app, "-t,--time", options->time,
                  Words::tr("How long to measure: 10, \"10 s\", \"2 min\"; a bare number is "
                            "seconds (10 s)"),
                  "T");
    Line::addText(app, "--omit", options->omit,
                  Words::tr("Run this long before, and leave it out of every figure: TCP needs a "
                            "moment to get up to speed (0 s)"),
                  "T");
    Line::addText(app, "-P,--streams", options->streams,
                  Words::tr("Parallel TCP connections in each direction, 1 to 128 (1)"), "N");
    Line::addFlag(app, "-R,--reverse", options->reverse,
                  Words::tr("The far end sends and this machine receives"));
    Line::addFlag(app, "--bidirectional", options->bidirectional,
                  Words::tr("Both directions at once"));
    Line::addText(app, "--bytes-per-block", options->block,
                  Words::tr("Size of each write: 131072, \"128 KiB\"; a bare number is bytes "
                            "(128 KiB, at most 1 MiB)"),
                  "SIZE");
    Line::addText(app, "--congestion", options->congestion,
                  Words::tr("TCP congestion control, such as cubic or bbr (the system's)"), "NAME");
    Line::addFlag(
        app, "--when-sure", options->whenSure,
        Words::tr("End as soon as the rate is known to plus or minus 1 %, after --time at "
                  "the latest"));
}

void addConnect(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Measure how long a TCP handshake takes\n"
                  "Opens and closes connections to a port of HOST and reports the median and "
                  "spread of the time until each was established. Any listening port will do; "
                  "refused and unanswered attempts are counted."),
        Words::tr(
            "Examples:\n"
            "  napkin-cli measure connect spark-b\n"
            "  napkin-cli measure connect spark-b --port 22 --count 100 --interval \"20 ms\"")};
    auto options = optionsFor(ProbeKind::ConnectTime);
    CLI::App* app = addMeasurement(line, group, help, options);
    using Line = CommandLine;
    Line::addText(app, "-c,--count", options->count,
                  Words::tr("How many attempts, 1 to 10,000 (20)"), "N");
    Line::addText(app, "--interval", options->interval,
                  Words::tr("From one attempt to the next, at least: \"50 ms\" (50 ms)"), "T");
    Line::addText(app, "--timeout", options->timeout,
                  Words::tr("How long to wait for each: \"500 ms\", \"2 s\" (2 s)"), "T");
}

} // namespace napkin::cli
