-- Single sign-on by OpenID Connect.

-- The connection of an organization to its identity provider. The secret is sealed; the metadata is
-- what the provider published when the connection was saved.
CREATE TABLE single_sign_on (
  tenant_id UUID PRIMARY KEY REFERENCES tenants (tenant_id),
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  sealed_secret BYTEA NOT NULL,
  metadata TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  new_member_role TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

-- Domains of email addresses. Many may claim a domain; one has proved it by DNS.
CREATE TABLE single_sign_on_domains (
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  domain TEXT NOT NULL,
  token TEXT NOT NULL,
  proved_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, domain)
);
CREATE UNIQUE INDEX single_sign_on_domains_proved ON single_sign_on_domains (domain) WHERE proved_at IS NOT NULL;

-- Who at the provider is which account: an address may be given to somebody else there.
CREATE TABLE single_sign_on_subjects (
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  subject TEXT NOT NULL,
  user_id UUID NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, subject)
);
CREATE UNIQUE INDEX single_sign_on_subjects_user_id ON single_sign_on_subjects (user_id, tenant_id);
