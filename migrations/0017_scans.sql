-- Pods at work (contract section 7): who scans, what each run did, where each feed stands, and what
-- was looked at already.

-- The run that has the pod; it has lost it once another is written here.
ALTER TABLE pods ADD COLUMN run_id UUID;

CREATE TABLE pod_runs (
  run_id UUID PRIMARY KEY,
  pod_id UUID NOT NULL REFERENCES pods (pod_id),
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  outcome TEXT CHECK (outcome IN ('ok', 'partial', 'failed', 'interrupted', 'blocked')),
  reason TEXT,
  request_count BIGINT NOT NULL,
  error_count BIGINT NOT NULL,
  item_count BIGINT NOT NULL,
  new_item_count BIGINT NOT NULL,
  mention_count BIGINT NOT NULL
);
CREATE INDEX pod_runs_pod_id ON pod_runs (pod_id, started_at, run_id);
CREATE INDEX pod_runs_under_way ON pod_runs (pod_id) WHERE ended_at IS NULL;

-- One request at a time to a host, by whichever run and node: `run_id` has it until `held_until`, and
-- nobody asks it before `next_at`.
CREATE TABLE scan_hosts (
  host TEXT PRIMARY KEY,
  run_id UUID,
  held_until BIGINT NOT NULL,
  next_at BIGINT NOT NULL
);
CREATE INDEX scan_hosts_run_id ON scan_hosts (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX scan_hosts_next_at ON scan_hosts (next_at);

-- Written when all that a feed showed was handed on, never before.
CREATE TABLE feed_cursors (
  platform_id UUID NOT NULL REFERENCES platforms (platform_id),
  url TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  digest BYTEA NOT NULL,
  read_at BIGINT NOT NULL,
  PRIMARY KEY (platform_id, url)
);
CREATE INDEX feed_cursors_read_at ON feed_cursors (read_at);

-- `listed_at` is the date a sitemap gives a page; `picture` is what is kept of the picture, so that
-- it need not be fetched again.
CREATE TABLE scanned_items (
  platform_id UUID NOT NULL REFERENCES platforms (platform_id),
  url_key TEXT NOT NULL,
  digest BYTEA NOT NULL,
  listed_at BIGINT,
  image_url TEXT,
  picture BYTEA,
  first_seen_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (platform_id, url_key)
);
CREATE INDEX scanned_items_last_seen_at ON scanned_items (last_seen_at);

-- What could be seen anew since a feed was read.
CREATE INDEX licenses_updated_at ON licenses (updated_at);
CREATE INDEX talents_updated_at ON talents (updated_at, talent_id);
CREATE INDEX permissions_created_at ON permissions (created_at);
-- How many sightings a platform has.
CREATE INDEX mentions_platform_id ON mentions (platform_id);
