-- What the form of a license uses: templates, and the pictures of a form that was refused.

-- What new licenses start with. The content is JSON.
CREATE TABLE license_templates (
  template_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX license_templates_name_key ON license_templates (tenant_id, name_key);

-- Pictures that wait for their license for an hour, each for one session. Their bytes are objects
-- with the same id, like those of the images that they become.
CREATE TABLE kept_images (
  image_id UUID PRIMARY KEY,
  session_id UUID NOT NULL,
  user_id UUID NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  content_type TEXT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  hash BYTEA NOT NULL,
  quality BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX kept_images_user_id ON kept_images (user_id, created_at, image_id);
CREATE INDEX kept_images_created_at ON kept_images (created_at, image_id);
