-- People and their ways in: accounts, one-time codes, sessions and the tokens that keep them.

-- An account exists once its address was proved; until then it is only a challenge.
CREATE TABLE users (
  user_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  fullname TEXT NOT NULL,
  fullname_key TEXT NOT NULL,
  password_hash TEXT,
  role TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  bio TEXT,
  location TEXT,
  phone TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX users_email_key ON users (email_key);
CREATE INDEX users_fullname_key ON users (fullname_key);
CREATE INDEX users_tenant_id ON users (tenant_id, created_at);

-- A mailed code and what it will do. Known by the hash of the session id its owner holds; the code
-- itself is kept as a MAC, what was entered with it is sealed.
CREATE TABLE challenges (
  challenge_hash BYTEA PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('registration', 'reset', 'magic_link')),
  email_key TEXT NOT NULL,
  sealed BYTEA NOT NULL,
  code_mac BYTEA NOT NULL,
  wrong BIGINT NOT NULL,
  resends BIGINT NOT NULL,
  sent_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX challenges_email_key ON challenges (email_key, purpose);
CREATE INDEX challenges_expires_at ON challenges (expires_at);

-- A sign-in and everything renewed from it: the family of its refresh tokens.
CREATE TABLE sessions (
  session_id UUID PRIMARY KEY,
  audience TEXT NOT NULL CHECK (audience IN ('console', 'admin')),
  subject_id UUID NOT NULL,
  device TEXT,
  address TEXT,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  revoked_at BIGINT
);
CREATE INDEX sessions_subject_id ON sessions (subject_id, created_at);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

CREATE TABLE refresh_tokens (
  token_hash BYTEA PRIMARY KEY,
  session_id UUID NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
  used_at BIGINT,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX refresh_tokens_session_id ON refresh_tokens (session_id);
