//! SQL fragments that differ between the engines.

use grantor_storage::StoreUrl;

/// The SQL fragments of an engine.
pub(super) struct Dialect {
    /// An id; `KIND` and `OF` stand for its first digit and its number.
    pub(super) id: &'static str,
    pub(super) no: &'static str,
    /// Seconds since 1970.
    pub(super) now: &'static str,
    pub(super) series: fn(u32) -> String,
}

impl Dialect {
    pub(super) fn of(url: &StoreUrl) -> Self {
        match url {
            StoreUrl::Sqlite(_) => Self {
                id: "unhex(printf('KIND%031x', OF))",
                no: "0",
                now: "unixepoch()",
                series: |to| {
                    format!(
                        "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c
                          WHERE n < {to}) SELECT n FROM c)"
                    )
                },
            },
            StoreUrl::Postgres(_) => Self {
                id: "('KIND' || lpad(to_hex(OF), 31, '0'))::uuid",
                no: "false",
                now: "extract(epoch FROM now())::bigint",
                series: |to| format!("(SELECT n::bigint FROM generate_series(1, {to}) n) numbers"),
            },
        }
    }
}
