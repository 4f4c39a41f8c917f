//! Lists and figures over large tables use an index.

use grantor_testkit::store::TestStore;
use grantor_testkit::{db_test, seed};

use super::statements::texts_of;

const WALKS: [&str; 5] =
    ["SCAN mentions", "SCAN mention_days", "SCAN deliveries", "SCAN log_entries", "Seq Scan"];

#[db_test]
async fn every_figure_and_list_has_an_index(test: TestStore) {
    let files = [
        "mention/inbox.rs",
        "mention/day.rs",
        "mention/list.rs",
        "delivery/day.rs",
        "log/history.rs",
    ];
    let texts: Vec<_> = files.into_iter().flat_map(texts_of).collect();
    assert_eq!(texts.len(), 25);
    for text in texts {
        let plan = seed::plan(&test.options, &text).await;
        assert!(WALKS.iter().all(|it| !plan.contains(it)), "{text}\n{plan}");
    }
}

#[db_test]
async fn what_waits_and_what_became_of_a_license_have_their_own(test: TestStore) {
    for (file, place, index) in [
        ("mention/inbox.rs", 0, "permissions_grantee_id"),
        ("mention/inbox.rs", 1, "mentions_tenant_id"),
        ("mention/inbox.rs", 2, "mentions_waiting"),
        ("mention/inbox.rs", 3, "mentions_tenant_id"),
        ("mention/inbox.rs", 4, "mentions_waiting"),
        ("mention/inbox.rs", 6, "mentions_waiting_on"),
        ("mention/day.rs", 4, "mentions_talent_id"),
        ("mention/list.rs", 1, "mentions_talent_id"),
        ("mention/list.rs", 2, "mentions_talent_id"),
        ("mention/list.rs", 3, "mentions_talent_id"),
        ("mention/list.rs", 4, "mentions_talent_id"),
        ("mention/visibility.rs", 0, "licenses_watched"),
        ("mention/visibility.rs", 1, "permissions_talent_id"),
        ("mention/visibility.rs", 2, "permissions_talent_id"),
        ("mention/found_by.rs", 0, "mentions_source_id"),
        ("license/watch.rs", 0, "licenses_watched"),
        ("license/watch.rs", 2, "permissions_talent_id"),
        ("delivery/day.rs", 3, "deliveries_pending"),
        ("feed/run.rs", 0, "watched_feeds_due_at"),
        ("log/history.rs", 0, "log_entries_license_id"),
        ("log/history.rs", 1, "log_entries_license_id"),
        ("log/record.rs", 0, "log_entries_of_record"),
        ("log/record.rs", 1, "log_entries_of_record"),
    ] {
        let plan = seed::plan(&test.options, &texts_of(file)[place]).await;
        assert!(plan.contains(index), "{file} {place}\n{plan}");
    }
}

#[db_test]
async fn a_list_without_an_index_is_noticed(test: TestStore) {
    let plan = seed::plan(&test.options, "SELECT count(*) FROM mentions WHERE title = $1").await;
    assert!(WALKS.iter().any(|it| plan.contains(it)), "{plan}");
}
