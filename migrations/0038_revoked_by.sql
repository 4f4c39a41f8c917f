-- What a party has not read includes new requests and offers, not only messages.
ALTER TABLE requests ADD COLUMN unread_offers BIGINT NOT NULL DEFAULT 0;
ALTER TABLE requests ADD COLUMN unread_request BOOLEAN NOT NULL DEFAULT FALSE;

-- The side that withdrew an offer: the owner, or the asker with its request.
ALTER TABLE offers ADD COLUMN withdrawn_by TEXT CHECK (withdrawn_by IN ('asker', 'owner'));

-- The name of the person who revoked a grant.
ALTER TABLE grants ADD COLUMN revoked_by_name TEXT;
