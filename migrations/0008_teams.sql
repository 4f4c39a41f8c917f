-- Teams of an organization and who is in them (contract section 5). A person's role is the
-- account's own; being in a team says how far that of a Team_Lead reaches.

CREATE TABLE teams (
  team_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX teams_name_key ON teams (tenant_id, name_key);
CREATE INDEX teams_tenant_id ON teams (tenant_id, created_at, team_id);

CREATE TABLE team_members (
  team_id UUID NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
  user_id UUID NOT NULL REFERENCES users (user_id),
  joined_at BIGINT NOT NULL,
  PRIMARY KEY (team_id, user_id)
);
CREATE INDEX team_members_user_id ON team_members (user_id);

-- Who looks after a talent; nobody in particular where there is none.
ALTER TABLE talents ADD COLUMN team_id UUID REFERENCES teams (team_id);
CREATE INDEX talents_team_id ON talents (team_id);

-- Those that wait for a team, or for the staff.
CREATE INDEX invitations_target_id ON invitations (kind, target_id, created_at);
