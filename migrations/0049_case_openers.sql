-- The name of whoever opened a case, as it was then: a person, or an API client.
ALTER TABLE cases ADD COLUMN opened_by_name TEXT NOT NULL DEFAULT '';
UPDATE cases SET opened_by_name = COALESCE((SELECT u.fullname FROM users u WHERE u.user_id = cases.opened_by), '');

-- A case is for a use that is not allowed. Opening one said so, before it had to be said first.
UPDATE mentions SET allowed = FALSE WHERE status = 'confirmed' AND allowed IS NULL
  AND mention_id IN (SELECT mention_id FROM cases WHERE status <> 'closed');
