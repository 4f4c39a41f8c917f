-- Receivers of events and what is sent to them (contract section 6).

CREATE TABLE webhooks (
  webhook_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  user_id UUID NOT NULL REFERENCES users (user_id),
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  -- A bit for each kind of event.
  events BIGINT NOT NULL,
  -- A deleted one is gone from every answer; its deliveries are swept, then the row.
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled', 'deleted')),
  -- Sealed; the one before signs beside the new one for a while.
  secret BYTEA NOT NULL,
  old_secret BYTEA,
  old_secret_until BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  last_success_at BIGINT,
  failing_since BIGINT
);
CREATE INDEX webhooks_tenant_id ON webhooks (tenant_id, status, created_at, webhook_id);
CREATE INDEX webhooks_deleted ON webhooks (webhook_id) WHERE status = 'deleted';

-- An event on its way to one receiver, written with the change that it tells of. While it is
-- pending it is due at `due_at`: for its next attempt, or when whoever attempts it has not come
-- back. `tries` is what became of each attempt, as JSON.
CREATE TABLE deliveries (
  delivery_id UUID PRIMARY KEY,
  webhook_id UUID NOT NULL REFERENCES webhooks (webhook_id),
  event_id UUID NOT NULL REFERENCES events (event_id) ON DELETE CASCADE,
  sequence BIGINT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'dropped')),
  attempts BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  tries TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  finished_at BIGINT
);
-- Whoever sends looks at one receiver after the other: none can stand in another's way.
CREATE INDEX deliveries_pending ON deliveries (webhook_id, due_at, delivery_id) WHERE status = 'pending';
CREATE INDEX deliveries_webhook_id ON deliveries (webhook_id, delivery_id, status);
CREATE INDEX deliveries_event_id ON deliveries (event_id);
