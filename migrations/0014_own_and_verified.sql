-- What an organization owns is a list of its own beside what it sees: its reader is the
-- organization's id with the version 8 in place of 7, which no record has.
-- only sqlite
INSERT INTO license_readers (reader_id, license_id, role, status, license_type, title, expires_at, version, updated_at)
SELECT unhex(substr(hex(tenant_id), 1, 12) || '8' || substr(hex(tenant_id), 14)), license_id, 2, status, license_type, title, expires_at, version, updated_at
FROM licenses WHERE deleted_at IS NULL;
INSERT INTO reader_counts (reader_id, status, total, changes)
SELECT unhex(substr(hex(tenant_id), 1, 12) || '8' || substr(hex(tenant_id), 14)), status, count(*), 1
FROM licenses WHERE deleted_at IS NULL GROUP BY tenant_id, status;
-- end
-- only postgres
INSERT INTO license_readers (reader_id, license_id, role, status, license_type, title, expires_at, version, updated_at)
SELECT overlay(tenant_id::text PLACING '8' FROM 15 FOR 1)::uuid, license_id, 2, status, license_type, title, expires_at, version, updated_at
FROM licenses WHERE deleted_at IS NULL;
INSERT INTO reader_counts (reader_id, status, total, changes)
SELECT overlay(tenant_id::text PLACING '8' FROM 15 FOR 1)::uuid, status, count(*), 1
FROM licenses WHERE deleted_at IS NULL GROUP BY tenant_id, status;
-- end

-- Whether the person whose record it is vouched for the name it bears: by taking it up, until
-- somebody else changes the name. Who they are stays.
ALTER TABLE talents ADD COLUMN verified BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE talents SET verified = TRUE WHERE user_id IS NOT NULL;
