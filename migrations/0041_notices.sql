-- What people are told, and how (contract-2 section 26).

-- A notice to one person: a user, or a member of staff, who belongs to no tenant. It stays on the bell.
-- While `due_at` is set, an email about it is to be composed then: from the template `mail_kind` with the
-- values, or together with others in a digest.
CREATE TABLE notices (
  notice_id UUID PRIMARY KEY,
  person_id UUID NOT NULL,
  tenant_id UUID REFERENCES tenants (tenant_id),
  kind TEXT NOT NULL,
  mail_kind TEXT NOT NULL,
  mail_values TEXT NOT NULL,
  summary TEXT NOT NULL,
  link TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('now', 'digest', 'off')),
  due_at BIGINT,
  read_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE INDEX notices_person_id ON notices (person_id, tenant_id, notice_id);
CREATE INDEX notices_unread ON notices (person_id, tenant_id, notice_id) WHERE read_at IS NULL;
CREATE INDEX notices_due_at ON notices (due_at, notice_id) WHERE due_at IS NOT NULL;
CREATE INDEX notices_pending ON notices (person_id, channel, kind, mail_kind) WHERE due_at IS NOT NULL;
CREATE INDEX notices_created_at ON notices (created_at);

-- The channels that people chose. A kind without a row has its default.
CREATE TABLE notice_preferences (
  person_id UUID NOT NULL,
  kind TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('now', 'digest', 'off')),
  PRIMARY KEY (person_id, kind)
);

-- When a person's digest comes, as far as it was chosen, and when the last one came.
CREATE TABLE notice_settings (
  person_id UUID PRIMARY KEY,
  digest_hour BIGINT,
  time_zone TEXT,
  last_digest_at BIGINT
);

-- Email addresses that a mail server refused for good. No notices are sent there.
CREATE TABLE refused_addresses (
  address TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  refused_at BIGINT NOT NULL
);

-- What is told once for a state that lasts: the subject, and since when it is in that state.
CREATE TABLE told_states (
  subject_id UUID NOT NULL,
  kind TEXT NOT NULL,
  since BIGINT NOT NULL,
  told_at BIGINT NOT NULL,
  PRIMARY KEY (subject_id, kind)
);
CREATE INDEX told_states_told_at ON told_states (told_at);
CREATE INDEX cards_expiry ON cards (expiry_year, expiry_month);

-- Incoming webhooks of chats. The URL is sealed; its host and its last characters are shown.
CREATE TABLE chat_addresses (
  chat_address_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  sealed_url BYTEA NOT NULL,
  host TEXT NOT NULL,
  ending TEXT NOT NULL,
  kinds TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
  failing_since BIGINT,
  last_success_at BIGINT,
  last_error TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX chat_addresses_tenant_id ON chat_addresses (tenant_id, chat_address_id);

-- Messages on their way to a chat, until they have arrived or are given up.
CREATE TABLE chat_messages (
  chat_message_id UUID PRIMARY KEY,
  chat_address_id UUID NOT NULL REFERENCES chat_addresses (chat_address_id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX chat_messages_due_at ON chat_messages (due_at, chat_message_id);
CREATE INDEX chat_messages_chat_address_id ON chat_messages (chat_address_id, chat_message_id);
