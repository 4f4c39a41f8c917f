-- Reading the log: by day and by action for a tenant or a scheme, and what is rarely there apart.

-- What people look for, folded. New entries are folded by the program.
ALTER TABLE log_entries ADD COLUMN words TEXT NOT NULL DEFAULT '';
UPDATE log_entries
SET words = lower(message || ' ' || coalesce(resource_name, '') || ' ' || actor_name);

CREATE INDEX log_entries_scheme ON log_entries (scheme, created_at, log_id);
CREATE INDEX log_entries_scheme_action ON log_entries (scheme, action, created_at, log_id);
CREATE INDEX log_entries_grave ON log_entries (tenant_id, created_at, log_id)
  WHERE level <> 'INFO';
CREATE INDEX log_entries_scheme_grave ON log_entries (scheme, created_at, log_id)
  WHERE level <> 'INFO';

-- An export is what was asked for and up to when: entries do not change, so it can be written out
-- whenever it is fetched.
CREATE TABLE log_exports (
  export_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  format TEXT NOT NULL CHECK (format IN ('csv', 'json')),
  filter TEXT NOT NULL,
  entries BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX log_exports_expires_at ON log_exports (expires_at);
