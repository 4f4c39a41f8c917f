-- The nodes that use the database. A node adds to `beats` every second; one that does not while another
-- adds three times is dead, and that other one deletes its row. `schema_version` is the last migration
-- that its program knows, and `key_ring` names the version of the key ring that it has loaded.
CREATE TABLE nodes (
  node_id UUID PRIMARY KEY,
  beats BIGINT NOT NULL,
  schema_version BIGINT NOT NULL,
  key_ring TEXT NOT NULL,
  program TEXT NOT NULL,
  started_at BIGINT NOT NULL
);

-- The node that holds the row. Whoever deletes a node frees the rows that it holds; until then, and for
-- rows of nodes that do not register, they are free when their time is over.
ALTER TABLE deliveries ADD COLUMN node_id UUID;
ALTER TABLE mails ADD COLUMN node_id UUID;
ALTER TABLE chat_messages ADD COLUMN node_id UUID;
ALTER TABLE pods ADD COLUMN node_id UUID;
ALTER TABLE watched_feeds ADD COLUMN node_id UUID;
ALTER TABLE scan_hosts ADD COLUMN node_id UUID;
ALTER TABLE cases ADD COLUMN node_id UUID;
ALTER TABLE chores ADD COLUMN node_id UUID;
ALTER TABLE websub_subscriptions ADD COLUMN node_id UUID;
ALTER TABLE subscriptions ADD COLUMN node_id UUID;
CREATE INDEX deliveries_node_id ON deliveries (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX mails_node_id ON mails (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX chat_messages_node_id ON chat_messages (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX pods_node_id ON pods (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX watched_feeds_node_id ON watched_feeds (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX scan_hosts_node_id ON scan_hosts (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX cases_node_id ON cases (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX chores_node_id ON chores (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX websub_subscriptions_node_id ON websub_subscriptions (node_id) WHERE node_id IS NOT NULL;
CREATE INDEX subscriptions_node_id ON subscriptions (node_id) WHERE node_id IS NOT NULL;

-- Nobody looks for the keys of a node: whoever wants a key looks whether its node is still there.
-- `changed` names the record that a request changed, for whom its response was lost.
ALTER TABLE idempotency_keys ADD COLUMN node_id UUID;
ALTER TABLE idempotency_keys ADD COLUMN changed TEXT;
