-- Views that a person saved: the address of a list, without its page, under a name. Each tenant of the person has
-- its own.
CREATE TABLE saved_views (
  view_id UUID PRIMARY KEY,
  user_id UUID NOT NULL REFERENCES users (user_id),
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  list TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  query TEXT NOT NULL,
  is_default BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX saved_views_name ON saved_views (user_id, tenant_id, list, name_key);
CREATE UNIQUE INDEX saved_views_default ON saved_views (user_id, tenant_id, list) WHERE is_default;
