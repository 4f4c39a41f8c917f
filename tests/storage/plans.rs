//! No statement scans a whole table or index that grows with use.

use std::collections::BTreeSet;

use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _, db_test, seed};

use super::statements::{all_texts, texts_of};

/// Accepted scans, by the file of the statement, with the reason.
const WALKED: [(&str, &str, &str); 96] = [
    ("admin.rs", "admins", "staff are few"),
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
    ("evidence/copy.rs", "evidence", "an operator compares a backup with what is stored"),
    ("evidence/mod.rs", "found", "what the statement itself selects, up to a bound"),
    ("grant/calendar.rs", "h", "the talents that the statement itself finds, one by one"),
    ("grant/page.rs", "found", "what the statement itself selects, up to a bound"),
    ("grant/page/in_territory.rs", "found", "what the statement itself selects, up to a bound"),
    ("grant/territory.rs", "found", "what the statement itself selects, up to a bound"),
    ("grant/territory.rs", "p", "the territories that the statement itself finds, one by one"),
    ("grant/territory.rs", "places", "the territories that the statement itself lists"),
    ("growth.rs", "fresh", "what the statement itself selects, up to a bound"),
    ("growth.rs", "growth_marks", "one row for each kind of record"),
    ("help_request.rs", "found", "what the statement itself selects, up to a bound"),
    ("help_request.rs", "h", "a page of staff's list, in the order of an index"),
    ("help_request.rs", "help_requests", "staff's count of all requests, up to a bound"),
    ("image.rs", "images", "an operator compares a backup with what is stored"),
    ("image.rs", "newest", "what the statement itself selects, up to a bound"),
    ("license/index/find.rs", "s", "what changed within the last half second"),
    ("license/index/mod.rs", "license_stale", "the first row of what changed of late"),
    ("license/index/mod.rs", "licenses", "a restore rebuilds the index"),
    ("license/public.rs", "found", "what the statement itself selects, up to a bound"),
    ("license/version.rs", "found", "what the statement itself selects, up to a bound"),
    ("log/history.rs", "found", "what the statement itself selects, up to a bound"),
    ("log/index/update.rs", "fresh", "what the statement itself selects, up to a bound"),
    ("log/index/update.rs", "oldest", "what the statement itself selects, up to a bound"),
    ("log/index/times.rs", "log_times", "one row for each 8,192 entries"),
    ("log/record.rs", "newest", "what the statement itself selects, up to a bound"),
    ("mail.rs", "due", "what the statement itself selects"),
    ("mention/day.rs", "held", "what the statement itself selects: one row for each talent"),
    ("mention/day.rs", "seen", "what the statement itself selects"),
    ("mention/day.rs", "shared", "the licenses that others share with one reader"),
    ("mention/inbox.rs", "found", "what the statement itself selects, up to a bound"),
    ("mention/inbox.rs", "held", "what the statement itself selects: one row for each talent"),
    ("mention/inbox.rs", "shared", "the licenses that others share with one reader"),
    ("mention/list.rs", "oldest", "what the statement itself selects, up to a bound"),
    ("mention/reviewer.rs", "h", "the holders that the statement itself finds, one by one"),
    ("mention/visibility.rs", "e", "the licensees that the statement itself finds, one by one"),
    ("mention/visibility.rs", "h", "the holders that the statement itself finds, one by one"),
    ("mention/visibility.rs", "licensee", "one row that the statement itself selects"),
    ("mention/visibility.rs", "licensor", "one row that the statement itself selects"),
    ("mention/visibility.rs", "one", "one row that the statement itself selects"),
    ("mention/visibility.rs", "other", "one row that the statement itself selects"),
    ("mention/visibility.rs", "trustee", "one row that the statement itself selects"),
    ("migrate/history.rs", "schema_migrations", "one row for each version of the schema"),
    ("migrate/history.rs", "schema_steps", "one row for each version of the schema"),
    ("node.rs", "nodes", "one row for each node"),
    ("notice/bell.rs", "found", "what the statement itself selects, up to a bound"),
    ("notice/chat.rs", "due", "what the statement itself selects"),
    ("notice/settings.rs", "admins", "staff are few"),
    ("onboarding.rs", "newest", "what the statement itself selects, up to a bound"),
    ("overview.rs", "d", "staff's list of pods: one row for each platform"),
    ("overview.rs", "found", "what the statement itself selects, up to a bound"),
    ("party.rs", "parts", "the parts of a name that the statement itself lists"),
    ("permission/page.rs", "found", "what the statement itself selects, up to a bound"),
    ("pod.rs", "p", "staff's list of pods: one row for each platform"),
    ("pod.rs", "pods", "all running pods look at once: one row for each platform"),
    ("pod.rs", "platforms", "staff start or stop all pods: one row for each platform"),
    ("queue.rs", "deliveries", "an index of what is pending alone, up to a bound"),
    ("queue.rs", "due", "what the statement itself selects, up to a bound"),
    ("record_index/mod.rs", "cases", "a restore rebuilds the index"),
    ("record_index/mod.rs", "grants", "a restore rebuilds the index"),
    ("record_index/mod.rs", "mentions", "a restore rebuilds the index"),
    ("record_index/mod.rs", "record_stale", "the first row of what changed of late"),
    ("record_index/mod.rs", "requests", "a restore rebuilds the index"),
    ("record_index/mod.rs", "sources", "a restore rebuilds the index"),
    ("record_index/mod.rs", "talents", "a restore rebuilds the index"),
    ("record_index/place.rs", "found", "what the statement itself selects, up to a bound"),
    ("record_index/renamed.rs", "record_renames", "the first row of what was renamed of late"),
    ("scanner_request.rs", "r", "the platforms that wait, longest first, up to a bound"),
    ("source/list.rs", "found", "what the statement itself selects, up to a bound"),
    ("source/list.rs", "sources", "staff's count of all sources, up to a bound"),
    ("source/mod.rs", "s", "a page of staff's list of all sources, in the order of an index"),
    ("source/mod.rs", "sources", "the first ones of those that staff has not stopped"),
    ("staff.rs", "p", "staff search platforms by any part of a name"),
    ("staff.rs", "platforms", "staff search platforms by any part of a name"),
    ("staff.rs", "tenants", "staff search organizations by any part of a name"),
    ("template.rs", "mail_templates", "one row for each kind of mail"),
    ("template.rs", "nobody", "one row that the statement itself makes"),
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
        // Subqueries have no name, and neither constants nor lists of parameters are tables: the rows
        // of an INSERT are an "8-ROW VALUES CLAUSE".
        let is_list = ["CONSTANT", "rarray"].contains(&name) || name.ends_with("-ROW");
        let is_table = !is_list && !name.starts_with('(');
        is_table.then(|| name.to_owned())
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
const INDEXED: [(&str, &str, &[&str]); 25] = [
    ("grant/exclusivity.rs", "grant_territories t", &["grant_territories_talent"]),
    ("grant/exclusivity.rs", "'active') AND (ends_at", &["grants_live", "grants_talent_id"]),
    (
        "grant/exclusivity.rs",
        "AND exclusive AND (ends_at",
        &["grants_exclusive", "grants_live", "grants_talent_id"],
    ),
    ("decision/license.rs", "l.talent_id = ANY($5", &["licenses_of_talent", "licenses_talent_id"]),
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
    ("notice/bell.rs", "SELECT 1 FROM notices", &["notices_link", "notices_unread"]),
    ("notice/pending.rs", "link = $2 AND kind = $1", &["notices_link"]),
    ("party.rs", "SELECT k.holder_id, parts.name", &["known_parties_tenant_id"]),
    ("party.rs", "WHERE name = ''", &["known_names_unsplit"]),
    ("request/mod.rs", "AND lapses_at <= $2", &["requests_license_lapsing"]),
    (
        "grant/page.rs",
        "g.licensee_id = $1 AND g.status = $3 AND g.license_id",
        &["grants_licensee_license_status"],
    ),
    (
        "grant/page.rs",
        "g.licensor_id = $1 AND g.status = $3 AND g.license_id",
        &["grants_licensor_license_status"],
    ),
    (
        "grant/page.rs",
        "licensee_id = $1 AND status = $4 AND ends_at",
        &["grants_licensee_status_end"],
    ),
    (
        "grant/page.rs",
        "licensor_id = $1 AND status = $4 AND ends_at",
        &["grants_licensor_status_end"],
    ),
    ("grant/page/in_territory.rs", "WHERE t.status = $5 AND CAST", &["grant_territories_status"]),
    ("mention/visibility.rs", "licensees (licensee_id)", &["grants_viewers"]),
    ("mention/inbox.rs", "FROM grants g JOIN licenses", &["grants_viewed"]),
    ("case/list.rs", "ORDER BY updated_at LIMIT $2) own", &["cases_tenant_live"]),
    ("case/list.rs", "ORDER BY updated_at LIMIT $2) own", &["cases_agent_live"]),
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

/// Lists, by their file and a part of their text, with the indexes from which `SQLite` may read
/// them.
const IN_ORDER: [(&str, &str, &[&str]); 28] = [
    ("image.rs", "sha256 = $2 AND image_id", &["images_sha256"]),
    ("permission/page.rs", "SELECT created_at, permission_id", &["permissions_of_license"]),
    ("permission/page.rs", "SELECT created_at, grant_id", &["grants_of_license"]),
    ("request/page.rs", "WHERE asker_id = $1 ORDER", &["requests_asker_id"]),
    ("request/page.rs", "WHERE owner_id = $1 ORDER", &["requests_owner_id"]),
    ("request/page.rs", "status = $4 AND asker_id", &["requests_asker_status"]),
    ("request/page.rs", "status = $4 AND owner_id", &["requests_owner_status"]),
    ("request/page.rs", "license_id = $3 AND asker_id", &["requests_asker_license"]),
    (
        "request/page.rs",
        "license_id = $3 AND owner_id",
        &["requests_license_id", "requests_license_status"],
    ),
    ("request/address.rs", "ORDER BY updated_at", &["requests_email_key", "requests_of_email"]),
    ("request/message.rs", "ORDER BY message_id", &["request_messages_request_id"]),
    ("request/offer.rs", "ORDER BY offer_id", &["offers_request_id"]),
    ("request/mod.rs", "ORDER BY lapses_at", &["requests_lapsing"]),
    (
        "grant/page.rs",
        "ORDER BY grant_id",
        &[
            "grants_licensee_id",
            "grants_licensor_id",
            "grants_licensee_status",
            "grants_licensor_status",
        ],
    ),
    (
        "grant/page.rs",
        "ORDER BY g.grant_id",
        &["grants_license_id", "grants_licensee_", "grants_licensor_"],
    ),
    ("grant/page.rs", "licensee_id = $1 AND $4 = '' AND ends_at", &["grants_licensee_end"]),
    ("grant/page.rs", "licensor_id = $1 AND $4 = '' AND ends_at", &["grants_licensor_end"]),
    (
        "grant/page/in_territory.rs",
        "ORDER BY t.grant_id",
        &["PRIMARY KEY", "grant_territories_status"],
    ),
    ("grant/calendar.rs", "ORDER BY ends_at", &["grants_licensee_end", "grants_licensor_end"]),
    ("grant/in_force.rs", "ORDER BY until", &["grant_territories_until"]),
    (
        "grant/calendar.rs",
        "ORDER BY grant_id",
        &["grants_licensee_talent", "grants_licensor_talent"],
    ),
    ("grant/mod.rs", "ORDER BY ends_at DESC, grant_id DESC", &["grants_licensee_talent_end"]),
    ("source/mod.rs", "WHERE s.tenant_id = $1", &["sources_tenant_id", "sources_tenant_status"]),
    ("case/thread.rs", "DESC LIMIT", &["case_comments_mention_id", "case_letters_mention_id"]),
    (
        "notice/bell.rs",
        "ORDER BY notice_id",
        &["notices_person_id", "notices_unread", "notices_staff"],
    ),
    ("evidence/mod.rs", "ORDER BY revision", &["evidence_revision"]),
    ("license/version.rs", "LIMIT $2 OFFSET $3", &["PRIMARY KEY"]),
    ("log/history.rs", "ORDER BY created_at", &["log_entries_license_id"]),
];

/// Whether a plan sorts what it reads.
fn sorts(engine: Engine, plan: &str) -> bool {
    match engine {
        Engine::Sqlite => plan.contains("TEMP B-TREE"),
        Engine::Postgres => plan.contains("Sort  (cost"),
    }
}

/// Which of several indexes in the same order PostgreSQL reads depends on statistics.
#[db_test]
async fn lists_are_read_in_the_order_of_an_index(test: TestStore) {
    let engine = test.store.engine();
    for (file, part, indexes) in IN_ORDER {
        let texts: Vec<_> = texts_of(file).into_iter().filter(|it| it.contains(part)).collect();
        assert!(!texts.is_empty(), "{file}: {part}");
        for text in texts {
            let plan = seed::plan_in_order(&test.options, &text).await;
            assert!(!sorts(engine, &plan), "{text}\n{plan}");
            let found = match engine {
                Engine::Sqlite => indexes.iter().any(|it| plan.contains(it)),
                Engine::Postgres => plan.contains("Index Cond: "),
            };
            assert!(found, "{indexes:?}: {text}\n{plan}");
        }
    }
}

/// PostgreSQL has no other index with the order of either list.
#[db_test]
async fn pages_of_permissions_are_read_from_their_indexes(test: TestStore) {
    let texts = texts_of("permission/page.rs");
    for (order, index) in [
        ("ORDER BY created_at, permission_id", "permissions_of_license"),
        ("ORDER BY created_at, grant_id", "grants_of_license"),
    ] {
        let text = texts.iter().find(|it| it.contains(order)).expect("a statement");
        let plan = seed::plan_in_order(&test.options, text).await;
        assert!(plan.contains(index), "{index}: {plan}");
    }
}

/// Each half is read up to the end of the page; at most, both halves are then sorted together.
#[db_test]
async fn each_half_of_the_cases_is_read_in_the_order_of_an_index(test: TestStore) {
    let texts = texts_of("case/list.rs");
    for text in texts.iter().filter(|it| it.contains("LIMIT $3 OFFSET $4")) {
        assert_eq!(text.matches("LIMIT $2").count(), 2, "a limit for each half: {text}");
        let plan = seed::plan_in_order(&test.options, text).await;
        for half in ["cases_tenant_", "cases_agent_"] {
            assert!(plan.contains(half), "{half}: {text}\n{plan}");
        }
    }
}

#[db_test]
async fn a_sort_is_noticed(test: TestStore) {
    let engine = test.store.engine();
    for (order, is_sorted) in [("revoke_reason", true), ("grant_id", false)] {
        let text =
            format!("SELECT grant_id FROM grants WHERE licensor_id = $1 ORDER BY {order} LIMIT $2");
        let plan = seed::plan_in_order(&test.options, &text).await;
        assert_eq!(sorts(engine, &plan), is_sorted, "{text}: {plan}");
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
