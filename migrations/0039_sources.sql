-- Sources: public addresses that tenants watch. A feed is an address that is fetched once for all
-- sources that watch it.

-- `due_at` is when the feed is scanned next, and the lease of the run that has it (`run_id`); it is
-- NULL if no running source watches the feed. `again_at` is when a scan was last requested outside
-- the schedule, and `fetch_wanted` whether that scan fetches the feed even if a hub pushed it.
-- `changed_at` is when its sources last changed, so that known content has to be read again.
-- `unwatched_at` is when the last source was deleted; the feed is deleted some time later.
CREATE TABLE watched_feeds (
  feed_id UUID PRIMARY KEY,
  url TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('feed', 'sitemap', 'page')),
  service TEXT,
  profile TEXT,
  title TEXT NOT NULL,
  push_only BOOLEAN NOT NULL,
  due_at BIGINT,
  run_id UUID,
  again_at BIGINT,
  fetch_wanted BOOLEAN NOT NULL,
  fetched_at BIGINT,
  last_scan_at BIGINT,
  failing_since BIGINT,
  failures BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  unwatched_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX watched_feeds_url ON watched_feeds (url);
CREATE INDEX watched_feeds_due_at ON watched_feeds (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX watched_feeds_unwatched ON watched_feeds (unwatched_at) WHERE unwatched_at IS NOT NULL;

-- `mention_count` counts the mentions that the source found first. `failing_noticed_at` is when its
-- tenant was notified that its feed fails.
CREATE TABLE sources (
  source_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  feed_id UUID NOT NULL REFERENCES watched_feeds (feed_id),
  url TEXT NOT NULL,
  name TEXT NOT NULL,
  frequency TEXT NOT NULL CHECK (frequency IN ('hourly', 'daily', 'weekly')),
  status TEXT NOT NULL CHECK (status IN ('running', 'paused')),
  stopped_at BIGINT,
  all_talents BOOLEAN NOT NULL,
  asked_at BIGINT,
  mention_count BIGINT NOT NULL,
  failing_noticed_at BIGINT,
  created_by UUID NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version BIGINT NOT NULL
);
CREATE UNIQUE INDEX sources_watched ON sources (tenant_id, feed_id);
CREATE INDEX sources_tenant_id ON sources (tenant_id, source_id);
CREATE INDEX sources_tenant_status ON sources (tenant_id, status, source_id);
CREATE INDEX sources_feed_id ON sources (feed_id, source_id);
CREATE INDEX sources_stopped ON sources (source_id) WHERE stopped_at IS NOT NULL;
CREATE INDEX sources_not_stopped ON sources (source_id) WHERE stopped_at IS NULL;

-- The talents that a source is limited to.
CREATE TABLE source_talents (
  source_id UUID NOT NULL REFERENCES sources (source_id) ON DELETE CASCADE,
  talent_id UUID NOT NULL REFERENCES talents (talent_id) ON DELETE CASCADE,
  PRIMARY KEY (source_id, talent_id)
);
CREATE INDEX source_talents_talent_id ON source_talents (talent_id);

-- `skipped` is a JSON array of what was skipped and why.
CREATE TABLE feed_runs (
  run_id UUID PRIMARY KEY,
  feed_id UUID NOT NULL REFERENCES watched_feeds (feed_id) ON DELETE CASCADE,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  outcome TEXT CHECK (outcome IN ('ok', 'partial', 'failed', 'interrupted', 'blocked')),
  reason TEXT,
  request_count BIGINT NOT NULL,
  error_count BIGINT NOT NULL,
  item_count BIGINT NOT NULL,
  new_item_count BIGINT NOT NULL,
  mention_count BIGINT NOT NULL,
  skipped TEXT NOT NULL
);
CREATE INDEX feed_runs_feed_id ON feed_runs (feed_id, started_at, run_id);
CREATE INDEX feed_runs_under_way ON feed_runs (feed_id) WHERE ended_at IS NULL;

-- Profiles on hosted services that tenants claim. Many may claim a profile; one has proved it.
CREATE TABLE profiles (
  profile_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  service TEXT NOT NULL,
  url TEXT NOT NULL,
  code TEXT NOT NULL,
  proved_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX profiles_url ON profiles (tenant_id, url);
CREATE UNIQUE INDEX profiles_proved ON profiles (url) WHERE proved_at IS NOT NULL;

-- Scanned content, its images and positions in feeds belong to a target: a platform or a feed.
-- Images are stored by themselves, because one piece of content may have several.
CREATE TABLE scanned_images (
  target_id UUID NOT NULL,
  url TEXT NOT NULL,
  hashes BYTEA NOT NULL,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (target_id, url)
);
INSERT INTO scanned_images (target_id, url, hashes, last_seen_at)
SELECT platform_id, image_url, picture, last_seen_at FROM scanned_items
WHERE image_url IS NOT NULL AND picture IS NOT NULL
ON CONFLICT (target_id, url) DO NOTHING;
CREATE INDEX scanned_images_last_seen_at ON scanned_images (last_seen_at);

-- only postgres
ALTER TABLE scanned_items DROP CONSTRAINT scanned_items_platform_id_fkey;
ALTER TABLE scanned_items RENAME COLUMN platform_id TO target_id;
ALTER TABLE scanned_items DROP COLUMN image_url;
ALTER TABLE scanned_items DROP COLUMN picture;
ALTER TABLE feed_cursors DROP CONSTRAINT feed_cursors_platform_id_fkey;
ALTER TABLE feed_cursors RENAME COLUMN platform_id TO target_id;
-- end
-- only sqlite
CREATE TABLE target_items (
  target_id UUID NOT NULL,
  url_key TEXT NOT NULL,
  digest BYTEA NOT NULL,
  listed_at BIGINT,
  first_seen_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (target_id, url_key)
);
INSERT INTO target_items (target_id, url_key, digest, listed_at, first_seen_at, last_seen_at)
SELECT platform_id, url_key, digest, listed_at, first_seen_at, last_seen_at FROM scanned_items;
DROP TABLE scanned_items;
ALTER TABLE target_items RENAME TO scanned_items;
CREATE INDEX scanned_items_last_seen_at ON scanned_items (last_seen_at);
CREATE TABLE target_cursors (
  target_id UUID NOT NULL,
  url TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  digest BYTEA NOT NULL,
  read_at BIGINT NOT NULL,
  PRIMARY KEY (target_id, url)
);
INSERT INTO target_cursors (target_id, url, etag, last_modified, digest, read_at)
SELECT platform_id, url, etag, last_modified, digest, read_at FROM feed_cursors;
DROP TABLE feed_cursors;
ALTER TABLE target_cursors RENAME TO feed_cursors;
CREATE INDEX feed_cursors_read_at ON feed_cursors (read_at);
-- end

-- A mention was found on a platform or by a source. It stays when its source is deleted.
-- only postgres
ALTER TABLE mentions ALTER COLUMN platform_id DROP NOT NULL;
ALTER TABLE mentions ADD COLUMN source_id UUID REFERENCES sources (source_id);
-- end
-- only sqlite
CREATE TABLE placed_mentions (
  mention_id UUID PRIMARY KEY,
  talent_id UUID NOT NULL REFERENCES talents (talent_id),
  tenant_id UUID REFERENCES tenants (tenant_id),
  platform_id UUID REFERENCES platforms (platform_id),
  url TEXT NOT NULL,
  url_key TEXT NOT NULL,
  title TEXT NOT NULL,
  excerpt TEXT NOT NULL,
  author TEXT,
  media_type TEXT NOT NULL,
  match TEXT NOT NULL,
  verdict TEXT NOT NULL,
  verdict_reason TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('new', 'confirmed', 'dismissed')),
  note TEXT,
  published_at BIGINT,
  first_seen_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  content_digest TEXT,
  grant_id UUID REFERENCES grants (grant_id),
  source_id UUID REFERENCES sources (source_id)
);
INSERT INTO placed_mentions (mention_id, talent_id, tenant_id, platform_id, url, url_key, title, excerpt,
  author, media_type, match, verdict, verdict_reason, status, note, published_at, first_seen_at, last_seen_at,
  revision, version, content_digest, grant_id)
SELECT mention_id, talent_id, tenant_id, platform_id, url, url_key, title, excerpt, author, media_type, match,
  verdict, verdict_reason, status, note, published_at, first_seen_at, last_seen_at, revision, version,
  content_digest, grant_id
FROM mentions;
DROP TABLE mentions;
ALTER TABLE placed_mentions RENAME TO mentions;
CREATE UNIQUE INDEX mentions_url_key ON mentions (talent_id, url_key);
CREATE INDEX mentions_platform_id ON mentions (platform_id);
CREATE INDEX mentions_tenant_id ON mentions (tenant_id, first_seen_at, mention_id, status, verdict);
CREATE INDEX mentions_waiting ON mentions (tenant_id, first_seen_at, mention_id, verdict) WHERE status = 'new';
CREATE INDEX mentions_talent_id ON mentions (talent_id, first_seen_at, mention_id, status, verdict, platform_id, last_seen_at, tenant_id);
CREATE INDEX mentions_waiting_on ON mentions (talent_id, first_seen_at, mention_id, verdict, last_seen_at, tenant_id) WHERE status = 'new';
-- end
CREATE INDEX mentions_source_id ON mentions (source_id, first_seen_at, mention_id) WHERE source_id IS NOT NULL;

-- The number of sources of a tenant.
ALTER TABLE tenant_usage ADD COLUMN sources BIGINT NOT NULL DEFAULT 0;

-- What a tenant changed last: known content of its sources is read again.
CREATE INDEX licenses_tenant_changes ON licenses (tenant_id, updated_at);
CREATE INDEX talents_tenant_changes ON talents (tenant_id, updated_at);
