-- Work that a change left behind: it goes on a part at a time, from where its last part ended.
CREATE TABLE chores (
  chore_id UUID PRIMARY KEY,
  -- The record it is about.
  subject_id UUID NOT NULL,
  -- What is left, as JSON.
  chore TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX chores_created_at ON chores (created_at, chore_id);
CREATE INDEX chores_subject_id ON chores (subject_id);
CREATE INDEX licenses_of_tenant ON licenses (tenant_id, license_id) WHERE deleted_at IS NULL;
