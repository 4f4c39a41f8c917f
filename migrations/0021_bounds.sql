-- How much each tenant has of what its plan bounds, kept with every row that is added or deleted.
CREATE TABLE tenant_usage (
  tenant_id UUID PRIMARY KEY REFERENCES tenants (tenant_id),
  image_bytes BIGINT NOT NULL,
  talents BIGINT NOT NULL,
  licenses BIGINT NOT NULL,
  webhooks BIGINT NOT NULL
);
INSERT INTO tenant_usage (tenant_id, image_bytes, talents, licenses, webhooks)
SELECT t.tenant_id,
  CAST(COALESCE((SELECT SUM(i.bytes) FROM licenses l JOIN images i ON i.license_id = l.license_id
    WHERE l.tenant_id = t.tenant_id), 0) AS BIGINT),
  (SELECT COUNT(*) FROM talents x WHERE x.tenant_id = t.tenant_id),
  (SELECT COUNT(*) FROM licenses x WHERE x.tenant_id = t.tenant_id AND x.deleted_at IS NULL),
  (SELECT COUNT(*) FROM webhooks x WHERE x.tenant_id = t.tenant_id AND x.status <> 'deleted')
FROM tenants t;
