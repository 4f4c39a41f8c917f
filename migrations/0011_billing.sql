-- What tenants pay for: cards as their processor knows them, subscriptions, bills, and how much of a
-- month's quota is taken (contract sections 3 and 5).

-- Who a tenant is to a processor.
CREATE TABLE processor_customers (
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  processor TEXT NOT NULL,
  reference TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, processor)
);

-- A card is its processor's; nothing is kept here that could pay anywhere else.
CREATE TABLE cards (
  card_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  processor TEXT NOT NULL,
  customer TEXT NOT NULL,
  reference TEXT NOT NULL,
  brand TEXT NOT NULL,
  last4 TEXT NOT NULL,
  expiry_month BIGINT NOT NULL,
  expiry_year BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX cards_tenant_id ON cards (tenant_id, created_at, card_id);

-- What a tenant pays for now; gone once it has ended. It is due at `due_at`: when its period ends, or
-- for another attempt. Whoever collects holds it until `leased_until`, as the holder of the number
-- `claim`. Workers look for `wakes_at`: the end of the lease, or without one when it is due.
CREATE TABLE subscriptions (
  subscription_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  plan TEXT NOT NULL,
  next_plan TEXT,
  card_id UUID NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'past_due', 'canceled')),
  -- The period that runs is the one after so many months since then.
  anchored_at BIGINT NOT NULL,
  periods BIGINT NOT NULL,
  period_end BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  leased_until BIGINT,
  wakes_at BIGINT NOT NULL,
  claim BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX subscriptions_tenant_id ON subscriptions (tenant_id);
CREATE INDEX subscriptions_wakes_at ON subscriptions (wakes_at, subscription_id);

-- A bill is written before its processor is asked, so that a crash leaves it open and not unknown.
CREATE TABLE bills (
  bill_id UUID PRIMARY KEY,
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  subscription_id UUID NOT NULL,
  card_id UUID NOT NULL,
  plan TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('purchase', 'renewal')),
  period_start BIGINT NOT NULL,
  -- In hundredths.
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'failed', 'void')),
  description TEXT NOT NULL,
  -- What the processor calls the payment, and how often it was refused.
  payment TEXT,
  refusals BIGINT NOT NULL,
  billing_date BIGINT NOT NULL,
  due_date BIGINT NOT NULL,
  paid_date BIGINT
);
CREATE INDEX bills_tenant_id ON bills (tenant_id, billing_date, bill_id);
CREATE INDEX bills_open ON bills (tenant_id) WHERE status = 'open';
-- No period is billed twice.
CREATE UNIQUE INDEX bills_renewal ON bills (subscription_id, period_start) WHERE kind = 'renewal';

-- What the built-in sandbox was asked to charge, and what it answered.
CREATE TABLE sandbox_charges (
  payment TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  card TEXT NOT NULL,
  amount BIGINT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('succeeded', 'declined')),
  created_at BIGINT NOT NULL,
  PRIMARY KEY (payment, attempt)
);

-- How many external requests of a month (such as 202601) were handed out to nodes.
CREATE TABLE quotas (
  tenant_id UUID NOT NULL REFERENCES tenants (tenant_id),
  month BIGINT NOT NULL,
  taken BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, month)
);
