-- What newcomers and staff see first: steps that leave no trace of their own, views of staff, requests for
-- help, growth, and indexes of what fails.

-- Staff who look at an organization as one of its people sees it. A view changes nothing, lasts half an
-- hour at most, and ends with the session of its member of staff.
CREATE TABLE staff_views (
  staff_view_id UUID PRIMARY KEY,
  admin_id UUID NOT NULL REFERENCES admins (admin_id),
  session_id UUID NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  user_id UUID NOT NULL REFERENCES users (user_id),
  reason TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX staff_views_session_id ON staff_views (session_id);

-- The checklist on a person's dashboard: whether the person hid it, and the one step that leaves no other
-- trace.
CREATE TABLE onboarding (
  user_id UUID NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  hidden_at BIGINT,
  verified_at BIGINT,
  PRIMARY KEY (user_id, tenant_id)
);

-- What people ask staff for. `answered_by` is a member of staff.
CREATE TABLE help_requests (
  help_request_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  user_id UUID NOT NULL REFERENCES users (user_id),
  message TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  answer TEXT,
  answered_by UUID,
  answered_at BIGINT
);
CREATE INDEX help_requests_open ON help_requests (created_at, help_request_id) WHERE answered_at IS NULL;
CREATE INDEX help_requests_tenant_id ON help_requests (tenant_id, help_request_id);
CREATE INDEX help_requests_open_of_tenant ON help_requests (tenant_id) WHERE answered_at IS NULL;

-- How many records of a kind were created on each day, in days since 1970. Records with an id before
-- `counted_to` are counted; ids are in the order of creation.
CREATE TABLE growth_days (
  kind TEXT NOT NULL,
  day BIGINT NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (kind, day)
);
CREATE TABLE growth_marks (
  kind TEXT PRIMARY KEY,
  counted_to UUID NOT NULL,
  total BIGINT NOT NULL
);

-- What fails.
CREATE INDEX watched_feeds_failing ON watched_feeds (failing_since, feed_id) WHERE failing_since IS NOT NULL;
CREATE INDEX webhooks_failing ON webhooks (failing_since, webhook_id) WHERE status = 'active' AND failing_since IS NOT NULL;
CREATE INDEX mails_failed ON mails (finished_at, mail_id) WHERE state = 'failed';
CREATE INDEX subscriptions_past_due ON subscriptions (created_at, subscription_id) WHERE status = 'past_due';

-- The invitations of an organization, for staff.
CREATE INDEX invitations_tenant_id ON invitations (tenant_id, created_at, invitation_id) WHERE tenant_id IS NOT NULL;
