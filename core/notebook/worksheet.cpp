// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/worksheet.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace napkin {

namespace {

using Runs = std::vector<const RecordSummary*>;

bool isNewer(const RecordSummary* a, const RecordSummary* b)
{
    return a->startedAt != b->startedAt ? a->startedAt > b->startedAt : a->number > b->number;
}

bool hasFlag(const RecordSummary& run, QualityFlag flag)
{
    return std::find(run.flags.begin(), run.flags.end(), flag) != run.flags.end();
}

// As the programs measure when nothing else is asked for.
EchoManner usualManner(ProbeKind kind)
{
    if (kind == ProbeKind::MessageSweep)
        return {EchoMethod::Tcp, SweepOptions().wait, std::nullopt};
    if (kind == ProbeKind::LoadedLatency) {
        const LoadedLatencyOptions usual;
        return {usual.method, WaitMode::Blocking, usual.messageSize};
    }
    const LatencyOptions usual;
    return {usual.method, usual.wait, usual.messageSize};
}

// Fills one row from its runs, newest first.
class RowBuilder
{
public:
    RowBuilder(WorksheetRow& row, Runs runs)
        : m_row(row)
        , m_runs(std::move(runs))
    {
        std::sort(m_runs.begin(), m_runs.end(), isNewer);
    }

    void build()
    {
        m_row.runs = static_cast<int>(m_runs.size());
        if (const auto* run = newest(ProbeKind::Throughput, Flow::Forward))
            m_row.forward = rateOf(*run, run->forward, run->forwardRetransmits);
        if (const auto* run = newest(ProbeKind::Throughput, Flow::Reverse))
            m_row.reverse = rateOf(*run, run->reverse, run->reverseRetransmits);
        if (const auto* run = newest(ProbeKind::Throughput, Flow::Bidirectional)) {
            m_row.bothForward = rateOf(*run, run->forward, run->forwardRetransmits);
            m_row.bothReverse = rateOf(*run, run->reverse, run->reverseRetransmits);
        }
        addDelays();
        addPath();
        addUdp();
        tellOfShown();
    }

private:
    // A run over loopback measured no link; it may stand only where no link is named.
    bool stands(const RecordSummary& run) const
    {
        return run.completion == Completion::Complete && !run.voided &&
               run.origin == Origin::Mine && !(m_row.link && hasFlag(run, QualityFlag::Loopback));
    }

    void addDelays()
    {
        if (const auto* run = newest(ProbeKind::ConnectTime))
            m_row.connectMedian = factOf(*run, run->connectMedian);
        if (const auto* run = newest(ProbeKind::Latency)) {
            m_row.latencyP50 = factOf(*run, run->latencyP50);
            m_row.latencyP99 = factOf(*run, run->latencyP99);
            m_row.latencyManner = run->manner;
            m_row.latencyLost = run->lossRatio;
        }
        if (const auto* run = newest(ProbeKind::LoadedLatency)) {
            m_row.loadedP50 = factOf(*run, run->latencyP50);
            m_row.loadedRatio = factOf(*run, std::optional(Ratio::of(*run->loadedRatio)));
            m_row.loadedManner = run->manner;
        }
    }

    void addPath()
    {
        if (const auto* run = newest(ProbeKind::PathMtu)) {
            m_row.pathMtu = factOf(*run, run->pathMtu);
            m_row.isBlackHole = run->isBlackHole.value_or(false);
        }
        if (const auto* run = newest(ProbeKind::MessageSweep)) {
            m_row.alpha = factOf(*run, run->alpha);
            m_row.beta = factOf(*run, run->beta);
            m_row.betaUpTo = run->betaUpTo;
            m_row.betaLarge = factOf(*run, run->betaLarge);
            m_row.sweepManner = run->manner;
        }
    }

    void addUdp()
    {
        for (const auto flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional}) {
            if (flow == Flow::Bidirectional && !m_row.udp.empty())
                break; // where the directions share the wire, each gets less
            if (const auto* run = newest(ProbeKind::UdpThroughput, flow))
                m_row.udp.push_back({flow, factOf(*run, run->forward), factOf(*run, run->reverse),
                                     run->offered, run->lossRatio, run->number});
        }
    }

    template <typename Q>
    static std::optional<Fact<Q>> factOf(const RecordSummary& run, const std::optional<Q>& value)
    {
        if (!value)
            return std::nullopt;
        return Fact<Q>::measured(*value, run.origin, run.id.text(), run.startedAt);
    }

    static bool hasValue(const RecordSummary& run, ProbeKind kind)
    {
        switch (kind) {
        case ProbeKind::ConnectTime:
            return run.connectMedian.has_value();
        case ProbeKind::Latency:
            return run.latencyP50.has_value();
        case ProbeKind::LoadedLatency:
            return run.loadedRatio && run.latencyP50;
        case ProbeKind::PathMtu:
            return run.pathMtu.has_value();
        case ProbeKind::MessageSweep:
            return run.beta.has_value();
        case ProbeKind::UdpThroughput:
            if (hasFlag(run, QualityFlag::Contradictory))
                return false;
            break;
        case ProbeKind::Throughput:
        case ProbeKind::Soak:
            break;
        case ProbeKind::Memory:
        case ProbeKind::Storage:
            return false; // of a machine, not of what joins two
        }
        return (run.flow == Flow::Reverse || run.forward) &&
               (run.flow == Flow::Forward || run.reverse);
    }

    // Those that may stand for the row: of the usual manner first, then the newest.
    [[nodiscard]] Runs candidates(ProbeKind kind, std::optional<Flow> flow) const
    {
        const EchoManner usual = usualManner(kind);
        Runs found;
        Runs others;
        for (const RecordSummary* run : m_runs) {
            const bool asked = run->kind == kind && (!flow || run->flow == *flow);
            if (asked && stands(*run) && hasValue(*run, kind))
                (run->manner == usual ? found : others).push_back(run);
        }
        found.insert(found.end(), others.begin(), others.end());
        return found;
    }

    // The first without a flag; only when there is none, the first with one.
    const RecordSummary* newest(ProbeKind kind, std::optional<Flow> flow = std::nullopt)
    {
        const Runs found = candidates(kind, flow);
        if (found.empty())
            return nullptr;
        const auto clean = std::find_if(found.begin(), found.end(), [](const RecordSummary* run) {
            return std::ranges::all_of(run->flags, isFinding);
        });
        m_shown.push_back(clean == found.end() ? found.front() : *clean);
        return m_shown.back();
    }

    MeasuredRate rateOf(const RecordSummary& run, std::optional<BitRate> rate,
                        std::optional<std::int64_t> retransmits) const
    {
        std::vector<Ratio> ratios;
        ratios.reserve(m_row.ratings.size());
        for (const Fact<BitRate>& rating : m_row.ratings)
            ratios.push_back(Ratio::of(*rate, rating.value()));
        return {Fact<BitRate>::measured(*rate, run.origin, run.id.text(), run.startedAt),
                std::move(ratios), retransmits, run.id, run.number};
    }

    void tellOfShown()
    {
        std::sort(m_shown.begin(), m_shown.end(), isNewer);
        std::set<QualityFlag> flags;
        for (const RecordSummary* run : m_shown)
            flags.insert(run->flags.begin(), run->flags.end());
        m_row.flags.assign(flags.begin(), flags.end());
        if (!m_shown.empty()) {
            m_row.lastMeasured = m_shown.front()->startedAt;
            m_row.label = m_shown.front()->label;
        }
    }

    WorksheetRow& m_row;
    Runs m_runs;
    Runs m_shown;
};

void addClass(WorksheetRow& row, const QString& classId, const Catalogue& catalogue)
{
    const LinkClass* known = catalogue.linkClass(classId);
    row.className = known == nullptr ? classId : known->shortName;
    if (known != nullptr)
        row.ratings = known->ratings();
}

WorksheetRow linkRow(const LinkEntry& link, LinkPeriodId period, const QString& classId,
                     const Runs& runs, const Catalogue& catalogue)
{
    WorksheetRow row;
    row.link = link.id;
    row.period = period;
    row.name = link.name;
    addClass(row, classId, catalogue);
    RowBuilder(row, runs).build();
    return row;
}

// The link as it is now, then the periods before that were measured, newest first.
void addLinkRows(std::vector<WorksheetRow>& rows, const LinkEntry& link,
                 std::map<LinkPeriodId, Runs> periods, const Catalogue& catalogue)
{
    const auto current = periods.find(link.period);
    const bool deleted = !link.drawn && !link.ends.isEmpty();
    if (current != periods.end()) {
        rows.push_back(linkRow(link, link.period, link.classId, current->second, catalogue));
        periods.erase(current);
    } else if (!deleted) {
        rows.push_back(linkRow(link, link.period, link.classId, {}, catalogue));
    }
    std::vector<std::pair<LinkPeriodId, Runs>> before(periods.begin(), periods.end());
    std::sort(before.begin(), before.end(), [](const auto& a, const auto& b) {
        return isNewer(*std::min_element(a.second.begin(), a.second.end(), isNewer),
                       *std::min_element(b.second.begin(), b.second.end(), isNewer));
    });
    for (const auto& [period, runs] : before)
        rows.push_back(linkRow(link, period, runs.front()->linkClassId, runs, catalogue));
}

// Made from end b. Both ends at one port cannot be.
bool isFromB(const RecordSummary& run, const LinkEntry& link)
{
    if (run.nearPort)
        return run.nearPort == link.b;
    return run.farPort && run.farPort == link.a;
}

} // namespace

RecordSummary alongLink(RecordSummary run, const LinkEntry& link)
{
    if (run.link != link.id || !isFromB(run, link))
        return run;
    std::swap(run.nearPort, run.farPort);
    std::swap(run.forward, run.reverse);
    std::swap(run.forwardRetransmits, run.reverseRetransmits);
    const bool hasFlow = run.kind == ProbeKind::Throughput || run.kind == ProbeKind::UdpThroughput;
    if (hasFlow && run.flow != Flow::Bidirectional)
        run.flow = run.flow == Flow::Forward ? Flow::Reverse : Flow::Forward;
    return run;
}

std::vector<RecordSummary> alongLinks(std::vector<RecordSummary> runs,
                                      const std::vector<LinkEntry>& links)
{
    std::map<LinkId, const LinkEntry*> byId;
    for (const LinkEntry& link : links)
        byId.emplace(link.id, &link);
    for (RecordSummary& run : runs) {
        const auto found = run.link ? byId.find(*run.link) : byId.end();
        if (found != byId.end())
            run = alongLink(std::move(run), *found->second);
    }
    return runs;
}

namespace {

// Whether `name` is the machine `host` with a port.
bool isPortOf(QStringView name, QStringView host)
{
    const qsizetype colon = name.lastIndexOf(u':');
    if (colon < 0)
        return false;
    bool isNumber = false;
    const int port = name.sliced(colon + 1).toInt(&isNumber);
    return isNumber && name == endpointText(host.toString(), port);
}

// Echoes and packet sizes need no port: such runs stand beside those to the one port of the machine
// that was measured. Several ports may be several machines behind one address.
QString homeOf(const QString& farName, const std::set<QString>& all)
{
    const QString* found = nullptr;
    for (const QString& name : all) {
        if (!isPortOf(name, farName))
            continue;
        if (found != nullptr)
            return farName;
        found = &name;
    }
    return found == nullptr ? farName : *found;
}

// Numbers, not a name: what it stands for does not change.
bool isNumeric(const QString& address)
{
    return address.contains(u':') || std::all_of(address.begin(), address.end(),
                                                 [](QChar c) { return c.isDigit() || c == u'.'; });
}

// The runs of one far end from one near end. Two addresses of one machine are two wires, or may be;
// runs of which no address is known belong to the only one there is.
class FarEnd
{
public:
    FarEnd(QString name, QString nearName)
        : m_name(std::move(name))
        , m_nearName(std::move(nearName))
    {}

    void add(const RecordSummary* run) { m_runs[addressOf(*run)].push_back(run); }

    [[nodiscard]] std::vector<WorksheetRow> rows(bool isOnlyNearEnd) const
    {
        const QString name =
            isOnlyNearEnd ? m_name : QStringLiteral("%1 → %2").arg(m_nearName, m_name);
        const std::size_t known = m_runs.size() - m_runs.count(QString());
        if (known < 2) {
            Runs all;
            for (const auto& [address, runs] : m_runs)
                all.insert(all.end(), runs.begin(), runs.end());
            return {row(name, std::move(all), {})};
        }
        std::vector<WorksheetRow> made;
        for (const auto& [address, runs] : m_runs)
            made.push_back(
                row(address.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, address), runs,
                    {address}));
        return made;
    }

private:
    static QString addressOf(const RecordSummary& run)
    {
        return isNumeric(run.farAddress) ? run.farAddress : QString();
    }
    [[nodiscard]] WorksheetRow row(const QString& name, Runs runs, QStringList addresses) const
    {
        WorksheetRow row;
        row.name = name;
        row.nearName = m_nearName;
        row.farAddresses = std::move(addresses);
        for (const RecordSummary* run : runs) {
            if (!row.farNames.contains(run->farName))
                row.farNames << run->farName;
        }
        RowBuilder(row, std::move(runs)).build();
        return row;
    }

    QString m_name;
    QString m_nearName;
    std::map<QString, Runs> m_runs; // by address
};

} // namespace

bool holds(const WorksheetRow& row, const RecordSummary& run)
{
    if (row.link)
        return run.link == row.link && run.linkPeriod == row.period;
    const QString address = isNumeric(run.farAddress) ? run.farAddress : QString();
    return !run.link && !isOfMachine(run.kind) && run.nearName == row.nearName &&
           row.farNames.contains(run.farName) &&
           (row.farAddresses.isEmpty() || row.farAddresses.contains(address));
}

std::vector<WorksheetRow> buildWorksheet(const std::vector<LinkEntry>& links,
                                         const std::vector<RecordSummary>& records,
                                         const Catalogue& catalogue)
{
    const std::vector<RecordSummary> turned = alongLinks(records, links);
    std::set<QString> farNames;
    for (const RecordSummary& record : turned) {
        if (!record.link && !isOfMachine(record.kind))
            farNames.insert(record.farName);
    }
    std::map<LinkId, std::map<LinkPeriodId, Runs>> ofLinks;
    std::map<QString, std::map<QString, FarEnd>> ofFarEnds; // by far and near end
    for (const RecordSummary& record : turned) {
        if (isOfMachine(record.kind))
            continue;
        if (record.link) {
            ofLinks[*record.link][record.linkPeriod.value_or(LinkPeriodId())].push_back(&record);
            continue;
        }
        const QString home = homeOf(record.farName, farNames);
        ofFarEnds[home]
            .try_emplace(record.nearName, home, record.nearName)
            .first->second.add(&record);
    }
    std::vector<WorksheetRow> rows;
    for (const LinkEntry& link : links) {
        auto node = ofLinks.extract(link.id);
        addLinkRows(rows, link,
                    node.empty() ? std::map<LinkPeriodId, Runs>() : std::move(node.mapped()),
                    catalogue);
    }
    // Links that the list does not hold: known from their records alone.
    for (auto& [id, periods] : ofLinks) {
        const RecordSummary& any = *periods.begin()->second.front();
        const LinkEntry link{
            id, periods.begin()->first, any.linkName, any.linkClassId, {}, false, {}, {}};
        addLinkRows(rows, link, std::move(periods), catalogue);
    }
    for (const auto& [far, ofNearEnds] : ofFarEnds) {
        for (const auto& [near, end] : ofNearEnds) {
            for (WorksheetRow& row : end.rows(ofNearEnds.size() == 1))
                rows.push_back(std::move(row));
        }
    }
    return rows;
}

} // namespace napkin
