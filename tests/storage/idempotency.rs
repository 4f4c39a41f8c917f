//! What stands under an idempotency key at each moment of its life.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::idempotency::{CLAIM_LEASE, Claim, IdempotencyKey, RETENTION};
use grantor_storage::idempotency::{
    ClaimOutcome, ClaimTimes, answer, claim, delete_before, mark_applied, release, renew,
};
use grantor_storage::node::{beat, remove};
use grantor_storage::{Result, Store};
use grantor_testkit::db_test;
use grantor_testkit::store::TestStore;
use tokio::task::JoinSet;

use super::node::node;
use super::{NOW, id};

pub(super) fn run_of(number: u128) -> Claim {
    Claim {
        caller: "client 1".to_owned(),
        method: "POST".to_owned(),
        path: "/licenses".to_owned(),
        key: IdempotencyKey::parse("key").unwrap(),
        run: id(number),
    }
}

/// The run is in progress in the same process.
const RUNNING: ClaimOutcome = ClaimOutcome::Running { here: true };

async fn claimed(store: &Store, run: u128, body: &'static [u8], now: Timestamp) -> ClaimOutcome {
    let (until, forget_before) = (now.plus(CLAIM_LEASE), now.minus(RETENTION));
    let moments = ClaimTimes { now, until, forget_before };
    let found: Result<_> = store.write(move |tx| claim(tx, &run_of(run), body, moments)).await;
    found.unwrap()
}

async fn applied(store: &Store, run: u128) -> bool {
    store.write(move |tx| mark_applied(tx, &run_of(run), Some("license 1"))).await.unwrap()
}

async fn answered(store: &Store, run: u128) {
    store.write(move |tx| answer(tx, &run_of(run), b"sealed")).await.unwrap();
}

fn after(duration: Duration) -> Timestamp {
    NOW.plus(duration)
}

#[db_test]
async fn a_key_is_claimed_once_and_then_runs(test: TestStore) {
    let store = &test.store;
    assert_eq!(claimed(store, 1, b"body", NOW).await, ClaimOutcome::Claimed);
    assert_eq!(claimed(store, 2, b"body", NOW).await, RUNNING);
    assert_eq!(claimed(store, 2, b"other", NOW).await, ClaimOutcome::Mismatch);
    let just_before = after(CLAIM_LEASE).minus(Duration::from_micros(1));
    assert_eq!(claimed(store, 2, b"body", just_before).await, RUNNING);
}

#[db_test]
async fn a_claim_that_ran_out_is_taken_over(test: TestStore) {
    let store = &test.store;
    claimed(store, 1, b"body", NOW).await;
    assert_eq!(claimed(store, 2, b"body", after(CLAIM_LEASE)).await, ClaimOutcome::Claimed);
    // The first run was only slow: it must not change anything any more.
    assert!(!applied(store, 1).await);
    assert!(applied(store, 2).await);
}

#[db_test]
async fn a_claim_that_is_renewed_holds(test: TestStore) {
    let store = &test.store;
    claimed(store, 1, b"body", NOW).await;
    let renewed = |run, until| store.write(move |tx| renew(tx, &run_of(run), until));
    renewed(1, after(CLAIM_LEASE * 2)).await.unwrap();
    assert_eq!(claimed(store, 2, b"body", after(CLAIM_LEASE)).await, RUNNING);
    renewed(2, after(CLAIM_LEASE * 9)).await.unwrap();
    assert_eq!(claimed(store, 2, b"body", after(CLAIM_LEASE * 2)).await, ClaimOutcome::Claimed);
}

#[db_test]
async fn what_a_dead_node_claimed_is_free_as_soon_as_it_is_gone(test: TestStore) {
    let (first, second) = (joined(&test, 1).await, joined(&test, 2).await);
    assert_eq!(claimed(&first, 1, b"body", NOW).await, ClaimOutcome::Claimed);
    let elsewhere = ClaimOutcome::Running { here: false };
    assert_eq!(claimed(&second, 2, b"body", NOW).await, elsewhere);
    assert_eq!(claimed(&first, 3, b"body", NOW).await, RUNNING);
    gone(&second, 1).await;
    assert_eq!(claimed(&second, 4, b"body", NOW).await, ClaimOutcome::Claimed);
    assert!(!applied(&first, 1).await, "it was only slow: it must not change anything any more");
    assert!(applied(&second, 4).await);
    gone(&first, 2).await;
    let changed = Some("license 1".to_owned());
    assert_eq!(claimed(&first, 5, b"body", NOW).await, ClaimOutcome::Applied { changed });
}

/// Another process on the same database, which has joined as this node.
async fn joined(test: &TestStore, number: u128) -> Store {
    let store = Store::open(&test.options).await.unwrap();
    store.write(move |tx| beat(tx, &node(number))).await.unwrap();
    store.join_as(id(number));
    store
}

/// Another node notices that this one is dead.
async fn gone(store: &Store, number: u128) {
    assert_eq!(store.write(move |tx| remove(tx, id(number), 1, NOW)).await, Ok(true));
}

#[db_test]
async fn a_change_without_an_answer_stays_applied(test: TestStore) {
    let store = &test.store;
    claimed(store, 1, b"body", NOW).await;
    assert!(applied(store, 1).await);
    assert_eq!(claimed(store, 2, b"body", NOW).await, RUNNING);
    store.write(|tx| release(tx, &run_of(1))).await.unwrap();
    let changed = Some("license 1".to_owned());
    assert_eq!(claimed(store, 2, b"body", NOW).await, ClaimOutcome::Applied { changed });
}

#[db_test]
async fn an_answer_is_kept_for_a_day(test: TestStore) {
    let store = &test.store;
    claimed(store, 1, b"body", NOW).await;
    applied(store, 1).await;
    answered(store, 1).await;
    let last = after(RETENTION).minus(Duration::from_micros(1));
    for now in [NOW, after(CLAIM_LEASE), last] {
        assert_eq!(
            claimed(store, 2, b"body", now).await,
            ClaimOutcome::Answered(b"sealed".to_vec())
        );
        assert_eq!(claimed(store, 2, b"other", now).await, ClaimOutcome::Mismatch);
    }
    assert_eq!(claimed(store, 2, b"other", after(RETENTION)).await, ClaimOutcome::Claimed);
}

#[db_test]
async fn a_released_key_is_free(test: TestStore) {
    let store = &test.store;
    claimed(store, 1, b"body", NOW).await;
    store.write(|tx| release(tx, &run_of(2))).await.unwrap();
    assert_eq!(claimed(store, 2, b"body", NOW).await, RUNNING, "not its own to release");
    store.write(|tx| release(tx, &run_of(1))).await.unwrap();
    assert_eq!(claimed(store, 2, b"other", NOW).await, ClaimOutcome::Claimed);
}

#[db_test]
async fn retention_forgets_what_is_old(test: TestStore) {
    claimed(&test.store, 1, b"body", NOW).await;
    let deleted = |before| test.store.write(move |tx| delete_before(tx, before, 10));
    assert_eq!(deleted(NOW.minus(Duration::from_micros(1))).await, Ok(0));
    assert_eq!(deleted(NOW).await, Ok(1));
}

/// Each run has a number of its own: that is how they are told apart.
async fn race(store: &Store, first: u128, now: Timestamp) -> Vec<ClaimOutcome> {
    let mut runs = JoinSet::new();
    for run in first..first + 64 {
        let store = store.clone();
        runs.spawn(async move { claimed(&store, run, b"body", now).await });
    }
    runs.join_all().await
}

#[db_test]
async fn of_64_that_race_one_wins(test: TestStore) {
    // At the second moment all of them race to take over, at the third to begin anew.
    for (first, now) in
        [(0, NOW), (100, after(CLAIM_LEASE)), (200, after(RETENTION).plus(CLAIM_LEASE))]
    {
        let found = race(&test.store, first, now).await;
        let winners = found.iter().filter(|it| **it == ClaimOutcome::Claimed).count();
        // Who was a moment too late to take over looks again.
        let losers = found.iter().filter(|it| [RUNNING, ClaimOutcome::Released].contains(it));
        let losers = losers.count();
        assert_eq!((winners, losers), (1, 63), "{found:?}");
    }
}
