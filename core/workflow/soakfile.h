// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/record.h"

#include <QString>

#include <memory>
#include <vector>

namespace napkin {

// A soak as far as it had come, and the link that is to come into being with its record.
struct KeptSoak
{
    ProbeResult result;
    QDateTime savedAt; // UTC
    std::optional<LinkEntry> newLink;
};

[[nodiscard]] QByteArray toJson(const KeptSoak& soak);
// Bounded and strict, as resultFromJson().
[[nodiscard]] Result<KeptSoak> keptSoakFromJson(const QByteArray& text);

struct InterruptedSoak;

// The file beside a notebook in which a soak is kept while it goes on, so that the end of the
// program loses seconds and not hours: NOTEBOOK.soak-ID. A lock, which the kernel lets go of with
// the program, tells whether a program is at it. Functions may be called from any thread, one at a
// time.
class SoakFile
{
public:
    // StorageUnavailable; StorageLocked when another program is at it.
    [[nodiscard]] static Result<std::shared_ptr<SoakFile>> create(const QString& notebook,
                                                                  RecordId id);
    // Those that no program is at any more, each held from now on; the oldest first. Of what can
    // not be read nothing is touched.
    [[nodiscard]] static std::vector<InterruptedSoak> abandoned(const QString& notebook);
    ~SoakFile(); // lets go of it; the file stays
    SoakFile(const SoakFile&) = delete;
    SoakFile& operator=(const SoakFile&) = delete;
    SoakFile(SoakFile&&) = delete;
    SoakFile& operator=(SoakFile&&) = delete;

    // In one step: after a crash there is the old or the new state.
    [[nodiscard]] Result<void> save(const KeptSoak& soak) const;
    void remove() const;

private:
    SoakFile(QString path, int lock)
        : m_path(std::move(path))
        , m_lock(lock)
    {}
    [[nodiscard]] static Result<std::shared_ptr<SoakFile>> hold(const QString& path);

    QString m_path;
    int m_lock; // descriptor
};

// A soak whose program ended while it ran. Whoever has it has it alone.
struct InterruptedSoak
{
    KeptSoak soak;
    std::shared_ptr<SoakFile> file;
};

} // namespace napkin
