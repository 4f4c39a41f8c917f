//! The log stays readable however long it is: each statement has an index that leads to its rows.

use grantor_domain::audit::Scheme;
use grantor_domain::log::{LogFilter, LogParams};
use grantor_domain::page::{Page, PageRules};
use grantor_storage::log::{self, LogScope};
use grantor_testkit::store::TestStore;
use grantor_testkit::{db_test, repeats, seed};

use super::statements::texts_of;

const RULES: PageRules = PageRules { size_name: "limit", default_size: 10, max_size: 100 };

#[db_test]
async fn every_question_has_an_index(test: TestStore) {
    let files = [
        "log.rs",
        "log/walk.rs",
        "log/index/find.rs",
        "log/index/update.rs",
        "log/index/times.rs",
        "audit.rs",
    ];
    let texts = files.into_iter().flat_map(texts_of);
    let questions: Vec<_> = texts.filter(|it| it.contains("FROM log_entries")).collect();
    assert_eq!(questions.len(), 11);
    for text in questions {
        let plan = seed::plan(&test.options, &text).await;
        let walks = ["SCAN log_entries", "Seq Scan", "TEMP B-TREE"];
        assert!(walks.iter().all(|it| !plan.contains(it)), "{text}\n{plan}");
    }
}

#[db_test]
async fn a_question_without_an_index_is_noticed(test: TestStore) {
    let text = "SELECT count(*) FROM log_entries WHERE message = $1";
    let plan = seed::plan(&test.options, text).await;
    assert!(["SCAN log_entries", "Seq Scan"].iter().any(|it| plan.contains(it)), "{plan}");
}

/// Ten million in `make soak`: days and actions are found among them all the same.
#[db_test]
async fn days_and_actions_are_found_among_very_many(test: TestStore) {
    let many = repeats(2_000, 10_000_000);
    let rare = 70;
    seed::tenant(&test.options, "Sample Agency").await;
    for (action, kind, count) in [("many.make", 4, many), ("rare.make", 5, rare)] {
        seed::log_entries(&test.options, "Sample Agency", action, kind, count).await;
    }
    // Seven entries a second: those of one second, of both actions and of one.
    for (action, total) in [(None, 14), (Some("rare.make"), 7)] {
        let (start, end) = (Some("1970-01-01T00:00:05Z"), Some("1970-01-01T00:00:06Z"));
        let filter = LogFilter::parse(LogParams { start, end, action, ..LogParams::default() });
        let (filter, page) = (filter.unwrap(), Page::parse(None, Some("5"), RULES).unwrap());
        let whose = LogScope::Scheme(Scheme::Console);
        let listing = test.store.read(move |tx| log::page(tx, whose, &filter, page)).await.unwrap();
        assert_eq!((listing.items.len(), listing.total), (5, total), "{action:?}");
    }
}

/// An entry without a number must not lead through everything its tenant has.
#[db_test]
async fn entries_without_a_number_have_an_index_of_their_own(test: TestStore) {
    for (file, place, index) in [
        ("log/walk.rs", 0, "log_entries_fresh"),
        ("log/walk.rs", 1, "log_entries_fresh"),
        ("log/index/update.rs", 0, "log_entries_fresh"),
        ("log/index/update.rs", 1, "log_entries_number"),
        ("log/index/update.rs", 2, "log_entries_fresh"),
        ("log/index/find.rs", 0, "log_entries_number"),
        ("log/index/times.rs", 3, "log_entries_number"),
    ] {
        let plan = seed::plan(&test.options, &texts_of(file)[place]).await;
        assert!(plan.contains(index), "{file} {place}\n{plan}");
    }
    let plan = seed::plan(&test.options, &texts_of("log/index/find.rs")[1]).await;
    // An ID leads to its partition; the plan is one for IDs that are NULL, which are in none.
    let prunes = plan.contains("Subplans Removed") && !plan.contains("Scan");
    assert!(plan.contains("log_entries_log_id") || prunes, "{plan}");
}

#[db_test]
async fn a_long_list_is_counted_exactly(test: TestStore) {
    seed::tenant(&test.options, "Sample Agency").await;
    seed::log_entries(&test.options, "Sample Agency", "many.make", 4, 30_000).await;
    for (action, number, size, total) in [
        (None, "1", 5, 30_000),
        (None, "6000", 5, 30_000),
        (None, "6001", 0, 30_000),
        (Some("rare.make"), "1", 0, 0),
    ] {
        let filter = LogFilter::parse(LogParams { action, ..LogParams::default() }).unwrap();
        let page = Page::parse(Some(number), Some("5"), RULES).unwrap();
        let whose = LogScope::Scheme(Scheme::Console);
        let listing = test.store.read(move |tx| log::page(tx, whose, &filter, page)).await.unwrap();
        let found = (listing.items.len(), (listing.total, listing.total_is_estimate));
        assert_eq!(found, (size, (total, false)), "{action:?} {number}");
    }
}
