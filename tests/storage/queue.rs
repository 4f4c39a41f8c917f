//! How much waits, and the trace that a chore belongs to.

use grantor_domain::Timestamp;
use grantor_domain::chore::Chore;
use grantor_domain::trace::TraceContext;
use grantor_storage::{Error, chore, queue};
use grantor_testkit::db_test;
use grantor_testkit::store::TestStore;
use uuid::Uuid;

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

fn chore(subject: u128) -> Chore {
    Chore::TenantRenamed { tenant: Uuid::from_u128(subject).into(), after: Uuid::nil().into() }
}

#[db_test]
async fn queues_are_measured_by_what_is_due(test: TestStore) {
    let [early, now] = [1_000, 2_000].map(Timestamp::from_secs);
    let empty = test.store.read(move |tx| queue::measure(tx, now)).await;
    let empty: Result<_, Error> = empty;
    let empty = empty.unwrap();
    let names: Vec<_> = empty.iter().map(|it| it.name).collect();
    assert_eq!(names, ["webhooks", "mail", "chores", "chat", "pods", "sources"]);
    assert!(empty.iter().all(|it| it.depth == 0 && it.oldest.is_none()), "{empty:?}");
    let later = Timestamp::from_secs(3_000);
    let measured: Result<_, Error> = test
        .store
        .write(move |tx| {
            chore::insert(tx, Uuid::from_u128(1).into(), &chore(1), early)?;
            chore::insert(tx, Uuid::from_u128(2).into(), &chore(2), now)?;
            chore::insert_due(tx, Uuid::from_u128(3).into(), &chore(3), (early, later))?;
            queue::measure(tx, now)
        })
        .await;
    let measured = measured.unwrap();
    let chores = measured.iter().find(|it| it.name == "chores").unwrap();
    assert_eq!((chores.depth, chores.oldest), (2, Some(early)));
}

#[db_test]
async fn a_chore_belongs_to_the_trace_of_the_request_that_left_it(test: TestStore) {
    let (now, trace) = (Timestamp::from_secs(1), TraceContext::parse(TRACE));
    let claimed: Result<_, Error> = test
        .store
        .write(move |tx| {
            let id = Uuid::from_u128(1).into();
            chore::insert(tx, id, &chore(1), now)?;
            let before = chore::find_trace(tx, Uuid::from_u128(1))?;
            chore::set_trace(tx, id, trace.unwrap())?;
            let after = chore::find_trace(tx, Uuid::from_u128(1))?;
            Ok((before, after, chore::claim(tx, now)?))
        })
        .await;
    let (before, after, claimed) = claimed.unwrap();
    assert_eq!((before, after), (None, trace));
    assert_eq!(claimed, Some((Uuid::from_u128(1).into(), chore(1), trace)));
}
