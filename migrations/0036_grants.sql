-- Requests, offers and grants under licenses, and the past of licenses and permissions.

-- Every version of a license, including the current one, with who made it. Never deleted.
CREATE TABLE license_versions (
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  version BIGINT NOT NULL,
  external_id TEXT,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  license_type TEXT NOT NULL,
  uses TEXT NOT NULL,
  territories TEXT NOT NULL,
  fee TEXT,
  can_crawl BOOLEAN NOT NULL,
  terms TEXT NOT NULL,
  valid_from BIGINT,
  expires_at BIGINT,
  image_count BIGINT NOT NULL,
  since BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id UUID,
  actor_name TEXT NOT NULL,
  PRIMARY KEY (license_id, version)
);
INSERT INTO license_versions (license_id, version, external_id, title, description, status, license_type, uses, territories, fee, can_crawl, terms, valid_from, expires_at, image_count, since, deleted, actor_kind, actor_id, actor_name)
SELECT license_id, version, external_id, title, description, status, license_type, uses, territories, fee, can_crawl, terms, valid_from, expires_at, image_count, updated_at, deleted_at IS NOT NULL, 'system', NULL, 'system' FROM licenses;

-- Permissions that were revoked: questions about the past count them.
CREATE TABLE past_permissions (
  permission_id UUID PRIMARY KEY,
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  grantee_id UUID NOT NULL,
  role TEXT NOT NULL,
  granted_at BIGINT NOT NULL,
  revoked_at BIGINT NOT NULL,
  -- False if it was given to an email address that nobody claimed.
  claimed BOOLEAN NOT NULL
);
CREATE INDEX past_permissions_license_id ON past_permissions (license_id, grantee_id);

-- A tenant asks for a grant, or the owner of the license makes an offer by itself. The asker is
-- known from the start, except of an offer to an email address that nobody has accepted yet.
CREATE TABLE requests (
  request_id UUID PRIMARY KEY,
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  talent_id UUID NOT NULL REFERENCES talents (talent_id),
  owner_id UUID NOT NULL REFERENCES tenants (tenant_id),
  asker_id UUID REFERENCES tenants (tenant_id),
  email TEXT,
  email_key TEXT,
  status TEXT NOT NULL CHECK (status IN ('open', 'offered', 'accepted', 'declined', 'withdrawn', 'lapsed')),
  -- By which side it was begun.
  begun_by TEXT NOT NULL CHECK (begun_by IN ('asker', 'owner')),
  coverage TEXT NOT NULL,
  purpose TEXT NOT NULL,
  channels TEXT NOT NULL,
  budget TEXT,
  -- Why it was declined.
  reason TEXT,
  unread_by_asker BIGINT NOT NULL,
  unread_by_owner BIGINT NOT NULL,
  lapses_at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  created_by UUID NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
-- One live request for each asker or address and license.
CREATE UNIQUE INDEX requests_of_asker ON requests (license_id, asker_id) WHERE asker_id IS NOT NULL AND status IN ('open', 'offered');
CREATE UNIQUE INDEX requests_of_email ON requests (license_id, email_key) WHERE email_key IS NOT NULL AND status IN ('open', 'offered');
CREATE INDEX requests_asker_id ON requests (asker_id, updated_at, request_id);
CREATE INDEX requests_asker_status ON requests (asker_id, status, updated_at, request_id);
CREATE INDEX requests_owner_id ON requests (owner_id, updated_at, request_id);
CREATE INDEX requests_owner_status ON requests (owner_id, status, updated_at, request_id);
CREATE INDEX requests_license_id ON requests (license_id, updated_at, request_id);
CREATE INDEX requests_lapsing ON requests (lapses_at) WHERE status IN ('open', 'offered');

CREATE TABLE offers (
  offer_id UUID PRIMARY KEY,
  request_id UUID NOT NULL REFERENCES requests (request_id),
  license_version BIGINT NOT NULL,
  terms TEXT NOT NULL,
  terms_hash TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'replaced', 'accepted', 'declined', 'withdrawn', 'lapsed')),
  expires_at BIGINT NOT NULL,
  created_by UUID NOT NULL,
  author TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX offers_request_id ON offers (request_id, offer_id);

CREATE TABLE request_messages (
  message_id UUID PRIMARY KEY,
  request_id UUID NOT NULL REFERENCES requests (request_id),
  party TEXT NOT NULL CHECK (party IN ('asker', 'owner')),
  user_id UUID NOT NULL,
  author TEXT NOT NULL,
  message TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX request_messages_request_id ON request_messages (request_id, message_id);

-- Accepted offers. Only the status and what a revocation adds ever change. Never deleted.
CREATE TABLE grants (
  grant_id UUID PRIMARY KEY,
  request_id UUID NOT NULL REFERENCES requests (request_id),
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  license_version BIGINT NOT NULL,
  talent_id UUID NOT NULL REFERENCES talents (talent_id),
  licensor_id UUID NOT NULL REFERENCES tenants (tenant_id),
  licensee_id UUID NOT NULL REFERENCES tenants (tenant_id),
  year BIGINT NOT NULL,
  serial BIGINT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('scheduled', 'active', 'ended', 'revoked')),
  terms TEXT NOT NULL,
  terms_hash TEXT NOT NULL,
  exclusive BOOLEAN NOT NULL,
  starts_at BIGINT NOT NULL,
  ends_at BIGINT,
  accepted_by UUID NOT NULL,
  accepted_by_name TEXT NOT NULL,
  status_list BIGINT NOT NULL,
  status_index BIGINT NOT NULL,
  -- When its parties are next told that it ends.
  remind_at BIGINT,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  revoke_reason TEXT
);
CREATE UNIQUE INDEX grants_request_id ON grants (request_id);
CREATE UNIQUE INDEX grants_number ON grants (licensor_id, year, serial);
CREATE UNIQUE INDEX grants_status_index ON grants (status_list, status_index);
CREATE INDEX grants_licensor_id ON grants (licensor_id, grant_id);
CREATE INDEX grants_licensor_status ON grants (licensor_id, status, grant_id);
CREATE INDEX grants_licensee_id ON grants (licensee_id, grant_id);
CREATE INDEX grants_licensee_status ON grants (licensee_id, status, grant_id);
CREATE INDEX grants_license_id ON grants (license_id, licensee_id, grant_id);
CREATE INDEX grants_talent_id ON grants (talent_id, grant_id);
CREATE INDEX grants_starting ON grants (starts_at) WHERE status = 'scheduled';
CREATE INDEX grants_ending ON grants (ends_at) WHERE status IN ('scheduled', 'active');
CREATE INDEX grants_reminding ON grants (remind_at) WHERE status IN ('scheduled', 'active');
-- Grants that count for exclusivity and access.
CREATE INDEX grants_live ON grants (talent_id, ends_at) WHERE status IN ('scheduled', 'active');

-- The last number given by each licensor in each UTC year.
CREATE TABLE grant_numbers (
  licensor_id UUID NOT NULL REFERENCES tenants (tenant_id),
  year BIGINT NOT NULL,
  last_serial BIGINT NOT NULL,
  PRIMARY KEY (licensor_id, year)
);

-- The status lists of receipts; the last one takes new grants.
CREATE TABLE status_lists (
  list_id BIGINT PRIMARY KEY
);

-- How many requests and grants each side of a tenant has, by stored status, and how many messages
-- it has not read (list 'unread').
CREATE TABLE party_counts (
  tenant_id UUID NOT NULL,
  list TEXT NOT NULL,
  status TEXT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, list, status)
);

-- When the owner of a license is next told that it expires.
ALTER TABLE licenses ADD COLUMN remind_at BIGINT;
-- 30 days before; reminders that are too late by now are left out when they come up.
UPDATE licenses SET remind_at = expires_at - 2592000000000 WHERE expires_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX licenses_reminding ON licenses (remind_at) WHERE status IN ('private', 'public') AND deleted_at IS NULL;

-- Links that a licensee shares: anybody who has the code sees the receipt of the grant with what is
-- disclosed. Only the hash and the sealed form of a code are stored. A withdrawn link is deleted.
CREATE TABLE shared_receipts (
  share_id UUID PRIMARY KEY,
  grant_id UUID NOT NULL REFERENCES grants (grant_id),
  code_hash BYTEA NOT NULL,
  sealed_code BYTEA NOT NULL,
  -- The names of the disclosed claims, as a JSON array.
  disclosed TEXT NOT NULL,
  -- The link that the QR code of the certificate leads to.
  for_certificate BOOLEAN NOT NULL,
  created_by UUID NOT NULL,
  author TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX shared_receipts_code_hash ON shared_receipts (code_hash);
CREATE INDEX shared_receipts_grant_id ON shared_receipts (grant_id, share_id);
CREATE UNIQUE INDEX shared_receipts_certificate ON shared_receipts (grant_id) WHERE for_certificate;

-- Who closed a request, and when. Nobody closes a request that lapses.
ALTER TABLE requests ADD COLUMN closed_by TEXT;
ALTER TABLE requests ADD COLUMN closed_at BIGINT;
-- Live offers to an email address that nobody has acted on yet.
CREATE INDEX requests_email_key ON requests (email_key, updated_at, request_id) WHERE email_key IS NOT NULL AND asker_id IS NULL AND status IN ('open', 'offered');
-- When the licensor was told that an exclusive grant is in the way of the offer.
ALTER TABLE offers ADD COLUMN blocked_at BIGINT;

-- Whether an organization can be found by name. Only effective with a verified domain.
ALTER TABLE tenants ADD COLUMN findable BOOLEAN NOT NULL DEFAULT FALSE;
-- The names of organizations that can be found, from each of their words on. Rebuilt when an
-- organization, its setting or one of its domains changes.
CREATE TABLE party_names (
  name TEXT NOT NULL,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  PRIMARY KEY (name, tenant_id)
);
CREATE INDEX party_names_tenant_id ON party_names (tenant_id);

-- The parties that a tenant shares requests or permissions with, or that gave a person a permission,
-- with how many they share.
CREATE TABLE known_parties (
  holder_id UUID NOT NULL,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  shared BIGINT NOT NULL,
  PRIMARY KEY (holder_id, tenant_id)
);
INSERT INTO known_parties (holder_id, tenant_id, shared)
SELECT p.grantee_id, l.tenant_id, count(*) FROM permissions p JOIN licenses l ON l.license_id = p.license_id
GROUP BY p.grantee_id, l.tenant_id;
INSERT INTO known_parties (holder_id, tenant_id, shared)
SELECT l.tenant_id, t.tenant_id, count(*) FROM permissions p JOIN licenses l ON l.license_id = p.license_id
JOIN tenants t ON t.tenant_id = p.grantee_id
WHERE p.grantee_kind = 'organization'
GROUP BY l.tenant_id, t.tenant_id
ON CONFLICT (holder_id, tenant_id) DO UPDATE SET shared = known_parties.shared + excluded.shared;

-- Lists of grants by license or talent, and calendars by the end of grants.
CREATE INDEX grants_licensor_license ON grants (licensor_id, license_id, grant_id);
CREATE INDEX grants_licensor_talent ON grants (licensor_id, talent_id, grant_id);
CREATE INDEX grants_licensee_talent ON grants (licensee_id, talent_id, grant_id);
CREATE INDEX grants_licensor_end ON grants (licensor_id, ends_at, grant_id);
CREATE INDEX grants_licensee_end ON grants (licensee_id, ends_at, grant_id);

-- Where the grants of each party apply. A worldwide grant has the territory WORLD only. "until" is
-- the end or the revocation, or the last possible time if the grant has no end.
CREATE TABLE grant_territories (
  tenant_id UUID NOT NULL,
  party TEXT NOT NULL CHECK (party IN ('asker', 'owner')),
  territory TEXT NOT NULL,
  grant_id UUID NOT NULL REFERENCES grants (grant_id),
  exclusive BOOLEAN NOT NULL,
  starts_at BIGINT NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, party, territory, grant_id)
);
CREATE INDEX grant_territories_until ON grant_territories (tenant_id, party, territory, exclusive, until, starts_at);
CREATE INDEX grant_territories_grant_id ON grant_territories (grant_id);

-- The grant that a verdict is based on: its parties read its number. New grants may change verdicts.
ALTER TABLE mentions ADD COLUMN grant_id UUID REFERENCES grants (grant_id);
CREATE INDEX grants_created_at ON grants (created_at);

-- Few of many: what excludes other grants, who sees a license by a grant, and what a status list says.
CREATE INDEX grants_exclusive ON grants (talent_id) WHERE status IN ('scheduled', 'active') AND exclusive;
CREATE INDEX grants_active ON grants (license_id, licensee_id) WHERE status = 'active';
CREATE INDEX grants_revoked ON grants (status_list, status_index) WHERE status = 'revoked';
-- Lists of the requests for one license.
CREATE INDEX requests_asker_license ON requests (asker_id, license_id, updated_at, request_id);
CREATE INDEX requests_license_status ON requests (license_id, status, updated_at, request_id);
