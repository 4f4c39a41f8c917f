//! What a unit of work promises: all or nothing, for itself alone, durable when it is answered.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::time::Duration;

use grantor_domain::access::Actor;
use grantor_domain::audit::{Class, Entry, Level, Origin, Resource, Scheme};
use grantor_domain::id::MailId;
use grantor_storage::{Changes, Engine, Error, Result, Store, Tx, Waiter, audit, mail, meta};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Fixture as _, db_test};

use tokio::sync::Notify;

use super::{NOW, id, is_there, put};

/// Starts every future, so that all their units wait in the queue, and only then awaits them.
async fn all_at_once<T>(futures: Vec<impl Future<Output = T>>, then: impl FnOnce()) -> Vec<T> {
    let mut futures: Vec<Pin<Box<_>>> = futures.into_iter().map(Box::pin).collect();
    let mut answers: Vec<Option<T>> = futures.iter().map(|_| None).collect();
    let mut then = Some(then);
    poll_fn(|cx| {
        for (future, answer) in futures.iter_mut().zip(&mut answers) {
            if answer.is_none()
                && let Poll::Ready(value) = future.as_mut().poll(cx)
            {
                *answer = Some(value);
            }
        }
        if let Some(then) = then.take() {
            then();
        }
        if answers.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    answers.into_iter().flatten().collect()
}

/// Holds one writing thread until the sender is dropped.
fn held_up(store: Store) -> (mpsc::Sender<()>, impl Future<Output = Result<()>>) {
    let (release, held) = mpsc::channel::<()>();
    let work = move |_: &mut Tx<'_>| {
        let _ = held.recv();
        Ok(())
    };
    (release, async move { store.write(work).await })
}

/// `SQLite` has one writer, and nothing beside it.
#[tokio::test]
async fn a_unit_aside_does_not_wait_for_the_others() {
    let test = TestStore::on(Engine::Postgres).await;
    let all = (0..test.options.writers).map(|_| held_up(test.store.clone()));
    let (releases, holders): (Vec<_>, Vec<_>) = all.unzip();
    let holders: Vec<_> = holders.into_iter().map(tokio::spawn).collect();
    // Now they are in the queue.
    tokio::task::yield_now().await;
    test.store.write_background(|tx| meta::put(tx, "aside", "there")).await.unwrap();
    test.store.write_heartbeat(|tx| meta::put(tx, "beat", "there")).await.unwrap();
    drop(releases);
    for holder in holders {
        holder.await.unwrap().unwrap();
    }
}

#[db_test]
async fn a_failing_unit_undoes_only_itself(test: TestStore) {
    let store = &test.store;
    let (release, holder) = held_up(store.clone());
    let holder = tokio::spawn(holder);
    let write = |number: usize| async move {
        store
            .write(move |tx| {
                meta::put(tx, &format!("unit {number}"), "there")?;
                if number.is_multiple_of(3) {
                    Err(Error::Fault("asked for".into()))
                } else {
                    Ok(())
                }
            })
            .await
    };
    let answers = all_at_once((0..200).map(write).collect(), || drop(release)).await;
    holder.await.unwrap().unwrap();
    for (number, answer) in answers.into_iter().enumerate() {
        let expected = if number % 3 == 0 { Err(Error::Fault("asked for".into())) } else { Ok(()) };
        assert_eq!(answer, expected, "unit {number}");
        let stays = is_there(store, format!("unit {number}")).await;
        assert_eq!(stays, Ok(number % 3 != 0), "unit {number}");
    }
}

#[db_test]
async fn a_panicking_unit_is_an_error_and_the_thread_goes_on(test: TestStore) {
    let panicked = Err(Error::Fault("a unit of work panicked".into()));
    for round in 0..10 {
        let write = test.store.write(move |tx| -> Result<()> {
            meta::put(tx, "half", "done")?;
            panic!("asked for")
        });
        assert_eq!(write.await, panicked);
        let read = test.store.read(|_| -> Result<()> { panic!("asked for") });
        assert_eq!(read.await, panicked);
        put(&test.store, format!("after {round}")).await.unwrap();
        assert_eq!(is_there(&test.store, format!("after {round}")).await, Ok(true));
    }
    assert_eq!(is_there(&test.store, "half").await, Ok(false));
}

#[db_test]
async fn a_unit_that_nobody_waits_for_any_more_is_never_begun(test: TestStore) {
    let holders = (0..test.options.writers).map(|_| held_up(test.store.clone()));
    let (release, holders): (Vec<_>, Vec<_>) = holders.unzip();
    let mut holders: Vec<_> = holders.into_iter().map(Box::pin).collect();
    let mut left = Box::pin(put(&test.store, "left"));
    poll_fn(|cx| {
        let begun = holders.iter_mut().all(|it| it.as_mut().poll(cx).is_pending());
        assert!(begun && left.as_mut().poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
    drop((left, release));
    for holder in holders {
        holder.await.unwrap();
    }
    put(&test.store, "after").await.unwrap();
    assert_eq!(is_there(&test.store, "after").await, Ok(true));
    assert_eq!(is_there(&test.store, "left").await, Ok(false));
}

/// A unit that says when it has begun, and goes on when the sender is dropped.
fn begun(
    name: &'static str,
) -> (impl Fn(&mut Tx<'_>) -> Result<()> + use<>, Arc<Notify>, mpsc::Sender<()>) {
    let (release, held) = mpsc::channel::<()>();
    let notify = Arc::new(Notify::new());
    let begun = Arc::clone(&notify);
    let work = move |tx: &mut Tx<'_>| {
        begun.notify_one();
        let _ = held.recv();
        meta::put(tx, name, "there")
    };
    (work, notify, release)
}

#[db_test]
async fn a_unit_that_had_begun_stands_though_its_caller_hung_up(test: TestStore) {
    let (work, begun, release) = begun("begun");
    tokio::select! {
        biased;
        _ = test.store.write(work) => panic!("it is held"),
        () = begun.notified() => {}
    }
    drop(release);
    // Closing waits for what still runs.
    drop(test.store);
    let store = Store::open(&test.options).await.unwrap();
    assert_eq!(is_there(&store, "begun").await, Ok(true));
}

#[db_test]
async fn a_unit_that_waits_too_long_for_a_connection_never_starts(test: TestStore) {
    let mut options = test.options.clone();
    (options.writers, options.wait_limit) = (1, Duration::from_millis(500));
    let store = Store::open(&options).await.unwrap();
    put(&store, "before").await.unwrap();
    let (work, begun, release) = begun("begun");
    let holder = tokio::spawn({
        let store = store.clone();
        async move { store.write(work).await }
    });
    begun.notified().await;
    let waited = Error::Unavailable("the unit waited too long for a connection".into());
    assert_eq!(put(&store, "late").await, Err(waited));
    drop(release);
    holder.await.unwrap().unwrap();
    put(&store, "after").await.unwrap();
    assert_eq!(is_there(&store, "late").await, Ok(false));
}

#[db_test]
async fn a_full_queue_refuses_units_at_once(test: TestStore) {
    let mut options = test.options.clone();
    (options.writers, options.wait_limit) = (1, Duration::from_mins(5));
    let store = Store::open(&options).await.unwrap();
    let (work, begun, release) = begun("begun");
    let holder = tokio::spawn({
        let store = store.clone();
        async move { store.write(work).await }
    });
    begun.notified().await;
    let units: Vec<_> = (0..=1_024).map(|it| put(&store, format!("unit {it}"))).collect();
    let mut answers = all_at_once(units, || drop(release)).await;
    holder.await.unwrap().unwrap();
    let full = Error::Unavailable("too many units of work are waiting".into());
    assert_eq!(answers.pop(), Some(Err(full)));
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
}

#[db_test]
async fn what_somebody_waited_for_is_undone_when_they_left_before(test: TestStore) {
    let (work, begun, release) = begun("begun");
    let waiter = Waiter::default();
    let leave = async {
        begun.notified().await;
        assert!(waiter.leave());
        drop(release);
    };
    let (written, ()) = tokio::join!(test.store.write_for(&waiter, work, unheard), leave);
    assert!(matches!(written, Err(Error::Unavailable(_))), "{written:?}");
    assert_eq!(is_there(&test.store, "begun").await, Ok(false));
    let stays = Waiter::default();
    let kept = |tx: &mut Tx<'_>| meta::put(tx, "kept", "");
    let (told, heard) = mpsc::channel();
    let written = test.store.write_for(&stays, kept, move |_| told.send(()).unwrap()).await;
    assert_eq!((written, stays.leave(), heard.recv()), (Ok(()), false, Ok(())));
}

/// Nothing follows from what was undone.
fn unheard(_: &Changes) {
    panic!("nothing was stored");
}

/// The first statement of a unit, a change by somebody else, and its second.
#[db_test]
async fn all_statements_of_a_read_see_one_moment(test: TestStore) {
    put(&test.store, "probe").await.unwrap();
    let (begun, release) = (Arc::new(Notify::new()), mpsc::channel::<()>());
    let (looked, (release, held)) = (Arc::clone(&begun), release);
    let reading = test.store.read(move |tx| -> Result<[Option<String>; 2]> {
        let first = meta::find(tx, "probe")?;
        looked.notify_one();
        let _ = held.recv();
        Ok([first, meta::find(tx, "probe")?])
    });
    let change = async {
        begun.notified().await;
        test.store.write(|tx| meta::put(tx, "probe", "changed")).await.unwrap();
        drop(release);
    };
    let (read, ()) = tokio::join!(reading, change);
    let [first, second] = read.unwrap();
    assert_eq!(first, second);
    let after = test.store.read(|tx| meta::find(tx, "probe")).await;
    assert_eq!(after, Ok(Some("changed".to_owned())), "the control: there was a change");
}

#[db_test]
async fn a_reading_unit_cannot_write(test: TestStore) {
    let written = test.store.read(|tx| meta::put(tx, "sneaked", "in")).await;
    assert!(matches!(written, Err(Error::ReadOnly(_))), "{written:?}");
    assert_eq!(is_there(&test.store, "sneaked").await, Ok(false));
}

#[db_test]
async fn a_unit_that_ignores_a_refusal_is_not_kept(test: TestStore) {
    let written = test.store.write(|tx| -> Result<()> {
        mail::insert(tx, id(1), "otp", b"sealed", NOW)?;
        let _ = mail::insert(tx, id(1), "otp", b"sealed", NOW);
        Ok(())
    });
    let went_on = "a unit of work continued after a failed statement";
    assert_eq!(written.await, Err(Error::Fault(went_on.into())));
    let kept = test.store.read(|tx| mail::oldest_due(tx, NOW)).await;
    assert_eq!(kept, Ok(None));
}

#[db_test]
async fn a_unique_violation_carries_the_constraints_name(test: TestStore) {
    let twice = test.store.write(|tx| -> Result<()> {
        mail::insert(tx, id::<MailId>(1), "otp", b"sealed", NOW)?;
        mail::insert(tx, id::<MailId>(1), "otp", b"sealed", NOW)
    });
    assert_eq!(twice.await, Err(Error::Unique("mails_pkey".into())));
    let twice = test.store.write(|tx| -> Result<()> {
        audit::insert(tx, &entry(1))?;
        // The same id at another time: another key, the same unique index.
        audit::insert(tx, &Entry { at: grantor_domain::Timestamp::from_secs(1), ..entry(1) })
    });
    // On PostgreSQL it is that of the partition.
    let name = match test.store.engine() {
        Engine::Sqlite => "log_entries_log_id",
        Engine::Postgres => "log_entries_log_id_older",
    };
    assert_eq!(twice.await, Err(Error::Unique(name.into())));
    let refused = test.store.write(|tx| audit::insert(tx, &entry(2))).await;
    assert_eq!(refused, Ok(()));
}

/// PostgreSQL is not waited for when an entry of the log is inserted.
#[db_test]
async fn a_failure_that_only_the_commit_meets_undoes_the_unit(test: TestStore) {
    let insert = |before: &'static str, own: Option<Error>| {
        test.store.write(move |tx| -> Result<()> {
            meta::put(tx, before, "there")?;
            let inserted = audit::insert(tx, &entry(1));
            own.clone().map_or(inserted, Err)
        })
    };
    assert_eq!(insert("first", None).await, Ok(()));
    let again = insert("second", None).await;
    assert!(matches!(again, Err(Error::Unique(_))), "{again:?}");
    let own = Error::Fault("the unit's own".into());
    assert_eq!(insert("third", Some(own.clone())).await, Err(own));
    for (name, kept) in [("first", true), ("second", false), ("third", false)] {
        assert_eq!(is_there(&test.store, name).await, Ok(kept), "{name}");
    }
    assert_eq!(put(&test.store, "fourth").await, Ok(()));
}

/// More statements than are on their way at a time, and all before the next answer.
#[db_test]
async fn statements_without_an_answer_run_in_their_order(test: TestStore) {
    let counted = test.store.write(|tx| -> Result<_> {
        for number in 0..100 {
            audit::insert(tx, &entry(number))?;
        }
        let newest = audit::insert(tx, &entry(99));
        Ok((newest, meta::find(tx, "nothing")))
    });
    let failed = counted.await;
    assert!(matches!(failed, Err(Error::Fault(_))), "{failed:?}");
    let all = test.store.write(|tx| (0..100).try_for_each(|it| audit::insert(tx, &entry(it))));
    assert_eq!(all.await, Ok(()));
}

#[db_test]
async fn an_answered_write_is_read_at_once(test: TestStore) {
    for number in 0..200 {
        put(&test.store, format!("row {number}")).await.unwrap();
        assert_eq!(is_there(&test.store, format!("row {number}")).await, Ok(true), "{number}");
    }
}

pub(super) fn entry(number: u128) -> Entry {
    Entry {
        id: id(number),
        tenant: None,
        at: NOW,
        level: Level::Info,
        class: Class::Audit,
        action: "team.create".into(),
        message: "made a team".to_owned(),
        actor: Actor::Anonymous,
        resource: Resource { kind: "team", id: None, name: Some("The “A” team".to_owned()) },
        license: None,
        origin: Origin {
            scheme: Scheme::Console,
            address: Some([192, 0, 2, 1].into()),
            user_agent: Some("a browser".to_owned()),
            request_id: None,
            started: std::time::Duration::ZERO,
            trace: None,
        },
        duration: std::time::Duration::from_millis(3),
        details: serde_json::json!({ "members": 2 }),
    }
}

#[db_test]
async fn a_glance_sees_what_was_written_and_survives_a_panic(test: TestStore) {
    let store = &test.store;
    put(store, "seen").await.unwrap();
    let lookup = |panics: bool| {
        store.lookup(move |tx| {
            assert!(!panics, "asked for");
            meta::find(tx, "seen")
        })
    };
    // More often than there are connections: each is given back, whatever the unit does.
    for _ in 0..20 {
        assert!(lookup(true).await.is_err());
        assert!(lookup(false).await.unwrap().is_some());
    }
}
