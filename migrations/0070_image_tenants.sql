-- The tenant of each image, as its license has it, so that the same file is found among all images of a tenant by a range
-- of one index. An index of the SHA-256 alone would lead through the copies of all other tenants.
-- Null for images from before, and for those that a node of the last release adds: the next start of a node fills it in.
ALTER TABLE images ADD COLUMN tenant_id UUID;
CREATE INDEX images_sha256 ON images (tenant_id, sha256, image_id);
