-- The other ways in: staff, invitations, API clients and the tokens they exchange.

-- The operator's staff. They have no password: a one-time token lets them in.
CREATE TABLE admins (
  admin_id UUID PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  fullname TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('Super_Admin', 'Admin', 'Support_Admin')),
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX admins_email_key ON admins (email_key);
CREATE INDEX admins_created_at ON admins (created_at, admin_id);

CREATE TABLE admin_tokens (
  token_hash BYTEA PRIMARY KEY,
  admin_id UUID NOT NULL REFERENCES admins (admin_id) ON DELETE CASCADE,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX admin_tokens_admin_id ON admin_tokens (admin_id);
CREATE INDEX admin_tokens_expires_at ON admin_tokens (expires_at);

-- Known by the hash of the mailed token. target_id is the team or the talent it is for; staff's
-- have neither tenant nor target.
CREATE TABLE invitations (
  token_hash BYTEA PRIMARY KEY,
  invitation_id UUID NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('admin', 'team', 'talent')),
  tenant_id UUID REFERENCES tenants (tenant_id),
  target_id UUID,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  fullname TEXT NOT NULL,
  role TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX invitations_invitation_id ON invitations (invitation_id);
CREATE INDEX invitations_email_key ON invitations (email_key, kind);
CREATE INDEX invitations_expires_at ON invitations (expires_at);

-- Wrong codes of magic links in a row, by address: fresh links buy no fresh tries.
CREATE TABLE code_refusals (
  email_key TEXT PRIMARY KEY,
  wrong BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX code_refusals_updated_at ON code_refusals (updated_at);

-- A credential pair. It acts as the user who made it, inside that tenant.
CREATE TABLE clients (
  client_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  user_id UUID NOT NULL REFERENCES users (user_id),
  name TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('production', 'staging', 'development')),
  api_key TEXT NOT NULL,
  secret_hash BYTEA NOT NULL,
  old_secret_hash BYTEA,
  old_secret_until BIGINT,
  scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive', 'revoked')),
  expires_at BIGINT,
  warned_days BIGINT,
  last_used_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX clients_api_key ON clients (api_key);
CREATE INDEX clients_tenant_id ON clients (tenant_id, created_at, client_id);
CREATE INDEX clients_user_id ON clients (user_id);
CREATE INDEX clients_expires_at ON clients (expires_at) WHERE status = 'active';

-- One exchange of a pair and everything renewed from it. Exchanges of the console document's kind
-- have no refresh token.
CREATE TABLE exchanges (
  exchange_id UUID PRIMARY KEY,
  client_id UUID NOT NULL REFERENCES clients (client_id) ON DELETE CASCADE,
  refresh_hash BYTEA,
  refresh_until BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);
CREATE UNIQUE INDEX exchanges_refresh_hash ON exchanges (refresh_hash);
CREATE INDEX exchanges_client_id ON exchanges (client_id);
CREATE INDEX exchanges_refresh_until ON exchanges (refresh_until);

-- Access tokens that were revoked one by one, until they would have expired.
CREATE TABLE revoked_tokens (
  token_id UUID PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE INDEX revoked_tokens_expires_at ON revoked_tokens (expires_at);
