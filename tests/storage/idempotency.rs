//! What stands under an idempotency key at each moment of its life.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::idempotency::{CLAIM_LEASE, Claim, IdempotencyKey, RETENTION};
use grantor_storage::idempotency::{
    ClaimOutcome, ClaimTimes, answer, claim, delete_before, mark_applied, release, renew,
};
use grantor_storage::{Result, Store};
use grantor_testkit::db_test;
use grantor_testkit::store::TestStore;
use tokio::task::JoinSet;

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

async fn claimed(store: &Store, run: u128, body: &'static [u8], now: Timestamp) -> ClaimOutcome {
    claimed_after(store, run, body, now, NOW).await
}

/// The same in a process that knows that all before this moment have ended.
async fn claimed_after(
    store: &Store,
    run: u128,
    body: &'static [u8],
    now: Timestamp,
    dead_before: Timestamp,
) -> ClaimOutcome {
    let (until, forget_before) = (now.plus(CLAIM_LEASE), now.minus(RETENTION));
    let moments = ClaimTimes { now, until, forget_before, dead_before };
    let found: Result<_> = store.write(move |tx| claim(tx, &run_of(run), body, moments)).await;
    found.unwrap()
}

async fn applied(store: &Store, run: u128) -> bool {
    store.write(move |tx| mark_applied(tx, &run_of(run))).await.unwrap()
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
    assert_eq!(claimed(store, 2, b"body", NOW).await, ClaimOutcome::Running);
    assert_eq!(claimed(store, 2, b"other", NOW).await, ClaimOutcome::Mismatch);
    let just_before = after(CLAIM_LEASE).minus(Duration::from_micros(1));
    assert_eq!(claimed(store, 2, b"body", just_before).await, ClaimOutcome::Running);
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
    assert_eq!(claimed(store, 2, b"body", after(CLAIM_LEASE)).await, ClaimOutcome::Running);
    renewed(2, after(CLAIM_LEASE * 9)).await.unwrap();
    assert_eq!(claimed(store, 2, b"body", after(CLAIM_LEASE * 2)).await, ClaimOutcome::Claimed);
}

#[db_test]
async fn what_a_dead_process_claimed_is_free_at_once(test: TestStore) {
    let store = &test.store;
    claimed(store, 1, b"body", NOW).await;
    let restart = after(Duration::from_secs(1));
    let dead_before = restart.plus(CLAIM_LEASE);
    assert_eq!(claimed_after(store, 2, b"body", restart, dead_before).await, ClaimOutcome::Claimed);
    let third = claimed_after(store, 3, b"body", restart, dead_before).await;
    assert_eq!(third, ClaimOutcome::Running, "what this life claimed holds");
    assert!(applied(store, 2).await);
    let again = restart.plus(Duration::from_secs(1));
    let after_two = claimed_after(store, 4, b"body", again, again.plus(CLAIM_LEASE)).await;
    assert_eq!(after_two, ClaimOutcome::Applied, "what was carried out is not carried out again");
}

#[db_test]
async fn a_change_without_an_answer_stays_applied(test: TestStore) {
    let store = &test.store;
    claimed(store, 1, b"body", NOW).await;
    assert!(applied(store, 1).await);
    store.write(|tx| release(tx, &run_of(1))).await.unwrap();
    assert_eq!(claimed(store, 2, b"body", NOW).await, ClaimOutcome::Running);
    assert_eq!(claimed(store, 2, b"body", after(CLAIM_LEASE)).await, ClaimOutcome::Applied);
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
    assert_eq!(
        claimed(store, 2, b"body", NOW).await,
        ClaimOutcome::Running,
        "not its own to release"
    );
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
        let losers = found.iter().filter(|it| **it == ClaimOutcome::Running).count();
        assert_eq!((winners, losers), (1, 63), "{found:?}");
    }
}
