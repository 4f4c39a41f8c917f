//! The index of the log: whatever is asked, the answer is that of its own moment, whether entries have
//! their numbers or not.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::access::Actor;
use grantor_domain::audit::{Class, Entry, Level, Origin, Resource, Scheme};
use grantor_domain::id::{LogId, TenantId};
use grantor_domain::log::{LogFilter, LogParams};
use grantor_domain::page::{Page, PageRules};
use grantor_storage::backup::{export, import};
use grantor_storage::log::{self, LogScope, index};
use grantor_storage::migrate::{MIGRATIONS, run, run_steps};
use grantor_storage::{Result, Store, audit};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use tokio::task::JoinSet;

use super::backup::{folder, objects};
use super::migrations::Bare;
use super::{NOW, id, units};

const RULES: PageRules = PageRules { size_name: "limit", default_size: 10, max_size: 100 };
const MESSAGES: [&str; 4] =
    ["Winter coat was made", "Coat of winter", "Wintertime in the Café", "東京都の写真"];
/// More than two spans of time have.
const MANY: u32 = 300;
const END: Timestamp = Timestamp::from_micros(i64::MAX);

type Fits = fn(&Entry) -> bool;

/// What is asked, and what fits.
const QUESTIONS: [(LogParams<'static>, Fits); 20] = [
    (NOTHING, |_| true),
    (LogParams { level: Some("WARN"), ..NOTHING }, |it| it.level == Level::Warn),
    (LogParams { level: Some("ERROR"), ..NOTHING }, |_| false),
    (LogParams { class: Some("access"), ..NOTHING }, |it| it.class == Class::Access),
    (LogParams { action: Some("client.create"), ..NOTHING }, |it| it.action == "client.create"),
    (LogParams { action: Some("client.creat"), ..NOTHING }, |_| false),
    (searched("winter"), |it| has(it, "inter ")),
    (searched("WINT*"), |it| it.message.to_lowercase().contains("wint")),
    (searched("\"winter coat\""), |it| has(it, "Winter coat")),
    (searched("coat winter"), |it| has(it, "inter ")),
    (searched("cafe"), |it| has(it, "Café")),
    (searched("京都"), |it| has(it, "京都")),
    (searched("都京"), |_| false),
    (searched("o'brien coat"), |it| it.resource.name.is_some() && has(it, "oat")),
    (searched("anonymous"), |_| true),
    (searched("\"made 17\""), |it| number_of(it) == 17),
    (searched("17"), |it| number_of(it) == 17),
    (searched("%"), |_| false),
    (within("2026-01-01T00:00:20Z", "2026-01-01T00:01:40Z"), |it| is_within(it, 20, 100)),
    (
        LogParams {
            level: Some("INFO"),
            class: Some("audit"),
            action: Some("team.create"),
            search: Some("winter made"),
            ..within("2026-01-01T00:00:03Z", "2026-01-01T00:02:11.000001Z")
        },
        |it| {
            (it.level, it.class) == (Level::Info, Class::Audit)
                && it.action == "team.create"
                && has(it, "Winter coat")
                && is_within(it, 3, 132)
        },
    ),
];

const NOTHING: LogParams<'static> =
    LogParams { level: None, class: None, start: None, end: None, action: None, search: None };

const fn searched(search: &'static str) -> LogParams<'static> {
    LogParams { search: Some(search), ..NOTHING }
}

const fn within(start: &'static str, end: &'static str) -> LogParams<'static> {
    LogParams { start: Some(start), end: Some(end), ..NOTHING }
}

fn has(entry: &Entry, text: &str) -> bool {
    entry.message.contains(text)
}

fn number_of(entry: &Entry) -> u128 {
    entry.id.as_uuid().as_u128()
}

/// Whether an entry is from these seconds.
fn is_within(entry: &Entry, from: u64, to: u64) -> bool {
    let second = |it| NOW.plus(Duration::from_secs(it));
    (second(from)..second(to)).contains(&entry.at)
}

fn tenant(number: u128) -> TenantId {
    id(1_000 + number)
}

/// One of very different entries, two each second.
fn entry(number: u32) -> Entry {
    let sample = units::entry(number.into());
    let scheme = if number.is_multiple_of(3) { Scheme::External } else { Scheme::Console };
    let name = number.is_multiple_of(7).then(|| "O’Brien & Sons".to_owned());
    Entry {
        at: NOW.plus(Duration::from_secs((number / 2).into())),
        tenant: Some(tenant((number % 2).into())),
        level: if number.is_multiple_of(5) { Level::Warn } else { Level::Info },
        class: if number.is_multiple_of(6) { Class::Access } else { Class::Audit },
        action: ["team.create", "client.create", "log.export"][number as usize / 4 % 3].into(),
        message: format!("{} {number}", MESSAGES[number as usize / 2 % 4]),
        resource: Resource { name, ..sample.resource },
        origin: Origin { scheme, ..sample.origin },
        ..sample
    }
}

fn entries(numbers: impl IntoIterator<Item = u32>) -> Vec<Entry> {
    numbers.into_iter().map(entry).collect()
}

async fn write(store: &Store, entries: &[Entry]) {
    for chunk in entries.chunks(100) {
        let chunk = chunk.to_vec();
        let written: Result<()> =
            store.write(move |tx| chunk.iter().try_for_each(|it| audit::insert(tx, it))).await;
        written.unwrap();
    }
}

/// Gives numbers to the oldest so many that have none.
async fn fold(store: &Store, at_most: u32) -> u64 {
    let folded: Result<_> = store.write(move |tx| index::update(tx, END, at_most)).await;
    folded.unwrap()
}

/// All pages of a list, and the total that each of them tells.
async fn list(store: &Store, whose: LogScope, filter: &LogFilter, size: &str) -> (Vec<LogId>, u64) {
    let (mut found, mut number) = (Vec::new(), 1);
    loop {
        let page = Page::parse(Some(&number.to_string()), Some(size), RULES).unwrap();
        let filter = filter.clone();
        let read: Result<_> = store.read(move |tx| log::page(tx, whose, &filter, page)).await;
        let listing = read.unwrap();
        found.extend(listing.items.iter().map(|it| it.id));
        assert!(!listing.total_is_estimate);
        if listing.items.len() < page.size() as usize {
            return (found, listing.total);
        }
        number += 1;
    }
}

/// The file of an export, and how many entries were told to be in it.
async fn exported(store: &Store, tenant: TenantId, filter: &LogFilter) -> (Vec<LogId>, u64) {
    let (mut found, mut place) = (Vec::new(), None);
    loop {
        let filter = filter.clone();
        let read = store.read(move |tx| log::after(tx, tenant, &filter, place, 50)).await;
        let part = read.unwrap();
        found.extend(part.records.iter().map(|it| it.id));
        place = part.reached;
        if place.is_none() {
            break;
        }
    }
    let filter = filter.clone();
    let counted: Result<_> = store.read(move |tx| log::count(tx, tenant, &filter)).await;
    (found, counted.unwrap())
}

/// Asks everything of everybody, and compares it with what is there.
async fn answers_are_right(store: &Store, there: &[Entry], when: &str) {
    let (one, console) = (tenant(1), Scheme::Console);
    let mut sorted = there.to_vec();
    sorted.sort_by_key(|it| std::cmp::Reverse((it.at, it.id)));
    let of_one = |it: &Entry| it.tenant == Some(one);
    let of_console = |it: &Entry| it.origin.scheme == console;
    for (asked, fits) in QUESTIONS {
        let filter = LogFilter::parse(asked).unwrap();
        let expected = |is_theirs: &dyn Fn(&Entry) -> bool| {
            let ids: Vec<_> =
                sorted.iter().filter(|it| is_theirs(it) && fits(it)).map(|it| it.id).collect();
            let total = ids.len() as u64;
            (ids, total)
        };
        let own = list(store, LogScope::Own(one), &filter, "40").await;
        assert_eq!(own, expected(&of_one), "{when}: {asked:?}");
        assert_eq!(exported(store, one, &filter).await, own, "{when}: {asked:?}");
        let both = LogScope::Tenant(one, console);
        let found = list(store, both, &filter, "100").await;
        let of_both = |it: &Entry| of_one(it) && of_console(it);
        assert_eq!(found, expected(&of_both), "{when}: {asked:?}");
        let found = list(store, LogScope::Scheme(console), &filter, "33").await;
        assert_eq!(found, expected(&of_console), "{when}: {asked:?}");
    }
}

async fn figure(test: &TestStore, query: &str) -> String {
    let query = format!("SELECT CAST(({query}) AS text)");
    seed::rows(&test.options, &query).await[0][0].clone()
}

#[db_test]
async fn answers_do_not_wait_for_numbers(test: TestStore) {
    let all = entries(1..=MANY);
    write(&test.store, &all).await;
    answers_are_right(&test.store, &all, "without numbers").await;
    assert_eq!(fold(&test.store, 137).await, 137);
    answers_are_right(&test.store, &all, "some with numbers").await;
    assert_eq!(fold(&test.store, 1_000).await, 163);
    answers_are_right(&test.store, &all, "all with numbers").await;
    assert_eq!(fold(&test.store, 1_000).await, 0);
    assert_eq!(figure(&test, "SELECT max(number) - min(number) FROM log_entries").await, "299");
}

#[db_test]
async fn only_what_is_old_enough_gets_a_number(test: TestStore) {
    write(&test.store, &entries([1, 2, 3, 4])).await;
    let second = NOW.plus(Duration::from_secs(1));
    let fresh = async |before| {
        let read: Result<_> = test.store.read(move |tx| index::has_fresh(tx, before)).await;
        read.unwrap()
    };
    assert_eq!((fresh(NOW).await, fresh(second).await), (false, true));
    let folded: Result<_> = test.store.write(move |tx| index::update(tx, second, 10)).await;
    assert_eq!((folded, fresh(second).await, fresh(END).await), (Ok(1), false, true));
}

/// A tenant reads "Staff" where staff acted, finds it by that word, and must not find by trying who
/// it was.
#[db_test]
async fn the_names_of_staff_are_found_by_staff_alone(test: TestStore) {
    let mut all = entries(1..=4);
    for entry in &mut all[..2] {
        entry.actor = Actor::Admin { id: id(9), name: "Grace Hopper".to_owned() };
    }
    write(&test.store, &all).await;
    let names = [("grace", 0, 1), ("gra*", 0, 1), ("\"grace hopper\"", 0, 1), ("nobody", 0, 0)];
    let words = [("Staff", 1, 1), ("sta*", 1, 1), ("\"hopper staff\"", 0, 0), ("stafff", 0, 0)];
    for when in ["without numbers", "with numbers", "indexed by an earlier version"] {
        for (search, own, of_staff) in names.into_iter().chain(words) {
            let filter = LogFilter::parse(searched(search)).unwrap();
            let found = async |whose| list(&test.store, whose, &filter, "10").await.1;
            assert_eq!(found(LogScope::Own(tenant(1))).await, own, "{when}: {search}");
            let console = LogScope::Tenant(tenant(1), Scheme::Console);
            assert_eq!(found(console).await, of_staff, "{when}: {search}");
        }
        fold(&test.store, 10).await;
        if when == "with numbers" {
            let forgotten = "DELETE FROM log_postings WHERE term = 'w:staff'";
            seed::run(&test.options, forgotten.to_owned()).await;
        }
    }
}

#[db_test]
async fn pages_go_on_across_the_last_number(test: TestStore) {
    write(&test.store, &entries(1..=20)).await;
    fold(&test.store, 10).await;
    let filter = LogFilter::parse(NOTHING).unwrap();
    let found = list(&test.store, LogScope::Own(tenant(1)), &filter, "3").await;
    let expected: Vec<LogId> = (1..=20).rev().step_by(2).map(|it| id(it - 1)).collect();
    assert_eq!(found, (expected, 10));
}

#[db_test]
async fn a_late_entry_comes_last_and_ranges_stay_exact(test: TestStore) {
    let on_time = entries((1..=MANY).filter(|it| *it != 41 && *it != 43));
    write(&test.store, &on_time).await;
    fold(&test.store, 1_000).await;
    write(&test.store, &entries([41, 43])).await;
    let range = LogFilter::parse(within("2026-01-01T00:00:20Z", "2026-01-01T00:00:22Z")).unwrap();
    let own = LogScope::Own(tenant(1));
    let newest = LogFilter::parse(NOTHING).unwrap();
    let file = exported(&test.store, tenant(1), &newest).await;
    for _ in ["without numbers", "with numbers"] {
        let (ids, total) = list(&test.store, own, &newest, "100").await;
        assert_eq!((&ids[..3], total), (&[id(43), id(41), id(299)][..], 150));
        let found = list(&test.store, own, &range, "10").await;
        assert_eq!(found, (vec![id(43), id(41)], 2));
        let before = LogFilter { from: None, to: range.to, ..range.clone() };
        assert_eq!(list(&test.store, own, &before, "100").await.1, 22);
        let after = LogFilter { from: range.to, to: None, ..range.clone() };
        assert_eq!(list(&test.store, own, &after, "100").await.1, 128);
        assert_eq!(exported(&test.store, tenant(1), &newest).await, file, "in the order of time");
        fold(&test.store, 1_000).await;
    }
}

#[db_test]
async fn what_is_deleted_is_in_no_set(test: TestStore) {
    write(&test.store, &entries(1..=MANY)).await;
    fold(&test.store, 250).await;
    let before = NOW.plus(Duration::from_mins(1));
    for (class, count) in [("access", 19), ("audit", 100)] {
        let deleted: Result<_> =
            test.store.write(move |tx| audit::delete_before(tx, class, before, 1_000)).await;
        assert_eq!(deleted, Ok(count));
    }
    let left = entries(120..=MANY);
    answers_are_right(&test.store, &left, "after a deletion").await;
    fold(&test.store, 1_000).await;
    answers_are_right(&test.store, &left, "after all got numbers").await;
    for class in ["access", "audit"] {
        let deleted = test.store.write(move |tx| audit::delete_before(tx, class, END, 1_000)).await;
        assert!(deleted.is_ok_and(|it: u64| it > 0));
    }
    assert_eq!(figure(&test, "SELECT count(*) FROM log_postings").await, "0");
    let again = entries(1..=MANY);
    write(&test.store, &again).await;
    fold(&test.store, 1_000).await;
    answers_are_right(&test.store, &again, "with the same numbers again").await;
}

#[db_test]
async fn several_at_once_set_every_bit_once(test: TestStore) {
    write(&test.store, &entries(1..=MANY)).await;
    let mut nodes = JoinSet::new();
    for node in 0..4 {
        let options = test.options.clone();
        nodes.spawn(async move {
            let store = Store::open(&options).await.unwrap();
            let before = NOW.plus(Duration::from_mins(1));
            loop {
                fold(&store, 7).await;
                let class = if node % 2 == 0 { "access" } else { "audit" };
                let deleted: Result<_> =
                    store.write(move |tx| audit::delete_before(tx, class, before, 3)).await;
                deleted.unwrap();
                let left: Result<_> = store.read(|tx| index::has_fresh(tx, END)).await;
                if !left.unwrap() {
                    return;
                }
            }
        });
    }
    nodes.join_all().await;
    for class in ["access", "audit"] {
        let before = NOW.plus(Duration::from_mins(1));
        let deleted: Result<_> =
            test.store.write(move |tx| audit::delete_before(tx, class, before, 1_000)).await;
        deleted.unwrap();
    }
    assert_eq!(figure(&test, "SELECT count(DISTINCT number) FROM log_entries").await, "181");
    answers_are_right(&test.store, &entries(120..=MANY), "after several at once").await;
}

async fn restored(from: Engine, to: Engine) {
    let (source, target) = (TestStore::on(from).await, TestStore::on(to).await);
    let all = entries(1..=MANY);
    write(&source.store, &all).await;
    fold(&source.store, 200).await;
    let (_place, folder) = folder();
    export(&source.store, &objects(&folder), folder.clone(), vec![], NOW).await.unwrap();
    import(&target.store, &objects(&folder), folder, NOW).await.unwrap();
    assert_eq!(figure(&target, "SELECT count(number) FROM log_entries").await, "300");
    answers_are_right(&target.store, &all, "after a restore").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_log_is_found_in_on_postgres() {
    restored(Engine::Sqlite, Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_log_is_found_in_on_sqlite() {
    restored(Engine::Postgres, Engine::Sqlite).await;
}

#[db_test]
async fn entries_of_before_are_found_at_once(Bare(test): Bare) {
    let before = MIGRATIONS.iter().position(|step| step.name == "log_index").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::tenant(&test.options, "Sample Agency").await;
    let script = "INSERT INTO log_entries (tenant_id, created_at, log_id, class, scheme, level,
        action, message, actor_kind, actor_name, resource_type, duration_micros, details, words)
      SELECT tenant_id, 1, tenant_id, 'audit', 'console', 'INFO', 'team.create', 'Winter coat',
        'user', 'Ada', 'team', 0, '{}', 'winter coat ada' FROM tenants";
    seed::run(&test.options, script.to_owned()).await;
    run(&test.store, NOW).await.unwrap();
    for _ in ["without a number", "with one"] {
        for (search, total) in [("coat ada", 1), ("oat", 0)] {
            let filter = LogFilter::parse(LogParams { search: Some(search), ..NOTHING }).unwrap();
            let whose = LogScope::Scheme(Scheme::Console);
            assert_eq!(list(&test.store, whose, &filter, "10").await.1, total, "{search}");
        }
        fold(&test.store, 10).await;
    }
}
