-- A draft is visible to whoever holds a permission on it. Until now viewers had no row for one.
INSERT INTO license_readers (reader_id, license_id, role, status, license_type, title, expires_at, version, updated_at)
SELECT p.grantee_id, l.license_id, 0, l.status, l.license_type, l.title, l.expires_at, l.version, l.updated_at
FROM licenses l JOIN permissions p ON p.license_id = l.license_id
WHERE l.status = 'draft' AND l.deleted_at IS NULL AND p.role = 'viewer';
INSERT INTO reader_counts (reader_id, status, total, changes)
SELECT p.grantee_id, 'draft', count(*), 1
FROM licenses l JOIN permissions p ON p.license_id = l.license_id
WHERE l.status = 'draft' AND l.deleted_at IS NULL AND p.role = 'viewer'
GROUP BY p.grantee_id
ON CONFLICT (reader_id, status) DO UPDATE
SET total = reader_counts.total + excluded.total, changes = reader_counts.changes + 1;
