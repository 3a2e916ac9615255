// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/soakfile.h"

#include "core/base/boundedjson.h"
#include "core/base/logging.h"
#include "core/results/json.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::SoakFile)
};

using Json = nlohmann::json;

constexpr int formatVersion = 1;
const QString infix = QStringLiteral(".soak-");
const QString lockSuffix = QStringLiteral(".lock");

std::string str(const QString& text)
{
    return text.toStdString();
}

QString timeText(const QDateTime& time)
{
    return time.toUTC().toString(Qt::ISODateWithMs);
}

Json linkToJson(const std::optional<LinkEntry>& link)
{
    if (!link)
        return nullptr;
    return {{"id", str(link->id.text())},
            {"period", str(link->period.text())},
            {"name", str(link->name)},
            {"class", str(link->classId)}};
}

std::optional<LinkEntry> readLink(JsonReader& reader, const Json& json)
{
    const auto found = json.find("new_link");
    if (found == json.end() || found->is_null())
        return std::nullopt;
    const auto id = LinkId::fromText(reader.text(*found, "id"));
    const auto period = LinkPeriodId::fromText(reader.text(*found, "period"));
    LinkEntry link;
    link.name = reader.text(*found, "name");
    link.classId = reader.text(*found, "class");
    if (!id || !period) {
        reader.failAt(QStringLiteral("new_link"), Words::tr("an id is needed"));
        return std::nullopt;
    }
    link.id = *id;
    link.period = *period;
    return link;
}

} // namespace

QByteArray toJson(const KeptSoak& soak)
{
    const Json json{{"format", "napkin-soak"},
                    {"version", formatVersion},
                    {"saved_at", str(timeText(soak.savedAt))},
                    {"new_link", linkToJson(soak.newLink)},
                    {"result", Json::parse(toJson(soak.result).toStdString(), nullptr, false)}};
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<KeptSoak> keptSoakFromJson(const QByteArray& text)
{
    JsonBounds bounds;
    bounds.depth += 1; // around the result
    const auto json = parseJson(text, bounds);
    if (!json)
        return tl::unexpected(json.error());
    JsonReader reader(*json);
    if (reader.text(*json, "format") != QStringLiteral("napkin-soak"))
        reader.failAt(QStringLiteral("format"), Words::tr("not a soak that was kept"));
    (void)reader.integer(*json, "version", formatVersion, formatVersion);
    KeptSoak soak;
    soak.savedAt = QDateTime::fromString(reader.text(*json, "saved_at"), Qt::ISODateWithMs);
    soak.newLink = readLink(reader, *json);
    const Json* result = reader.object(*json, "result");
    if (!reader.ok())
        return tl::unexpected(*reader.fault());
    auto read = resultFromJson(QByteArray::fromStdString(result->dump()));
    if (!read)
        return tl::unexpected(read.error());
    if (!soak.savedAt.isValid() || !std::holds_alternative<SoakData>(read->data))
        return fail(ErrorCode::ParseFailed, QStringLiteral("result"),
                    Words::tr("not a soak that was kept"));
    soak.result = std::move(*read);
    return soak;
}

Result<std::shared_ptr<SoakFile>> SoakFile::hold(const QString& path)
{
    constexpr mode_t ownerOnly = 0600;
    const int fd = ::open(QFile::encodeName(path + lockSuffix).constData(),
                          O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, ownerOnly);
    if (fd < 0)
        return fail(ErrorCode::StorageUnavailable, path + lockSuffix,
                    QString::fromStdString(std::generic_category().message(errno)));
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        ::close(fd);
        return fail(ErrorCode::StorageLocked, path);
    }
    return std::shared_ptr<SoakFile>(new SoakFile(path, fd));
}

Result<std::shared_ptr<SoakFile>> SoakFile::create(const QString& notebook, RecordId id)
{
    return hold(notebook + infix + id.text());
}

std::vector<InterruptedSoak> SoakFile::abandoned(const QString& notebook)
{
    std::vector<InterruptedSoak> found;
    const QFileInfo info(notebook);
    const QString begin = info.fileName() + infix;
    for (const QString& name : info.dir().entryList(QDir::Files | QDir::NoSymLinks)) {
        if (!name.startsWith(begin) || name.endsWith(lockSuffix) ||
            !RecordId::fromText(name.mid(begin.size())))
            continue;
        const QString path = info.dir().filePath(name);
        auto held = hold(path);
        if (!held)
            continue; // a program is at it
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) // it has ended well just now
            continue;
        auto soak = keptSoakFromJson(file.read(JsonBounds().bytes + 1));
        if (!soak) {
            qCWarning(lcNotebook) << path << "can not be read:" << soak.error().detail;
            continue;
        }
        found.push_back({std::move(*soak), std::move(*held)});
    }
    std::ranges::sort(found, [](const InterruptedSoak& a, const InterruptedSoak& b) {
        return a.soak.result.startedAt < b.soak.result.startedAt;
    });
    return found;
}

SoakFile::~SoakFile()
{
    if (!QFile::exists(m_path)) // nothing to hold
        QFile::remove(m_path + lockSuffix);
    ::close(m_lock);
}

Result<void> SoakFile::save(const KeptSoak& soak) const
{
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly) || file.write(toJson(soak)) < 0 || !file.commit())
        return fail(ErrorCode::StorageUnavailable, m_path, file.errorString());
    return {};
}

void SoakFile::remove() const
{
    QFile::remove(m_path);
}

} // namespace napkin
