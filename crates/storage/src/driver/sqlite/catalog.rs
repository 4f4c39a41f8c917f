//! How `SQLite` describes its own schema. The full-text index and its internal tables are left out,
//! because PostgreSQL has no equivalent, and so are the tables that Litestream adds.

use crate::driver::SchemaQueries;

pub(in crate::driver) const QUERIES: SchemaQueries = SchemaQueries {
    table: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1",
    columns: "SELECT m.name AS table_name, c.name AS column_name, c.type AS data_type,
          (c.\"notnull\" OR c.pk > 0) AS required
        FROM sqlite_schema m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'license_search%'
          AND m.name NOT GLOB '_litestream_*' ORDER BY m.name, c.cid",
    primary_keys: "SELECT m.name AS table_name, c.name AS column_name
        FROM sqlite_schema m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'license_search%'
          AND m.name NOT GLOB '_litestream_*' AND c.pk > 0 ORDER BY m.name, c.pk",
    indexes: "SELECT m.name AS table_name, i.name AS index_name, i.\"unique\" AS is_unique,
          i.partial AS is_partial, c.name AS column_name
        FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_info(i.name) c
        WHERE m.type = 'table' AND i.origin = 'c' ORDER BY m.name, i.name, c.seqno",
    references: "SELECT m.name AS table_name, f.\"from\" AS column_name, f.\"table\" AS target_name
        FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
        WHERE m.type = 'table' ORDER BY m.name, f.\"from\", f.\"table\"",
    // `SQLite` has no partitions.
    log_partitions: "SELECT '' AS table_name, '' AS from_id, '' AS until_id WHERE FALSE",
};
