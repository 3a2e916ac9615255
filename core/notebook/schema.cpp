// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/schema.h"

#include <array>

namespace napkin::detail {

namespace {

// Times are ISO 8601 UTC, ids 32 hexadecimal digits, rates bits per second. What was measured and
// what was said of it is only ever added to: the triggers see to it, also against REPLACE.
constexpr const char* schema1 = R"sql(
CREATE TABLE notebook (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
INSERT INTO notebook VALUES (1, lower(hex(randomblob(16))), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

CREATE TABLE drawing (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;

CREATE TABLE link (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    ends TEXT NOT NULL,
    drawing TEXT REFERENCES drawing (id),
    period TEXT NOT NULL REFERENCES link_period (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE link_period (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    link TEXT NOT NULL REFERENCES link (id) DEFERRABLE INITIALLY DEFERRED,
    class TEXT NOT NULL,
    started_at TEXT NOT NULL
) STRICT;

CREATE TABLE record (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    started_at TEXT NOT NULL,
    near_name TEXT NOT NULL,
    far_name TEXT NOT NULL,
    link TEXT REFERENCES link (id),
    period TEXT REFERENCES link_period (id),
    completion TEXT NOT NULL,
    origin TEXT NOT NULL,
    flow TEXT NOT NULL,
    streams INTEGER NOT NULL,
    forward_bps INTEGER,
    reverse_bps INTEGER,
    forward_retransmits INTEGER,
    reverse_retransmits INTEGER,
    connect_median_ns INTEGER,
    flags TEXT NOT NULL,
    label TEXT NOT NULL,
    content TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    chain TEXT NOT NULL
) STRICT;
CREATE INDEX record_link ON record (link);

CREATE TABLE label (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    record TEXT NOT NULL REFERENCES record (id),
    text TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX label_record ON label (record);

CREATE TABLE note (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    record TEXT NOT NULL REFERENCES record (id),
    text TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX note_record ON note (record);

CREATE TABLE voiding (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    record TEXT NOT NULL UNIQUE REFERENCES record (id),
    reason TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE TRIGGER record_no_update BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
CREATE TRIGGER record_no_delete BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'records are never deleted'); END;
CREATE TRIGGER record_no_replace BEFORE INSERT ON record
WHEN EXISTS (SELECT 1 FROM record WHERE id = NEW.id OR number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'records are never replaced'); END;

CREATE TRIGGER label_no_update BEFORE UPDATE ON label
BEGIN SELECT RAISE(ABORT, 'labels are never changed'); END;
CREATE TRIGGER label_no_delete BEFORE DELETE ON label
BEGIN SELECT RAISE(ABORT, 'labels are never deleted'); END;
CREATE TRIGGER label_no_replace BEFORE INSERT ON label
WHEN EXISTS (SELECT 1 FROM label WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'labels are never replaced'); END;

CREATE TRIGGER note_no_update BEFORE UPDATE ON note
BEGIN SELECT RAISE(ABORT, 'notes are never changed'); END;
CREATE TRIGGER note_no_delete BEFORE DELETE ON note
BEGIN SELECT RAISE(ABORT, 'notes are never deleted'); END;
CREATE TRIGGER note_no_replace BEFORE INSERT ON note
WHEN EXISTS (SELECT 1 FROM note WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'notes are never replaced'); END;

CREATE TRIGGER voiding_no_update BEFORE UPDATE ON voiding
BEGIN SELECT RAISE(ABORT, 'voidings are never changed'); END;
CREATE TRIGGER voiding_no_delete BEFORE DELETE ON voiding
BEGIN SELECT RAISE(ABORT, 'voidings are never deleted'); END;
CREATE TRIGGER voiding_no_replace BEFORE INSERT ON voiding
WHEN EXISTS (SELECT 1 FROM voiding WHERE record = NEW.record OR number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'voidings are never replaced'); END;

CREATE TRIGGER link_period_no_update BEFORE UPDATE ON link_period
BEGIN SELECT RAISE(ABORT, 'periods of a link are never changed'); END;
CREATE TRIGGER link_period_no_delete BEFORE DELETE ON link_period
BEGIN SELECT RAISE(ABORT, 'periods of a link are never deleted'); END;
CREATE TRIGGER link_period_no_replace BEFORE INSERT ON link_period
WHEN EXISTS (SELECT 1 FROM link_period WHERE id = NEW.id OR number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'periods of a link are never replaced'); END;
CREATE TRIGGER link_no_delete BEFORE DELETE ON link
BEGIN SELECT RAISE(ABORT, 'links are never deleted'); END;
)sql";

// Why a run is partial, and between which ports it ran: read from the content, which may be
// damaged. Of links that are drawn the drawing knows the ends; of others the first run stands for a
// and b.
constexpr const char* schema2 = R"sql(
ALTER TABLE record ADD COLUMN near_port TEXT;
ALTER TABLE record ADD COLUMN far_port TEXT;
ALTER TABLE record ADD COLUMN fault_code TEXT;
ALTER TABLE record ADD COLUMN fault_context TEXT;
ALTER TABLE record ADD COLUMN fault_detail TEXT;
ALTER TABLE link ADD COLUMN a_port TEXT;
ALTER TABLE link ADD COLUMN b_port TEXT;

DROP TRIGGER record_no_update;
UPDATE record SET
    near_port = json_extract(content, '$.spec.near.port_id'),
    far_port = json_extract(content, '$.spec.far.port_id'),
    fault_code = json_extract(content, '$.fault.code'),
    fault_context = json_extract(content, '$.fault.context'),
    fault_detail = json_extract(content, '$.fault.detail')
WHERE json_valid(content);
CREATE TRIGGER record_no_update BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;

UPDATE link SET (a_port, b_port) = (
    SELECT json_extract(cable.value, '$.a'), json_extract(cable.value, '$.b')
    FROM drawing d, json_each(CASE WHEN json_valid(d.content) THEN d.content ELSE '{}' END, '$.links') cable
    WHERE d.id = link.drawing AND json_extract(cable.value, '$.id') = link.id
);
UPDATE link SET (a_port, b_port) = (
    SELECT near_port, far_port FROM record
    WHERE record.link = link.id AND near_port IS NOT NULL AND far_port IS NOT NULL
    ORDER BY number LIMIT 1
) WHERE a_port IS NULL;
)sql";

// What lists show of the kinds of run that came with this step: there are none of them yet.
constexpr const char* schema3 = R"sql(
ALTER TABLE record ADD COLUMN latency_p50_ns INTEGER;
ALTER TABLE record ADD COLUMN latency_p99_ns INTEGER;
ALTER TABLE record ADD COLUMN loaded_ratio REAL;
ALTER TABLE record ADD COLUMN loss_ratio REAL;
ALTER TABLE record ADD COLUMN offered_bps INTEGER;
ALTER TABLE record ADD COLUMN path_mtu INTEGER;
ALTER TABLE record ADD COLUMN interface_mtu INTEGER;
ALTER TABLE record ADD COLUMN black_hole INTEGER;
ALTER TABLE record ADD COLUMN alpha_ns INTEGER;
ALTER TABLE record ADD COLUMN beta_bytes_per_second INTEGER;
)sql";

// How messages went, without which RTTs can not be told apart, and by which of its addresses a
// machine with a name was reached: read from the content, which may be damaged. Where beta holds,
// what large messages go by; and by which version of KeyFigures a row was filled
// (keyFiguresVersion): rows from before have none.
constexpr const char* schema4 = R"sql(
ALTER TABLE record ADD COLUMN echo_method TEXT;
ALTER TABLE record ADD COLUMN wait_mode TEXT;
ALTER TABLE record ADD COLUMN message_bytes INTEGER;
ALTER TABLE record ADD COLUMN far_address TEXT;
ALTER TABLE record ADD COLUMN beta_up_to_bytes INTEGER;
ALTER TABLE record ADD COLUMN beta_large_bytes_per_second INTEGER;
ALTER TABLE record ADD COLUMN figures_version INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER record_no_update;
UPDATE record SET
    echo_method = json_extract(content, '$.spec.options.method'),
    wait_mode = json_extract(content, '$.spec.options.wait'),
    message_bytes = json_extract(content, '$.spec.options.message_bytes'),
    far_address = CASE WHEN json_extract(content, '$.spec.far.name') != '' THEN
        coalesce(nullif(json_extract(content, '$.conditions.far.address'), ''),
                 nullif(json_extract(content, '$.spec.far.host'), '')) END
WHERE json_valid(content);
CREATE TRIGGER record_no_update BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
)sql";

constexpr std::array steps{Migration{1, schema1}, Migration{2, schema2}, Migration{3, schema3},
                           Migration{4, schema4}};

} // namespace

std::span<const Migration> migrations()
{
    return steps;
}

} // namespace napkin::detail
