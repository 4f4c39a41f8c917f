//! Several nodes and crashes: no notice is lost or mailed twice.

use grantor_domain::Error;
use grantor_service::{App, notices};
use grantor_storage::notice::pending::{self, MailGroup};
use grantor_testkit::{db_test, repeats, seed};

use super::{ADA, Inbox, MINUTE, hours, to};
use crate::license::World;

/// The groups of notices that a node would mail now.
async fn due(app: &App) -> Vec<MailGroup> {
    let now = app.clock.now();
    let found: Result<_, Error> =
        app.store.read(move |tx| Ok(pending::due_groups(tx, now, 100)?)).await;
    found.unwrap()
}

/// How many emails of these kinds were queued.
async fn queued(world: &World) -> usize {
    let query = "SELECT kind FROM mails WHERE kind IN ('request_received', 'several_notices',
        'digest')";
    seed::rows(&world.app.database.options, query).await.len()
}

#[db_test]
async fn of_two_nodes_one_composes_each_mail(world: World) {
    let (one, other) = (world.app.app.clone(), world.app.another_node(11).await);
    for round in 1..=repeats(5, 50) {
        world.ask_for_license().await;
        world.app.clock.advance(MINUTE);
        let now = one.clock.now();
        assert_eq!(due(&one).await.len(), 1);
        assert_eq!(due(&one).await, due(&other).await, "the control: both see it");
        let (first, second) =
            tokio::join!(notices::compose_due(&one, now), notices::compose_due(&other, now));
        assert_eq!(first.unwrap() + second.unwrap(), 1, "round {round}");
        assert_eq!(queued(&world).await, usize::try_from(round).unwrap());
    }
}

#[db_test]
async fn of_two_nodes_one_composes_the_digest(mut world: World) {
    let other = world.app.another_node(11).await;
    world.share_license().await;
    world.share_license().await;
    world.later(hours(8)).await;
    let (one, now) = (world.app.app.clone(), world.app.app.clock.now());
    let (first, second) =
        tokio::join!(notices::compose_due(&one, now), notices::compose_due(&other, now));
    assert_eq!((first.unwrap() + second.unwrap(), queued(&world).await), (1, 1));
}

/// A notice may be written while the digest of the day is composed, and be due before.
#[db_test]
async fn what_comes_late_waits_for_the_next_digest(mut world: World) {
    world.share_license().await;
    world.later(hours(8)).await;
    let app = world.app.app.clone();
    assert_eq!(notices::compose_due(&app, app.clock.now()).await, Ok(1));
    world.share_license().await;
    let due_before = "UPDATE notices SET due_at = created_at WHERE due_at IS NOT NULL".to_owned();
    seed::run(&world.app.database.options, due_before).await;
    assert_eq!(due(&app).await.len(), 1, "the control: it is due");
    assert_eq!(notices::compose_due(&app, app.clock.now()).await, Ok(0));
    world.app.clock.advance(hours(24));
    assert_eq!(notices::compose_due(&app, app.clock.now()).await, Ok(1));
}

#[db_test]
async fn a_mail_that_is_not_queued_leaves_its_notices(world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    let groups = due(&world.app.app).await;
    let [group] = groups[..] else { panic!("{groups:?}") };
    let failed: Result<(), Error> = world
        .app
        .app
        .store
        .write(move |tx| {
            assert_eq!(pending::take(tx, group)?.len(), 1);
            Err(Error::conflict("the node stops here"))
        })
        .await;
    assert!(failed.is_err());
    let asked = to(ADA, "Brand of bea@example.com requested Winter");
    assert_eq!(inbox.take(&world.app).await, [asked], "nothing is lost");
    assert!(due(&world.app.app).await.is_empty(), "and nothing is left");
}

/// A node that queued an email without taking its notices would mail them again.
#[db_test]
async fn notices_that_are_not_taken_would_be_mailed_twice(world: World) {
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    let app = world.app.app.clone();
    assert_eq!(notices::compose_due(&app, app.clock.now()).await, Ok(1));
    let untaken = "UPDATE notices SET due_at = created_at".to_owned();
    seed::run(&world.app.database.options, untaken).await;
    assert_eq!(notices::compose_due(&app, app.clock.now()).await, Ok(1));
    assert_eq!(queued(&world).await, 2);
}
