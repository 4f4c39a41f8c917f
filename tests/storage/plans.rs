//! No statement scans a whole table or index that grows with use.

use std::collections::BTreeSet;

use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, db_test, seed};

use super::statements::{all_texts, texts_of};

/// Accepted scans, by the file of the statement, with the reason.
const WALKED: [(&str, &str, &str); 45] = [
    ("admin.rs", "admins", "staff are few"),
    ("backup.rs", "schema_migrations", "one row for each version of the schema"),
    ("bookmark.rs", "b", "the page that the statement itself selects"),
    ("chore.rs", "chores", "the first row of what waits"),
    ("client.rs", "nobody", "one row that the statement itself makes"),
    ("delivery.rs", "newest", "what the statement itself selects, up to a bound"),
    ("delivery/claim.rs", "d", "what is pending alone, by an index of its own"),
    ("delivery/claim.rs", "deliveries", "the first row of an index of what is pending alone"),
    ("delivery/claim.rs", "due", "what the statement itself selects"),
    ("delivery/claim.rs", "r", "the receivers that the statement itself finds, one by one"),
    ("delivery/day.rs", "found", "what the statement itself selects, up to a bound"),
    ("grant/calendar.rs", "h", "the talents that the statement itself finds, one by one"),
    ("grant/territory.rs", "found", "what the statement itself selects, up to a bound"),
    ("grant/territory.rs", "p", "the territories that the statement itself finds, one by one"),
    ("grant/territory.rs", "places", "the territories that the statement itself lists"),
    ("image.rs", "images", "an operator compares a backup with what is stored"),
    ("license/index/find.rs", "s", "what changed within the last half second"),
    ("license/index/mod.rs", "license_stale", "the first row of what changed of late"),
    ("license/index/mod.rs", "licenses", "a restore rebuilds the index"),
    ("log/index/update.rs", "fresh", "what the statement itself selects, up to a bound"),
    ("log/index/update.rs", "oldest", "what the statement itself selects, up to a bound"),
    ("log/index/times.rs", "log_times", "one row for each 8,192 entries"),
    ("mail.rs", "due", "what the statement itself selects"),
    ("mention/day.rs", "held", "what the statement itself selects: one row for each talent"),
    ("mention/day.rs", "seen", "what the statement itself selects"),
    ("mention/inbox.rs", "found", "what the statement itself selects, up to a bound"),
    ("mention/inbox.rs", "held", "what the statement itself selects: one row for each talent"),
    ("mention/list.rs", "oldest", "what the statement itself selects, up to a bound"),
    ("mention/visibility.rs", "h", "the holders that the statement itself finds, one by one"),
    ("mention/visibility.rs", "licensee", "one row that the statement itself selects"),
    ("mention/visibility.rs", "licensor", "one row that the statement itself selects"),
    ("mention/visibility.rs", "one", "one row that the statement itself selects"),
    ("mention/visibility.rs", "other", "one row that the statement itself selects"),
    ("mention/visibility.rs", "trustee", "one row that the statement itself selects"),
    ("migrate.rs", "schema_migrations", "one row for each version of the schema"),
    ("permission.rs", "p", "the permissions of one license"),
    ("pod.rs", "p", "staff's list of pods: one row for each platform"),
    ("pod.rs", "platforms", "staff start or stop all pods: one row for each platform"),
    ("staff.rs", "p", "staff search platforms by any part of a name"),
    ("staff.rs", "platforms", "staff search platforms by any part of a name"),
    ("staff.rs", "tenants", "staff search organizations by any part of a name"),
    ("template.rs", "mail_templates", "one row for each kind of mail"),
    ("tenant.rs", "tenants", "the first row: whether there are any"),
    ("user.rs", "nobody", "one row that the statement itself makes"),
    ("webhook.rs", "w", "deleted ones alone, by an index of their own, until they are swept"),
];

/// The tables that a plan scans.
fn walked(engine: Engine, plan: &str) -> Vec<String> {
    let walked = |line: &str| {
        let rest = match engine {
            Engine::Sqlite => line.strip_prefix("SCAN ")?,
            Engine::Postgres => line.split_once("Seq Scan on ")?.1,
        };
        let name = rest.split_whitespace().next()?;
        // Subqueries have no name, and constants are not tables.
        (name != "CONSTANT" && !name.starts_with('(')).then(|| name.to_owned())
    };
    plan.lines().filter_map(walked).collect()
}

#[db_test]
async fn no_statement_walks_over_what_grows(test: TestStore) {
    let engine = test.store.engine();
    let mut found = BTreeSet::new();
    for (file, text) in all_texts() {
        let plan = seed::plan(&test.options, &text).await;
        found.extend(walked(engine, &plan).into_iter().map(|it| (file.clone(), it)));
    }
    let known: BTreeSet<_> =
        WALKED.iter().map(|(file, name, _)| ((*file).to_owned(), (*name).to_owned())).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert_eq!(new, Vec::<&(String, String)>::new(), "scanned, but not listed above");
    if engine == Engine::Sqlite {
        let over: Vec<_> = known.difference(&found).collect();
        assert_eq!(over, Vec::<&(String, String)>::new(), "listed above, but not scanned");
    }
}

#[db_test]
async fn a_search_for_parties_reads_a_range_of_an_index(test: TestStore) {
    let (known, public) = match test.store.engine() {
        Engine::Sqlite => ("(holder_id=? AND tenant_id>?)", "(name>? AND name<?)"),
        Engine::Postgres => {
            ("(holder_id = $1) AND (tenant_id > $2)", "(name >= $1) AND (name < $2)")
        }
    };
    let texts = texts_of("party.rs");
    for (table, range) in [("known_parties k", known), ("party_names n", public)] {
        let text = texts.iter().find(|it| it.contains(table)).expect("a statement");
        let plan = seed::plan(&test.options, text).await;
        assert!(plan.contains(range), "{text}\n{plan}");
    }
}

#[db_test]
async fn a_walk_is_noticed(test: TestStore) {
    for (text, over) in [
        ("SELECT count(*) FROM mentions WHERE title = $1", vec!["mentions"]),
        ("SELECT title FROM mentions WHERE mention_id = $1", vec![]),
    ] {
        let plan = seed::plan(&test.options, text).await;
        assert_eq!(walked(test.store.engine(), &plan), over, "{text}: {plan}");
    }
}
