-- Entries of the log get their numbers, and deliveries end, soon after they were written. What they were before stays in
-- partial indexes that are read all the time, until PostgreSQL vacuums the table: by itself once a fifth of the rows
-- changed, which takes ever longer the more there are.
-- only postgres
ALTER TABLE log_entries SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, vacuum_index_cleanup = on);
ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, vacuum_index_cleanup = on);
-- end
