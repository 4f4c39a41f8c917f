-- Which entries of the log have which tenant, scheme, action, level, class and word, as bits: lists,
-- filters, searches and counts cost the same whatever the log holds. Derived from the entries: a restore
-- makes it anew.

-- The place of an entry's bit; none until it is set. Every entry of before is fresh, and the first start
-- puts all of them in.
ALTER TABLE log_entries ADD COLUMN number BIGINT;
CREATE UNIQUE INDEX log_entries_number ON log_entries (number) WHERE number IS NOT NULL;
CREATE INDEX log_entries_fresh ON log_entries (created_at, log_id) WHERE number IS NULL;

-- The bits of one term, 8,192 entries to a row.
CREATE TABLE log_postings (
  term TEXT NOT NULL,
  block BIGINT NOT NULL,
  bits BYTEA NOT NULL,
  PRIMARY KEY (term, block)
);
-- From when to when the entries of a block are, and in spans each 128 of them.
CREATE TABLE log_times (
  block BIGINT PRIMARY KEY,
  earliest BIGINT NOT NULL,
  latest BIGINT NOT NULL,
  spans BYTEA NOT NULL
);

-- What the bits tell now. Each entry was written into all of these.
DROP INDEX log_entries_action;
DROP INDEX log_entries_scheme;
DROP INDEX log_entries_scheme_action;
DROP INDEX log_entries_grave;
DROP INDEX log_entries_scheme_grave;
ALTER TABLE log_entries DROP COLUMN words;
