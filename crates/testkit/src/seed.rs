//! Rows in bulk and looks at a database from outside: connections that go past the storage floor.

use std::os::unix::fs::FileExt as _;
use std::path::Path;

use grantor_domain::id::LicenseId;
use grantor_storage::license::index;
use grantor_storage::{Options, Store, StoreUrl};
use postgres::{Client, NoTls};
use rusqlite::Connection;

/// The reader of what the agency of [`public_licenses`] owns.
pub const SAMPLE_OWNER: &str = "10000000-0000-8000-0000-000000000001";

/// One agency with a tenth as many talents, and so many public licenses, each a second apart.
pub async fn public_licenses(options: &Options, count: u32) {
    fill(options, count, |reader| {
        format!(
            "INSERT INTO reader_counts VALUES ({reader}, 'public', 0, {count})
             ON CONFLICT (reader_id, status, shard) DO UPDATE
             SET total = reader_counts.total + {count};"
        )
    })
    .await;
    let stale = "INSERT INTO license_stale SELECT license_id, 1 FROM licenses WHERE true
                 ON CONFLICT DO NOTHING";
    run(options, stale.to_owned()).await;
    index_licenses(options).await;
}

/// The same in a store whose schema is older than the index of licenses.
pub async fn licenses_without_index(options: &Options, count: u32) {
    let counted = |reader: &str| {
        format!("INSERT INTO reader_counts VALUES ({reader}, 'public', {count}, 1);")
    };
    fill(options, count, counted).await;
}

async fn fill(options: &Options, count: u32, counted: impl Fn(&str) -> String) {
    let talents = count.div_ceil(10);
    let words = Words::of(&options.url);
    let id = |kind: u8, of: &str| words.id.replace("KIND", &kind.to_string()).replace("OF", of);
    let (tenant, license, series) = (id(1, "1"), id(3, "n"), (words.series)(count));
    let readers = |reader: &str, role: u8| {
        format!("{} {}", shown_to(reader, role, &license, &series), counted(reader))
    };
    let script = format!(
        "INSERT INTO tenants VALUES ({tenant}, 'Sample Agency', 'sample agency', 'Agency', NULL,
           'active', 'Free', 0, 0);
         INSERT INTO talents (talent_id, tenant_id, user_id, fullname, aliases, names_key, email,
           phone, bio, social_media, status, license_count, created_at, updated_at)
         SELECT {talent}, {tenant}, NULL, 'Talent ' || n, '[]', 'talent ' || n,
           NULL, NULL, NULL, '{{}}', 'active', 10, n, n FROM {talent_series};
         INSERT INTO licenses SELECT {license}, {tenant}, {of_talent}, NULL, 'License ' || n,
           'For all that is asked of number ' || n, 'public', 'advertising',
           '[\"advertising\", \"social_media\"]', '[\"WORLD\"]',
           '{{\"amount\": \"250.00\", \"currency\": \"EUR\", \"per\": \"month\"}}',
           {no}, '{{}}', NULL, NULL, 0, 1, n * 1000000, n * 1000000, NULL
         FROM {series};
         {of_tenant}{of_owner}{of_everybody}",
        talent = id(2, "n"),
        of_talent = id(2, &format!("(n % {talents} + 1)")),
        talent_series = (words.series)(talents),
        no = words.no,
        of_tenant = readers(&tenant, 2),
        of_owner = readers(&self::id(options, SAMPLE_OWNER), 2),
        of_everybody = readers(&id(0, "0"), 0),
    );
    run(options, script).await;
}

/// Does what a worker does soon after licenses were written.
pub async fn index_licenses(options: &Options) {
    let store = Store::open(options).await.expect("the store opens");
    let mut after = LicenseId::from(uuid::Uuid::nil());
    loop {
        let folded = store.write(move |tx| index::fold(tx, after, 5_000)).await;
        match folded.expect("the index is written") {
            Some(last) => after = last,
            None => break,
        }
    }
}

/// Lets a tenant see the first so many of those licenses, beside its own.
pub async fn show_licenses(options: &Options, tenant: &str, count: u32) {
    let words = Words::of(&options.url);
    let license = words.id.replace("KIND", "3").replace("OF", "n");
    let tenant = id(options, tenant);
    let script = format!(
        "DELETE FROM license_readers WHERE reader_id = {tenant} AND license_id >= {first};
         {shown}
         DELETE FROM reader_counts WHERE reader_id = {tenant};
         INSERT INTO reader_counts SELECT reader_id, status, 0, count(*) FROM license_readers
         WHERE reader_id = {tenant} GROUP BY reader_id, status;
         INSERT INTO license_stale SELECT {license}, 1 FROM {series};",
        series = (words.series)(count),
        first = words.id.replace("KIND", "3").replace("OF", "0"),
        shown = shown_to(&tenant, 0, &license, &(words.series)(count)),
    );
    run(options, script).await;
    index_licenses(options).await;
}

/// An agency of this name.
pub async fn tenant(options: &Options, name: &str) {
    let id = Words::of(&options.url).id.replace("KIND", "1").replace("OF", "1");
    let script = format!(
        "INSERT INTO tenants (tenant_id, name, name_key, type, status, plan, created_at, updated_at)
         VALUES ({id}, '{name}', lower('{name}'), 'Agency', 'active', 'Free', 0, 0)"
    );
    run(options, script).await;
}

/// Gives whoever's address is like this another role, wherever they are a member.
pub async fn set_role(options: &Options, email: &str, role: &str) {
    let script = format!(
        "UPDATE memberships SET role = '{role}'
         WHERE user_id IN (SELECT user_id FROM users WHERE email LIKE '{email}')"
    );
    run(options, script).await;
}

/// Makes a person a `Team_Lead` in so many organizations more.
pub async fn memberships(options: &Options, email: &str, count: u32) {
    let words = Words::of(&options.url);
    let id = words.id.replace("KIND", "1").replace("OF", "n");
    let series = (words.series)(count);
    let script = format!(
        "INSERT INTO tenants (tenant_id, name, name_key, type, status, plan, created_at, updated_at)
         SELECT {id}, 'House ' || n, 'house ' || n, 'Brand', 'active', 'Free', 0, 0 FROM {series};
         INSERT INTO memberships (user_id, tenant_id, role, status, created_at, updated_at)
         SELECT u.user_id, {id}, 'Team_Lead', 'active', 0, 0 FROM {series}, users u
         WHERE u.email = '{email}'"
    );
    run(options, script).await;
}

/// Makes a person a member of the tenant of this name instead of their own.
pub async fn move_into(options: &Options, email: &str, tenant: &str, role: &str) {
    let script = format!(
        "UPDATE users SET last_tenant_id = (SELECT tenant_id FROM tenants WHERE name = '{tenant}')
         WHERE email = '{email}';
         UPDATE memberships SET role = '{role}',
           tenant_id = (SELECT tenant_id FROM tenants WHERE name = '{tenant}')
         WHERE user_id = (SELECT user_id FROM users WHERE email = '{email}');"
    );
    run(options, script).await;
}

/// Makes a person a member of the tenant of this name too, and has them begin there.
pub async fn join(options: &Options, email: &str, tenant: &str, role: &str) {
    let script = format!(
        "INSERT INTO memberships (user_id, tenant_id, role, status, created_at, updated_at)
         SELECT u.user_id, t.tenant_id, '{role}', 'active', 0, 0 FROM users u, tenants t
         WHERE u.email = '{email}' AND t.name = '{tenant}';
         UPDATE users SET last_tenant_id = (SELECT tenant_id FROM tenants WHERE name = '{tenant}')
         WHERE email = '{email}';"
    );
    run(options, script).await;
}

/// So many entries in the log of the tenant of this name, seven each second. Entries of another
/// kind have other ids.
pub async fn log_entries(options: &Options, tenant: &str, action: &str, kind: u8, count: u32) {
    let words = Words::of(&options.url);
    let script = format!(
        "INSERT INTO log_entries (tenant_id, created_at, log_id, class, scheme, level, action,
           message, actor_kind, actor_name, resource_type, duration_micros, details, words)
         SELECT t.tenant_id, n / 7 * 1000000, {id}, 'audit', 'console', 'INFO', '{action}', 'Entry ' || n,
           'system', 'system', 'sample', 0, '{{}}', 'entry ' || n
         FROM tenants t, {series} WHERE t.name = '{tenant}'",
        id = words.id.replace("KIND", &kind.to_string()).replace("OF", "n"),
        series = (words.series)(count),
    );
    run(options, script).await;
}

/// So many mentions of a license on the oldest platform, the last a minute ago and each a minute before
/// the next; of four one is unlicensed and one decided. Mentions of another kind have other ids.
pub async fn mentions(options: &Options, license: &str, kind: u8, count: u32) {
    let words = Words::of(&options.url);
    let script = format!(
        "INSERT INTO mentions (mention_id, license_id, platform_id, url, url_key, title, excerpt,
           author, media_type, match, verdict, verdict_reason, status, note, published_at,
           first_seen_at, last_seen_at, revision, content_digest, tenant_id)
         SELECT {id}, l.license_id, p.platform_id, 'https://news.example/' || n,
           'https://news.example/' || n, 'Sighting ' || n, 'Seen on page ' || n, NULL, 'text',
           '{{\"kind\":\"name\",\"term\":\"Talent\",\"confidence\":1.0}}',
           CASE n % 4 WHEN 0 THEN 'unlicensed' ELSE 'needs_review' END, 'seeded',
           CASE n % 4 WHEN 1 THEN 'dismissed' ELSE 'new' END, NULL, NULL,
           ({now} - n * 60) * 1000000, ({now} - n * 60) * 1000000, 1, NULL, l.tenant_id
         FROM licenses l, (SELECT platform_id FROM platforms ORDER BY created_at LIMIT 1) p, {series}
         WHERE l.license_id = {license}; {COUNT_MENTIONS}",
        id = words.id.replace("KIND", &kind.to_string()).replace("OF", "n"),
        license = id(options, license),
        now = words.now,
        series = (words.series)(count),
    );
    run(options, script).await;
}

/// Counts the mentions of every day anew, after rows of them were written.
pub const COUNT_MENTIONS: &str =
    "DELETE FROM mention_days;
     INSERT INTO mention_days SELECT tenant_id, first_seen_at / 86400000000, verdict, status, count(*)
     FROM mentions WHERE tenant_id IS NOT NULL GROUP BY 1, 2, 3, 4;";

/// Moves entries of 1970 to ten days ago: a server whose clock is right would delete them.
pub async fn make_entries_recent(options: &Options) {
    let words = Words::of(&options.url);
    let script = format!(
        "UPDATE log_entries SET created_at = created_at + ({} - 864000) * 1000000
         WHERE created_at < 1000000000000000",
        words.now
    );
    run(options, script).await;
}

/// Everything in a reader's list, and its counts.
pub async fn reader_rows(options: &Options, reader: &str) -> Vec<Vec<String>> {
    let reader = id(options, reader);
    let query = format!(
        "SELECT title, status, license_type, CAST(role AS text), CAST(version AS text),
           CAST(updated_at AS text) FROM license_readers WHERE reader_id = {reader}
         UNION ALL
         SELECT '', status, CAST(total AS text), '', '', '' FROM reader_counts
         WHERE reader_id = {reader} ORDER BY 1"
    );
    rows(options, &query).await
}

/// Empties a reader's list.
pub async fn forget_reader(options: &Options, reader: &str) {
    let reader = id(options, reader);
    let script = format!(
        "DELETE FROM license_readers WHERE reader_id = {reader};
         DELETE FROM reader_counts WHERE reader_id = {reader};"
    );
    run(options, script).await;
}

/// Holds the write lock of a `SQLite` file until dropped, as a long transaction of another would.
#[must_use]
pub fn hold_writes(file: &Path) -> impl Send + use<> {
    let connection = Connection::open(file).expect("the file opens");
    connection.execute_batch("BEGIN IMMEDIATE").expect("the lock is free");
    connection
}

/// Marks a `SQLite` file as written by a later version, which this one may read and not write: all
/// who have it open find it read-only from then on. With `false` whoever opens it anew may write.
pub fn set_read_only(file: &Path, read_only: bool) {
    let connection = Connection::open(file).expect("the file opens");
    // The journal goes into the file, so that everybody looks there again.
    let moved = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    moved.expect("the journal is emptied");
    // The header's format version for writing: beyond 2 is not known yet.
    let opened = std::fs::OpenOptions::new().write(true).open(file);
    let version = if read_only { 3 } else { 2 };
    opened.and_then(|it| it.write_all_at(&[version], 18)).expect("the header is written");
}

/// What each engine says in its own words.
struct Words {
    id: &'static str,
    no: &'static str,
    /// Seconds since 1970.
    now: &'static str,
    series: fn(u32) -> String,
}

impl Words {
    fn of(url: &StoreUrl) -> Self {
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

fn shown_to(reader: &str, role: u8, license: &str, series: &str) -> String {
    format!(
        "INSERT INTO license_readers SELECT {reader}, {license}, {role}, 'public', 'advertising',
           'License ' || n, NULL, 1, n * 1000000 FROM {series};"
    )
}

/// An id as the engine writes it.
#[must_use]
pub fn id(options: &Options, id: &str) -> String {
    match options.url {
        StoreUrl::Sqlite(_) => format!("unhex('{}')", id.replace('-', "")),
        StoreUrl::Postgres(_) => format!("'{id}'::uuid"),
    }
}

/// Runs statements of the engine's own.
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

/// How the engine would go about a statement, whatever its parameters are. PostgreSQL is kept from
/// walking through a table only because it is small.
pub async fn plan(options: &Options, text: &str) -> String {
    let (url, text) = (options.url.clone(), text.to_owned());
    tokio::task::spawn_blocking(move || match url {
        StoreUrl::Sqlite(path) => {
            let connection = Connection::open(path).expect("the test's database opens");
            let query = format!("EXPLAIN QUERY PLAN {}", text.replace('$', "?"));
            let mut prepared = connection.prepare(&query).expect("the query reads");
            let mut rows = prepared.raw_query();
            let mut lines = Vec::new();
            while let Some(row) = rows.next().expect("a plan") {
                lines.push(row.get::<_, String>(3).expect("a line"));
            }
            lines.join("\n")
        }
        StoreUrl::Postgres(url) => {
            let mut client = Client::connect(&url, NoTls).expect("the test's server answers");
            let count = (1..100).take_while(|it| text.contains(&format!("${it}"))).count();
            let nothing = vec!["NULL"; count].join(", ");
            let nothing = if count == 0 { nothing } else { format!("({nothing})") };
            let script = format!(
                "SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan;
                 PREPARE asked AS {text}"
            );
            client.batch_execute(&script).expect("the statement reads");
            let rows = client.query(&format!("EXPLAIN EXECUTE asked{nothing}"), &[]);
            let rows = rows.expect("a plan");
            rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>().join("\n")
        }
    })
    .await
    .expect("the plan comes")
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
