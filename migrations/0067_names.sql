-- Where a text finds the names of talents by their words, so that no node needs all of them in memory.
-- Derived from the talents: a restore makes it anew.

-- Each name, by a hash of its words. Rows of a later batch were written later.
CREATE TABLE name_keys (
  name_key BIGINT NOT NULL,
  talent_id UUID NOT NULL,
  first_word BIGINT NOT NULL,
  batch BIGINT NOT NULL,
  PRIMARY KEY (name_key, talent_id)
);
CREATE INDEX name_keys_talent_id ON name_keys (talent_id);
CREATE INDEX name_keys_batch ON name_keys (batch, name_key, talent_id);
-- How many words the names have that start with a word. A row may be left over from a name that is gone.
CREATE TABLE name_starts (
  first_word BIGINT NOT NULL,
  words BIGINT NOT NULL,
  PRIMARY KEY (first_word, words)
);
-- Whose names changed since: read themselves until their keys are written. The mark tells two changes apart.
CREATE TABLE name_stale (
  talent_id UUID PRIMARY KEY,
  mark BIGINT NOT NULL
);
INSERT INTO name_stale (talent_id, mark) SELECT talent_id, 1 FROM talents;
