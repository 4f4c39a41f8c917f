-- One account may belong to several tenants. Role and status are of the membership; the account is
-- the person: address, name, password, and the tenant they acted in last.
CREATE TABLE memberships (
  user_id UUID NOT NULL REFERENCES users (user_id),
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  role TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, tenant_id)
);
INSERT INTO memberships (user_id, tenant_id, role, status, created_at, updated_at)
SELECT user_id, tenant_id, role, status, created_at, updated_at FROM users;
-- Whoever left their last team was made inactive; now the membership ends.
DELETE FROM memberships WHERE status = 'inactive' AND NOT EXISTS (
  SELECT 1 FROM team_members m WHERE m.user_id = memberships.user_id);
-- Counts a tenant's members, and finds those who look after it.
CREATE INDEX memberships_tenant_id ON memberships (tenant_id, role, status);

DROP INDEX users_tenant_id;
ALTER TABLE users RENAME COLUMN tenant_id TO last_tenant_id;
ALTER TABLE users DROP COLUMN role;
ALTER TABLE users DROP COLUMN status;

-- A session acts in one tenant; staff's act in none. Those that were switched from one another are
-- one family: signing out ends them all.
ALTER TABLE sessions ADD COLUMN tenant_id UUID REFERENCES tenants (tenant_id);
ALTER TABLE sessions ADD COLUMN family_id UUID;
UPDATE sessions SET family_id = session_id, tenant_id = (
  SELECT u.last_tenant_id FROM users u WHERE u.user_id = sessions.subject_id);
CREATE INDEX sessions_family_id ON sessions (family_id);

-- Whoever is in a team is a member of its tenant.
CREATE UNIQUE INDEX teams_of_tenant ON teams (team_id, tenant_id);
CREATE TABLE members_of_teams (
  team_id UUID NOT NULL,
  tenant_id UUID NOT NULL,
  user_id UUID NOT NULL,
  joined_at BIGINT NOT NULL,
  PRIMARY KEY (team_id, user_id),
  FOREIGN KEY (team_id, tenant_id) REFERENCES teams (team_id, tenant_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id, tenant_id) REFERENCES memberships (user_id, tenant_id)
);
INSERT INTO members_of_teams (team_id, tenant_id, user_id, joined_at)
SELECT m.team_id, t.tenant_id, m.user_id, m.joined_at
FROM team_members m JOIN teams t ON t.team_id = m.team_id;
DROP TABLE team_members;
ALTER TABLE members_of_teams RENAME TO team_members;
-- only postgres
ALTER TABLE team_members RENAME CONSTRAINT members_of_teams_pkey TO team_members_pkey;
-- end
CREATE INDEX team_members_user_id ON team_members (user_id, tenant_id);
