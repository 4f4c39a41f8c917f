-- How many deliveries ended on each day, in days since 1970: the dashboard shows the last seven.
CREATE TABLE delivery_days (
  webhook_id UUID NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
  day BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  PRIMARY KEY (webhook_id, day)
);
INSERT INTO delivery_days (webhook_id, day, delivered, failed)
SELECT webhook_id, finished_at / 86400000000, sum(CASE status WHEN 'delivered' THEN 1 ELSE 0 END),
  sum(CASE status WHEN 'failed' THEN 1 ELSE 0 END)
FROM deliveries WHERE status IN ('delivered', 'failed') AND finished_at IS NOT NULL GROUP BY 1, 2;
