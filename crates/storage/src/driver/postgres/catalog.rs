//! How PostgreSQL describes its own schema.

use crate::driver::SchemaQueries;

pub(in crate::driver) const QUERIES: SchemaQueries = SchemaQueries {
    table: "SELECT 1::bigint FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_name::text = $1",
    columns: "SELECT table_name::text, column_name::text, data_type::text,
          CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END::bigint
        FROM information_schema.columns
        WHERE table_schema = current_schema() AND NOT EXISTS (
          SELECT 1 FROM pg_class p WHERE p.relname = table_name
            AND p.relnamespace = current_schema()::regnamespace AND p.relispartition)
        ORDER BY table_name, ordinal_position",
    primary_keys: "SELECT t.relname::text, a.attname::text, ''::text
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE i.indisprimary AND t.relnamespace = current_schema()::regnamespace
          AND NOT t.relispartition
        ORDER BY t.relname, k.place",
    indexes: "SELECT t.relname::text, n.relname::text, i.indisunique::int::bigint,
          (i.indpred IS NOT NULL)::int::bigint, a.attname::text
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        JOIN pg_class n ON n.oid = i.indexrelid
        CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE NOT i.indisprimary AND t.relnamespace = current_schema()::regnamespace
          AND NOT t.relispartition
        ORDER BY t.relname, n.relname, k.place",
    references: "SELECT t.relname::text, a.attname::text, f.relname::text
        FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
        JOIN pg_class f ON f.oid = c.confrelid
        CROSS JOIN LATERAL unnest(c.conkey) k(attnum)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE c.contype = 'f' AND t.relnamespace = current_schema()::regnamespace
          AND NOT t.relispartition
        ORDER BY t.relname, a.attname, f.relname",
    log_partitions: r"SELECT p.relname::text,
          coalesce(substring(b.bounds FROM 'FROM \(''([0-9a-f-]{36})''\)'), ''),
          coalesce(substring(b.bounds FROM 'TO \(''([0-9a-f-]{36})''\)'), '')
        FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
        CROSS JOIN LATERAL (SELECT pg_get_expr(p.relpartbound, p.oid) AS bounds) b
        WHERE i.inhparent = to_regclass('log_entries') ORDER BY p.relname",
};
