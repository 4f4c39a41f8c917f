-- Searches, checks and lists of licensing that read a part of an index, however much is stored.

-- The names of the parties that a tenant or person knows, from each of their words on. An empty name means that
-- the name was not split into words yet, which the next start or sweep does.
CREATE TABLE known_names (
  holder_id UUID NOT NULL,
  name TEXT NOT NULL,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  PRIMARY KEY (holder_id, name, tenant_id)
);
INSERT INTO known_names (holder_id, name, tenant_id)
SELECT k.holder_id, '', k.tenant_id FROM known_parties k JOIN tenants t ON t.tenant_id = k.tenant_id;
CREATE INDEX known_names_tenant_id ON known_names (tenant_id, holder_id);
CREATE INDEX known_names_unsplit ON known_names (name, tenant_id) WHERE name = '';
-- Who knows a party that is renamed.
CREATE INDEX known_parties_tenant_id ON known_parties (tenant_id, holder_id);

-- Which grants of a talent may exclude others: in a territory, by their end.
ALTER TABLE grant_territories ADD COLUMN talent_id UUID;
UPDATE grant_territories SET talent_id = (
  SELECT g.talent_id FROM grants g WHERE g.grant_id = grant_territories.grant_id);
CREATE INDEX grant_territories_talent ON grant_territories (talent_id, territory, exclusive, until, starts_at, grant_id) WHERE party = 'owner';
-- Worldwide terms are compared with the grants of the talent, the oldest first.
DROP INDEX grants_live;
CREATE INDEX grants_live ON grants (talent_id, grant_id) WHERE status IN ('scheduled', 'active');
DROP INDEX grants_exclusive;
CREATE INDEX grants_exclusive ON grants (talent_id, grant_id) WHERE status IN ('scheduled', 'active') AND exclusive;

-- What somebody held of a talent.
ALTER TABLE past_permissions ADD COLUMN talent_id UUID;
UPDATE past_permissions SET talent_id = (
  SELECT l.talent_id FROM licenses l WHERE l.license_id = past_permissions.license_id);
CREATE INDEX past_permissions_talent_id ON past_permissions (talent_id, grantee_id, license_id);

-- Pages of a license's permissions, given by hand or by a grant, oldest first.
CREATE INDEX permissions_of_license ON permissions (license_id, created_at, permission_id);
CREATE INDEX grants_of_license ON grants (license_id, created_at, grant_id) WHERE status = 'active';

-- Licenses as they were at a time.
CREATE INDEX license_versions_since ON license_versions (license_id, since);
