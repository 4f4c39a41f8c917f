-- Deleted platforms that nothing refers to are purged.
CREATE INDEX platforms_deleted_at ON platforms (deleted_at, platform_id) WHERE deleted_at IS NOT NULL;
