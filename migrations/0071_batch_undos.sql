-- What takes back the changes of a bulk action, as JSON, one row for each changed record. Until when that is possible is known
-- when the action has ended; null if it is not possible.
ALTER TABLE batches ADD COLUMN undo_until BIGINT;
CREATE INDEX batches_undo_until ON batches (undo_until, batch_id) WHERE undo_until IS NOT NULL;
CREATE TABLE batch_undos (
  batch_id UUID NOT NULL REFERENCES batches (batch_id) ON DELETE CASCADE,
  item BIGINT NOT NULL,
  undo TEXT NOT NULL,
  PRIMARY KEY (batch_id, item)
);
