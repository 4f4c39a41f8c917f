-- Refresh tokens that expired unused, for a year: so long they are told from unknown ones.
CREATE TABLE expired_tokens (
  token_hash BYTEA PRIMARY KEY,
  expired_at BIGINT NOT NULL
);
CREATE INDEX expired_tokens_expired_at ON expired_tokens (expired_at);
