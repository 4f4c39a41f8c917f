-- Tags that an organization puts on its licenses and talents, and the talents' IDs in its other systems.
CREATE TABLE tags (
  tag_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  -- The name without differences in case and spacing.
  name_key TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX tags_name_key ON tags (tenant_id, name_key);
-- Which license or talent has which tag. A tag that nothing has is deleted.
CREATE TABLE record_tags (
  kind TEXT NOT NULL CHECK (kind IN ('license', 'talent')),
  record_id UUID NOT NULL,
  tag_id UUID NOT NULL REFERENCES tags (tag_id),
  PRIMARY KEY (kind, record_id, tag_id)
);
CREATE INDEX record_tags_tag_id ON record_tags (tag_id, kind, record_id);
CREATE TABLE talent_external_ids (
  talent_id UUID PRIMARY KEY REFERENCES talents (talent_id) ON DELETE CASCADE,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  external_id TEXT NOT NULL
);
CREATE UNIQUE INDEX talent_external_ids_external_id ON talent_external_ids (tenant_id, external_id);
-- Imported licenses name their talents.
CREATE INDEX talents_fullname ON talents (tenant_id, fullname);
-- A talent that an import created can be deleted again. Without this index, every request would be looked at.
CREATE INDEX requests_talent_id ON requests (talent_id);
