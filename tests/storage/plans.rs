//! No statement scans a whole table or index that grows with use.

use std::collections::BTreeSet;

use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _, db_test, seed};

use super::statements::{all_texts, texts_of};

/// Accepted scans, by the file of the statement, with the reason.
const WALKED: [(&str, &str, &str); 62] = [
    ("admin.rs", "admins", "staff are few"),
    ("backup.rs", "schema_migrations", "one row for each version of the schema"),
    ("bookmark.rs", "b", "the page that the statement itself selects"),
    ("case/list.rs", "found", "what the statement itself selects, up to a bound"),
    ("case/list.rs", "opened", "what the statement itself selects, up to a bound"),
    ("case/list.rs", "own", "what the statement itself selects, up to a bound"),
    ("case/look.rs", "due", "what the statement itself selects"),
    ("case/thread.rs", "found", "what the statement itself selects, up to a bound"),
    ("chore.rs", "chores", "the first row of what waits"),
    ("client.rs", "nobody", "one row that the statement itself makes"),
    ("decision.rs", "p", "what the statement itself selects of permissions, past and present"),
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
    ("notice/chat.rs", "due", "what the statement itself selects"),
    ("notice/mod.rs", "found", "what the statement itself selects, up to a bound"),
    ("notice/settings.rs", "admins", "staff are few"),
    ("party.rs", "parts", "the parts of a name that the statement itself lists"),
    ("permission/page.rs", "found", "what the statement itself selects, up to a bound"),
    ("pod.rs", "p", "staff's list of pods: one row for each platform"),
    ("pod.rs", "pods", "all running pods look at once: one row for each platform"),
    ("pod.rs", "platforms", "staff start or stop all pods: one row for each platform"),
    ("scanner_request.rs", "r", "the platforms that wait, longest first, up to a bound"),
    ("source/list.rs", "found", "what the statement itself selects, up to a bound"),
    ("source/list.rs", "sources", "staff's count of all sources, up to a bound"),
    ("source/mod.rs", "s", "a page of staff's list of all sources, in the order of an index"),
    ("source/mod.rs", "sources", "the first ones of those that staff has not stopped"),
    ("staff.rs", "p", "staff search platforms by any part of a name"),
    ("staff.rs", "platforms", "staff search platforms by any part of a name"),
    ("staff.rs", "tenants", "staff search organizations by any part of a name"),
    ("template.rs", "mail_templates", "one row for each kind of mail"),
    ("tenant.rs", "tenants", "the first row: whether there are any"),
    ("user.rs", "nobody", "one row that the statement itself makes"),
    ("webhook.rs", "w", "deleted ones alone, by an index of their own, until they are swept"),
    ("websub/mod.rs", "due", "what the statement itself selects"),
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
        Engine::Sqlite => ("(holder_id=? AND name>? AND name<?)", "(name>? AND name<?)"),
        Engine::Postgres => {
            ("(holder_id = $1) AND (name >= $2) AND (name < $3)", "(name >= $1) AND (name < $2)")
        }
    };
    let texts = texts_of("party.rs");
    for (part, range) in [("n.name >= $2", known), ("party_names n", public)] {
        let text = texts.iter().find(|it| it.contains(part)).expect("a statement");
        let plan = seed::plan(&test.options, text).await;
        assert!(plan.contains(range), "{text}\n{plan}");
    }
}

/// Statements of licensing, by their file and a part of their text, with the indexes that may serve
/// them.
const INDEXED: [(&str, &str, &[&str]); 13] = [
    ("grant/exclusivity.rs", "grant_territories t", &["grant_territories_talent"]),
    ("grant/exclusivity.rs", "'active') AND (ends_at", &["grants_live", "grants_talent_id"]),
    (
        "grant/exclusivity.rs",
        "AND exclusive AND (ends_at",
        &["grants_exclusive", "grants_live", "grants_talent_id"],
    ),
    ("decision/license.rs", "l.talent_id IN ($5", &["licenses_of_talent", "licenses_talent_id"]),
    ("decision/license.rs", "l.talent_id = $4", &["licenses_talent_id", "licenses_of_talent"]),
    (
        "decision/license.rs",
        "FROM past_permissions",
        &["grants_licensee_talent", "grants_licensee_id"],
    ),
    (
        "decision/license.rs",
        "FROM past_permissions",
        &["permissions_grantee_id", "permissions_talent_id"],
    ),
    ("decision/license.rs", "FROM past_permissions", &["past_permissions_talent_id"]),
    ("decision.rs", "v.since <= $2", &["license_versions_since"]),
    ("decision.rs", "licensee_id = $1 AND talent_id", &["grants_licensee_talent"]),
    ("decision.rs", "IN ($1, $2) AND p.talent_id", &["past_permissions_talent_id"]),
    ("party.rs", "SELECT k.holder_id, parts.name", &["known_parties_tenant_id"]),
    ("party.rs", "WHERE name = ''", &["known_names_unsplit"]),
];

/// Only on `SQLite`: PostgreSQL chooses by statistics, which an empty store does not have.
#[tokio::test]
async fn checks_of_licensing_have_their_own_indexes() {
    let test = TestStore::on(Engine::Sqlite).await;
    for (file, part, indexes) in INDEXED {
        let texts = texts_of(file);
        let text = texts.iter().find(|it| it.contains(part)).expect(part);
        let plan = seed::plan(&test.options, text).await;
        assert!(indexes.iter().any(|it| plan.contains(it)), "{indexes:?}: {text}\n{plan}");
    }
}

/// `SQLite` reads no more than a page. PostgreSQL reads and sorts the permissions of the license, from
/// the indexes alone.
#[db_test]
async fn pages_of_permissions_are_read_from_their_indexes(test: TestStore) {
    let texts = texts_of("permission/page.rs");
    let text = texts.iter().find(|it| it.contains("ORDER BY 1, 2")).expect("a statement");
    let plan = seed::plan_in_order(&test.options, text).await;
    if test.store.engine() == Engine::Sqlite {
        assert!(plan.contains("MERGE (UNION ALL)") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
    for index in ["permissions_of_license", "grants_of_license"] {
        assert!(plan.contains(index), "{index}: {plan}");
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
