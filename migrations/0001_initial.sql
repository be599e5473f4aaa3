-- Countertop's history. Blobs (tick.v, chunk.v, minute.v) are described in server/history/README.md; everything else
-- is plain. Times are Unix milliseconds unless a name says otherwise. A window is 1200 s: floor(unix seconds / 1200).

-- Small facts about the file: created_ms.
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- One row for each time the program recorded. ended_ms stays NULL when a run did not end in order.
CREATE TABLE run(
  id INTEGER PRIMARY KEY,
  host INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  program_version TEXT NOT NULL,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER
);

-- What is recorded: ordered raw fields and the counters computed from them, as JSON. A changed definition is a new row.
CREATE TABLE object(id INTEGER PRIMARY KEY, name TEXT NOT NULL, definition TEXT NOT NULL, first_ms INTEGER NOT NULL);
CREATE INDEX object_by_name ON object(name);

-- role 0: a thing with counters; role 1: the clock of an object, whose chunks hold the times of all its rows.
-- Rows are written when a window is sealed; last_ms is exact to one window. from_zero: the first sample counts from 0.
CREATE TABLE instance(
  id INTEGER PRIMARY KEY,
  host INTEGER NOT NULL,
  object INTEGER NOT NULL,
  role INTEGER NOT NULL,
  name TEXT NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  from_zero INTEGER NOT NULL
);
CREATE INDEX instance_by_name ON instance(object, role, name, host);
CREATE INDEX instance_by_end ON instance(object, last_ms);

-- The newest seconds, one row for each commit. wall_ms: of the first snapshot in it. segment: rows of one segment follow each other without a
-- restart, a clock step or a new definition. arrivals: ids and names of instances that were not there a tick before.
CREATE TABLE tick(
  id INTEGER PRIMARY KEY,
  host INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  wall_ms INTEGER NOT NULL,
  is_key INTEGER NOT NULL,
  arrivals BLOB,
  v BLOB NOT NULL
);

-- A sealed stretch: its chunks are valid because this row is there. rolled: the minute tier has it.
CREATE TABLE part(
  host INTEGER NOT NULL,
  window INTEGER NOT NULL,
  part INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  ticks INTEGER NOT NULL,
  rolled INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(host, window, part)
) WITHOUT ROWID;
CREATE INDEX part_not_rolled ON part(host, window) WHERE rolled<2;

-- id = window << 40 | part << 32 | instance.
CREATE TABLE chunk(
  id INTEGER PRIMARY KEY,
  v BLOB NOT NULL,
  t0 INTEGER AS ((id >> 40) * 1200) VIRTUAL,
  part INTEGER AS ((id >> 32) & 255) VIRTUAL,
  instance INTEGER AS (id & 4294967295) VIRTUAL
);

-- Instances that lived too short and did too little for chunks: one row each.
-- id = window << 40 | part << 32 | number. born_ms: the clock reading before first_ms when it counts from zero,
-- otherwise first_ms. totals: JSON array, for each field its growth since born_ms (gauges: the last value).
CREATE TABLE brief_instance(
  id INTEGER PRIMARY KEY,
  host INTEGER NOT NULL,
  object INTEGER NOT NULL,
  name TEXT NOT NULL,
  born_ms INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  ticks INTEGER NOT NULL,
  totals TEXT NOT NULL
);

-- Minute tier. Its window is 43200 s (12 h). A row holds the minutes of one counter, or (counter 0) of all of a process:
-- id = instance << 32 | counter << 25 | window << 7 | part, so that a counter's months lie together.
CREATE TABLE minute_part(
  host INTEGER NOT NULL,
  window INTEGER NOT NULL,
  part INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  PRIMARY KEY(host, window, part)
) WITHOUT ROWID;
CREATE TABLE minute(
  id INTEGER PRIMARY KEY,
  v BLOB NOT NULL,
  t0 INTEGER AS (((id >> 7) & 262143) * 43200) VIRTUAL,
  part INTEGER AS (id & 127) VIRTUAL,
  instance INTEGER AS (id >> 32) VIRTUAL,
  counter INTEGER AS ((id >> 25) & 127) VIRTUAL
);

-- Hour tier, plain rows. hour = floor(unix seconds / 3600); avg is weighted by time.
CREATE TABLE counter_name(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE hour(
  instance INTEGER NOT NULL,
  counter INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  count INTEGER NOT NULL,
  min REAL NOT NULL,
  max REAL NOT NULL,
  avg REAL NOT NULL,
  last REAL NOT NULL,
  PRIMARY KEY(instance, counter, hour)
) WITHOUT ROWID;

-- What happened: starts, stops, crashes, clock steps, notes. until_ms: end of the gap that the mark explains, or 0.
CREATE TABLE mark(
  id INTEGER PRIMARY KEY,
  host INTEGER NOT NULL,
  wall_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE INDEX mark_by_time ON mark(wall_ms);
