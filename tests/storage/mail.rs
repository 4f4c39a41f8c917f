//! The mail queue: each mail is with one sender at a time, and none is lost.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::id::MailId;
use grantor_storage::mail::{ClaimedMail, claim, insert, mark_sent};
use grantor_storage::{Result, Store};
use grantor_testkit::db_test;
use grantor_testkit::store::TestStore;
use tokio::task::JoinSet;

use super::{NOW, id};

const LEASE: Duration = Duration::from_secs(30);

async fn queue(store: &Store, count: u128) {
    let queued: Result<()> = store
        .write(move |tx| {
            (1..=count).try_for_each(|number| insert(tx, id(number), "otp", b"sealed", NOW))
        })
        .await;
    queued.unwrap();
}

async fn take(store: &Store, now: Timestamp, at_most: u32) -> Vec<ClaimedMail> {
    store.write(move |tx| claim(tx, now, now.plus(LEASE), at_most)).await.unwrap()
}

async fn take_until_none(store: Store) -> Vec<MailId> {
    let mut taken = Vec::new();
    loop {
        let mails = take(&store, NOW, 5).await;
        assert!(mails.len() <= 5);
        if mails.is_empty() {
            return taken;
        }
        taken.extend(mails.into_iter().map(|mail| mail.id));
    }
}

#[db_test]
async fn sixteen_senders_never_take_one_mail_twice(test: TestStore) {
    queue(&test.store, 200).await;
    let mut senders = JoinSet::new();
    for _ in 0..16 {
        senders.spawn(take_until_none(test.store.clone()));
    }
    let mut taken: Vec<MailId> = senders.join_all().await.into_iter().flatten().collect();
    taken.sort_unstable();
    assert_eq!(taken, (1..=200).map(id).collect::<Vec<MailId>>());
}

#[db_test]
async fn a_lapsed_claim_is_due_again(test: TestStore) {
    let store = &test.store;
    queue(store, 1).await;
    let first = take(store, NOW, 10).await;
    let lapsed = NOW.plus(LEASE);
    assert_eq!(take(store, lapsed.minus(Duration::from_micros(1)), 10).await, []);
    let second = take(store, lapsed, 10).await;
    assert_eq!((first[0].attempts, second[0].attempts), (1, 2));

    // The first sender comes back late: the mail is no longer its own.
    let sent = |mail: ClaimedMail| store.write(move |tx| mark_sent(tx, &mail, lapsed));
    assert_eq!(sent(first[0].clone()).await, Ok(false));
    assert_eq!(sent(second[0].clone()).await, Ok(true));
    assert_eq!(take(store, lapsed.plus(LEASE), 10).await, []);
}
