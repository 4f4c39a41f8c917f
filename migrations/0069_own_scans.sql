-- A feed is read once for all sources that watch it, and each source shows the scans that it would
-- have had by itself: regular ones by its own frequency, and those that its own tenant requested.

-- When the next regular scan of a feed is due. A scan that somebody requested does not put it off.
-- NULL if the next scan is a regular one.
ALTER TABLE watched_feeds ADD COLUMN regular_at BIGINT;

-- `scan_wanted` is whether the next scan is for the source, whatever causes it: the first one, one
-- that its tenant requested, or one that repeats a failed one. `regular_at` is when its next regular
-- scan is due by its own frequency; `scanned_at` is when it was last read.
ALTER TABLE sources ADD COLUMN scan_wanted BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE sources ADD COLUMN regular_at BIGINT;
ALTER TABLE sources ADD COLUMN scanned_at BIGINT;

-- Whether `source_runs` says which sources a run is for (`shown`). Older runs are for all.
ALTER TABLE feed_runs ADD COLUMN by_source BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE source_runs ADD COLUMN shown BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX source_runs_source_id ON source_runs (source_id, run_id);
