-- Raised whenever a license joins or leaves a list: while it stays, so does the place of every page.
ALTER TABLE reader_counts ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
