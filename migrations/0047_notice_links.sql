-- Notices by the page they lead to: opening a page marks what leads there as read, and a scanner that was
-- created settles the notices that asked for it.
CREATE INDEX notices_link ON notices (link, person_id) WHERE read_at IS NULL OR due_at IS NOT NULL;

-- The bell of staff, whose notices belong to no tenant.
CREATE INDEX notices_staff ON notices (person_id, notice_id) WHERE tenant_id IS NULL;
CREATE INDEX notices_staff_unread ON notices (person_id, notice_id) WHERE tenant_id IS NULL AND read_at IS NULL;
