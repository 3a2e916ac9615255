// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/soakkeeper.h"

#include "core/base/clock.h"
#include "core/base/logging.h"
#include "core/quantity/format.h"
#include "core/results/data.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Soak)
};

constexpr auto saveEvery = 5s;
constexpr milliseconds leastLeft = 10s;

QDateTime wallNow()
{
    return SystemClock().now();
}

const SoakData& dataOf(const KeptSoak& soak)
{
    return std::get<SoakData>(soak.result.data);
}

SoakOptions optionsOf(const KeptSoak& soak)
{
    const auto* options = std::get_if<SoakOptions>(&soak.result.spec.options);
    return options != nullptr ? *options : SoakOptions();
}

Duration since(const QDateTime& time, const QDateTime& now)
{
    return milliseconds(std::max<qint64>(0, time.msecsTo(now)));
}

} // namespace

SoakKeeper::SoakKeeper(const Notebook& notebook, ProbeSpec spec, std::optional<LinkEntry> newLink,
                       std::optional<InterruptedSoak> before)
    : m_place(std::make_shared<Place>())
    , m_isKept(notebook.mode() == Notebook::Mode::ReadWrite)
    , m_newLink(std::move(newLink))
    , m_savedAt(std::chrono::steady_clock::now())
{
    m_place->notebook = notebook.path();
    m_place->id = RecordId::create();
    m_soFar.spec = std::move(spec);
    m_soFar.startedAt = wallNow();
    if (before) {
        const KeptSoak& soak = before->soak;
        m_asked = optionsOf(soak);
        m_before = interrupted(dataOf(soak), since(soak.savedAt, wallNow()));
        m_isBeforeTold = false;
        m_place->id = soak.result.id;
        m_place->file = before->file;
        m_soFar.spec.options = *m_asked;
        m_soFar.startedAt = soak.result.startedAt;
    }
    m_soFar.id = m_place->id;
    m_soFar.completion = Completion::Partial;
    m_soFar.tool = QStringLiteral("napkin");
    m_soFar.toolVersion = QStringLiteral(NAPKIN_VERSION);
    m_soFar.data = SoakData();
}

Progress SoakKeeper::hear(const Progress& progress)
{
    const auto* fresh = std::get_if<SoakData>(&progress.data);
    if (fresh == nullptr)
        return progress;
    Progress told = progress;
    SoakData data = continuing(m_before, *fresh);
    if (!std::exchange(m_isBeforeTold, true)) {
        data.spans.insert(data.spans.begin(), m_before.spans.begin(), m_before.spans.end());
        data.events.insert(data.events.begin(), m_before.events.begin(), m_before.events.end());
    }
    if (m_asked)
        told.fraction =
            std::clamp(inSeconds(data.elapsed) / inSeconds(m_asked->duration), 0.0, 1.0);
    told.data = std::move(data);
    append(m_soFar.data, told.data);
    const auto now = std::chrono::steady_clock::now();
    if (m_isKept && hasMeasured(m_soFar.data) && now - m_savedAt >= saveEvery) {
        m_savedAt = now;
        save();
    }
    return told;
}

void SoakKeeper::save()
{
    m_soFar.endedAt = wallNow();
    KeptSoak soak{m_soFar, m_soFar.endedAt, m_newLink};
    m_worker.post([place = m_place, soak = std::move(soak)] {
        if (!place->file && !place->isBroken) {
            auto created = SoakFile::create(place->notebook, place->id);
            if (created)
                place->file = std::move(*created);
            else
                qCWarning(lcNotebook)
                    << "the soak is not kept while it goes on:" << created.error().context
                    << created.error().detail;
            place->isBroken = !created;
        }
        if (!place->file)
            return;
        if (const auto saved = place->file->save(soak); !saved)
            qCWarning(lcNotebook) << "the soak could not be kept:" << saved.error().detail;
    });
}

ProbeResult SoakKeeper::whole(ProbeResult result) const
{
    result.id = m_place->id;
    const auto* fresh = std::get_if<SoakData>(&result.data);
    if (!m_asked || fresh == nullptr)
        return result;
    ProbeData all = m_before;
    append(all, continuing(m_before, *fresh));
    result.data = std::move(all);
    result.spec.options = *m_asked;
    result.startedAt = m_soFar.startedAt;
    result.quality = assessQuality(result);
    return result;
}

QCoro::Task<void> SoakKeeper::forget(std::shared_ptr<SoakKeeper> keeper)
{
    const auto place = keeper->m_place;
    const auto job = [place]() -> Result<void> {
        if (place->file)
            place->file->remove();
        place->file.reset();
        place->isBroken = true;
        return {};
    };
    [[maybe_unused]] const auto done = co_await runOn(keeper->m_worker, job);
}

ProbeSpec remainingSpec(const InterruptedSoak& soak)
{
    ProbeSpec spec = soak.soak.result.spec;
    SoakOptions options = optionsOf(soak.soak);
    const Duration left = options.duration - dataOf(soak.soak).elapsed;
    options.duration =
        std::max(leastLeft, milliseconds(std::chrono::ceil<std::chrono::seconds>(left)));
    spec.options = options;
    return spec;
}

QCoro::Task<std::vector<InterruptedSoak>> interruptedSoaks(QPointer<Notebook> notebook)
{
    std::vector<InterruptedSoak> open;
    Worker worker;
    const std::function<Result<std::vector<InterruptedSoak>>()> look = [path = notebook->path()] {
        return Result<std::vector<InterruptedSoak>>(SoakFile::abandoned(path));
    };
    auto found = co_await runOn(worker, look);
    if (!found)
        co_return open;
    for (InterruptedSoak& soak : *found) {
        if (!notebook)
            co_return std::vector<InterruptedSoak>();
        const auto recorded = co_await notebook->load(soak.soak.result.id);
        if (recorded)
            soak.file->remove(); // its program ended between the two
        else if (recorded.error().code == ErrorCode::NotFound)
            open.push_back(std::move(soak));
    }
    co_return open;
}

QCoro::Task<Result<std::int64_t>> keepAsIs(QPointer<Notebook> notebook, InterruptedSoak soak)
{
    ProbeResult result = soak.soak.result;
    result.completion = Completion::Partial;
    result.fault =
        Error{ErrorCode::ProgramEnded,
              Words::tr("it was last seen at %1")
                  .arg(QLocale().toString(soak.soak.savedAt.toLocalTime(), QLocale::ShortFormat)),
              {},
              nullptr};
    result.endedAt = soak.soak.savedAt;
    result.quality = assessQuality(result);
    const auto links = co_await notebook->links();
    if (!links)
        co_return tl::unexpected(links.error());
    if (!notebook)
        co_return fail(ErrorCode::Cancelled);
    std::optional<LinkEntry> newLink = soak.soak.newLink;
    if (newLink && std::ranges::find(*links, newLink->id, &LinkEntry::id) != links->end())
        newLink.reset();
    const auto number = co_await notebook->record(std::move(result), std::move(newLink));
    if (number)
        soak.file->remove();
    co_return number;
}

QString interruptedText(const InterruptedSoak& soak, const QDateTime& now)
{
    const ProbeResult& result = soak.soak.result;
    const QString far =
        result.spec.far.name.isEmpty() ? result.spec.far.host : result.spec.far.name;
    const auto whole = [](Duration time) {
        return formatDuration(std::chrono::round<std::chrono::seconds>(time));
    };
    return Words::tr("A soak with %1 was interrupted %2 ago, after %3 of %4.")
        .arg(far, whole(since(soak.soak.savedAt, now)), whole(dataOf(soak.soak).elapsed),
             whole(optionsOf(soak.soak).duration));
}

} // namespace napkin
