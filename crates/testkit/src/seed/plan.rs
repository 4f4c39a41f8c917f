//! Query plans.

use std::sync::{Mutex, PoisonError};

use grantor_storage::{Options, StoreUrl};
use postgres::{Client, NoTls};
use rusqlite::Connection;

/// The query plan of a statement, independent of its parameters. PostgreSQL is kept from scanning a
/// table only because it is small.
pub async fn plan(options: &Options, text: &str) -> String {
    plan_with(options, text, "").await
}

/// Like [`plan`], but PostgreSQL is also kept from sorting if an index has the order.
pub async fn plan_in_order(options: &Options, text: &str) -> String {
    plan_with(options, text, "SET enable_sort = off; SET enable_bitmapscan = off;").await
}

/// The query plan of a statement with these settings of PostgreSQL.
async fn plan_with(options: &Options, text: &str, settings: &'static str) -> String {
    // Kept from one plan to the next: a new connection reads the whole schema first.
    static PLANNER: Mutex<Option<(StoreUrl, Planner)>> = Mutex::new(None);
    let (url, text) = (options.url.clone(), text.to_owned());
    tokio::task::spawn_blocking(move || {
        let mut kept = PLANNER.lock().unwrap_or_else(PoisonError::into_inner);
        let mut planner = match kept.take() {
            Some((of, planner)) if of == url => planner,
            _ => Planner::open(&url),
        };
        let plan = planner.plan(&text, settings);
        *kept = Some((url, planner));
        plan
    })
    .await
    .expect("the plan comes")
}

/// A connection that explains statements.
enum Planner {
    Sqlite(Connection),
    Postgres(Client),
}

impl Planner {
    fn open(url: &StoreUrl) -> Self {
        match url {
            StoreUrl::Sqlite(path) => {
                let connection = Connection::open(path).expect("the test's database opens");
                rusqlite::vtab::array::load_module(&connection).expect("lists of parameters");
                Self::Sqlite(connection)
            }
            StoreUrl::Postgres(url) => {
                Self::Postgres(Client::connect(url, NoTls).expect("the test's server answers"))
            }
        }
    }

    fn plan(&mut self, text: &str, settings: &str) -> String {
        match self {
            Self::Sqlite(connection) => {
                let text = text.replace("= ANY($", "IN rarray($").replace('$', "?");
                let query = format!("EXPLAIN QUERY PLAN {text}");
                let mut prepared = connection.prepare(&query).expect("the query reads");
                let mut rows = prepared.raw_query();
                let mut lines = Vec::new();
                while let Some(row) = rows.next().expect("a plan") {
                    lines.push(row.get::<_, String>(3).expect("a line"));
                }
                lines.join("\n")
            }
            Self::Postgres(client) => {
                let count = (1..100).take_while(|it| text.contains(&format!("${it}"))).count();
                let nothing = vec!["NULL"; count].join(", ");
                let nothing = if count == 0 { nothing } else { format!("({nothing})") };
                let script = format!(
                    "DEALLOCATE ALL; RESET ALL; SET enable_seqscan = off;
                     SET plan_cache_mode = force_generic_plan; {settings}
                     PREPARE asked AS {text}"
                );
                client.batch_execute(&script).expect("the statement reads");
                let rows = client.query(&format!("EXPLAIN EXECUTE asked{nothing}"), &[]);
                let rows = rows.expect("a plan");
                rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>().join("\n")
            }
        }
    }
}
