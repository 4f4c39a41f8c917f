-- WebSub: subscriptions to the hubs of feeds, and what the hubs pushed.

-- A subscription stays when it has ended, because a paused source may be resumed and its feed may be
-- one that is not fetched. It outlives its feed until the hub has confirmed the end, so it does not
-- reference the feed. `due_at` is when the hub is asked next or, if the subscription has ended, when
-- the sources are looked at again.
CREATE TABLE websub_subscriptions (
  subscription_id UUID PRIMARY KEY,
  feed_id UUID NOT NULL,
  hub TEXT NOT NULL,
  topic TEXT NOT NULL,
  -- Of the token in the callback URL.
  token_hash BYTEA NOT NULL,
  -- The token, and the secret with which the hub signs.
  sealed BYTEA NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'denied', 'ending', 'ended')),
  -- Requests to the hub since it last confirmed one.
  attempts BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  lease_ends_at BIGINT,
  note TEXT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX websub_subscriptions_token_hash ON websub_subscriptions (token_hash);
CREATE UNIQUE INDEX websub_subscriptions_feed_id ON websub_subscriptions (feed_id);
CREATE INDEX websub_subscriptions_due_at ON websub_subscriptions (due_at);

-- What hubs pushed and no run has read yet. The size is stored before the body, so that reading it
-- does not read the body.
CREATE TABLE websub_pushes (
  push_id UUID PRIMARY KEY,
  feed_id UUID NOT NULL,
  content_type TEXT,
  size BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  body BYTEA NOT NULL
);
CREATE INDEX websub_pushes_feed_id ON websub_pushes (feed_id, push_id);
CREATE INDEX websub_pushes_received_at ON websub_pushes (received_at);
