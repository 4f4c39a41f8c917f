-- What was seen, in one form: a page by http and by https is one.
UPDATE mentions SET url_key = substr(url, 8) WHERE url LIKE 'http://%';
UPDATE mentions SET url_key = substr(url, 9) WHERE url LIKE 'https://%';

-- What the content was when it was last seen, to tell whether it changed.
ALTER TABLE mentions ADD COLUMN content_digest TEXT;
