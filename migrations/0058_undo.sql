-- What takes back an act on a page, for a minute. Known by the hash of a token that only the page has
-- that offers it, and bound to the session that acted. What it restores is JSON.
CREATE TABLE undos (
  token_hash BYTEA PRIMARY KEY,
  session_id UUID NOT NULL,
  action TEXT NOT NULL,
  reverse TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX undos_expires_at ON undos (expires_at);

-- Objects of deleted pictures, which stay while the deletion can be taken back.
CREATE TABLE undo_objects (
  object_key TEXT PRIMARY KEY,
  token_hash BYTEA NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX undo_objects_token_hash ON undo_objects (token_hash);
CREATE INDEX undo_objects_expires_at ON undo_objects (expires_at);

-- The mentions that a deleted source had found, which it gets back if the deletion is taken back.
CREATE TABLE undo_mentions (
  mention_id UUID PRIMARY KEY,
  source_id UUID NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX undo_mentions_source_id ON undo_mentions (source_id);
CREATE INDEX undo_mentions_expires_at ON undo_mentions (expires_at);

-- The history of one record. That of a license has an index of its own. The last columns let `SQLite` read ids from
-- the index alone.
CREATE INDEX log_entries_of_record ON log_entries (tenant_id, resource_id, created_at, log_id, class, license_id) WHERE class = 'audit' AND license_id IS NULL AND resource_id IS NOT NULL;
