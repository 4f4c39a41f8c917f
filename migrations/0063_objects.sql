-- Pictures in the database, so that every node of a shared database has them.

-- `kind` is the folder that the object would have. `written_at` tells how old an object without a row is.
CREATE TABLE objects (
  kind TEXT NOT NULL,
  object_id UUID NOT NULL,
  bytes BIGINT NOT NULL,
  written_at BIGINT NOT NULL,
  PRIMARY KEY (kind, object_id)
);

-- The bytes in parts, numbered from 0, so that neither the server nor a node needs an object twice in memory.
CREATE TABLE object_chunks (
  kind TEXT NOT NULL,
  object_id UUID NOT NULL,
  number BIGINT NOT NULL,
  data BYTEA NOT NULL,
  PRIMARY KEY (kind, object_id, number)
) /*with rowid*/;
-- only postgres
-- Pictures are compressed already.
ALTER TABLE object_chunks ALTER COLUMN data SET STORAGE EXTERNAL;
-- end
