-- Second factors of people, and what a sign-in or set-up in several steps waits for.

-- The secret of a person's authenticator app, sealed, and the time step of the last accepted code:
-- each code works once.
CREATE TABLE authenticator_apps (
  user_id UUID PRIMARY KEY REFERENCES users (user_id) ON DELETE CASCADE,
  sealed_secret BYTEA NOT NULL,
  last_step BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

-- An app that was not confirmed yet. An earlier one works until then.
CREATE TABLE pending_apps (
  user_id UUID PRIMARY KEY REFERENCES users (user_id) ON DELETE CASCADE,
  sealed_secret BYTEA NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX pending_apps_expires_at ON pending_apps (expires_at);

-- Unused recovery codes; a used one is deleted.
CREATE TABLE recovery_codes (
  user_id UUID NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  code_mac BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, code_mac)
);

-- Passkeys: public keys and counters, as JSON.
CREATE TABLE passkeys (
  passkey_id UUID PRIMARY KEY,
  user_id UUID NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  credential_id BYTEA NOT NULL,
  name TEXT NOT NULL,
  credential TEXT NOT NULL,
  last_used_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (credential_id);
CREATE INDEX passkeys_user_id ON passkeys (user_id, created_at, passkey_id);

-- A sign-in or set-up that takes several requests. Known by the hash of a secret that only the
-- browser has in which it began; its state is sealed.
CREATE TABLE ceremonies (
  ceremony_hash BYTEA PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('sign_in', 'passkey_sign_in', 'passkey_set_up', 'single_sign_on')),
  user_id UUID REFERENCES users (user_id) ON DELETE CASCADE,
  sealed BYTEA NOT NULL,
  wrong BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX ceremonies_user_id ON ceremonies (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX ceremonies_expires_at ON ceremonies (expires_at);

-- How and when a person signed in; sessions that were switched from one another have it in common.
ALTER TABLE sessions ADD COLUMN method TEXT;
ALTER TABLE sessions ADD COLUMN signed_in_at BIGINT;
UPDATE sessions SET signed_in_at = created_at;

-- Whether members of the organization must have a second factor.
ALTER TABLE tenants ADD COLUMN requires_second_factor BOOLEAN NOT NULL DEFAULT false;

-- Members in the order in which they joined.
CREATE INDEX memberships_joined ON memberships (tenant_id, created_at, user_id);
