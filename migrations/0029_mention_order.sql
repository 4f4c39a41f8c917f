-- The mentions of a license are filtered and counted in the index that they are listed in.
DROP INDEX mentions_first_seen_at;
CREATE INDEX mentions_first_seen_at ON mentions (license_id, first_seen_at, mention_id, status, verdict, platform_id);

-- How many were first seen on each day, in days since 1970, of what a tenant owns: lists and the dashboard show it.
CREATE TABLE mention_days (
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  day BIGINT NOT NULL,
  verdict TEXT NOT NULL,
  status TEXT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, day, verdict, status)
);
INSERT INTO mention_days (tenant_id, day, verdict, status, total)
SELECT tenant_id, first_seen_at / 86400000000, verdict, status, count(*) FROM mentions
WHERE tenant_id IS NOT NULL GROUP BY 1, 2, 3, 4;
