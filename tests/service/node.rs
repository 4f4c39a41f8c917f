//! Nodes notice each other: who lives, who is dead, and who takes over.

use grantor_domain::id::MailId;
use grantor_service::App;
use grantor_service::operations::node;
use grantor_storage::mail;
use grantor_testkit::app::TestApp;
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use uuid::Uuid;

/// Queues a mail.
async fn queue_mail(app: &App) {
    let now = app.clock.now();
    let id = MailId::from(Uuid::from_u128(1));
    let queued = app.store.write(move |tx| mail::insert(tx, id, "otp", b"sealed", now)).await;
    queued.unwrap();
}

/// Claims due mails, as a worker does, and returns how many there were.
async fn claim(app: &App) -> usize {
    let now = app.clock.now();
    let until = now.plus(std::time::Duration::from_mins(2));
    let claimed = app.store.write(move |tx| mail::claim(tx, now, until, 10)).await;
    claimed.unwrap().len()
}

async fn beat(app: &App, times: u32) {
    for _ in 0..times {
        node::beat(app).await.unwrap();
    }
}

#[db_test]
async fn what_a_dead_node_held_is_taken_over_within_four_beats(app: TestApp) {
    node::join(&app.app).await.unwrap();
    queue_mail(&app.app).await;
    assert_eq!(claim(&app.app).await, 1);
    let other = app.another_node(8).await;
    node::join(&other).await.unwrap();
    if other.store.is_shared() {
        assert_eq!(claim(&other).await, 0, "the first node may live");
        beat(&other, 3).await;
        assert_eq!((claim(&other).await, other.nodes.alive()), (0, 2));
        beat(&other, 1).await;
        assert_eq!(other.nodes.alive(), 1);
    }
    assert_eq!(claim(&other).await, 1, "although the clock stands still");
}

#[tokio::test]
async fn a_node_that_beats_lives_however_slowly_the_others_do() {
    let app = TestApp::on(Engine::Postgres).await;
    node::join(&app.app).await.unwrap();
    queue_mail(&app.app).await;
    assert_eq!(claim(&app.app).await, 1);
    let other = app.another_node(8).await;
    node::join(&other).await.unwrap();
    for _ in 0..10 {
        beat(&app.app, 1).await;
        beat(&other, 3).await;
    }
    assert_eq!((claim(&other).await, other.nodes.alive()), (0, 2));
    // It stops: the negative control.
    beat(&other, 1).await;
    assert_eq!((claim(&other).await, other.nodes.alive()), (1, 1));
}

#[db_test]
async fn a_node_that_leaves_holds_nothing(app: TestApp) {
    node::join(&app.app).await.unwrap();
    queue_mail(&app.app).await;
    assert_eq!((claim(&app.app).await, claim(&app.app).await), (1, 0));
    node::leave(&app.app).await.unwrap();
    assert_eq!(claim(&app.app).await, 1);
    let rows = seed::rows(&app.database.options, "SELECT program FROM nodes").await;
    assert_eq!(rows, Vec::<Vec<String>>::new());
}

#[tokio::test]
async fn one_node_alone_on_its_database_writes_no_heartbeats() {
    let app = TestApp::on(Engine::Sqlite).await;
    node::join(&app.app).await.unwrap();
    let before = app.app.store.statements();
    beat(&app.app, 10).await;
    assert_eq!(app.app.store.statements(), before);
}

#[tokio::test]
async fn a_heartbeat_is_one_statement_and_a_look_another() {
    let app = TestApp::on(Engine::Postgres).await;
    node::join(&app.app).await.unwrap();
    let before = app.app.store.statements();
    beat(&app.app, 10).await;
    assert_eq!(app.app.store.statements() - before, 20);
}
