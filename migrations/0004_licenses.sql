-- Licenses and what goes with them. Nothing could make a talent or a license before: both tables
-- of the first step are empty, and take their full form here.

DROP TABLE licenses;
DROP TABLE talents;

-- On the roster of an agency, or the one record of a person who manages themself.
CREATE TABLE talents (
  talent_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  user_id UUID REFERENCES users (user_id),
  fullname TEXT NOT NULL,
  aliases TEXT NOT NULL,
  names_key TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  bio TEXT,
  social_media TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  license_count BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX talents_tenant_id ON talents (tenant_id, created_at, talent_id);
CREATE INDEX talents_user_id ON talents (user_id);

CREATE TABLE licenses (
  license_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  talent_id UUID NOT NULL REFERENCES talents (talent_id),
  external_id TEXT,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'private', 'public', 'expired')),
  license_type TEXT NOT NULL,
  uses TEXT NOT NULL,
  territories TEXT NOT NULL,
  fee TEXT,
  can_crawl BOOLEAN NOT NULL,
  terms TEXT NOT NULL,
  valid_from BIGINT,
  expires_at BIGINT,
  image_count BIGINT NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX licenses_external_id ON licenses (tenant_id, external_id) WHERE external_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX licenses_by_external_id ON licenses (external_id) WHERE external_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX licenses_talent_id ON licenses (talent_id);
CREATE INDEX licenses_tenant_id ON licenses (tenant_id);
-- Those that end by themselves and have not been noted as ended.
CREATE INDEX licenses_lapsing ON licenses (expires_at) WHERE status IN ('private', 'public') AND deleted_at IS NULL;

-- Rights beside the owner's own.
CREATE TABLE permissions (
  permission_id UUID PRIMARY KEY,
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  grantee_kind TEXT NOT NULL CHECK (grantee_kind IN ('user', 'organization')),
  grantee_id UUID NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'trustee', 'licensor')),
  granted_by UUID NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX permissions_license_id ON permissions (license_id, grantee_id);
CREATE INDEX permissions_grantee_id ON permissions (grantee_id);

-- Who sees which license, in the order of every list: an organization, a person, or everybody (the
-- nil id) where it is public. Holds what lists sort and filter by, so that a page is one read of
-- one index. License ids are in the order of creation.
CREATE TABLE license_readers (
  reader_id UUID NOT NULL,
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  role BIGINT NOT NULL,
  status TEXT NOT NULL,
  license_type TEXT NOT NULL,
  title TEXT NOT NULL,
  expires_at BIGINT,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (reader_id, license_id)
);
CREATE INDEX license_readers_license_id ON license_readers (license_id);
CREATE INDEX license_readers_updated_at ON license_readers (reader_id, updated_at, license_id, status, license_type, expires_at, version, role);
CREATE INDEX license_readers_title ON license_readers (reader_id, title, license_id, status, license_type, expires_at, version, role);
CREATE INDEX license_readers_status ON license_readers (reader_id, status, license_id, license_type, expires_at, version, role);

-- How many each of them sees, by the status that was last written.
CREATE TABLE reader_counts (
  reader_id UUID NOT NULL,
  status TEXT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (reader_id, status)
);

-- The words of title and description, in the form each engine's search reads. Derived: a restore
-- makes them anew.
CREATE TABLE license_words (
  word_id BIGINT PRIMARY KEY,
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  words TEXT NOT NULL
) /*with rowid*/;
CREATE UNIQUE INDEX license_words_license_id ON license_words (license_id);
-- only sqlite
CREATE VIRTUAL TABLE license_search USING fts5(words, content='license_words', content_rowid='word_id', tokenize='ascii');
-- end
-- only postgres
CREATE INDEX license_search ON license_words USING gin ((words::tsvector));
-- end

CREATE TABLE images (
  image_id UUID PRIMARY KEY,
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  content_type TEXT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX images_license_id ON images (license_id, created_at, image_id);

-- Platforms and mentions as far as they are read; widened with scanning.
CREATE TABLE platforms (
  platform_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  domain TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX platforms_tenant_id ON platforms (tenant_id, created_at);

CREATE TABLE mentions (
  mention_id UUID PRIMARY KEY,
  license_id UUID NOT NULL REFERENCES licenses (license_id),
  platform_id UUID NOT NULL REFERENCES platforms (platform_id),
  url TEXT NOT NULL,
  url_key TEXT NOT NULL,
  title TEXT NOT NULL,
  excerpt TEXT NOT NULL,
  author TEXT,
  media_type TEXT NOT NULL,
  match TEXT NOT NULL,
  verdict TEXT NOT NULL,
  verdict_reason TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('new', 'confirmed', 'dismissed')),
  note TEXT,
  published_at BIGINT,
  first_seen_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  revision BIGINT NOT NULL
);
CREATE UNIQUE INDEX mentions_url_key ON mentions (license_id, url_key);
CREATE INDEX mentions_first_seen_at ON mentions (license_id, first_seen_at, mention_id);

CREATE TABLE bookmarks (
  bookmark_id UUID PRIMARY KEY,
  user_id UUID NOT NULL REFERENCES users (user_id),
  target_type TEXT NOT NULL CHECK (target_type IN ('license', 'mention')),
  target_id UUID NOT NULL,
  note TEXT,
  tags TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX bookmarks_target_id ON bookmarks (user_id, target_type, target_id);
CREATE INDEX bookmarks_user_id ON bookmarks (user_id, created_at, bookmark_id);
