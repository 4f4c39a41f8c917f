-- What a reference image is known again by after it was cropped, turned or built into another picture. Derived from the
-- images: a restore makes it anew. An image that waits to be described has version 0 and no time; one that cannot be read
-- has no entries, so that it is not tried for ever. SQLite needs a rowid for rows that are as large as these.
CREATE TABLE image_entries (
  image_id UUID NOT NULL REFERENCES images (image_id) ON DELETE CASCADE,
  version BIGINT NOT NULL,
  feature_count BIGINT NOT NULL,
  entries BYTEA,
  described_at BIGINT,
  PRIMARY KEY (image_id)
) /*with rowid*/;
CREATE INDEX image_entries_version ON image_entries (version, image_id);
CREATE INDEX image_entries_described_at ON image_entries (described_at, image_id) WHERE described_at IS NOT NULL;
-- The features themselves are ten times as large, and are only read of images that a picture may show.
CREATE TABLE image_features (
  image_id UUID NOT NULL REFERENCES images (image_id) ON DELETE CASCADE,
  features BYTEA NOT NULL,
  PRIMARY KEY (image_id)
) /*with rowid*/;
INSERT INTO image_entries (image_id, version, feature_count) SELECT image_id, 0, 0 FROM images;
-- When the newest image of a tenant was described: pictures that were searched before have to be searched again for it.
ALTER TABLE tenants ADD COLUMN described_at BIGINT;

-- How somebody was recognized, and where the picture shows the reference image. Null in older evidence.
ALTER TABLE evidence ADD COLUMN match_method TEXT;
ALTER TABLE evidence ADD COLUMN placement TEXT;
-- The reference images that local features found in a picture when it was fetched, and when that was.
ALTER TABLE scanned_images ADD COLUMN shown TEXT;
ALTER TABLE scanned_images ADD COLUMN searched_at BIGINT;
