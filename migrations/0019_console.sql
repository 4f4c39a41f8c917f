-- Whose license a mention is of, as long as that license is there: what was seen of all licenses of
-- an owner is one list, newest first, and so is what of it still waits for somebody.
ALTER TABLE mentions ADD COLUMN tenant_id UUID REFERENCES tenants (tenant_id);
UPDATE mentions SET tenant_id = (
  SELECT l.tenant_id FROM licenses l
  WHERE l.license_id = mentions.license_id AND l.deleted_at IS NULL);
CREATE INDEX mentions_tenant_id ON mentions (tenant_id, first_seen_at, mention_id, status, verdict);
CREATE INDEX mentions_waiting ON mentions (tenant_id, first_seen_at, mention_id, verdict) WHERE status = 'new';
CREATE INDEX mentions_waiting_on ON mentions (license_id, first_seen_at, mention_id, tenant_id, verdict) WHERE status = 'new';

-- The licenses of a talent, in the order they were made.
CREATE INDEX licenses_of_talent ON licenses (talent_id, license_id) WHERE deleted_at IS NULL;

-- Which license an entry of the log is about, be it of its images or of rights on it.
ALTER TABLE log_entries ADD COLUMN license_id UUID;
-- only sqlite
UPDATE log_entries SET license_id = unhex(replace(resource_id, '-', '')) WHERE resource_type = 'license' AND resource_id IS NOT NULL AND class = 'audit';
UPDATE log_entries SET license_id = (SELECT p.license_id FROM permissions p WHERE p.permission_id = unhex(replace(resource_id, '-', ''))) WHERE action = 'permission.grant';
-- end
-- only postgres
UPDATE log_entries SET license_id = resource_id::uuid WHERE resource_type = 'license' AND resource_id IS NOT NULL AND class = 'audit';
UPDATE log_entries SET license_id = (SELECT p.license_id FROM permissions p WHERE p.permission_id = resource_id::uuid) WHERE action = 'permission.grant';
-- end
CREATE INDEX log_entries_license_id ON log_entries (tenant_id, license_id, created_at, log_id) WHERE license_id IS NOT NULL;
