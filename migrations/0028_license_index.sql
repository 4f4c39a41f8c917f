-- Which licenses have which word, reader, type and status, as bits: a list that is filtered or searched
-- is counted and paged without walking over what it does not show. Derived from the licenses: a restore
-- makes it anew. The words were in each engine's own index before.
-- only sqlite
DROP TABLE license_search;
-- end
-- only postgres
DROP INDEX license_search;
-- end
DROP TABLE license_words;

-- The bits of one term, 8,192 licenses to a row.
CREATE TABLE license_postings (
  term TEXT NOT NULL,
  block BIGINT NOT NULL,
  bits BYTEA NOT NULL,
  PRIMARY KEY (term, block)
);
-- Which bit is whose, and the terms it is set in.
CREATE TABLE license_numbers (
  number BIGINT PRIMARY KEY,
  license_id UUID NOT NULL,
  terms TEXT NOT NULL
);
CREATE UNIQUE INDEX license_numbers_license_id ON license_numbers (license_id);
-- What changed since: looked at itself until its bits are set. The mark tells two changes apart.
CREATE TABLE license_stale (
  license_id UUID PRIMARY KEY,
  mark BIGINT NOT NULL
);
INSERT INTO license_stale (license_id, mark)
SELECT license_id, 1 FROM licenses WHERE deleted_at IS NULL;

-- How many licenses each reader sees. Every public license counts for everybody: many rows, so that
-- changes of different tenants do not wait for each other. Places of pages are no longer kept.
DROP TABLE reader_counts;
CREATE TABLE reader_counts (
  reader_id UUID NOT NULL,
  status TEXT NOT NULL,
  shard BIGINT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (reader_id, status, shard)
);
INSERT INTO reader_counts (reader_id, status, shard, total)
SELECT reader_id, status, 0, count(*) FROM license_readers GROUP BY reader_id, status;
