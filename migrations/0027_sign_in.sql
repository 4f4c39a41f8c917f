-- Devices that people signed in from: while others guess their passwords, these are let through. A
-- device is the hash of a browser's cookie, or of an address and what the caller calls itself.
CREATE TABLE known_devices (
  device TEXT NOT NULL,
  user_id UUID NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (device, user_id)
);
CREATE INDEX known_devices_user_id ON known_devices (user_id, last_seen_at);
CREATE INDEX known_devices_last_seen_at ON known_devices (last_seen_at);

-- Accounts of one name whose password decides which of them signs in, the oldest first.
DROP INDEX users_fullname_key;
CREATE INDEX users_namesakes ON users (fullname_key, user_id) WHERE password_hash IS NOT NULL;

-- The long token of a reset's mail, beside the code.
ALTER TABLE challenges ADD COLUMN link_hash BYTEA;
CREATE UNIQUE INDEX challenges_link_hash ON challenges (link_hash) WHERE link_hash IS NOT NULL;

-- Wrong codes are counted with the other limits.
DROP TABLE code_refusals;

-- Which words of the full name are the first name, where a person said so.
ALTER TABLE users ADD COLUMN firstname TEXT;
