//! How PostgreSQL describes its own schema.

use crate::driver::SchemaQueries;

pub(in crate::driver) const QUERIES: SchemaQueries = SchemaQueries {
    columns: "SELECT table_name::text, column_name::text, data_type::text,
          CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END::bigint
        FROM information_schema.columns
        WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position",
    primary_keys: "SELECT t.relname::text, a.attname::text, ''::text
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE i.indisprimary AND t.relnamespace = current_schema()::regnamespace
        ORDER BY t.relname, k.place",
    indexes: "SELECT t.relname::text, n.relname::text, i.indisunique::int::bigint,
          (i.indpred IS NOT NULL)::int::bigint, a.attname::text
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        JOIN pg_class n ON n.oid = i.indexrelid
        CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE NOT i.indisprimary AND t.relnamespace = current_schema()::regnamespace
        ORDER BY t.relname, n.relname, k.place",
    references: "SELECT t.relname::text, a.attname::text, f.relname::text
        FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
        JOIN pg_class f ON f.oid = c.confrelid
        CROSS JOIN LATERAL unnest(c.conkey) k(attnum)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
        WHERE c.contype = 'f' AND t.relnamespace = current_schema()::regnamespace
        ORDER BY t.relname, a.attname, f.relname",
};
