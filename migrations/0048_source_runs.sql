-- What a tenant sees of a feed that others watch too: the runs since it has the source, and what the
-- source itself found in each.

-- How many mentions a source found first in a run. It does not reference the source, which may be
-- deleted during the run.
CREATE TABLE source_runs (
  run_id UUID NOT NULL REFERENCES feed_runs (run_id) ON DELETE CASCADE,
  source_id UUID NOT NULL,
  mention_count BIGINT NOT NULL,
  PRIMARY KEY (run_id, source_id)
);
INSERT INTO source_runs (run_id, source_id, mention_count)
SELECT r.run_id, s.source_id, count(*)
FROM sources s JOIN feed_runs r ON r.feed_id = s.feed_id
JOIN mentions m ON m.source_id = s.source_id AND m.first_seen_at >= r.started_at
  AND (r.ended_at IS NULL OR m.first_seen_at <= r.ended_at)
GROUP BY r.run_id, s.source_id;

-- What was last read at the address of a feed: the number of items and the newest ones, as JSON. It
-- answers a tenant that wants to watch the same address, without another request to the site.
ALTER TABLE watched_feeds ADD COLUMN found TEXT;
CREATE INDEX sources_url ON sources (url, source_id);
CREATE INDEX sources_tenant_url ON sources (tenant_id, url);
