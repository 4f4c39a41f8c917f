-- Events are deleted in the order of their ids, which begin with the time.
DROP INDEX events_created_at;

-- only sqlite
-- A row of a table without rowid has a quarter of a page, and one more page for the rest: more than half of what an
-- event took. Rows of a table with rowid share pages.
CREATE TABLE event_rows (
  event_id UUID NOT NULL PRIMARY KEY,
  owner_id UUID NOT NULL,
  type TEXT NOT NULL,
  license_id UUID,
  resource_version BIGINT NOT NULL,
  data TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  trace_context TEXT
) /*with rowid*/;
INSERT INTO event_rows (event_id, owner_id, type, license_id, resource_version, data, created_at, trace_context)
SELECT event_id, owner_id, type, license_id, resource_version, data, created_at, trace_context
FROM events ORDER BY event_id;
-- What refers to events would be deleted with them. Renaming the table makes the references as they were.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES events (event_id)', 'REFERENCES event_rows (event_id)')
WHERE type = 'table' AND name IN ('feed_entries', 'deliveries');
PRAGMA writable_schema = RESET;
DROP TABLE events;
ALTER TABLE event_rows RENAME TO events;
-- end
