//! Rows in bulk and direct database access, bypassing the storage crate.

mod dialect;
mod file;
mod grant;
mod license;
mod log;
mod mention;
mod people;
mod plan;
mod record;

use grantor_storage::{Options, StoreUrl};
use postgres::{Client, NoTls};
use rusqlite::Connection;

pub use self::file::{hold_writes, integrity, set_read_only};
pub use self::grant::{database_time, grants, known_parties};
pub use self::license::{
    SAMPLE_OWNER, copy_license, forget_reader, index_licenses, licenses_without_index, permissions,
    public_licenses, reader_rows, show_licenses,
};
pub use self::log::{index_log, log_entries, recent_log_entries};
pub use self::mention::{COUNT_MENTIONS, MARK_MENTIONS, list_all_mentions, mentions};
pub use self::people::{join, memberships, move_into, set_role, tenant};
pub use self::plan::{plan, plan_in_order};
pub use self::record::index_records;

/// An id as an SQL literal of the engine.
#[must_use]
pub fn id(options: &Options, id: &str) -> String {
    match options.url {
        StoreUrl::Sqlite(_) => format!("unhex('{}')", id.replace('-', "")),
        StoreUrl::Postgres(_) => format!("'{id}'::uuid"),
    }
}

/// Does what an engine does by itself some time after many rows were written: updates its
/// statistics, and on PostgreSQL removes dead rows.
pub async fn tidy(options: &Options) {
    let script = match options.url {
        StoreUrl::Sqlite(_) => "ANALYZE",
        StoreUrl::Postgres(_) => "VACUUM ANALYZE",
    };
    run(options, script.to_owned()).await;
}

/// Runs engine-specific statements.
pub async fn run(options: &Options, script: String) {
    let url = options.url.clone();
    tokio::task::spawn_blocking(move || match url {
        StoreUrl::Sqlite(path) => {
            let connection = Connection::open(path).expect("the test's database opens");
            connection
                .execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000")
                .expect("pragmas");
            connection.execute_batch(&script).unwrap_or_else(|error| panic!("{script}: {error}"));
        }
        StoreUrl::Postgres(url) => {
            let mut client = Client::connect(&url, NoTls).expect("the test's server answers");
            client.batch_execute(&script).unwrap_or_else(|error| panic!("{script}: {error}"));
        }
    })
    .await
    .expect("the statements run");
}

/// The rows of a query, each column as text; the same on both engines if the query casts so.
pub async fn rows(options: &Options, query: &str) -> Vec<Vec<String>> {
    let (url, query) = (options.url.clone(), query.to_owned());
    tokio::task::spawn_blocking(move || match url {
        StoreUrl::Sqlite(path) => {
            let connection = Connection::open(path).expect("the test's database opens");
            let mut prepared = connection.prepare(&query).expect("the query reads");
            let columns = prepared.column_count();
            let read = |row: &rusqlite::Row<'_>| {
                (0..columns).map(|index| row.get::<_, Option<String>>(index)).collect()
            };
            let rows: Result<Vec<Vec<Option<String>>>, _> =
                prepared.query_map([], read).expect("the query runs").collect();
            texts(rows.expect("columns of text"))
        }
        StoreUrl::Postgres(url) => {
            let mut client = Client::connect(&url, NoTls).expect("the test's server answers");
            let rows = client.query(&query, &[]).expect("the query runs");
            texts(rows.iter().map(|row| (0..row.len()).map(|it| row.get(it)).collect()).collect())
        }
    })
    .await
    .expect("the rows come")
}

fn texts(rows: Vec<Vec<Option<String>>>) -> Vec<Vec<String>> {
    let text = |value: Option<String>| value.unwrap_or_else(|| "NULL".to_owned());
    rows.into_iter().map(|row| row.into_iter().map(text).collect()).collect()
}
