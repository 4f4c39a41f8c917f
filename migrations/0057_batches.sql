-- What a person does to many records at once: bulk actions, imports, and taking imports back. The items of a batch are
-- worked on one after the other, each in a unit of work of its own.
CREATE TABLE batches (
  batch_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  user_id UUID NOT NULL REFERENCES users (user_id),
  -- What is done, as JSON.
  command TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('checked', 'running', 'finished', 'stopped')),
  total BIGINT NOT NULL,
  -- Twice the number of items worked on. Odd between the two changes of one item.
  progress BIGINT NOT NULL,
  done BIGINT NOT NULL,
  created BIGINT NOT NULL,
  skipped BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  -- How often the current item failed because of the server.
  attempts BIGINT NOT NULL,
  -- Why it stopped.
  reason TEXT,
  -- The import that is taken back. No reference, because a backup restores tables row by row.
  undoes_id UUID,
  request_id TEXT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX batches_of_person ON batches (user_id, tenant_id, batch_id);
CREATE INDEX batches_created_at ON batches (created_at, batch_id);
CREATE INDEX batches_undoes_id ON batches (undoes_id) WHERE undoes_id IS NOT NULL;
-- The items, as JSON, fifty to a row.
CREATE TABLE batch_parts (
  batch_id UUID NOT NULL REFERENCES batches (batch_id) ON DELETE CASCADE,
  part BIGINT NOT NULL,
  items TEXT NOT NULL,
  PRIMARY KEY (batch_id, part)
);
-- What could not be done, and why.
CREATE TABLE batch_problems (
  batch_id UUID NOT NULL REFERENCES batches (batch_id) ON DELETE CASCADE,
  item BIGINT NOT NULL,
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  PRIMARY KEY (batch_id, item)
);
-- What an import created or updated.
CREATE TABLE batch_records (
  batch_id UUID NOT NULL REFERENCES batches (batch_id) ON DELETE CASCADE,
  item BIGINT NOT NULL,
  record_id UUID NOT NULL,
  created BOOLEAN NOT NULL,
  PRIMARY KEY (batch_id, item)
);
-- A chore can wait: while a worker has it, and while others are due first.
ALTER TABLE chores ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
DROP INDEX chores_created_at;
CREATE INDEX chores_due_at ON chores (due_at, created_at, chore_id);
