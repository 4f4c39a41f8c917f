-- Cases: what was done about a confirmed mention that is not allowed.

-- `agent_id` is the tenant that opened the case, if it is not the one that owns the talent. `code_hash` and
-- `sealed_code` are the code of the link to the evidence. `next_look_at` is when the address is looked at next,
-- and the lease of the look that has the case (`look_id`). `gone_since` is the first look that did not find the
-- talent since the last that did, and `misses` how many did not.
CREATE TABLE cases (
  mention_id UUID PRIMARY KEY REFERENCES mentions (mention_id),
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  agent_id UUID REFERENCES tenants (tenant_id),
  status TEXT NOT NULL CHECK (status IN ('open', 'sent', 'answered', 'removed', 'disputed', 'closed')),
  assignee_id UUID,
  code_hash BYTEA NOT NULL,
  sealed_code BYTEA NOT NULL,
  next_look_at BIGINT,
  look_id UUID,
  gone_since BIGINT,
  misses BIGINT NOT NULL,
  last_look_at BIGINT,
  last_look_result TEXT CHECK (last_look_result IN ('match', 'no_match', 'gone', 'failed')),
  removed_at BIGINT,
  opened_by UUID NOT NULL,
  opened_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version BIGINT NOT NULL
);
CREATE UNIQUE INDEX cases_code_hash ON cases (code_hash);
CREATE INDEX cases_next_look_at ON cases (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX cases_tenant_id ON cases (tenant_id, updated_at, mention_id);
CREATE INDEX cases_tenant_live ON cases (tenant_id, updated_at, mention_id) WHERE status <> 'removed' AND status <> 'closed';
CREATE INDEX cases_tenant_status ON cases (tenant_id, status, updated_at, mention_id);
CREATE INDEX cases_agent_id ON cases (agent_id, updated_at, mention_id);
CREATE INDEX cases_agent_live ON cases (agent_id, updated_at, mention_id) WHERE status <> 'removed' AND status <> 'closed';
CREATE INDEX cases_agent_status ON cases (agent_id, status, updated_at, mention_id);

-- Comments without a user are Grantor's own.
CREATE TABLE case_comments (
  comment_id UUID PRIMARY KEY,
  mention_id UUID NOT NULL REFERENCES cases (mention_id),
  user_id UUID,
  author TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX case_comments_mention_id ON case_comments (mention_id, comment_id);

-- `mail_id` is the email in the queue, which is deleted some time after it was sent.
CREATE TABLE case_letters (
  letter_id UUID PRIMARY KEY,
  mention_id UUID NOT NULL REFERENCES cases (mention_id),
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  sent_by UUID NOT NULL,
  author TEXT NOT NULL,
  sent_at BIGINT NOT NULL,
  mail_id UUID
);
CREATE INDEX case_letters_mention_id ON case_letters (mention_id, letter_id);

-- The templates of letters that tenants changed. Without a row the built-in template applies.
CREATE TABLE letter_templates (
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  kind TEXT NOT NULL CHECK (kind IN ('takedown', 'license_offer')),
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, kind)
);
