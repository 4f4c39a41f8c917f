-- The language of a person, next to the time zone. Without a choice, pages are in the language of the
-- browser, and emails in that of the browser in which the person last signed in.
ALTER TABLE notice_settings ADD COLUMN language TEXT;
ALTER TABLE notice_settings ADD COLUMN browser_language TEXT;
