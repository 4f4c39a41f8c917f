-- What a tenant tells of itself beside its name: address, contact, tax information. Apart from the
-- tenant's own row, which is read with every token.
CREATE TABLE tenant_information (
  tenant_id UUID PRIMARY KEY REFERENCES tenants (tenant_id),
  information TEXT NOT NULL,
  updated_at BIGINT NOT NULL
);

-- Staff's lists, in their order. Each holds what the list is filtered by, so that counting and
-- passing over touch no row.
CREATE INDEX tenants_listed ON tenants (created_at, tenant_id, type, status, plan, name_key);
CREATE INDEX platforms_listed ON platforms (created_at, platform_id, tenant_id);
CREATE INDEX licenses_listed ON licenses (license_id, tenant_id, license_type, status, expires_at, deleted_at) WHERE deleted_at IS NULL;
