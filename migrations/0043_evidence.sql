-- Evidence: what was seen of a mention, one row for each revision of the mention.

-- `headers` and `picture_headers` are JSON objects, `marks` is a JSON array of where the matched words are in
-- `excerpt`. The copies of the found picture and of the reference image are objects with the id of the row;
-- their length and SHA-256 are here, or why there is no copy of the found picture. `previous_sha256` is the
-- `sha256` of the revision before, which covers everything that the row says.
CREATE TABLE evidence (
  evidence_id UUID PRIMARY KEY,
  mention_id UUID NOT NULL REFERENCES mentions (mention_id),
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  revision BIGINT NOT NULL,
  captured_at BIGINT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('fetched', 'pushed')),
  content_url TEXT NOT NULL,
  url TEXT NOT NULL,
  final_url TEXT,
  status BIGINT,
  headers TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  excerpt TEXT NOT NULL,
  marks TEXT NOT NULL,
  match_kind TEXT NOT NULL,
  match_term TEXT NOT NULL,
  distance BIGINT,
  picture_url TEXT,
  picture_final_url TEXT,
  picture_status BIGINT,
  picture_headers TEXT,
  picture_sha256 TEXT,
  picture_type TEXT,
  picture_missing TEXT CHECK (picture_missing IN ('unavailable', 'plan_limit')),
  copy_sha256 TEXT,
  copy_bytes BIGINT,
  reference_image_id UUID,
  reference_sha256 TEXT,
  reference_copy_sha256 TEXT,
  reference_copy_bytes BIGINT,
  bytes BIGINT NOT NULL,
  previous_sha256 TEXT,
  sha256 TEXT NOT NULL
);
CREATE UNIQUE INDEX evidence_revision ON evidence (mention_id, revision);
CREATE INDEX evidence_captured_at ON evidence (captured_at);

-- What was decided about a mention, by whom and when. `allowed` is whether the use is all right with the
-- rights holder; NULL if nobody said so.
ALTER TABLE mentions ADD COLUMN allowed BOOLEAN;
ALTER TABLE mentions ADD COLUMN decided_by UUID;
ALTER TABLE mentions ADD COLUMN decided_by_name TEXT;
ALTER TABLE mentions ADD COLUMN decided_at BIGINT;
