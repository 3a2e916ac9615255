CREATE INDEX label_record ON label (record);
CREATE INDEX note_record ON note (record);
CREATE INDEX record_link ON record (link);
CREATE TABLE drawing (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;
CREATE TABLE label (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    record TEXT NOT NULL REFERENCES record (id),
    text TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE TABLE link (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    ends TEXT NOT NULL,
    drawing TEXT REFERENCES drawing (id),
    period TEXT NOT NULL REFERENCES link_period (id) DEFERRABLE INITIALLY DEFERRED
, a_port TEXT, b_port TEXT) STRICT;
CREATE TABLE link_period (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    link TEXT NOT NULL REFERENCES link (id) DEFERRABLE INITIALLY DEFERRED,
    class TEXT NOT NULL,
    started_at TEXT NOT NULL
) STRICT;
CREATE TABLE note (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    record TEXT NOT NULL REFERENCES record (id),
    text TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE TABLE notebook (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    created_at TEXT NOT NULL
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
, near_port TEXT, far_port TEXT, fault_code TEXT, fault_context TEXT, fault_detail TEXT, latency_p50_ns INTEGER, latency_p99_ns INTEGER, loaded_ratio REAL, loss_ratio REAL, offered_bps INTEGER, path_mtu INTEGER, interface_mtu INTEGER, black_hole INTEGER, alpha_ns INTEGER, beta_bytes_per_second INTEGER, echo_method TEXT, wait_mode TEXT, message_bytes INTEGER, far_address TEXT, beta_up_to_bytes INTEGER, beta_large_bytes_per_second INTEGER, figures_version INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE sqlite_sequence(name,seq);
CREATE TABLE voiding (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    record TEXT NOT NULL UNIQUE REFERENCES record (id),
    reason TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE TRIGGER label_no_delete BEFORE DELETE ON label
BEGIN SELECT RAISE(ABORT, 'labels are never deleted'); END;
CREATE TRIGGER label_no_replace BEFORE INSERT ON label
WHEN EXISTS (SELECT 1 FROM label WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'labels are never replaced'); END;
CREATE TRIGGER label_no_update BEFORE UPDATE ON label
BEGIN SELECT RAISE(ABORT, 'labels are never changed'); END;
CREATE TRIGGER link_no_delete BEFORE DELETE ON link
BEGIN SELECT RAISE(ABORT, 'links are never deleted'); END;
CREATE TRIGGER link_period_no_delete BEFORE DELETE ON link_period
BEGIN SELECT RAISE(ABORT, 'periods of a link are never deleted'); END;
CREATE TRIGGER link_period_no_replace BEFORE INSERT ON link_period
WHEN EXISTS (SELECT 1 FROM link_period WHERE id = NEW.id OR number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'periods of a link are never replaced'); END;
CREATE TRIGGER link_period_no_update BEFORE UPDATE ON link_period
BEGIN SELECT RAISE(ABORT, 'periods of a link are never changed'); END;
CREATE TRIGGER note_no_delete BEFORE DELETE ON note
BEGIN SELECT RAISE(ABORT, 'notes are never deleted'); END;
CREATE TRIGGER note_no_replace BEFORE INSERT ON note
WHEN EXISTS (SELECT 1 FROM note WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'notes are never replaced'); END;
CREATE TRIGGER note_no_update BEFORE UPDATE ON note
BEGIN SELECT RAISE(ABORT, 'notes are never changed'); END;
CREATE TRIGGER record_no_delete BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'records are never deleted'); END;
CREATE TRIGGER record_no_replace BEFORE INSERT ON record
WHEN EXISTS (SELECT 1 FROM record WHERE id = NEW.id OR number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'records are never replaced'); END;
CREATE TRIGGER record_no_update BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
CREATE TRIGGER voiding_no_delete BEFORE DELETE ON voiding
BEGIN SELECT RAISE(ABORT, 'voidings are never deleted'); END;
CREATE TRIGGER voiding_no_replace BEFORE INSERT ON voiding
WHEN EXISTS (SELECT 1 FROM voiding WHERE record = NEW.record OR number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'voidings are never replaced'); END;
CREATE TRIGGER voiding_no_update BEFORE UPDATE ON voiding
BEGIN SELECT RAISE(ABORT, 'voidings are never changed'); END;
