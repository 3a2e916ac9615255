// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/measurements.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::MeasurePath)
};

std::shared_ptr<MeasureOptions> optionsFor(ProbeKind kind)
{
    auto options = std::make_shared<MeasureOptions>();
    options->kind = kind;
    return options;
}

void addMethod(CLI::App* app, MeasureOptions& options, const QString& description)
{
    CommandLine::addText(app, "--method", options.method, description, "NAME");
}

void addSize(CLI::App* app, MeasureOptions& options)
{
    CommandLine::addText(app, "--size", options.size,
                         Words::tr("Size of a message: 64, \"1 KiB\"; a bare number is bytes "
                                   "(64; ICMP and UDP 16 to 65,507)"),
                         "SIZE");
}

void addTimeout(CLI::App* app, MeasureOptions& options, const QString& description)
{
    CommandLine::addText(app, "--timeout", options.timeout, description, "T");
}

void addBusyPoll(CLI::App* app, MeasureOptions& options)
{
    CommandLine::addFlag(app, "--busy-poll", options.busyPoll,
                         Words::tr("Both ends ask all the time instead of sleeping: a processor "
                                   "core each, and no wake-up in the time"));
}

} // namespace

void addLatency(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Measure the round-trip time\n"
                  "Sends small messages there and back, keeps the time of every one, and counts "
                  "what was lost, came twice or out of order. ICMP is answered by the kernel of "
                  "HOST: nothing needs to run there. TCP and UDP need a paired machine. The run "
                  "ends as soon as the time is known to plus or minus 1 %."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure latency spark-b\n"
                  "  napkin-cli measure latency spark-b --time 60 --fixed-time\n"
                  "  napkin-cli measure latency --far spark-b --method udp --busy-poll\n"
                  "  napkin-cli measure latency 10.0.0.2 --far spark-b --method tcp --size 4096")};
    auto options = optionsFor(ProbeKind::Latency);
    CLI::App* app = addMeasurement(line, group, help, options);
    using Line = CommandLine;
    addMethod(app, *options,
              Words::tr("icmp, tcp or udp (icmp); tcp and udp need a paired machine"));
    addBusyPoll(app, *options);
    addSize(app, *options);
    Line::addText(app, "-t,--time", options->time,
                  Words::tr("The longest it may take: 10, \"10 s\", \"2 min\" (5 s)"), "T");
    Line::addFlag(app, "--fixed-time", options->fixedTime,
                  Words::tr("Take all of --time, however well the result is known"));
    Line::addText(app, "--interval", options->interval,
                  Words::tr("From one message to the next, at least: \"10 ms\", \"500 us\" (icmp "
                            "2 ms, which is the least there; else none)"),
                  "T");
    addTimeout(app, *options,
               Words::tr("How long to wait for an answer: \"200 ms\", \"2 s\" (1 s)"));
}

void addSweep(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Measure the round-trip time over message sizes\n"
                  "Messages of many sizes go to a paired machine and back over TCP, in random "
                  "order. From them come alpha, what any message costs one way, and beta, how "
                  "fast its bytes follow: time = alpha + size / beta."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure sweep --far spark-b\n"
                  "  napkin-cli measure sweep --far spark-b --to \"64 KiB\" --rounds 200\n"
                  "  napkin-cli measure sweep 10.0.0.2 --far spark-b --busy-poll --link rack")};
    auto options = optionsFor(ProbeKind::MessageSweep);
    CLI::App* app = addMeasurement(line, group, help, options);
    using Line = CommandLine;
    Line::addText(app, "--from", options->from, Words::tr("The smallest message (1 B)"), "SIZE");
    Line::addText(app, "--to", options->to,
                  Words::tr("The largest message: \"64 KiB\", \"4 MiB\" (4 MiB, at most 16 MiB)"),
                  "SIZE");
    Line::addText(app, "--rounds", options->rounds,
                  Words::tr("Messages of each size, 5 to 1,000 (30)"), "N");
    Line::addText(app, "-t,--time", options->time,
                  Words::tr("The longest it may take; a round that was begun is ended (20 s)"),
                  "T");
    addBusyPoll(app, *options);
}

void addLoadedLatency(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Measure the round-trip time while the link is busy\n"
                  "Idle, while sending, while receiving, and both at once: what a full link does "
                  "to a small message. The load is TCP to the same HOST, which runs napkin-cli "
                  "serve or iperf3 --server."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure loaded-latency spark-b\n"
                  "  napkin-cli measure loaded-latency spark-b --phase 10 --streams 4\n"
                  "  napkin-cli measure loaded-latency --far spark-b --method udp")};
    auto options = optionsFor(ProbeKind::LoadedLatency);
    CLI::App* app = addMeasurement(line, group, help, options);
    using Line = CommandLine;
    addMethod(app, *options, Words::tr("icmp or udp (icmp); udp needs a paired machine"));
    addSize(app, *options);
    Line::addText(app, "--phase", options->phase,
                  Words::tr("How long each of the four takes: 10, \"10 s\" (4 s)"), "T");
    Line::addText(app, "--interval", options->interval,
                  Words::tr("From one message to the next, 2 ms at least (5 ms)"), "T");
    Line::addText(app, "-P,--streams", options->streams,
                  Words::tr("TCP connections of the load in each direction, 1 to 128 (1)"), "N");
    addTimeout(app, *options,
               Words::tr("How long to wait for an answer: \"500 ms\", \"2 s\" (2 s)"));
}

void addPathMtu(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Find out how large a packet may be on the way\n"
                  "Sends packets that must not be fragmented, and tells an answer “too big” from "
                  "silence: a hole in which large packets vanish. With a paired machine both "
                  "directions are measured. With a port, a large transfer shows whether it gets "
                  "through."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure path-mtu spark-b\n"
                  "  napkin-cli measure path-mtu spark-b --port 5201\n"
                  "  napkin-cli measure path-mtu 10.0.0.2 --far spark-b --attempts 5")};
    auto options = optionsFor(ProbeKind::PathMtu);
    CLI::App* app = addMeasurement(line, group, help, options);
    using Line = CommandLine;
    Line::addText(app, "--attempts", options->count,
                  Words::tr("Packets of a size before silence counts, 1 to 10 (3)"), "N");
    addTimeout(app, *options, Words::tr("How long to wait for each: \"500 ms\" (500 ms)"));
    Line::addFlag(app, "--no-bulk", options->noBulk,
                  Words::tr("Without the large transfer, which needs a port at the far end"));
}

void addUdp(CommandLine& line, CLI::App* group)
{
    const MeasurementHelp help{
        Words::tr("Measure what arrives of UDP at a given rate\n"
                  "Sends datagrams at the rate that is asked for and counts them where they "
                  "arrive: rate, loss and why, order, jitter. The far end runs napkin-cli serve, "
                  "or iperf3 --server."),
        Words::tr("Examples:\n"
                  "  napkin-cli measure udp spark-b --rate \"300 Mb/s\"\n"
                  "  napkin-cli measure udp spark-b --rate \"5 Gb/s\" --streams 4 --reverse\n"
                  "  napkin-cli measure udp spark-b --rate \"10 Mb/s\" --length 200 --time 60")};
    auto options = optionsFor(ProbeKind::UdpThroughput);
    CLI::App* app = addMeasurement(line, group, help, options);
    using Line = CommandLine;
    Line::addText(app, "-b,--rate", options->rate,
                  Words::tr("What to send per second, all streams of a direction together, payload "
                            "only: \"300 Mb/s\", \"2.5 Gb/s\" (100 Mb/s)"),
                  "RATE");
    Line::addText(app, "-l,--length", options->length,
                  Words::tr("Payload of a datagram, 16 to 65,507 bytes (what fits one packet)"),
                  "SIZE");
    Line::addText(app, "-P,--streams", options->streams,
                  Words::tr("Parallel streams in each direction, 1 to 128 (1)"), "N");
    Line::addText(app, "-t,--time", options->time,
                  Words::tr("How long to measure: 10, \"10 s\", \"2 min\"; a bare number is "
                            "seconds (10 s)"),
                  "T");
    Line::addText(app, "--omit", options->omit,
                  Words::tr("Run this long before, and leave it out of every figure (0 s)"), "T");
    Line::addFlag(app, "-R,--reverse", options->reverse,
                  Words::tr("The far end sends and this machine receives"));
    Line::addFlag(app, "--bidirectional", options->bidirectional,
                  Words::tr("Both directions at once"));
}

} // namespace napkin::cli
