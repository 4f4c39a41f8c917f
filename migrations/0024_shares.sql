-- A permission that is given to an address says nothing of whether an account has it: it keeps the
-- address itself, and when whoever reads mail there accepted it. Until an account has the address
-- the permission is held by its own id, which is nobody's.
ALTER TABLE permissions ADD COLUMN email TEXT;
ALTER TABLE permissions ADD COLUMN email_key TEXT;
ALTER TABLE permissions ADD COLUMN accepted_at BIGINT;
UPDATE permissions SET accepted_at = created_at;
UPDATE permissions SET
  email = (SELECT u.email FROM users u WHERE u.user_id = permissions.grantee_id),
  email_key = (SELECT u.email_key FROM users u WHERE u.user_id = permissions.grantee_id)
WHERE grantee_kind = 'user';
CREATE UNIQUE INDEX permissions_email_key ON permissions (license_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX permissions_waiting ON permissions (email_key, created_at, permission_id) WHERE grantee_id = permission_id;
