//! The index of records: pages of long lists in every order, and names that other records show.

use std::collections::BTreeSet;

use grantor_domain::id::TenantId;
use grantor_domain::page::{Order, Page, PageRules};
use grantor_domain::search::FindQuery;
use grantor_storage::license::index;
use grantor_storage::record_index::{
    RecordOrder, RecordSort, TalentSearch, has_stale, mark_outdated, search_talents,
};
use grantor_storage::{Result, Store};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, db_test, seed};

use super::statements::texts_of;

const RULES: PageRules = PageRules { size_name: "limit", default_size: 20, max_size: 100 };
/// The agency of the seeded licenses.
const AGENCY: &str = "10000000-0000-0000-0000-000000000001";
/// More talents than are read and sorted at once.
const TALENTS: u32 = 420;

async fn page(store: &Store, search: &TalentSearch, number: u32) -> (Vec<String>, u64) {
    let (search, tenant) = (search.clone(), AGENCY.parse::<TenantId>().unwrap());
    let page = Page::parse(Some(&number.to_string()), None, RULES).unwrap();
    let found: Result<_> = store.read(move |tx| search_talents(tx, tenant, &search, page)).await;
    let found = found.unwrap();
    let names = found.items.iter().map(|it| it.talent.fullname.as_str().to_owned());
    (names.collect(), found.total)
}

/// All pages, one after the other.
async fn whole(store: &Store, search: &TalentSearch) -> Vec<String> {
    let (mut all, mut number) = (Vec::new(), 1);
    loop {
        let (names, total) = page(store, search, number).await;
        all.extend(names);
        if all.len() as u64 >= total {
            return all;
        }
        number += 1;
        assert!(number < 100, "the pages do not end");
    }
}

/// All talents. Without a search, the newest first is a list of its own.
fn sorted(sort: RecordSort, order: Order) -> TalentSearch {
    found("tal", RecordOrder { sort, order })
}

fn found(text: &str, order: RecordOrder) -> TalentSearch {
    TalentSearch { find: FindQuery::parse(text).unwrap(), order, ..TalentSearch::default() }
}

fn turned(names: &[String], order: Order) -> Vec<String> {
    match order {
        Order::Asc => names.to_vec(),
        Order::Desc => names.iter().rev().cloned().collect(),
    }
}

#[db_test]
async fn long_lists_are_paged_in_every_order(test: TestStore) {
    seed::public_licenses(&test.options, TALENTS * 10).await;
    seed::index_records(&test.options).await;
    let made: Vec<_> = (1..=TALENTS).map(|it| format!("Talent {it}")).collect();
    let mut by_name = made.clone();
    by_name.sort();
    for order in Order::ALL {
        let whole = |sort| whole_of(&test, sort, order);
        assert_eq!(whole(RecordSort::Created).await, turned(&made, order), "created {order}");
        assert_eq!(whole(RecordSort::Changed).await, turned(&made, order), "changed {order}");
        assert_eq!(whole(RecordSort::Name).await, turned(&by_name, order), "name {order}");
    }
    let few = found("talent 41", RecordOrder { sort: RecordSort::Name, order: Order::Asc });
    let expected: Vec<_> =
        by_name.iter().filter(|it| it.starts_with("Talent 41")).cloned().collect();
    assert_eq!(page(&test.store, &few, 1).await, (expected.clone(), expected.len() as u64));
    assert_eq!(page(&test.store, &found("tal", RecordOrder::default()), 21).await.1, 420);
}

async fn whole_of(test: &TestStore, sort: RecordSort, order: Order) -> Vec<String> {
    whole(&test.store, &sorted(sort, order)).await
}

#[db_test]
async fn what_changed_since_is_in_its_place_on_every_page(test: TestStore) {
    seed::public_licenses(&test.options, TALENTS * 10).await;
    seed::index_records(&test.options).await;
    let change = "UPDATE talents SET fullname = 'Aaron ' || fullname WHERE fullname = 'Talent 200';
         UPDATE talents SET fullname = 'Zoë ' || fullname WHERE fullname = 'Talent 1';
         INSERT INTO record_stale (kind, record_id, mark)
         SELECT 'talent', talent_id, 1 FROM talents
         WHERE fullname IN ('Aaron Talent 200', 'Zoë Talent 1')";
    seed::run(&test.options, change.to_owned()).await;
    for order in Order::ALL {
        let all = whole(&test.store, &sorted(RecordSort::Name, order)).await;
        let distinct: BTreeSet<_> = all.iter().collect();
        assert_eq!((all.len(), distinct.len()), (420, 420), "{order}");
        let ends = turned(&[all[0].clone(), all[419].clone()], order);
        assert_eq!(ends, ["Aaron Talent 200", "Zoë Talent 1"], "{order}");
    }
    let by_name = RecordOrder { sort: RecordSort::Name, order: Order::Asc };
    let names = page(&test.store, &found("zoe", by_name), 1).await;
    assert_eq!(names, (vec!["Zoë Talent 1".to_owned()], 1));
    assert_eq!(page(&test.store, &found("aaron talent 2", by_name), 1).await.1, 1);
    seed::index_records(&test.options).await;
    let stale: Result<_> = test.store.read(has_stale).await;
    assert_eq!(stale, Ok(false));
    assert_eq!(page(&test.store, &found("zoe", by_name), 1).await, names);
}

#[db_test]
async fn other_words_index_every_record_again_once(test: TestStore) {
    seed::public_licenses(&test.options, 10).await;
    seed::index_records(&test.options).await;
    for stale in [true, false] {
        let marked: Result<_> = test.store.write(mark_outdated).await;
        let records: Result<_> = test.store.read(has_stale).await;
        assert_eq!((marked, records), (Ok(()), Ok(stale)));
        let marked: Result<_> = test.store.write(index::mark_outdated).await;
        let licenses: Result<_> = test.store.read(index::has_stale).await;
        assert_eq!((marked, licenses), (Ok(()), Ok(stale)));
        seed::index_records(&test.options).await;
        seed::index_licenses(&test.options).await;
    }
}

#[db_test]
async fn a_beginning_reads_a_range_of_the_index(test: TestStore) {
    let range = match test.store.engine() {
        Engine::Sqlite => "(term>? AND term<?)",
        Engine::Postgres => "(term >= $1) AND (term < $2)",
    };
    let texts = texts_of("bitmap/posting.rs");
    let ranges: Vec<_> = texts.iter().filter(|it| it.contains("term >= $1")).collect();
    assert_eq!(ranges.len(), 9, "three statements on three indexes");
    for text in ranges {
        let plan = seed::plan(&test.options, text).await;
        assert!(plan.contains(range), "{text}\n{plan}");
    }
}
