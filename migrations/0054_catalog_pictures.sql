-- The catalog as a shop window: a picture for each license, and pages about talents and owners.

-- The picture that the owner of a license picked for the catalog. Its bytes are objects with the
-- same id.
CREATE TABLE catalog_pictures (
  picture_id UUID PRIMARY KEY,
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX catalog_pictures_license_id ON catalog_pictures (license_id);

-- The addresses of pages about talents and owners. The highest number is the current one; older
-- ones lead to it. A row without an address gets one at the next start, which SQL cannot do.
CREATE TABLE catalog_addresses (
  subject_id UUID NOT NULL,
  number BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('talent', 'owner')),
  slug TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (subject_id, number)
);
CREATE UNIQUE INDEX catalog_addresses_slug ON catalog_addresses (kind, slug);

INSERT INTO catalog_addresses (subject_id, number, kind, created_at)
SELECT talent_id, 1, 'talent', min(created_at) FROM licenses
WHERE status = 'public' AND deleted_at IS NULL GROUP BY talent_id;

INSERT INTO catalog_addresses (subject_id, number, kind, created_at)
SELECT l.tenant_id, 1, 'owner', min(l.created_at)
FROM licenses l JOIN tenants o ON o.tenant_id = l.tenant_id
WHERE l.status = 'public' AND l.deleted_at IS NULL AND o.type <> 'Individual' GROUP BY l.tenant_id;

-- What such a page lists.
CREATE INDEX licenses_public_of_talent ON licenses (talent_id, license_id, expires_at, status, deleted_at) WHERE status = 'public' AND deleted_at IS NULL;
CREATE INDEX licenses_public_of_owner ON licenses (tenant_id, license_id, expires_at, status, deleted_at) WHERE status = 'public' AND deleted_at IS NULL;
