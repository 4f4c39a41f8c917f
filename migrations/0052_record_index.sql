-- Which talents, mentions, grants, requests, sources and cases have which word, tenant, status, talent, use,
-- territory and day, as bits: the lists of the console are searched, filtered and sorted without walking over what
-- they do not show. Derived from the records: a restore makes it anew.

-- The bits of one term, 8,192 records of a kind to a row.
CREATE TABLE record_postings (
  term TEXT NOT NULL,
  block BIGINT NOT NULL,
  bits BYTEA NOT NULL,
  PRIMARY KEY (term, block)
);
-- Which bit is whose, what the record is sorted by, and the terms it is set in.
CREATE TABLE record_numbers (
  kind TEXT NOT NULL,
  number BIGINT NOT NULL,
  record_id UUID NOT NULL,
  name TEXT NOT NULL,
  changed_at BIGINT NOT NULL,
  ends_at BIGINT,
  terms TEXT NOT NULL,
  PRIMARY KEY (kind, number)
);
CREATE UNIQUE INDEX record_numbers_record_id ON record_numbers (kind, record_id);
-- What changed since: looked at itself until its bits are set. The mark tells two changes apart.
CREATE TABLE record_stale (
  kind TEXT NOT NULL,
  record_id UUID NOT NULL,
  mark BIGINT NOT NULL,
  PRIMARY KEY (kind, record_id)
);
-- Talents, licenses, tenants, platforms and sources with a new name, which other records show.
CREATE TABLE record_renames (
  kind TEXT NOT NULL,
  subject_id UUID NOT NULL,
  mark BIGINT NOT NULL,
  PRIMARY KEY (kind, subject_id)
);
INSERT INTO record_stale (kind, record_id, mark) SELECT 'talent', talent_id, 1 FROM talents;
INSERT INTO record_stale (kind, record_id, mark) SELECT 'mention', mention_id, 1 FROM mentions;
INSERT INTO record_stale (kind, record_id, mark) SELECT 'grant', grant_id, 1 FROM grants;
INSERT INTO record_stale (kind, record_id, mark) SELECT 'request', request_id, 1 FROM requests;
INSERT INTO record_stale (kind, record_id, mark) SELECT 'source', source_id, 1 FROM sources;
INSERT INTO record_stale (kind, record_id, mark) SELECT 'case', mention_id, 1 FROM cases;
-- Licenses are found by beginnings of words, and filtered by use, territory, fee, talent and days.
INSERT INTO license_stale (license_id, mark)
SELECT license_id, 1 FROM licenses WHERE deleted_at IS NULL
ON CONFLICT (license_id) DO UPDATE SET mark = license_stale.mark + 1;
