//! The parts of the log: made before they are needed, and dropped when their retention is over.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::access::Actor;
use grantor_domain::audit::{Class, Entry, Level, Origin, Resource, Scheme};
use grantor_domain::id::{LogId, TenantId};
use grantor_domain::log::LogFilter;
use grantor_domain::page::Page;
use grantor_storage::log::partition::{self, Partition};
use grantor_storage::log::{self, LogScope, index};
use grantor_storage::migrate::{MIGRATIONS, run, run_steps};
use grantor_storage::{Result, Store, Tx, audit};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use serde_json::json;
use uuid::Uuid;

use super::{NOW, id};

const DAY: Duration = Duration::from_hours(24);
const KEPT: Duration = Duration::from_hours(30 * 24);
/// In 2040: after every part that a migration makes.
const LATER: Timestamp = Timestamp::from_secs(2_208_988_800);
const END: Timestamp = Timestamp::from_micros(i64::MAX);

fn tenant() -> TenantId {
    id(1)
}

/// An entry whose ID has the time, as the server makes them.
fn entry(class: Class, number: u128, at: Timestamp) -> Entry {
    let first = Class::Audit.first_id_at(at).as_u128();
    Entry {
        id: class.id(LogId::from(Uuid::from_u128(first | number))),
        tenant: Some(tenant()),
        at,
        class,
        level: Level::Info,
        action: "license.read".into(),
        message: format!("Entry {number}"),
        actor: Actor::Anonymous,
        resource: Resource { kind: "license", id: None, name: None },
        license: None,
        origin: Origin {
            scheme: Scheme::External,
            address: None,
            user_agent: None,
            request_id: None,
            trace: None,
            started: Duration::ZERO,
        },
        duration: Duration::ZERO,
        details: json!({}),
    }
}

async fn write(store: &Store, entries: &[Entry]) {
    let entries = entries.to_vec();
    let insert = move |tx: &mut Tx<'_>| entries.iter().try_for_each(|it| audit::insert(tx, it));
    let written: Result<()> = store.write(insert).await;
    written.unwrap();
    let indexed: Result<u64> = store.write(|tx| index::update(tx, END, 1_000)).await;
    indexed.unwrap();
}

async fn prepare(store: &Store, class: Class, now: Timestamp) -> u64 {
    let made: Result<u64> = store.write(move |tx| partition::prepare(tx, class, now, KEPT)).await;
    made.unwrap()
}

async fn expired(store: &Store, class: Class, before: Timestamp) -> Option<Partition> {
    let found: Result<_> = store.read(move |tx| partition::find_expired(tx, class, before)).await;
    found.unwrap()
}

/// The table of each entry, in the order of their messages.
async fn tables(test: &TestStore) -> Vec<String> {
    let query = "SELECT tableoid::regclass::text FROM log_entries ORDER BY message";
    seed::rows(&test.options, query).await.into_iter().flatten().collect()
}

fn everything() -> LogFilter {
    LogFilter { level: None, class: None, from: None, to: None, action: None, search: None }
}

/// How many entries the tenant's list has.
async fn listed(store: &Store) -> u64 {
    let (page, all) = (Page::new(1, 10), everything());
    let read = move |tx: &mut Tx<'_>| log::page(tx, LogScope::Own(tenant()), &all, page);
    let found: Result<_> = store.read(read).await;
    found.unwrap().total
}

#[tokio::test]
async fn a_part_is_dropped_with_its_entries_and_leaves_the_index() {
    let test = TestStore::on(Engine::Postgres).await;
    assert!(prepare(&test.store, Class::Access, LATER).await > 0);
    assert_eq!(prepare(&test.store, Class::Access, LATER).await, 0, "once");
    let old = [entry(Class::Access, 1, LATER), entry(Class::Access, 2, LATER)];
    write(&test.store, &old).await;
    let later = LATER.plus(DAY * 40);
    assert!(prepare(&test.store, Class::Access, later).await > 0);
    write(&test.store, &[entry(Class::Access, 3, later), entry(Class::Audit, 4, LATER)]).await;
    assert_eq!(listed(&test.store).await, 4);

    let before = later.minus(KEPT);
    assert_eq!(expired(&test.store, Class::Access, LATER).await, None, "not before its time");
    let part = expired(&test.store, Class::Access, before).await.expect("a part that is over");
    let ids = part.ids.clone();
    let first: Result<_> = test.store.write(move |tx| partition::forget(tx, &ids, 1)).await;
    let (count, left) = first.unwrap();
    assert_eq!(count, 1);
    let left = left.expect("the second entry");
    let second: Result<_> = test.store.write(move |tx| partition::forget(tx, &left, 9)).await;
    assert_eq!(second, Ok((1, None)));
    assert_eq!(listed(&test.store).await, 2, "they are in no list any more");
    for _ in 0..2 {
        let part = part.clone();
        let drop_it = move |tx: &mut Tx<'_>| partition::drop_expired(tx, &part);
        let dropped: Result<()> = test.store.write(drop_it).await;
        assert_eq!(dropped, Ok(()), "also by a second node");
    }
    assert_eq!(tables(&test).await.len(), 2);
    assert_eq!(listed(&test.store).await, 2);
}

#[tokio::test]
async fn an_entry_that_came_before_its_part_is_moved_into_it() {
    let test = TestStore::on(Engine::Postgres).await;
    write(&test.store, &[entry(Class::Audit, 1, LATER)]).await;
    assert_eq!(tables(&test).await, ["log_entries_rest"]);
    assert!(prepare(&test.store, Class::Audit, LATER).await > 0);
    let table = &tables(&test).await[0];
    assert!(table.starts_with("log_entries_audit_"), "{table}");
    assert_eq!(listed(&test.store).await, 1);
}

/// A node whose clock was wrong wrote it before there were parts.
#[tokio::test]
async fn an_entry_of_the_future_does_not_stop_the_migration() {
    let test = TestStore::empty(Engine::Postgres).await;
    let before = MIGRATIONS.iter().position(|it| it.name == "log_partitions").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    write(&test.store, &[entry(Class::Audit, 1, NOW), entry(Class::Audit, 2, LATER)]).await;
    run(&test.store, NOW).await.unwrap();
    assert_eq!(tables(&test).await, ["log_entries_older", "log_entries_rest"]);
    assert_eq!(listed(&test.store).await, 2);
}

#[tokio::test]
async fn only_what_is_in_no_part_is_deleted_one_by_one() {
    let test = TestStore::on(Engine::Postgres).await;
    let before = entry(Class::Access, 1, Timestamp::from_secs(1_767_225_600));
    write(&test.store, &[before]).await;
    prepare(&test.store, Class::Access, LATER).await;
    write(&test.store, &[entry(Class::Access, 2, LATER)]).await;
    let deleted: Result<u64> =
        test.store.write(|tx| audit::delete_before(tx, "access", END, 10)).await;
    assert_eq!(deleted, Ok(1));
    let table = &tables(&test).await[0];
    assert!(table.starts_with("log_entries_access_"), "{table}");
}

#[tokio::test]
async fn two_nodes_make_each_part_once() {
    let test = TestStore::on(Engine::Postgres).await;
    let (one, other) = (test.store.clone(), Store::open(&test.options).await.unwrap());
    let (first, second) =
        tokio::join!(prepare(&one, Class::Access, LATER), prepare(&other, Class::Access, LATER));
    assert!(first == 0 || second == 0, "{first} and {second}");
    assert!(first + second > 0);
}

#[db_test]
async fn an_id_tells_its_class_and_is_found(test: TestStore) {
    let entries = Class::ALL.map(|class| entry(class, 1, LATER));
    assert!(entries[0].id < entries[1].id);
    write(&test.store, &entries).await;
    for wanted in entries {
        let found: Result<_> = test.store.read(move |tx| log::find(tx, tenant(), wanted.id)).await;
        assert_eq!(found.unwrap().map(|it| it.class), Some(wanted.class));
    }
}

#[tokio::test]
async fn sqlite_has_no_parts() {
    let test = TestStore::on(Engine::Sqlite).await;
    assert_eq!(prepare(&test.store, Class::Access, LATER).await, 0);
    assert_eq!(expired(&test.store, Class::Access, END).await, None);
}
