-- The log in parts by time, so that entries past their retention are dropped with their part instead of deleted
-- one by one. IDs begin with the time, so the parts are ranges of IDs, and every key stays what it was. IDs of the
-- access log have the first bit set: it has its own, shorter parts.
--
-- The table of before becomes the first part as it is, with its indexes. A worker makes the parts to come. What no
-- part covers goes into the last one, for example entries of a node whose clock is wrong.
-- only postgres
ALTER TABLE log_entries RENAME TO log_entries_older;
ALTER INDEX log_entries_pkey RENAME TO log_entries_pkey_older;
ALTER INDEX log_entries_log_id RENAME TO log_entries_log_id_older;
ALTER INDEX log_entries_fresh RENAME TO log_entries_fresh_older;
ALTER INDEX log_entries_license_id RENAME TO log_entries_license_id_older;
ALTER INDEX log_entries_of_record RENAME TO log_entries_of_record_older;
ALTER INDEX log_entries_retention RENAME TO log_entries_retention_older;
-- Numbers are given under a lock. A unique index of all parts would need the ID as well.
DROP INDEX log_entries_number;
CREATE INDEX log_entries_number_older ON log_entries_older (number) WHERE number IS NOT NULL;

CREATE TABLE log_entries (LIKE log_entries_older INCLUDING CONSTRAINTS) PARTITION BY RANGE (log_id);
CREATE TABLE log_entries_rest PARTITION OF log_entries DEFAULT;
DO $$
DECLARE
  today timestamp := date_trunc('day', now() AT TIME ZONE 'UTC');
  month_end bigint := extract(epoch FROM date_trunc('month', today) + interval '1 month') * 1000;
  day_end bigint := extract(epoch FROM today + interval '1 day') * 1000;
  id_end varchar := repeat('0', 20);
  older_end varchar := lpad(to_hex(month_end), 12, '0') || id_end;
BEGIN
  EXECUTE format('WITH early AS (DELETE FROM log_entries_older WHERE log_id >= %L RETURNING *)
    INSERT INTO log_entries_rest SELECT * FROM early', older_end);
  EXECUTE format('ALTER TABLE log_entries ATTACH PARTITION log_entries_older FOR VALUES FROM (MINVALUE) TO (%L)',
    older_end);
  EXECUTE format('CREATE TABLE log_entries_older_access PARTITION OF log_entries FOR VALUES FROM (%L) TO (%L)',
    '800000000000' || id_end, lpad(to_hex(day_end | (1::bigint << 47)), 12, '0') || id_end);
END $$;

ALTER TABLE log_entries ADD CONSTRAINT log_entries_pkey PRIMARY KEY (tenant_id, created_at, log_id);
CREATE UNIQUE INDEX log_entries_log_id ON log_entries (log_id);
CREATE INDEX log_entries_number ON log_entries (number) WHERE number IS NOT NULL;
CREATE INDEX log_entries_fresh ON log_entries (created_at, log_id) WHERE number IS NULL;
CREATE INDEX log_entries_license_id ON log_entries (tenant_id, license_id, created_at, log_id) WHERE license_id IS NOT NULL;
CREATE INDEX log_entries_of_record ON log_entries (tenant_id, resource_id, created_at, log_id, class, license_id) WHERE class = 'audit' AND license_id IS NULL AND resource_id IS NOT NULL;
CREATE INDEX log_entries_retention ON log_entries (class, created_at);
-- end
-- only sqlite
-- As there.
DROP INDEX log_entries_number;
CREATE INDEX log_entries_number ON log_entries (number) WHERE number IS NOT NULL;
-- end
