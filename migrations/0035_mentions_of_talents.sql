-- A mention is of a talent, once at each address, instead of once for each license. Which licenses list a
-- mention follows from when each of them was watched.

-- From when to when the talent of a license was looked for. When a license was first watched is not known:
-- those that are watched were so since they were made, and others while something was seen of them. Licenses
-- that were deleted have neither.
ALTER TABLE licenses ADD COLUMN watched_since BIGINT;
ALTER TABLE licenses ADD COLUMN watched_until BIGINT;
UPDATE licenses SET watched_since = created_at, watched_until = expires_at
WHERE can_crawl AND status IN ('private', 'public') AND deleted_at IS NULL;
CREATE TABLE license_sightings (
  license_id UUID PRIMARY KEY,
  first_seen_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL
);
INSERT INTO license_sightings (license_id, first_seen_at, last_seen_at)
SELECT license_id, min(first_seen_at), max(last_seen_at) FROM mentions GROUP BY license_id;
UPDATE licenses SET
  watched_since = (SELECT s.first_seen_at FROM license_sightings s WHERE s.license_id = licenses.license_id),
  watched_until = (SELECT s.last_seen_at FROM license_sightings s WHERE s.license_id = licenses.license_id)
WHERE watched_since IS NULL AND deleted_at IS NULL
  AND license_id IN (SELECT license_id FROM license_sightings);
UPDATE licenses SET
  watched_since = (SELECT s.first_seen_at FROM license_sightings s WHERE s.license_id = licenses.license_id)
WHERE EXISTS (
  SELECT 1 FROM license_sightings s
  WHERE s.license_id = licenses.license_id AND s.first_seen_at < licenses.watched_since);
DROP TABLE license_sightings;
CREATE INDEX licenses_watched ON licenses (talent_id, license_id, watched_since, watched_until, valid_from) WHERE watched_since IS NOT NULL;

-- A license's talent never changes. What somebody holds of a talent is found without asking license by
-- license.
ALTER TABLE permissions ADD COLUMN talent_id UUID REFERENCES talents (talent_id);
UPDATE permissions SET talent_id = (
  SELECT l.talent_id FROM licenses l WHERE l.license_id = permissions.license_id);
CREATE INDEX permissions_talent_id ON permissions (talent_id, grantee_id, license_id, role);
DROP INDEX permissions_grantee_id;
CREATE INDEX permissions_grantee_id ON permissions (grantee_id, talent_id);

-- Mentions of one talent at one address become one: what was decided last and the best verdict stay, those
-- of licenses that are still there before others.
CREATE TABLE merged_mentions (
  mention_id UUID PRIMARY KEY,
  kept_id UUID NOT NULL,
  talent_id UUID NOT NULL,
  tenant_id UUID,
  platform_id UUID NOT NULL,
  url TEXT NOT NULL,
  url_key TEXT NOT NULL,
  title TEXT NOT NULL,
  excerpt TEXT NOT NULL,
  author TEXT,
  media_type TEXT NOT NULL,
  match TEXT NOT NULL,
  verdict TEXT NOT NULL,
  verdict_reason TEXT NOT NULL,
  status TEXT NOT NULL,
  note TEXT,
  published_at BIGINT,
  first_seen_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  version BIGINT NOT NULL,
  content_digest TEXT
);
INSERT INTO merged_mentions (mention_id, kept_id, talent_id, tenant_id, platform_id, url, url_key, title,
  excerpt, author, media_type, match, verdict, verdict_reason, status, note, published_at, first_seen_at,
  last_seen_at, revision, version, content_digest)
SELECT m.mention_id, first_value(m.mention_id) OVER decided, l.talent_id, first_value(m.tenant_id) OVER judged,
  m.platform_id, m.url, m.url_key, m.title, m.excerpt, m.author, m.media_type, m.match,
  first_value(m.verdict) OVER judged, first_value(m.verdict_reason) OVER judged, m.status, m.note,
  m.published_at, min(m.first_seen_at) OVER same, max(m.last_seen_at) OVER same, max(m.revision) OVER same,
  max(m.version) OVER same, m.content_digest
FROM mentions m JOIN licenses l ON l.license_id = m.license_id
WINDOW same AS (PARTITION BY l.talent_id, m.url_key),
  decided AS (PARTITION BY l.talent_id, m.url_key
    ORDER BY CASE m.status WHEN 'new' THEN 1 ELSE 0 END, m.version DESC, m.last_seen_at DESC, m.mention_id DESC),
  judged AS (PARTITION BY l.talent_id, m.url_key
    ORDER BY CASE WHEN m.tenant_id IS NULL THEN 1 ELSE 0 END,
      CASE m.verdict WHEN 'licensed' THEN 0 WHEN 'needs_review' THEN 1 ELSE 2 END, m.last_seen_at DESC,
      m.mention_id DESC);

-- Who kept several of them keeps the first.
DELETE FROM bookmarks WHERE bookmark_id IN (
  SELECT bookmark_id FROM (
    SELECT b.bookmark_id, row_number() OVER (
      PARTITION BY b.user_id, m.kept_id ORDER BY b.created_at, b.bookmark_id) AS place
    FROM bookmarks b JOIN merged_mentions m ON m.mention_id = b.target_id
    WHERE b.target_type = 'mention') kept
  WHERE place > 1);
UPDATE bookmarks SET target_id = (
  SELECT m.kept_id FROM merged_mentions m WHERE m.mention_id = bookmarks.target_id)
WHERE target_type = 'mention' AND target_id IN (
  SELECT mention_id FROM merged_mentions WHERE kept_id <> mention_id);

DROP TABLE mentions;
CREATE TABLE mentions (
  mention_id UUID PRIMARY KEY,
  talent_id UUID NOT NULL REFERENCES talents (talent_id),
  -- Whose talent it is, as long as one of their licenses lists the mention.
  tenant_id UUID REFERENCES tenants (tenant_id),
  platform_id UUID NOT NULL REFERENCES platforms (platform_id),
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
  content_digest TEXT
);
INSERT INTO mentions (mention_id, talent_id, tenant_id, platform_id, url, url_key, title, excerpt, author,
  media_type, match, verdict, verdict_reason, status, note, published_at, first_seen_at, last_seen_at,
  revision, version, content_digest)
SELECT mention_id, talent_id, tenant_id, platform_id, url, url_key, title, excerpt, author, media_type, match,
  verdict, verdict_reason, status, note, published_at, first_seen_at, last_seen_at, revision, version,
  content_digest
FROM merged_mentions WHERE mention_id = kept_id;
DROP TABLE merged_mentions;
CREATE UNIQUE INDEX mentions_url_key ON mentions (talent_id, url_key);
CREATE INDEX mentions_platform_id ON mentions (platform_id);
CREATE INDEX mentions_tenant_id ON mentions (tenant_id, first_seen_at, mention_id, status, verdict);
CREATE INDEX mentions_waiting ON mentions (tenant_id, first_seen_at, mention_id, verdict) WHERE status = 'new';
-- The mentions of a talent are filtered and counted in the index that they are listed in.
CREATE INDEX mentions_talent_id ON mentions (talent_id, first_seen_at, mention_id, status, verdict, platform_id, last_seen_at, tenant_id);
CREATE INDEX mentions_waiting_on ON mentions (talent_id, first_seen_at, mention_id, verdict, last_seen_at, tenant_id) WHERE status = 'new';

DELETE FROM mention_days;
INSERT INTO mention_days (tenant_id, day, verdict, status, total)
SELECT tenant_id, first_seen_at / 86400000000, verdict, status, count(*) FROM mentions
WHERE tenant_id IS NOT NULL GROUP BY 1, 2, 3, 4;
