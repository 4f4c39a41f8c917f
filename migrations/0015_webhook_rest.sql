-- A receiver that keeps failing is left alone until then, by every sender; its owner sees it.
ALTER TABLE webhooks ADD COLUMN rests_until BIGINT;

-- Why a delivery was dropped.
ALTER TABLE deliveries ADD COLUMN drop_reason TEXT CHECK (drop_reason IN ('not_visible', 'expired'));
