//! How PostgreSQL describes its own schema.

use crate::driver::SchemaQueries;

pub(in crate::driver) const QUERIES: SchemaQueries = SchemaQueries {
    table: "SELECT 1::bigint FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_name::text = $1",
    columns: "SELECT table_name::text AS table_name, column_name::text AS column_name,
          data_type::text AS data_type, (is_nullable = 'NO')::int::bigint AS required
        FROM information_schema.columns
        WHERE table_schema = current_schema() AND NOT EXISTS (
          SELECT 1 FROM pg_class p WHERE p.relname = table_name
            AND p.relnamespace = current_schema()::regnamespace AND p.relispartition)
        ORDER BY table_name, ordinal_position",
    primary_keys: "SELECT t.relname::text AS table_name, a.attname::text AS column_name
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE i.indisprimary AND t.relnamespace = current_schema()::regnamespace
          AND NOT t.relispartition
        ORDER BY t.relname, k.place",
    indexes: "SELECT t.relname::text AS table_name, n.relname::text AS index_name,
          i.indisunique::int::bigint AS is_unique,
          (i.indpred IS NOT NULL)::int::bigint AS is_partial, a.attname::text AS column_name
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        JOIN pg_class n ON n.oid = i.indexrelid
        CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE NOT i.indisprimary AND t.relnamespace = current_schema()::regnamespace
          AND NOT t.relispartition
        ORDER BY t.relname, n.relname, k.place",
    references: "SELECT t.relname::text AS table_name, a.attname::text AS column_name,
          f.relname::text AS target_name
        FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
        JOIN pg_class f ON f.oid = c.confrelid
        CROSS JOIN LATERAL unnest(c.conkey) k(attnum)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE c.contype = 'f' AND t.relnamespace = current_schema()::regnamespace
          AND NOT t.relispartition
        ORDER BY t.relname, a.attname, f.relname",
    log_partitions: r"SELECT p.relname::text AS table_name,
          coalesce(substring(b.bounds FROM 'FROM \(''([0-9a-f-]{36})''\)'), '') AS from_id,
          coalesce(substring(b.bounds FROM 'TO \(''([0-9a-f-]{36})''\)'), '') AS until_id
        FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
        CROSS JOIN LATERAL (SELECT pg_get_expr(p.relpartbound, p.oid) AS bounds) b
        WHERE i.inhparent = to_regclass('log_entries') ORDER BY p.relname",
};
