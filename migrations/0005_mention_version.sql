-- Every change of a mention is another version, as of a license: `revision` counts only what changed
-- of the content that was seen.
ALTER TABLE mentions ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
