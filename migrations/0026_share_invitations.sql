-- An invitation may also be to what is shared: a permission that was given to an address.
-- only postgres
ALTER TABLE invitations DROP CONSTRAINT invitations_kind_check;
ALTER TABLE invitations ADD CONSTRAINT invitations_kind_check CHECK (kind IN ('admin', 'team', 'talent', 'share'));
-- end
-- only sqlite
CREATE TABLE invitations_and_shares (
  token_hash BYTEA PRIMARY KEY,
  invitation_id UUID NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('admin', 'team', 'talent', 'share')),
  tenant_id UUID REFERENCES tenants (tenant_id),
  target_id UUID,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  fullname TEXT NOT NULL,
  role TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
INSERT INTO invitations_and_shares SELECT * FROM invitations;
DROP TABLE invitations;
ALTER TABLE invitations_and_shares RENAME TO invitations;
CREATE UNIQUE INDEX invitations_invitation_id ON invitations (invitation_id);
CREATE INDEX invitations_email_key ON invitations (email_key, kind);
CREATE INDEX invitations_expires_at ON invitations (expires_at);
CREATE INDEX invitations_target_id ON invitations (kind, target_id, created_at);
-- end
