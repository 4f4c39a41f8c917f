-- Every decision about a mention, numbered from 1 for each mention. `from_status` and `from_allowed` are what
-- was decided before; `from_status` is NULL where that is not known, because older decisions were not kept.
-- The name is that of the person at that time.
CREATE TABLE mention_decisions (
  mention_id UUID NOT NULL REFERENCES mentions (mention_id),
  number BIGINT NOT NULL,
  from_status TEXT CHECK (from_status IN ('new', 'confirmed', 'dismissed')),
  from_allowed BOOLEAN,
  to_status TEXT NOT NULL CHECK (to_status IN ('new', 'confirmed', 'dismissed')),
  to_allowed BOOLEAN,
  decided_by UUID,
  decided_by_name TEXT NOT NULL,
  decided_at BIGINT NOT NULL,
  PRIMARY KEY (mention_id, number)
);
INSERT INTO mention_decisions (mention_id, number, to_status, to_allowed, decided_by, decided_by_name, decided_at)
SELECT mention_id, 1, status, allowed, decided_by, decided_by_name, decided_at FROM mentions
WHERE decided_at IS NOT NULL AND decided_by_name IS NOT NULL;

-- Feeds that only hubs push, which are read by an API as soon as the operator has a key.
CREATE INDEX watched_feeds_push_only ON watched_feeds (service, feed_id) WHERE push_only;
