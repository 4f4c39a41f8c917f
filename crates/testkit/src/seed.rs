//! Rows in bulk and looks at a database from outside: connections that go past the storage floor.

use std::path::Path;

use grantor_storage::{Options, StoreUrl};
use postgres::{Client, NoTls};
use rusqlite::Connection;

/// One agency with a tenth as many talents, and so many public licenses, each a second apart.
pub async fn public_licenses(options: &Options, count: u32) {
    let script = |number: &str, series: &dyn Fn(u32) -> String| {
        let talents = count.div_ceil(10);
        let id = |kind: u8, of: &str| number.replace("KIND", &kind.to_string()).replace("OF", of);
        format!(
            "INSERT INTO tenants VALUES ({tenant}, 'Sample Agency', 'sample agency', 'Agency', NULL,
               'active', 'Free', 0, 0);
             INSERT INTO talents SELECT {talent}, {tenant}, 'Talent ' || n, n FROM {talent_series};
             INSERT INTO licenses SELECT {license}, {tenant}, {of_talent}, 'License ' || n,
               'For all that is asked of number ' || n, 'public', 'advertising',
               '[\"advertising\", \"social_media\"]', '[\"WORLD\"]',
               '{{\"amount\": \"250.00\", \"currency\": \"EUR\", \"per\": \"month\"}}',
               NULL, NULL, 1, n * 1000000, n * 1000000, NULL
             FROM {license_series};",
            tenant = id(1, "1"),
            talent = id(2, "n"),
            license = id(3, "n"),
            of_talent = id(2, &format!("(n % {talents} + 1)")),
            talent_series = series(talents),
            license_series = series(count),
        )
    };
    let script = match &options.url {
        StoreUrl::Sqlite(_) => script("unhex(printf('KIND%031x', OF))", &|to| {
            format!(
                "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {to})
                  SELECT n FROM c)"
            )
        }),
        StoreUrl::Postgres(_) => script("('KIND' || lpad(to_hex(OF), 31, '0'))::uuid", &|to| {
            format!("(SELECT n::bigint FROM generate_series(1, {to}) n) numbers")
        }),
    };
    run(options, script).await;
}

/// Runs statements of the engine's own.
pub async fn run(options: &Options, script: String) {
    let url = options.url.clone();
    tokio::task::spawn_blocking(move || match url {
        StoreUrl::Sqlite(path) => {
            let connection = Connection::open(path).expect("the test's database opens");
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

/// What `SQLite` says of the soundness of its file: `ok`, or what is wrong.
#[must_use]
pub fn integrity(path: &Path) -> String {
    let connection = Connection::open(path).expect("the file opens");
    connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a verdict")
}
