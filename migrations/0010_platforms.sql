-- Platforms with the proof of their domain, the access that is granted to them, and the workers
-- that scan them (contract sections 5 and 7). Platforms of before stay: they are no team's, and
-- their domain is still to be proved.

ALTER TABLE platforms ADD COLUMN team_id UUID REFERENCES teams (team_id) ON DELETE SET NULL;
ALTER TABLE platforms ADD COLUMN type TEXT NOT NULL DEFAULT 'Website/Blog';
ALTER TABLE platforms ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
ALTER TABLE platforms ADD COLUMN description TEXT;
ALTER TABLE platforms ADD COLUMN feed_urls TEXT NOT NULL DEFAULT '[]';
ALTER TABLE platforms ADD COLUMN crawling_enabled BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE platforms ADD COLUMN detection_frequency TEXT NOT NULL DEFAULT 'daily';
ALTER TABLE platforms ADD COLUMN content_scanned BIGINT NOT NULL DEFAULT 0;
ALTER TABLE platforms ADD COLUMN nil_detections BIGINT NOT NULL DEFAULT 0;
ALTER TABLE platforms ADD COLUMN last_scan_at BIGINT;
ALTER TABLE platforms ADD COLUMN status TEXT NOT NULL DEFAULT 'pending_verification' CHECK (status IN ('pending_verification', 'verified'));
ALTER TABLE platforms ADD COLUMN token TEXT NOT NULL DEFAULT '';
ALTER TABLE platforms ADD COLUMN verification_method TEXT;
ALTER TABLE platforms ADD COLUMN verified_at BIGINT;
ALTER TABLE platforms ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE platforms ADD COLUMN deleted_at BIGINT;
UPDATE platforms SET updated_at = created_at, search_key = ' ' || lower(name) || ' ' || replace(lower(domain), '.', ' ');
-- only sqlite
UPDATE platforms SET token = lower(hex(randomblob(16)));
-- end
-- only postgres
UPDATE platforms SET token = replace(gen_random_uuid()::text, '-', '');
-- end
CREATE UNIQUE INDEX platforms_domain ON platforms (tenant_id, domain) WHERE deleted_at IS NULL;
-- Many may claim a domain; one has proved it.
CREATE UNIQUE INDEX platforms_verified_domain ON platforms (domain) WHERE status = 'verified' AND deleted_at IS NULL;
CREATE INDEX platforms_team_id ON platforms (team_id);

CREATE TABLE pax (
  pax_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  platform_id UUID NOT NULL REFERENCES platforms (platform_id),
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
  request_count BIGINT NOT NULL,
  last_accessed_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX pax_tenant_id ON pax (tenant_id, created_at, pax_id);
CREATE INDEX pax_platform_id ON pax (platform_id);

-- `due_at` is when a running pod scans next, and by being moved ahead the lease of whoever scans:
-- none while the pod does not run.
CREATE TABLE pods (
  pod_id UUID PRIMARY KEY,
  platform_id UUID NOT NULL REFERENCES platforms (platform_id),
  scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'paused', 'stopped')),
  due_at BIGINT,
  last_started_at BIGINT,
  uptime BIGINT NOT NULL,
  request_count BIGINT NOT NULL,
  error_count BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX pods_platform_id ON pods (platform_id);
CREATE INDEX pods_due_at ON pods (due_at) WHERE due_at IS NOT NULL;
