-- What every later part stands on: settings of the store itself, the log, events and their feeds,
-- the mail queue, answers kept for idempotency keys, and the licenses the catalog reads.
--
-- Words are PostgreSQL's; docs/storage.md says how SQLite reads them. Instants are microseconds.

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- Contract section 8. The tenant leads every key; staff's entries have the nil tenant.
CREATE TABLE log_entries (
  tenant_id UUID NOT NULL,
  created_at BIGINT NOT NULL,
  log_id UUID NOT NULL,
  class TEXT NOT NULL CHECK (class IN ('audit', 'access')),
  scheme TEXT NOT NULL CHECK (scheme IN ('external', 'console', 'admin', 'system')),
  level TEXT NOT NULL CHECK (level IN ('INFO', 'WARN', 'ERROR')),
  action TEXT NOT NULL,
  message TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id UUID,
  actor_name TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  resource_id TEXT,
  resource_name TEXT,
  address TEXT,
  user_agent TEXT,
  duration_micros BIGINT NOT NULL,
  request_id TEXT,
  details TEXT NOT NULL,
  PRIMARY KEY (tenant_id, created_at, log_id)
);
CREATE UNIQUE INDEX log_entries_log_id ON log_entries (log_id);
CREATE INDEX log_entries_action ON log_entries (tenant_id, action, created_at);
CREATE INDEX log_entries_retention ON log_entries (class, created_at);

-- Contract section 6. An event is written once; each feed that may hear it gets a number for it.
CREATE TABLE events (
  event_id UUID PRIMARY KEY,
  owner_id UUID NOT NULL,
  type TEXT NOT NULL,
  license_id UUID,
  resource_version BIGINT NOT NULL,
  data TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX events_created_at ON events (created_at);

-- The row's lock orders the commits of one feed, which is what makes its numbers gapless.
CREATE TABLE feeds (
  feed_id UUID PRIMARY KEY,
  last_sequence BIGINT NOT NULL
);

CREATE TABLE feed_entries (
  feed_id UUID NOT NULL,
  sequence BIGINT NOT NULL,
  event_id UUID NOT NULL REFERENCES events (event_id) ON DELETE CASCADE,
  PRIMARY KEY (feed_id, sequence)
);
CREATE INDEX feed_entries_event_id ON feed_entries (event_id);

-- The sealed content is erased when a mail was sent or given up.
CREATE TABLE mails (
  mail_id UUID PRIMARY KEY,
  kind TEXT NOT NULL,
  sealed BYTEA,
  state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
  attempts BIGINT NOT NULL,
  next_attempt_at BIGINT NOT NULL,
  last_error TEXT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE state = 'queued';
CREATE INDEX mails_finished ON mails (finished_at) WHERE state <> 'queued';

-- Contract section 3, Idempotency-Key. claim tells runs of the same key apart.
CREATE TABLE idempotency_keys (
  caller TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  claim UUID NOT NULL,
  body_hash BYTEA NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'applied', 'answered')),
  sealed_answer BYTEA,
  claimed_until BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (caller, method, path, key)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

-- Talents and licenses as far as the public catalog reads them.
CREATE TABLE tenants (
  tenant_id UUID PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('Platform', 'Agency', 'Brand', 'Individual')),
  description TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
  plan TEXT NOT NULL CHECK (plan IN ('Free', 'Starter', 'Pro', 'Enterprise')),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
-- Two people may share a name, two organizations may not.
CREATE UNIQUE INDEX tenants_name_key ON tenants (name_key) WHERE type <> 'Individual';

CREATE TABLE talents (
  talent_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  fullname TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX talents_tenant_id ON talents (tenant_id);

CREATE TABLE licenses (
  license_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  talent_id UUID NOT NULL REFERENCES talents (talent_id),
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'private', 'public', 'expired')),
  license_type TEXT NOT NULL,
  uses TEXT NOT NULL,
  territories TEXT NOT NULL,
  fee TEXT,
  valid_from BIGINT,
  expires_at BIGINT,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
-- The first also holds every column that counting looks at, so that counting touches no row: SQLite
-- looks at those of an index's own condition too.
CREATE INDEX licenses_public_created_at ON licenses (created_at, license_id, expires_at, license_type, status, deleted_at) WHERE status = 'public' AND deleted_at IS NULL;
CREATE INDEX licenses_public_updated_at ON licenses (updated_at, license_id) WHERE status = 'public' AND deleted_at IS NULL;
CREATE INDEX licenses_public_title ON licenses (title, license_id) WHERE status = 'public' AND deleted_at IS NULL;
