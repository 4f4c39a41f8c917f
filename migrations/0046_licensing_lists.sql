-- Lists, filters and events of licensing that read a part of an index, however much is stored.

-- Requests for a license whose time is over.
CREATE INDEX requests_license_lapsing ON requests (license_id, lapses_at) WHERE status IN ('open', 'offered');

-- Who sees licenses of a talent by an active grant, which licenses a licensee sees that way, and who sees a
-- license that way. They contain the status, so that SQLite does not read the grants to compare it.
CREATE INDEX grants_viewers ON grants (talent_id, status, licensee_id, license_id) WHERE status = 'active';
CREATE INDEX grants_viewed ON grants (licensee_id, status, talent_id, license_id) WHERE status = 'active';
DROP INDEX grants_of_license;
CREATE INDEX grants_of_license ON grants (license_id, status, created_at, grant_id) WHERE status = 'active';

-- Lists of a party's grants. They contain the end, so that grants that end too late are skipped without being read.
DROP INDEX grants_licensor_id;
CREATE INDEX grants_licensor_id ON grants (licensor_id, grant_id, ends_at);
DROP INDEX grants_licensee_id;
CREATE INDEX grants_licensee_id ON grants (licensee_id, grant_id, ends_at);
DROP INDEX grants_licensor_status;
CREATE INDEX grants_licensor_status ON grants (licensor_id, status, grant_id, ends_at);
DROP INDEX grants_licensee_status;
CREATE INDEX grants_licensee_status ON grants (licensee_id, status, grant_id, ends_at);

-- Grants with a status: under one license, of one talent, and by their end.
CREATE INDEX grants_licensee_license_status ON grants (licensee_id, license_id, status, grant_id);
CREATE INDEX grants_licensor_license_status ON grants (licensor_id, license_id, status, grant_id);
CREATE INDEX grants_licensee_talent_status ON grants (licensee_id, talent_id, status, grant_id);
CREATE INDEX grants_licensor_talent_status ON grants (licensor_id, talent_id, status, grant_id);
CREATE INDEX grants_licensee_status_end ON grants (licensee_id, status, ends_at, grant_id);
CREATE INDEX grants_licensor_status_end ON grants (licensor_id, status, ends_at, grant_id);

-- What a licensee holds of a talent, by the end.
CREATE INDEX grants_licensee_talent_end ON grants (licensee_id, talent_id, ends_at, grant_id);

-- Where grants with a status apply.
ALTER TABLE grant_territories ADD COLUMN status TEXT;
UPDATE grant_territories SET status = (
  SELECT g.status FROM grants g WHERE g.grant_id = grant_territories.grant_id);
CREATE INDEX grant_territories_status ON grant_territories (tenant_id, party, territory, status, grant_id);
