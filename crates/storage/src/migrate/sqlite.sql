CREATE TABLE schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE schema_steps (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  phase TEXT NOT NULL,
  needs INTEGER NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE log_entries (
  tenant_id BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  log_id BLOB NOT NULL,
  class TEXT NOT NULL CHECK (class IN ('audit', 'access')),
  scheme TEXT NOT NULL CHECK (scheme = 'external' OR scheme = 'console' OR scheme = 'admin' OR scheme = 'system'),
  level TEXT NOT NULL CHECK (level = 'INFO' OR level = 'WARN' OR level = 'ERROR'),
  action TEXT NOT NULL,
  message TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id BLOB,
  actor_name TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  resource_id TEXT,
  resource_name TEXT,
  address TEXT,
  user_agent TEXT,
  duration_micros INTEGER NOT NULL,
  request_id TEXT,
  details TEXT NOT NULL, license_id BLOB, number INTEGER,
  PRIMARY KEY (tenant_id, created_at, log_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX log_entries_log_id ON log_entries (log_id);
CREATE INDEX log_entries_retention ON log_entries (class, created_at);
CREATE TABLE feeds (
  feed_id BLOB PRIMARY KEY,
  last_sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE feed_entries (
  feed_id BLOB NOT NULL,
  sequence INTEGER NOT NULL,
  event_id BLOB NOT NULL REFERENCES "events" (event_id) ON DELETE CASCADE,
  PRIMARY KEY (feed_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX feed_entries_event_id ON feed_entries (event_id);
CREATE TABLE mails (
  mail_id BLOB PRIMARY KEY,
  kind TEXT NOT NULL,
  sealed BLOB,
  state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
, node_id BLOB) STRICT, WITHOUT ROWID;
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE state = 'queued';
CREATE INDEX mails_finished ON mails (finished_at) WHERE state <> 'queued';
CREATE TABLE idempotency_keys (
  caller TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  claim BLOB NOT NULL,
  body_hash BLOB NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'applied', 'answered')),
  sealed_answer BLOB,
  claimed_until INTEGER NOT NULL,
  created_at INTEGER NOT NULL, node_id BLOB, changed TEXT,
  PRIMARY KEY (caller, method, path, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);
CREATE TABLE tenants (
  tenant_id BLOB PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('Platform', 'Agency', 'Brand', 'Individual')),
  description TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
  plan TEXT NOT NULL CHECK (plan IN ('Free', 'Starter', 'Pro', 'Enterprise')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, findable INTEGER NOT NULL DEFAULT FALSE, requires_second_factor INTEGER NOT NULL DEFAULT false, described_at INTEGER) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tenants_name_key ON tenants (name_key) WHERE type <> 'Individual';
CREATE TABLE users (
  user_id BLOB PRIMARY KEY,
  last_tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  fullname TEXT NOT NULL,
  fullname_key TEXT NOT NULL,
  password_hash TEXT,
  bio TEXT,
  location TEXT,
  phone TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, firstname TEXT) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX users_email_key ON users (email_key);
CREATE TABLE challenges (
  challenge_hash BLOB PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('registration', 'reset', 'magic_link')),
  email_key TEXT NOT NULL,
  sealed BLOB NOT NULL,
  code_mac BLOB NOT NULL,
  wrong INTEGER NOT NULL,
  resends INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
, link_hash BLOB) STRICT, WITHOUT ROWID;
CREATE INDEX challenges_email_key ON challenges (email_key, purpose);
CREATE INDEX challenges_expires_at ON challenges (expires_at);
CREATE TABLE sessions (
  session_id BLOB PRIMARY KEY,
  audience TEXT NOT NULL CHECK (audience IN ('console', 'admin')),
  subject_id BLOB NOT NULL,
  device TEXT,
  address TEXT,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
, tenant_id BLOB REFERENCES tenants (tenant_id), family_id BLOB, method TEXT, signed_in_at INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_subject_id ON sessions (subject_id, created_at);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE TABLE refresh_tokens (
  token_hash BLOB PRIMARY KEY,
  session_id BLOB NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
  used_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX refresh_tokens_session_id ON refresh_tokens (session_id);
CREATE TABLE admins (
  admin_id BLOB PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  fullname TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('Super_Admin', 'Admin', 'Support_Admin')),
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX admins_email_key ON admins (email_key);
CREATE INDEX admins_created_at ON admins (created_at, admin_id);
CREATE TABLE admin_tokens (
  token_hash BLOB PRIMARY KEY,
  admin_id BLOB NOT NULL REFERENCES admins (admin_id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX admin_tokens_admin_id ON admin_tokens (admin_id);
CREATE INDEX admin_tokens_expires_at ON admin_tokens (expires_at);
CREATE TABLE clients (
  client_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  user_id BLOB NOT NULL REFERENCES users (user_id),
  name TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('production', 'staging', 'development')),
  api_key TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  old_secret_hash BLOB,
  old_secret_until INTEGER,
  scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive', 'revoked')),
  expires_at INTEGER,
  warned_days INTEGER,
  last_used_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX clients_api_key ON clients (api_key);
CREATE INDEX clients_tenant_id ON clients (tenant_id, created_at, client_id);
CREATE INDEX clients_user_id ON clients (user_id);
CREATE INDEX clients_expires_at ON clients (expires_at) WHERE status = 'active';
CREATE TABLE exchanges (
  exchange_id BLOB PRIMARY KEY,
  client_id BLOB NOT NULL REFERENCES clients (client_id) ON DELETE CASCADE,
  refresh_hash BLOB,
  refresh_until INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX exchanges_refresh_hash ON exchanges (refresh_hash);
CREATE INDEX exchanges_client_id ON exchanges (client_id);
CREATE INDEX exchanges_refresh_until ON exchanges (refresh_until);
CREATE TABLE revoked_tokens (
  token_id BLOB PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX revoked_tokens_expires_at ON revoked_tokens (expires_at);
CREATE TABLE talents (
  talent_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  user_id BLOB REFERENCES users (user_id),
  fullname TEXT NOT NULL,
  aliases TEXT NOT NULL,
  names_key TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  bio TEXT,
  social_media TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  license_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, team_id BLOB REFERENCES teams (team_id), verified INTEGER NOT NULL DEFAULT FALSE) STRICT, WITHOUT ROWID;
CREATE INDEX talents_tenant_id ON talents (tenant_id, created_at, talent_id);
CREATE INDEX talents_user_id ON talents (user_id);
CREATE TABLE licenses (
  license_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  talent_id BLOB NOT NULL REFERENCES talents (talent_id),
  external_id TEXT,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'draft' OR status = 'private' OR status = 'public' OR status = 'expired'),
  license_type TEXT NOT NULL,
  uses TEXT NOT NULL,
  territories TEXT NOT NULL,
  fee TEXT,
  can_crawl INTEGER NOT NULL,
  terms TEXT NOT NULL,
  valid_from INTEGER,
  expires_at INTEGER,
  image_count INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
, watched_since INTEGER, watched_until INTEGER, remind_at INTEGER) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX licenses_external_id ON licenses (tenant_id, external_id) WHERE external_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX licenses_by_external_id ON licenses (external_id) WHERE external_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX licenses_talent_id ON licenses (talent_id);
CREATE INDEX licenses_tenant_id ON licenses (tenant_id);
CREATE INDEX licenses_lapsing ON licenses (expires_at) WHERE status IN ('private', 'public') AND deleted_at IS NULL;
CREATE TABLE permissions (
  permission_id BLOB PRIMARY KEY,
  license_id BLOB NOT NULL REFERENCES licenses (license_id),
  grantee_kind TEXT NOT NULL CHECK (grantee_kind IN ('user', 'organization')),
  grantee_id BLOB NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'trustee', 'licensor')),
  granted_by BLOB NOT NULL,
  created_at INTEGER NOT NULL
, email TEXT, email_key TEXT, accepted_at INTEGER, talent_id BLOB REFERENCES talents (talent_id)) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX permissions_license_id ON permissions (license_id, grantee_id);
CREATE TABLE license_readers (
  reader_id BLOB NOT NULL,
  license_id BLOB NOT NULL REFERENCES licenses (license_id),
  role INTEGER NOT NULL,
  status TEXT NOT NULL,
  license_type TEXT NOT NULL,
  title TEXT NOT NULL,
  expires_at INTEGER,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (reader_id, license_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX license_readers_license_id ON license_readers (license_id);
CREATE INDEX license_readers_updated_at ON license_readers (reader_id, updated_at, license_id, status, license_type, expires_at, version, role);
CREATE INDEX license_readers_title ON license_readers (reader_id, title, license_id, status, license_type, expires_at, version, role);
CREATE TABLE images (
  image_id BLOB PRIMARY KEY,
  license_id BLOB NOT NULL REFERENCES licenses (license_id),
  content_type TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL
, tenant_id BLOB) STRICT, WITHOUT ROWID;
CREATE INDEX images_license_id ON images (license_id, created_at, image_id);
CREATE TABLE platforms (
  platform_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  domain TEXT NOT NULL,
  created_at INTEGER NOT NULL
, team_id BLOB REFERENCES teams (team_id) ON DELETE SET NULL, type TEXT NOT NULL DEFAULT 'Website/Blog', search_key TEXT NOT NULL DEFAULT '', description TEXT, feed_urls TEXT NOT NULL DEFAULT '[]', crawling_enabled INTEGER NOT NULL DEFAULT true, detection_frequency TEXT NOT NULL DEFAULT 'daily', content_scanned INTEGER NOT NULL DEFAULT 0, nil_detections INTEGER NOT NULL DEFAULT 0, last_scan_at INTEGER, status TEXT NOT NULL DEFAULT 'pending_verification' CHECK (status IN ('pending_verification', 'verified')), token TEXT NOT NULL DEFAULT '', verification_method TEXT, verified_at INTEGER, updated_at INTEGER NOT NULL DEFAULT 0, deleted_at INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX platforms_tenant_id ON platforms (tenant_id, created_at);
CREATE TABLE bookmarks (
  bookmark_id BLOB PRIMARY KEY,
  user_id BLOB NOT NULL REFERENCES users (user_id),
  target_type TEXT NOT NULL CHECK (target_type IN ('license', 'mention')),
  target_id BLOB NOT NULL,
  note TEXT,
  tags TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX bookmarks_target_id ON bookmarks (user_id, target_type, target_id);
CREATE INDEX bookmarks_user_id ON bookmarks (user_id, created_at, bookmark_id);
CREATE TABLE webhooks (
  webhook_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  user_id BLOB NOT NULL REFERENCES users (user_id),
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  -- A bit for each kind of event.
  events INTEGER NOT NULL,
  -- A deleted one is gone from every answer; its deliveries are swept, then the row.
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled', 'deleted')),
  -- Sealed; the one before signs beside the new one for a while.
  secret BLOB NOT NULL,
  old_secret BLOB,
  old_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_success_at INTEGER,
  failing_since INTEGER
, rests_until INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX webhooks_tenant_id ON webhooks (tenant_id, status, created_at, webhook_id);
CREATE INDEX webhooks_deleted ON webhooks (webhook_id) WHERE status = 'deleted';
CREATE TABLE deliveries (
  delivery_id BLOB PRIMARY KEY,
  webhook_id BLOB NOT NULL REFERENCES webhooks (webhook_id),
  event_id BLOB NOT NULL REFERENCES "events" (event_id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status = 'pending' OR status = 'delivered' OR status = 'failed' OR status = 'dropped'),
  attempts INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  tries TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
, drop_reason TEXT CHECK (drop_reason IN ('not_visible', 'expired')), node_id BLOB) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_pending ON deliveries (webhook_id, due_at, delivery_id) WHERE status = 'pending';
CREATE INDEX deliveries_webhook_id ON deliveries (webhook_id, delivery_id, status);
CREATE TABLE teams (
  team_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX teams_name_key ON teams (tenant_id, name_key);
CREATE INDEX teams_tenant_id ON teams (tenant_id, created_at, team_id);
CREATE INDEX talents_team_id ON talents (team_id);
CREATE TABLE tenant_information (
  tenant_id BLOB PRIMARY KEY REFERENCES tenants (tenant_id),
  information TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tenants_listed ON tenants (created_at, tenant_id, type, status, plan, name_key);
CREATE INDEX platforms_listed ON platforms (created_at, platform_id, tenant_id);
CREATE UNIQUE INDEX platforms_domain ON platforms (tenant_id, domain) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX platforms_verified_domain ON platforms (domain) WHERE status = 'verified' AND deleted_at IS NULL;
CREATE INDEX platforms_team_id ON platforms (team_id);
CREATE TABLE pax (
  pax_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  platform_id BLOB NOT NULL REFERENCES platforms (platform_id),
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
  request_count INTEGER NOT NULL,
  last_accessed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pax_tenant_id ON pax (tenant_id, created_at, pax_id);
CREATE INDEX pax_platform_id ON pax (platform_id);
CREATE TABLE pods (
  pod_id BLOB PRIMARY KEY,
  platform_id BLOB NOT NULL REFERENCES platforms (platform_id),
  scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'paused', 'stopped')),
  due_at INTEGER,
  last_started_at INTEGER,
  uptime INTEGER NOT NULL,
  request_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, run_id BLOB, node_id BLOB) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX pods_platform_id ON pods (platform_id);
CREATE INDEX pods_due_at ON pods (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE processor_customers (
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  processor TEXT NOT NULL,
  reference TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, processor)
) STRICT, WITHOUT ROWID;
CREATE TABLE cards (
  card_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  processor TEXT NOT NULL,
  customer TEXT NOT NULL,
  reference TEXT NOT NULL,
  brand TEXT NOT NULL,
  last4 TEXT NOT NULL,
  expiry_month INTEGER NOT NULL,
  expiry_year INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX cards_tenant_id ON cards (tenant_id, created_at, card_id);
CREATE TABLE subscriptions (
  subscription_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  plan TEXT NOT NULL,
  next_plan TEXT,
  card_id BLOB NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'past_due', 'canceled')),
  -- The period that runs is the one after so many months since then.
  anchored_at INTEGER NOT NULL,
  periods INTEGER NOT NULL,
  period_end INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  leased_until INTEGER,
  wakes_at INTEGER NOT NULL,
  claim INTEGER NOT NULL,
  created_at INTEGER NOT NULL
, node_id BLOB) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX subscriptions_tenant_id ON subscriptions (tenant_id);
CREATE INDEX subscriptions_wakes_at ON subscriptions (wakes_at, subscription_id);
CREATE TABLE bills (
  bill_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  subscription_id BLOB NOT NULL,
  card_id BLOB NOT NULL,
  plan TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('purchase', 'renewal')),
  period_start INTEGER NOT NULL,
  -- In hundredths.
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'failed', 'void')),
  description TEXT NOT NULL,
  -- What the processor calls the payment, and how often it was refused.
  payment TEXT,
  refusals INTEGER NOT NULL,
  billing_date INTEGER NOT NULL,
  due_date INTEGER NOT NULL,
  paid_date INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX bills_tenant_id ON bills (tenant_id, billing_date, bill_id);
CREATE INDEX bills_open ON bills (tenant_id) WHERE status = 'open';
CREATE UNIQUE INDEX bills_renewal ON bills (subscription_id, period_start) WHERE kind = 'renewal';
CREATE TABLE sandbox_charges (
  payment TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  card TEXT NOT NULL,
  amount INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('succeeded', 'declined')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (payment, attempt)
) STRICT, WITHOUT ROWID;
CREATE TABLE quotas (
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  month INTEGER NOT NULL,
  taken INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, month)
) STRICT, WITHOUT ROWID;
CREATE TABLE log_exports (
  export_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  format TEXT NOT NULL CHECK (format IN ('csv', 'json')),
  filter TEXT NOT NULL,
  entries INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX log_exports_expires_at ON log_exports (expires_at);
CREATE TABLE mail_templates (
  template_id BLOB PRIMARY KEY,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX mail_templates_kind ON mail_templates (kind);
CREATE TABLE image_hashes (
  image_id BLOB PRIMARY KEY REFERENCES images (image_id) ON DELETE CASCADE,
  hash BLOB,
  quality INTEGER NOT NULL,
  hashed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX image_hashes_hashed_at ON image_hashes (hashed_at, image_id);
CREATE TABLE pod_runs (
  run_id BLOB PRIMARY KEY,
  pod_id BLOB NOT NULL REFERENCES pods (pod_id),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  outcome TEXT CHECK (outcome IN ('ok', 'partial', 'failed', 'interrupted', 'blocked')),
  reason TEXT,
  request_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  item_count INTEGER NOT NULL,
  new_item_count INTEGER NOT NULL,
  mention_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pod_runs_pod_id ON pod_runs (pod_id, started_at, run_id);
CREATE INDEX pod_runs_under_way ON pod_runs (pod_id) WHERE ended_at IS NULL;
CREATE TABLE scan_hosts (
  host TEXT PRIMARY KEY,
  run_id BLOB,
  held_until INTEGER NOT NULL,
  next_at INTEGER NOT NULL
, node_id BLOB) STRICT, WITHOUT ROWID;
CREATE INDEX scan_hosts_run_id ON scan_hosts (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX scan_hosts_next_at ON scan_hosts (next_at);
CREATE INDEX licenses_updated_at ON licenses (updated_at);
CREATE INDEX talents_updated_at ON talents (updated_at, talent_id);
CREATE INDEX permissions_created_at ON permissions (created_at);
CREATE INDEX licenses_of_talent ON licenses (talent_id, license_id) WHERE deleted_at IS NULL;
CREATE INDEX log_entries_license_id ON log_entries (tenant_id, license_id, created_at, log_id) WHERE license_id IS NOT NULL;
CREATE TABLE chores (
  chore_id BLOB PRIMARY KEY,
  -- The record it is about.
  subject_id BLOB NOT NULL,
  -- What is left, as JSON.
  chore TEXT NOT NULL,
  created_at INTEGER NOT NULL
, due_at INTEGER NOT NULL DEFAULT 0, node_id BLOB, trace_context TEXT) STRICT, WITHOUT ROWID;
CREATE INDEX chores_subject_id ON chores (subject_id);
CREATE INDEX licenses_of_tenant ON licenses (tenant_id, license_id) WHERE deleted_at IS NULL;
CREATE TABLE tenant_usage (
  tenant_id BLOB PRIMARY KEY REFERENCES tenants (tenant_id),
  image_bytes INTEGER NOT NULL,
  talents INTEGER NOT NULL,
  licenses INTEGER NOT NULL,
  webhooks INTEGER NOT NULL
, sources INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE TABLE expired_tokens (
  token_hash BLOB PRIMARY KEY,
  expired_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX expired_tokens_expired_at ON expired_tokens (expired_at);
CREATE UNIQUE INDEX permissions_email_key ON permissions (license_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX permissions_waiting ON permissions (email_key, created_at, permission_id) WHERE grantee_id = permission_id;
CREATE TABLE memberships (
  user_id BLOB NOT NULL REFERENCES users (user_id),
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  role TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, tenant_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_tenant_id ON memberships (tenant_id, role, status);
CREATE INDEX sessions_family_id ON sessions (family_id);
CREATE UNIQUE INDEX teams_of_tenant ON teams (team_id, tenant_id);
CREATE TABLE "team_members" (
  team_id BLOB NOT NULL,
  tenant_id BLOB NOT NULL,
  user_id BLOB NOT NULL,
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, user_id),
  FOREIGN KEY (team_id, tenant_id) REFERENCES teams (team_id, tenant_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id, tenant_id) REFERENCES memberships (user_id, tenant_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_members_user_id ON team_members (user_id, tenant_id);
CREATE TABLE "invitations" (
  token_hash BLOB PRIMARY KEY,
  invitation_id BLOB NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('admin', 'team', 'talent', 'share')),
  tenant_id BLOB REFERENCES tenants (tenant_id),
  target_id BLOB,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  fullname TEXT NOT NULL,
  role TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX invitations_invitation_id ON invitations (invitation_id);
CREATE INDEX invitations_email_key ON invitations (email_key, kind);
CREATE INDEX invitations_expires_at ON invitations (expires_at);
CREATE INDEX invitations_target_id ON invitations (kind, target_id, created_at);
CREATE TABLE known_devices (
  device TEXT NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (device, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_devices_user_id ON known_devices (user_id, last_seen_at);
CREATE INDEX known_devices_last_seen_at ON known_devices (last_seen_at);
CREATE INDEX users_namesakes ON users (fullname_key, user_id) WHERE password_hash IS NOT NULL;
CREATE UNIQUE INDEX challenges_link_hash ON challenges (link_hash) WHERE link_hash IS NOT NULL;
CREATE TABLE license_postings (
  term TEXT NOT NULL,
  block INTEGER NOT NULL,
  bits BLOB NOT NULL,
  PRIMARY KEY (term, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE license_numbers (
  number INTEGER PRIMARY KEY,
  license_id BLOB NOT NULL,
  terms TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX license_numbers_license_id ON license_numbers (license_id);
CREATE TABLE license_stale (
  license_id BLOB PRIMARY KEY,
  mark INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE reader_counts (
  reader_id BLOB NOT NULL,
  status TEXT NOT NULL,
  shard INTEGER NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (reader_id, status, shard)
) STRICT, WITHOUT ROWID;
CREATE TABLE mention_days (
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  day INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  status TEXT NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, day, verdict, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_event_id ON deliveries (event_id, webhook_id);
CREATE INDEX log_entries_fresh ON log_entries (created_at, log_id) WHERE number IS NULL;
CREATE TABLE log_postings (
  term TEXT NOT NULL,
  block INTEGER NOT NULL,
  bits BLOB NOT NULL,
  PRIMARY KEY (term, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE log_times (
  block INTEGER PRIMARY KEY,
  earliest INTEGER NOT NULL,
  latest INTEGER NOT NULL,
  spans BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE delivery_days (
  webhook_id BLOB NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX licenses_watched ON licenses (talent_id, license_id, watched_since, watched_until, valid_from) WHERE watched_since IS NOT NULL;
CREATE INDEX permissions_talent_id ON permissions (talent_id, grantee_id, license_id, role);
CREATE INDEX permissions_grantee_id ON permissions (grantee_id, talent_id);
CREATE TABLE license_versions (
  license_id BLOB NOT NULL REFERENCES licenses (license_id),
  version INTEGER NOT NULL,
  external_id TEXT,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  license_type TEXT NOT NULL,
  uses TEXT NOT NULL,
  territories TEXT NOT NULL,
  fee TEXT,
  can_crawl INTEGER NOT NULL,
  terms TEXT NOT NULL,
  valid_from INTEGER,
  expires_at INTEGER,
  image_count INTEGER NOT NULL,
  since INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id BLOB,
  actor_name TEXT NOT NULL,
  PRIMARY KEY (license_id, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE past_permissions (
  permission_id BLOB PRIMARY KEY,
  license_id BLOB NOT NULL REFERENCES licenses (license_id),
  grantee_id BLOB NOT NULL,
  role TEXT NOT NULL,
  granted_at INTEGER NOT NULL,
  revoked_at INTEGER NOT NULL,
  -- False if it was given to an email address that nobody claimed.
  claimed INTEGER NOT NULL
, talent_id BLOB) STRICT, WITHOUT ROWID;
CREATE INDEX past_permissions_license_id ON past_permissions (license_id, grantee_id);
CREATE TABLE requests (
  request_id BLOB PRIMARY KEY,
  license_id BLOB NOT NULL REFERENCES licenses (license_id),
  talent_id BLOB NOT NULL REFERENCES talents (talent_id),
  owner_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  asker_id BLOB REFERENCES tenants (tenant_id),
  email TEXT,
  email_key TEXT,
  status TEXT NOT NULL CHECK (status IN ('open', 'offered', 'accepted', 'declined', 'withdrawn', 'lapsed')),
  -- By which side it was begun.
  begun_by TEXT NOT NULL CHECK (begun_by IN ('asker', 'owner')),
  coverage TEXT NOT NULL,
  purpose TEXT NOT NULL,
  channels TEXT NOT NULL,
  budget TEXT,
  -- Why it was declined.
  reason TEXT,
  unread_by_asker INTEGER NOT NULL,
  unread_by_owner INTEGER NOT NULL,
  lapses_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_by BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, closed_by TEXT, closed_at INTEGER, unread_offers INTEGER NOT NULL DEFAULT 0, unread_request INTEGER NOT NULL DEFAULT FALSE) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX requests_of_asker ON requests (license_id, asker_id) WHERE asker_id IS NOT NULL AND status IN ('open', 'offered');
CREATE UNIQUE INDEX requests_of_email ON requests (license_id, email_key) WHERE email_key IS NOT NULL AND status IN ('open', 'offered');
CREATE INDEX requests_asker_id ON requests (asker_id, updated_at, request_id);
CREATE INDEX requests_asker_status ON requests (asker_id, status, updated_at, request_id);
CREATE INDEX requests_owner_id ON requests (owner_id, updated_at, request_id);
CREATE INDEX requests_owner_status ON requests (owner_id, status, updated_at, request_id);
CREATE INDEX requests_license_id ON requests (license_id, updated_at, request_id);
CREATE INDEX requests_lapsing ON requests (lapses_at) WHERE status IN ('open', 'offered');
CREATE TABLE offers (
  offer_id BLOB PRIMARY KEY,
  request_id BLOB NOT NULL REFERENCES requests (request_id),
  license_version INTEGER NOT NULL,
  terms TEXT NOT NULL,
  terms_hash TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'replaced', 'accepted', 'declined', 'withdrawn', 'lapsed')),
  expires_at INTEGER NOT NULL,
  created_by BLOB NOT NULL,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL
, blocked_at INTEGER, withdrawn_by TEXT CHECK (withdrawn_by IN ('asker', 'owner'))) STRICT, WITHOUT ROWID;
CREATE INDEX offers_request_id ON offers (request_id, offer_id);
CREATE TABLE request_messages (
  message_id BLOB PRIMARY KEY,
  request_id BLOB NOT NULL REFERENCES requests (request_id),
  party TEXT NOT NULL CHECK (party IN ('asker', 'owner')),
  user_id BLOB NOT NULL,
  author TEXT NOT NULL,
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX request_messages_request_id ON request_messages (request_id, message_id);
CREATE TABLE grants (
  grant_id BLOB PRIMARY KEY,
  request_id BLOB NOT NULL REFERENCES requests (request_id),
  license_id BLOB NOT NULL REFERENCES licenses (license_id),
  license_version INTEGER NOT NULL,
  talent_id BLOB NOT NULL REFERENCES talents (talent_id),
  licensor_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  licensee_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  year INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('scheduled', 'active', 'ended', 'revoked')),
  terms TEXT NOT NULL,
  terms_hash TEXT NOT NULL,
  exclusive INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER,
  accepted_by BLOB NOT NULL,
  accepted_by_name TEXT NOT NULL,
  status_list INTEGER NOT NULL,
  status_index INTEGER NOT NULL,
  -- When its parties are next told that it ends.
  remind_at INTEGER,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  revoke_reason TEXT
, revoked_by_name TEXT) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX grants_request_id ON grants (request_id);
CREATE UNIQUE INDEX grants_number ON grants (licensor_id, year, serial);
CREATE UNIQUE INDEX grants_status_index ON grants (status_list, status_index);
CREATE INDEX grants_license_id ON grants (license_id, licensee_id, grant_id);
CREATE INDEX grants_talent_id ON grants (talent_id, grant_id);
CREATE INDEX grants_starting ON grants (starts_at) WHERE status = 'scheduled';
CREATE INDEX grants_ending ON grants (ends_at) WHERE status IN ('scheduled', 'active');
CREATE INDEX grants_reminding ON grants (remind_at) WHERE status IN ('scheduled', 'active');
CREATE TABLE grant_numbers (
  licensor_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  year INTEGER NOT NULL,
  last_serial INTEGER NOT NULL,
  PRIMARY KEY (licensor_id, year)
) STRICT, WITHOUT ROWID;
CREATE TABLE status_lists (
  list_id INTEGER PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE party_counts (
  tenant_id BLOB NOT NULL,
  list TEXT NOT NULL,
  status TEXT NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, list, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX licenses_reminding ON licenses (remind_at) WHERE status IN ('private', 'public') AND deleted_at IS NULL;
CREATE TABLE shared_receipts (
  share_id BLOB PRIMARY KEY,
  grant_id BLOB NOT NULL REFERENCES grants (grant_id),
  code_hash BLOB NOT NULL,
  sealed_code BLOB NOT NULL,
  -- The names of the disclosed claims, as a JSON array.
  disclosed TEXT NOT NULL,
  -- The link that the QR code of the certificate leads to.
  for_certificate INTEGER NOT NULL,
  created_by BLOB NOT NULL,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX shared_receipts_code_hash ON shared_receipts (code_hash);
CREATE INDEX shared_receipts_grant_id ON shared_receipts (grant_id, share_id);
CREATE UNIQUE INDEX shared_receipts_certificate ON shared_receipts (grant_id) WHERE for_certificate;
CREATE INDEX requests_email_key ON requests (email_key, updated_at, request_id) WHERE email_key IS NOT NULL AND asker_id IS NULL AND status IN ('open', 'offered');
CREATE TABLE party_names (
  name TEXT NOT NULL,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  PRIMARY KEY (name, tenant_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX party_names_tenant_id ON party_names (tenant_id);
CREATE TABLE known_parties (
  holder_id BLOB NOT NULL,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  shared INTEGER NOT NULL,
  PRIMARY KEY (holder_id, tenant_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_licensor_license ON grants (licensor_id, license_id, grant_id);
CREATE INDEX grants_licensor_talent ON grants (licensor_id, talent_id, grant_id);
CREATE INDEX grants_licensee_talent ON grants (licensee_id, talent_id, grant_id);
CREATE INDEX grants_licensor_end ON grants (licensor_id, ends_at, grant_id);
CREATE INDEX grants_licensee_end ON grants (licensee_id, ends_at, grant_id);
CREATE TABLE grant_territories (
  tenant_id BLOB NOT NULL,
  party TEXT NOT NULL CHECK (party IN ('asker', 'owner')),
  territory TEXT NOT NULL,
  grant_id BLOB NOT NULL REFERENCES grants (grant_id),
  exclusive INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  until INTEGER NOT NULL, talent_id BLOB, status TEXT,
  PRIMARY KEY (tenant_id, party, territory, grant_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX grant_territories_until ON grant_territories (tenant_id, party, territory, exclusive, until, starts_at);
CREATE INDEX grant_territories_grant_id ON grant_territories (grant_id);
CREATE INDEX grants_created_at ON grants (created_at);
CREATE INDEX grants_active ON grants (license_id, licensee_id) WHERE status = 'active';
CREATE INDEX grants_revoked ON grants (status_list, status_index) WHERE status = 'revoked';
CREATE INDEX requests_asker_license ON requests (asker_id, license_id, updated_at, request_id);
CREATE INDEX requests_license_status ON requests (license_id, status, updated_at, request_id);
CREATE TABLE known_names (
  holder_id BLOB NOT NULL,
  name TEXT NOT NULL,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  PRIMARY KEY (holder_id, name, tenant_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_names_tenant_id ON known_names (tenant_id, holder_id);
CREATE INDEX known_names_unsplit ON known_names (name, tenant_id) WHERE name = '';
CREATE INDEX known_parties_tenant_id ON known_parties (tenant_id, holder_id);
CREATE INDEX grant_territories_talent ON grant_territories (talent_id, territory, exclusive, until, starts_at, grant_id) WHERE party = 'owner';
CREATE INDEX grants_live ON grants (talent_id, grant_id) WHERE status IN ('scheduled', 'active');
CREATE INDEX grants_exclusive ON grants (talent_id, grant_id) WHERE status IN ('scheduled', 'active') AND exclusive;
CREATE INDEX past_permissions_talent_id ON past_permissions (talent_id, grantee_id, license_id);
CREATE INDEX permissions_of_license ON permissions (license_id, created_at, permission_id);
CREATE INDEX license_versions_since ON license_versions (license_id, since);
CREATE TABLE watched_feeds (
  feed_id BLOB PRIMARY KEY,
  url TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('feed', 'sitemap', 'page')),
  service TEXT,
  profile TEXT,
  title TEXT NOT NULL,
  push_only INTEGER NOT NULL,
  due_at INTEGER,
  run_id BLOB,
  again_at INTEGER,
  fetch_wanted INTEGER NOT NULL,
  fetched_at INTEGER,
  last_scan_at INTEGER,
  failing_since INTEGER,
  failures INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  unwatched_at INTEGER,
  created_at INTEGER NOT NULL
, found TEXT, node_id BLOB, regular_at INTEGER) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX watched_feeds_url ON watched_feeds (url);
CREATE INDEX watched_feeds_due_at ON watched_feeds (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX watched_feeds_unwatched ON watched_feeds (unwatched_at) WHERE unwatched_at IS NOT NULL;
CREATE TABLE sources (
  source_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  feed_id BLOB NOT NULL REFERENCES watched_feeds (feed_id),
  url TEXT NOT NULL,
  name TEXT NOT NULL,
  frequency TEXT NOT NULL CHECK (frequency IN ('hourly', 'daily', 'weekly')),
  status TEXT NOT NULL CHECK (status IN ('running', 'paused')),
  stopped_at INTEGER,
  all_talents INTEGER NOT NULL,
  asked_at INTEGER,
  mention_count INTEGER NOT NULL,
  failing_noticed_at INTEGER,
  created_by BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL
, scan_wanted INTEGER NOT NULL DEFAULT FALSE, regular_at INTEGER, scanned_at INTEGER) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sources_watched ON sources (tenant_id, feed_id);
CREATE INDEX sources_tenant_id ON sources (tenant_id, source_id);
CREATE INDEX sources_tenant_status ON sources (tenant_id, status, source_id);
CREATE INDEX sources_feed_id ON sources (feed_id, source_id);
CREATE INDEX sources_stopped ON sources (source_id) WHERE stopped_at IS NOT NULL;
CREATE INDEX sources_not_stopped ON sources (source_id) WHERE stopped_at IS NULL;
CREATE TABLE source_talents (
  source_id BLOB NOT NULL REFERENCES sources (source_id) ON DELETE CASCADE,
  talent_id BLOB NOT NULL REFERENCES talents (talent_id) ON DELETE CASCADE,
  PRIMARY KEY (source_id, talent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_talents_talent_id ON source_talents (talent_id);
CREATE TABLE feed_runs (
  run_id BLOB PRIMARY KEY,
  feed_id BLOB NOT NULL REFERENCES watched_feeds (feed_id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  outcome TEXT CHECK (outcome IN ('ok', 'partial', 'failed', 'interrupted', 'blocked')),
  reason TEXT,
  request_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  item_count INTEGER NOT NULL,
  new_item_count INTEGER NOT NULL,
  mention_count INTEGER NOT NULL,
  skipped TEXT NOT NULL
, by_source INTEGER NOT NULL DEFAULT FALSE) STRICT, WITHOUT ROWID;
CREATE INDEX feed_runs_feed_id ON feed_runs (feed_id, started_at, run_id);
CREATE INDEX feed_runs_under_way ON feed_runs (feed_id) WHERE ended_at IS NULL;
CREATE TABLE profiles (
  profile_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  service TEXT NOT NULL,
  url TEXT NOT NULL,
  code TEXT NOT NULL,
  proved_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX profiles_url ON profiles (tenant_id, url);
CREATE UNIQUE INDEX profiles_proved ON profiles (url) WHERE proved_at IS NOT NULL;
CREATE TABLE scanned_images (
  target_id BLOB NOT NULL,
  url TEXT NOT NULL,
  hashes BLOB NOT NULL,
  last_seen_at INTEGER NOT NULL, shown TEXT, searched_at INTEGER,
  PRIMARY KEY (target_id, url)
) STRICT, WITHOUT ROWID;
CREATE INDEX scanned_images_last_seen_at ON scanned_images (last_seen_at);
CREATE TABLE "scanned_items" (
  target_id BLOB NOT NULL,
  url_key TEXT NOT NULL,
  digest BLOB NOT NULL,
  listed_at INTEGER,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (target_id, url_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX scanned_items_last_seen_at ON scanned_items (last_seen_at);
CREATE TABLE "feed_cursors" (
  target_id BLOB NOT NULL,
  url TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  digest BLOB NOT NULL,
  read_at INTEGER NOT NULL,
  PRIMARY KEY (target_id, url)
) STRICT, WITHOUT ROWID;
CREATE INDEX feed_cursors_read_at ON feed_cursors (read_at);
CREATE TABLE "mentions" (
  mention_id BLOB PRIMARY KEY,
  talent_id BLOB NOT NULL REFERENCES talents (talent_id),
  tenant_id BLOB REFERENCES tenants (tenant_id),
  platform_id BLOB REFERENCES platforms (platform_id),
  url TEXT NOT NULL,
  url_key TEXT NOT NULL,
  title TEXT NOT NULL,
  excerpt TEXT NOT NULL,
  author TEXT,
  media_type TEXT NOT NULL,
  match TEXT NOT NULL,
  verdict TEXT NOT NULL,
  verdict_reason TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'new' OR status = 'confirmed' OR status = 'dismissed'),
  note TEXT,
  published_at INTEGER,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  content_digest TEXT,
  grant_id BLOB REFERENCES grants (grant_id),
  source_id BLOB REFERENCES sources (source_id)
, allowed INTEGER, decided_by BLOB, decided_by_name TEXT, decided_at INTEGER) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX mentions_url_key ON mentions (talent_id, url_key);
CREATE INDEX mentions_platform_id ON mentions (platform_id);
CREATE INDEX mentions_tenant_id ON mentions (tenant_id, first_seen_at, mention_id, status, verdict);
CREATE INDEX mentions_waiting ON mentions (tenant_id, first_seen_at, mention_id, verdict) WHERE status = 'new';
CREATE INDEX mentions_talent_id ON mentions (talent_id, first_seen_at, mention_id, status, verdict, platform_id, last_seen_at, tenant_id);
CREATE INDEX mentions_waiting_on ON mentions (talent_id, first_seen_at, mention_id, verdict, last_seen_at, tenant_id) WHERE status = 'new';
CREATE INDEX mentions_source_id ON mentions (source_id, first_seen_at, mention_id) WHERE source_id IS NOT NULL;
CREATE INDEX licenses_tenant_changes ON licenses (tenant_id, updated_at);
CREATE INDEX talents_tenant_changes ON talents (tenant_id, updated_at);
CREATE TABLE websub_subscriptions (
  subscription_id BLOB PRIMARY KEY,
  feed_id BLOB NOT NULL,
  hub TEXT NOT NULL,
  topic TEXT NOT NULL,
  -- Of the token in the callback URL.
  token_hash BLOB NOT NULL,
  -- The token, and the secret with which the hub signs.
  sealed BLOB NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'denied', 'ending', 'ended')),
  -- Requests to the hub since it last confirmed one.
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  lease_ends_at INTEGER,
  note TEXT,
  created_at INTEGER NOT NULL
, node_id BLOB) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX websub_subscriptions_token_hash ON websub_subscriptions (token_hash);
CREATE UNIQUE INDEX websub_subscriptions_feed_id ON websub_subscriptions (feed_id);
CREATE INDEX websub_subscriptions_due_at ON websub_subscriptions (due_at);
CREATE TABLE websub_pushes (
  push_id BLOB PRIMARY KEY,
  feed_id BLOB NOT NULL,
  content_type TEXT,
  size INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX websub_pushes_feed_id ON websub_pushes (feed_id, push_id);
CREATE INDEX websub_pushes_received_at ON websub_pushes (received_at);
CREATE TABLE notices (
  notice_id BLOB PRIMARY KEY,
  person_id BLOB NOT NULL,
  tenant_id BLOB REFERENCES tenants (tenant_id),
  kind TEXT NOT NULL,
  mail_kind TEXT NOT NULL,
  mail_values TEXT NOT NULL,
  summary TEXT NOT NULL,
  link TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('now', 'digest', 'off')),
  due_at INTEGER,
  read_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_person_id ON notices (person_id, tenant_id, notice_id);
CREATE INDEX notices_unread ON notices (person_id, tenant_id, notice_id) WHERE read_at IS NULL;
CREATE INDEX notices_due_at ON notices (due_at, notice_id) WHERE due_at IS NOT NULL;
CREATE INDEX notices_pending ON notices (person_id, channel, kind, mail_kind) WHERE due_at IS NOT NULL;
CREATE INDEX notices_created_at ON notices (created_at);
CREATE TABLE notice_preferences (
  person_id BLOB NOT NULL,
  kind TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('now', 'digest', 'off')),
  PRIMARY KEY (person_id, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE notice_settings (
  person_id BLOB PRIMARY KEY,
  digest_hour INTEGER,
  time_zone TEXT,
  last_digest_at INTEGER
, language TEXT, browser_language TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE refused_addresses (
  address TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  refused_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE told_states (
  subject_id BLOB NOT NULL,
  kind TEXT NOT NULL,
  since INTEGER NOT NULL,
  told_at INTEGER NOT NULL,
  PRIMARY KEY (subject_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX told_states_told_at ON told_states (told_at);
CREATE INDEX cards_expiry ON cards (expiry_year, expiry_month);
CREATE TABLE chat_addresses (
  chat_address_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  sealed_url BLOB NOT NULL,
  host TEXT NOT NULL,
  ending TEXT NOT NULL,
  kinds TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
  failing_since INTEGER,
  last_success_at INTEGER,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_addresses_tenant_id ON chat_addresses (tenant_id, chat_address_id);
CREATE TABLE chat_messages (
  chat_message_id BLOB PRIMARY KEY,
  chat_address_id BLOB NOT NULL REFERENCES chat_addresses (chat_address_id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
, node_id BLOB) STRICT, WITHOUT ROWID;
CREATE INDEX chat_messages_due_at ON chat_messages (due_at, chat_message_id);
CREATE INDEX chat_messages_chat_address_id ON chat_messages (chat_address_id, chat_message_id);
CREATE TABLE scanner_requests (
  platform_id BLOB PRIMARY KEY REFERENCES platforms (platform_id),
  requested_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX scanner_requests_requested_at ON scanner_requests (requested_at, platform_id);
CREATE TABLE evidence (
  evidence_id BLOB PRIMARY KEY,
  mention_id BLOB NOT NULL REFERENCES mentions (mention_id),
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  revision INTEGER NOT NULL,
  captured_at INTEGER NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('fetched', 'pushed')),
  content_url TEXT NOT NULL,
  url TEXT NOT NULL,
  final_url TEXT,
  status INTEGER,
  headers TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  excerpt TEXT NOT NULL,
  marks TEXT NOT NULL,
  match_kind TEXT NOT NULL,
  match_term TEXT NOT NULL,
  distance INTEGER,
  picture_url TEXT,
  picture_final_url TEXT,
  picture_status INTEGER,
  picture_headers TEXT,
  picture_sha256 TEXT,
  picture_type TEXT,
  picture_missing TEXT CHECK (picture_missing IN ('unavailable', 'plan_limit')),
  copy_sha256 TEXT,
  copy_bytes INTEGER,
  reference_image_id BLOB,
  reference_sha256 TEXT,
  reference_copy_sha256 TEXT,
  reference_copy_bytes INTEGER,
  bytes INTEGER NOT NULL,
  previous_sha256 TEXT,
  sha256 TEXT NOT NULL
, match_method TEXT, placement TEXT) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX evidence_revision ON evidence (mention_id, revision);
CREATE INDEX evidence_captured_at ON evidence (captured_at);
CREATE TABLE cases (
  mention_id BLOB PRIMARY KEY REFERENCES mentions (mention_id),
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  agent_id BLOB REFERENCES tenants (tenant_id),
  status TEXT NOT NULL CHECK (status IN ('open', 'sent', 'answered', 'removed', 'disputed', 'closed')),
  assignee_id BLOB,
  code_hash BLOB NOT NULL,
  sealed_code BLOB NOT NULL,
  next_look_at INTEGER,
  look_id BLOB,
  gone_since INTEGER,
  misses INTEGER NOT NULL,
  last_look_at INTEGER,
  last_look_result TEXT CHECK (last_look_result IN ('match', 'no_match', 'gone', 'failed')),
  removed_at INTEGER,
  opened_by BLOB NOT NULL,
  opened_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL
, opened_by_name TEXT NOT NULL DEFAULT '', node_id BLOB) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX cases_code_hash ON cases (code_hash);
CREATE INDEX cases_next_look_at ON cases (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX cases_tenant_id ON cases (tenant_id, updated_at, mention_id);
CREATE INDEX cases_tenant_live ON cases (tenant_id, updated_at, mention_id) WHERE status <> 'removed' AND status <> 'closed';
CREATE INDEX cases_tenant_status ON cases (tenant_id, status, updated_at, mention_id);
CREATE INDEX cases_agent_id ON cases (agent_id, updated_at, mention_id);
CREATE INDEX cases_agent_live ON cases (agent_id, updated_at, mention_id) WHERE status <> 'removed' AND status <> 'closed';
CREATE INDEX cases_agent_status ON cases (agent_id, status, updated_at, mention_id);
CREATE TABLE case_comments (
  comment_id BLOB PRIMARY KEY,
  mention_id BLOB NOT NULL REFERENCES cases (mention_id),
  user_id BLOB,
  author TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX case_comments_mention_id ON case_comments (mention_id, comment_id);
CREATE TABLE case_letters (
  letter_id BLOB PRIMARY KEY,
  mention_id BLOB NOT NULL REFERENCES cases (mention_id),
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  sent_by BLOB NOT NULL,
  author TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  mail_id BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX case_letters_mention_id ON case_letters (mention_id, letter_id);
CREATE TABLE letter_templates (
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  kind TEXT NOT NULL CHECK (kind IN ('takedown', 'license_offer')),
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE mention_decisions (
  mention_id BLOB NOT NULL REFERENCES mentions (mention_id),
  number INTEGER NOT NULL,
  from_status TEXT CHECK (from_status IN ('new', 'confirmed', 'dismissed')),
  from_allowed INTEGER,
  to_status TEXT NOT NULL CHECK (to_status IN ('new', 'confirmed', 'dismissed')),
  to_allowed INTEGER,
  decided_by BLOB,
  decided_by_name TEXT NOT NULL,
  decided_at INTEGER NOT NULL,
  PRIMARY KEY (mention_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_feeds_push_only ON watched_feeds (service, feed_id) WHERE push_only;
CREATE INDEX requests_license_lapsing ON requests (license_id, lapses_at) WHERE status IN ('open', 'offered');
CREATE INDEX grants_viewers ON grants (talent_id, status, licensee_id, license_id) WHERE status = 'active';
CREATE INDEX grants_viewed ON grants (licensee_id, status, talent_id, license_id) WHERE status = 'active';
CREATE INDEX grants_of_license ON grants (license_id, status, created_at, grant_id) WHERE status = 'active';
CREATE INDEX grants_licensor_id ON grants (licensor_id, grant_id, ends_at);
CREATE INDEX grants_licensee_id ON grants (licensee_id, grant_id, ends_at);
CREATE INDEX grants_licensor_status ON grants (licensor_id, status, grant_id, ends_at);
CREATE INDEX grants_licensee_status ON grants (licensee_id, status, grant_id, ends_at);
CREATE INDEX grants_licensee_license_status ON grants (licensee_id, license_id, status, grant_id);
CREATE INDEX grants_licensor_license_status ON grants (licensor_id, license_id, status, grant_id);
CREATE INDEX grants_licensee_talent_status ON grants (licensee_id, talent_id, status, grant_id);
CREATE INDEX grants_licensor_talent_status ON grants (licensor_id, talent_id, status, grant_id);
CREATE INDEX grants_licensee_status_end ON grants (licensee_id, status, ends_at, grant_id);
CREATE INDEX grants_licensor_status_end ON grants (licensor_id, status, ends_at, grant_id);
CREATE INDEX grants_licensee_talent_end ON grants (licensee_id, talent_id, ends_at, grant_id);
CREATE INDEX grant_territories_status ON grant_territories (tenant_id, party, territory, status, grant_id);
CREATE INDEX notices_link ON notices (link, person_id) WHERE read_at IS NULL OR due_at IS NOT NULL;
CREATE INDEX notices_staff ON notices (person_id, notice_id) WHERE tenant_id IS NULL;
CREATE INDEX notices_staff_unread ON notices (person_id, notice_id) WHERE tenant_id IS NULL AND read_at IS NULL;
CREATE TABLE source_runs (
  run_id BLOB NOT NULL REFERENCES feed_runs (run_id) ON DELETE CASCADE,
  source_id BLOB NOT NULL,
  mention_count INTEGER NOT NULL, shown INTEGER NOT NULL DEFAULT FALSE,
  PRIMARY KEY (run_id, source_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sources_url ON sources (url, source_id);
CREATE INDEX sources_tenant_url ON sources (tenant_id, url);
CREATE TABLE authenticator_apps (
  user_id BLOB PRIMARY KEY REFERENCES users (user_id) ON DELETE CASCADE,
  sealed_secret BLOB NOT NULL,
  last_step INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE pending_apps (
  user_id BLOB PRIMARY KEY REFERENCES users (user_id) ON DELETE CASCADE,
  sealed_secret BLOB NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_apps_expires_at ON pending_apps (expires_at);
CREATE TABLE recovery_codes (
  user_id BLOB NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  code_mac BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, code_mac)
) STRICT, WITHOUT ROWID;
CREATE TABLE passkeys (
  passkey_id BLOB PRIMARY KEY,
  user_id BLOB NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  credential_id BLOB NOT NULL,
  name TEXT NOT NULL,
  credential TEXT NOT NULL,
  last_used_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (credential_id);
CREATE INDEX passkeys_user_id ON passkeys (user_id, created_at, passkey_id);
CREATE TABLE ceremonies (
  ceremony_hash BLOB PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('sign_in', 'passkey_sign_in', 'passkey_set_up', 'single_sign_on')),
  user_id BLOB REFERENCES users (user_id) ON DELETE CASCADE,
  sealed BLOB NOT NULL,
  wrong INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ceremonies_user_id ON ceremonies (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX ceremonies_expires_at ON ceremonies (expires_at);
CREATE INDEX memberships_joined ON memberships (tenant_id, created_at, user_id);
CREATE TABLE single_sign_on (
  tenant_id BLOB PRIMARY KEY REFERENCES tenants (tenant_id),
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  sealed_secret BLOB NOT NULL,
  metadata TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  new_member_role TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE single_sign_on_domains (
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  domain TEXT NOT NULL,
  token TEXT NOT NULL,
  proved_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, domain)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX single_sign_on_domains_proved ON single_sign_on_domains (domain) WHERE proved_at IS NOT NULL;
CREATE TABLE single_sign_on_subjects (
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  subject TEXT NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX single_sign_on_subjects_user_id ON single_sign_on_subjects (user_id, tenant_id);
CREATE TABLE record_postings (
  term TEXT NOT NULL,
  block INTEGER NOT NULL,
  bits BLOB NOT NULL,
  PRIMARY KEY (term, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE record_numbers (
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  record_id BLOB NOT NULL,
  name TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  ends_at INTEGER,
  terms TEXT NOT NULL,
  PRIMARY KEY (kind, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX record_numbers_record_id ON record_numbers (kind, record_id);
CREATE TABLE record_stale (
  kind TEXT NOT NULL,
  record_id BLOB NOT NULL,
  mark INTEGER NOT NULL,
  PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE record_renames (
  kind TEXT NOT NULL,
  subject_id BLOB NOT NULL,
  mark INTEGER NOT NULL,
  PRIMARY KEY (kind, subject_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE saved_views (
  view_id BLOB PRIMARY KEY,
  user_id BLOB NOT NULL REFERENCES users (user_id),
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  list TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  query TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX saved_views_name ON saved_views (user_id, tenant_id, list, name_key);
CREATE UNIQUE INDEX saved_views_default ON saved_views (user_id, tenant_id, list) WHERE is_default;
CREATE TABLE catalog_pictures (
  picture_id BLOB PRIMARY KEY,
  license_id BLOB NOT NULL REFERENCES licenses (license_id),
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX catalog_pictures_license_id ON catalog_pictures (license_id);
CREATE TABLE catalog_addresses (
  subject_id BLOB NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('talent', 'owner')),
  slug TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (subject_id, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX catalog_addresses_slug ON catalog_addresses (kind, slug);
CREATE INDEX licenses_public_of_talent ON licenses (talent_id, license_id, expires_at, status, deleted_at) WHERE status = 'public' AND deleted_at IS NULL;
CREATE INDEX licenses_public_of_owner ON licenses (tenant_id, license_id, expires_at, status, deleted_at) WHERE status = 'public' AND deleted_at IS NULL;
CREATE TABLE license_templates (
  template_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX license_templates_name_key ON license_templates (tenant_id, name_key);
CREATE TABLE kept_images (
  image_id BLOB PRIMARY KEY,
  session_id BLOB NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  content_type TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  hash BLOB NOT NULL,
  quality INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_images_user_id ON kept_images (user_id, created_at, image_id);
CREATE INDEX kept_images_created_at ON kept_images (created_at, image_id);
CREATE TABLE tags (
  tag_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  -- The name without differences in case and spacing.
  name_key TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tags_name_key ON tags (tenant_id, name_key);
CREATE TABLE record_tags (
  kind TEXT NOT NULL CHECK (kind IN ('license', 'talent')),
  record_id BLOB NOT NULL,
  tag_id BLOB NOT NULL REFERENCES tags (tag_id),
  PRIMARY KEY (kind, record_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_tags_tag_id ON record_tags (tag_id, kind, record_id);
CREATE TABLE talent_external_ids (
  talent_id BLOB PRIMARY KEY REFERENCES talents (talent_id) ON DELETE CASCADE,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  external_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX talent_external_ids_external_id ON talent_external_ids (tenant_id, external_id);
CREATE INDEX talents_fullname ON talents (tenant_id, fullname);
CREATE INDEX requests_talent_id ON requests (talent_id);
CREATE TABLE batches (
  batch_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  user_id BLOB NOT NULL REFERENCES users (user_id),
  -- What is done, as JSON.
  command TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('checked', 'running', 'finished', 'stopped')),
  total INTEGER NOT NULL,
  -- Twice the number of items worked on. Odd between the two changes of one item.
  progress INTEGER NOT NULL,
  done INTEGER NOT NULL,
  created INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  -- How often the current item failed because of the server.
  attempts INTEGER NOT NULL,
  -- Why it stopped.
  reason TEXT,
  -- The import that is taken back. No reference, because a backup restores tables row by row.
  undoes_id BLOB,
  request_id TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
, undo_until INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX batches_of_person ON batches (user_id, tenant_id, batch_id);
CREATE INDEX batches_created_at ON batches (created_at, batch_id);
CREATE INDEX batches_undoes_id ON batches (undoes_id) WHERE undoes_id IS NOT NULL;
CREATE TABLE batch_parts (
  batch_id BLOB NOT NULL REFERENCES batches (batch_id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  items TEXT NOT NULL,
  PRIMARY KEY (batch_id, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE batch_problems (
  batch_id BLOB NOT NULL REFERENCES batches (batch_id) ON DELETE CASCADE,
  item INTEGER NOT NULL,
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  PRIMARY KEY (batch_id, item)
) STRICT, WITHOUT ROWID;
CREATE TABLE batch_records (
  batch_id BLOB NOT NULL REFERENCES batches (batch_id) ON DELETE CASCADE,
  item INTEGER NOT NULL,
  record_id BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (batch_id, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX chores_due_at ON chores (due_at, created_at, chore_id);
CREATE TABLE undos (
  token_hash BLOB PRIMARY KEY,
  session_id BLOB NOT NULL,
  action TEXT NOT NULL,
  reverse TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX undos_expires_at ON undos (expires_at);
CREATE TABLE undo_objects (
  object_key TEXT PRIMARY KEY,
  token_hash BLOB NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX undo_objects_token_hash ON undo_objects (token_hash);
CREATE INDEX undo_objects_expires_at ON undo_objects (expires_at);
CREATE TABLE undo_mentions (
  mention_id BLOB PRIMARY KEY,
  source_id BLOB NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX undo_mentions_source_id ON undo_mentions (source_id);
CREATE INDEX undo_mentions_expires_at ON undo_mentions (expires_at);
CREATE INDEX log_entries_of_record ON log_entries (tenant_id, resource_id, created_at, log_id, class, license_id) WHERE class = 'audit' AND license_id IS NULL AND resource_id IS NOT NULL;
CREATE TABLE staff_views (
  staff_view_id BLOB PRIMARY KEY,
  admin_id BLOB NOT NULL REFERENCES admins (admin_id),
  session_id BLOB NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  user_id BLOB NOT NULL REFERENCES users (user_id),
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX staff_views_session_id ON staff_views (session_id);
CREATE TABLE onboarding (
  user_id BLOB NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  hidden_at INTEGER,
  verified_at INTEGER,
  PRIMARY KEY (user_id, tenant_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE help_requests (
  help_request_id BLOB PRIMARY KEY,
  tenant_id BLOB NOT NULL REFERENCES tenants (tenant_id),
  user_id BLOB NOT NULL REFERENCES users (user_id),
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  answer TEXT,
  answered_by BLOB,
  answered_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX help_requests_open ON help_requests (created_at, help_request_id) WHERE answered_at IS NULL;
CREATE INDEX help_requests_tenant_id ON help_requests (tenant_id, help_request_id);
CREATE INDEX help_requests_open_of_tenant ON help_requests (tenant_id) WHERE answered_at IS NULL;
CREATE TABLE growth_days (
  kind TEXT NOT NULL,
  day INTEGER NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (kind, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE growth_marks (
  kind TEXT PRIMARY KEY,
  counted_to BLOB NOT NULL,
  total INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_feeds_failing ON watched_feeds (failing_since, feed_id) WHERE failing_since IS NOT NULL;
CREATE INDEX webhooks_failing ON webhooks (failing_since, webhook_id) WHERE status = 'active' AND failing_since IS NOT NULL;
CREATE INDEX mails_failed ON mails (finished_at, mail_id) WHERE state = 'failed';
CREATE INDEX subscriptions_past_due ON subscriptions (created_at, subscription_id) WHERE status = 'past_due';
CREATE INDEX invitations_tenant_id ON invitations (tenant_id, created_at, invitation_id) WHERE tenant_id IS NOT NULL;
CREATE TABLE nodes (
  node_id BLOB PRIMARY KEY,
  beats INTEGER NOT NULL,
  schema_version INTEGER NOT NULL,
  key_ring TEXT NOT NULL,
  program TEXT NOT NULL,
  started_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_node_id ON deliveries (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX mails_node_id ON mails (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX chat_messages_node_id ON chat_messages (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX pods_node_id ON pods (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX watched_feeds_node_id ON watched_feeds (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX scan_hosts_node_id ON scan_hosts (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX cases_node_id ON cases (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX chores_node_id ON chores (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX websub_subscriptions_node_id ON websub_subscriptions (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX subscriptions_node_id ON subscriptions (node_id) WHERE node_id IS NOT NULL;
CREATE TABLE key_rings (
  name TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE objects (
  kind TEXT NOT NULL,
  object_id BLOB NOT NULL,
  bytes INTEGER NOT NULL,
  written_at INTEGER NOT NULL,
  PRIMARY KEY (kind, object_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE object_chunks (
  kind TEXT NOT NULL,
  object_id BLOB NOT NULL,
  number INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (kind, object_id, number)
) STRICT;
CREATE INDEX log_entries_number ON log_entries (number) WHERE number IS NOT NULL;
CREATE INDEX platforms_deleted_at ON platforms (deleted_at, platform_id) WHERE deleted_at IS NOT NULL;
CREATE TABLE name_keys (
  name_key INTEGER NOT NULL,
  talent_id BLOB NOT NULL,
  first_word INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  PRIMARY KEY (name_key, talent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX name_keys_talent_id ON name_keys (talent_id);
CREATE INDEX name_keys_batch ON name_keys (batch, name_key, talent_id);
CREATE TABLE name_starts (
  first_word INTEGER NOT NULL,
  words INTEGER NOT NULL,
  PRIMARY KEY (first_word, words)
) STRICT, WITHOUT ROWID;
CREATE TABLE name_stale (
  talent_id BLOB PRIMARY KEY,
  mark INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE image_entries (
  image_id BLOB NOT NULL REFERENCES images (image_id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  feature_count INTEGER NOT NULL,
  entries BLOB,
  described_at INTEGER,
  PRIMARY KEY (image_id)
) STRICT;
CREATE INDEX image_entries_version ON image_entries (version, image_id);
CREATE INDEX image_entries_described_at ON image_entries (described_at, image_id) WHERE described_at IS NOT NULL;
CREATE TABLE image_features (
  image_id BLOB NOT NULL REFERENCES images (image_id) ON DELETE CASCADE,
  features BLOB NOT NULL,
  PRIMARY KEY (image_id)
) STRICT;
CREATE INDEX source_runs_source_id ON source_runs (source_id, run_id);
CREATE INDEX images_sha256 ON images (tenant_id, sha256, image_id);
CREATE INDEX batches_undo_until ON batches (undo_until, batch_id) WHERE undo_until IS NOT NULL;
CREATE TABLE batch_undos (
  batch_id BLOB NOT NULL REFERENCES batches (batch_id) ON DELETE CASCADE,
  item INTEGER NOT NULL,
  undo TEXT NOT NULL,
  PRIMARY KEY (batch_id, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_talent_offered ON requests (talent_id, request_id) WHERE status = 'offered';
CREATE TABLE "events" (
  event_id BLOB NOT NULL PRIMARY KEY,
  owner_id BLOB NOT NULL,
  type TEXT NOT NULL,
  license_id BLOB,
  resource_version INTEGER NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  trace_context TEXT
) STRICT;
