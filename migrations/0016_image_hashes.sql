-- What a reference image looks like, for finding it again. An image whose bytes nobody could read
-- has a row without a hash, so that it is not tried for ever.
CREATE TABLE image_hashes (
  image_id UUID PRIMARY KEY REFERENCES images (image_id) ON DELETE CASCADE,
  hash BYTEA,
  quality BIGINT NOT NULL,
  hashed_at BIGINT NOT NULL
);
CREATE INDEX image_hashes_hashed_at ON image_hashes (hashed_at, image_id);
