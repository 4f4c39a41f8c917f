//! Feeds number their events without gaps and in the order of the commits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grantor_domain::event::{Event, EventType, NewEvent};
use grantor_domain::id::TenantId;
use grantor_storage::event::{insert, list_feed};
use grantor_storage::{Error, Result, Store};
use grantor_testkit::db_test;
use grantor_testkit::store::TestStore;
use tokio::task::JoinSet;

use super::{NOW, id};

const WRITERS: u128 = 64;
const EACH: u128 = 8;

/// An event that the named feeds hear, in this order.
pub(super) fn event(number: u128, feeds: &[u128]) -> Event {
    Event {
        id: id(number),
        at: NOW,
        content: NewEvent {
            kind: EventType::LicenseCreated,
            owner: id(1),
            license: None,
            resource_version: 1,
            data: serde_json::json!({ "number": number.to_string() }),
            recipients: feeds.iter().map(|feed| id(*feed)).collect(),
            receiver: None,
        },
    }
}

async fn sequences(store: &Store, feed: u128) -> Vec<i64> {
    let listed: Result<_> =
        store.read(move |tx| list_feed(tx, id::<TenantId>(feed), 0, 10_000)).await;
    listed.unwrap().into_iter().map(|entry| entry.sequence).collect()
}

/// Every number from 1 on: a gap would mean that a later number was committed before an earlier.
fn is_gapless(sequences: &[i64]) -> bool {
    sequences.iter().zip(1..).all(|(is, should)| *is == should)
}

async fn write_events(store: Store, writer: u128) {
    for round in 0..EACH {
        let number = writer * EACH + round + 1;
        // Named in both orders, so that writers would wait for each other in a circle.
        let feeds = if writer.is_multiple_of(2) { [1, 2] } else { [2, 1] };
        // Every fourth change fails after it was numbered: its numbers must be given again.
        let fails = round % 4 == 3;
        let written = store
            .write(move |tx| {
                insert(tx, &event(number, &feeds))?;
                if fails { Err(Error::Fault("asked for".into())) } else { Ok(()) }
            })
            .await;
        assert_eq!(written.is_err(), fails, "{written:?}");
    }
}

#[db_test]
async fn feeds_are_gapless_at_every_moment(test: TestStore) {
    let done = Arc::new(AtomicBool::new(false));
    let watcher = tokio::spawn({
        let (store, done) = (test.store.clone(), Arc::clone(&done));
        async move {
            let mut looks = 0;
            while !done.load(Ordering::Relaxed) {
                let seen = sequences(&store, 1).await;
                assert!(is_gapless(&seen), "a reader saw {seen:?}");
                looks += 1;
            }
            looks
        }
    });
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        writers.spawn(write_events(test.store.clone(), writer));
    }
    writers.join_all().await;
    done.store(true, Ordering::Relaxed);
    assert!(watcher.await.unwrap() > 1);
    for feed in [1, 2] {
        let seen = sequences(&test.store, feed).await;
        assert_eq!(seen.len() as u128, WRITERS * EACH * 3 / 4);
        assert!(is_gapless(&seen));
    }
}

#[test]
fn a_gap_would_be_noticed() {
    assert!(is_gapless(&[1, 2, 3]));
    assert!(!is_gapless(&[1, 3]));
    assert!(!is_gapless(&[2, 3]));
}

#[db_test]
async fn a_recipient_named_twice_hears_once(test: TestStore) {
    test.store.write(|tx| insert(tx, &event(1, &[7, 7]))).await.unwrap();
    assert_eq!(sequences(&test.store, 7).await, [1]);
}
