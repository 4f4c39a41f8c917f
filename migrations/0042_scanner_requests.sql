-- Platforms whose organizations asked staff for a scanner, until they have one. A platform asks once.
CREATE TABLE scanner_requests (
  platform_id UUID PRIMARY KEY REFERENCES platforms (platform_id),
  requested_at BIGINT NOT NULL
);
CREATE INDEX scanner_requests_requested_at ON scanner_requests (requested_at, platform_id);
