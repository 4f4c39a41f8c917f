-- The key ring of an installation that keeps it in the database, sealed with a secret that is not here.
CREATE TABLE key_rings (
  name TEXT PRIMARY KEY,
  version BIGINT NOT NULL,
  sealed BYTEA NOT NULL,
  updated_at BIGINT NOT NULL
);
