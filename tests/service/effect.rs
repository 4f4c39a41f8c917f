//! What follows from a change beside the database. No act says so: the store reads it off the rows.

use std::sync::mpsc;

use futures_util::FutureExt as _;
use grantor_domain::Result;
use grantor_domain::audit::Resource;
use grantor_domain::id::SessionId;
use grantor_domain::mail::Mail;
use grantor_service::Context;
use grantor_service::act::{Act, Done, UnitOfWork};
use grantor_service::identity::access;
use grantor_storage::{meta, session};
use grantor_testkit::server::eventually;
use grantor_testkit::store::PATIENCE;
use grantor_testkit::{db_test, seed};
use serde_json::json;
use tokio::time::timeout;

use super::caller;
use crate::license::World;

type Work = dyn Fn(&mut UnitOfWork<'_, '_>) -> Result<()> + Send + Sync;

/// Writes something, and says nothing of what follows.
struct Quiet(Box<Work>);

impl Act for Quiet {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "probe.change";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        (self.0)(unit)?;
        let resource = Resource { kind: "probe", id: None, name: None };
        Ok(Done::new((), resource, "Something was changed"))
    }
}

impl World {
    async fn act(
        &self,
        work: impl Fn(&mut UnitOfWork<'_, '_>) -> Result<()> + Send + Sync + 'static,
    ) {
        let context = Context::operator(self.app.app.clock.monotonic());
        self.app.app.act(&context, Quiet(Box::new(work))).await.unwrap();
    }

    /// Whether the agency's token is still good, by a clock that stands.
    async fn is_in(&self) -> bool {
        access::console(&self.app.app, &self.agency.console).await.is_ok()
    }
}

fn revoke(id: SessionId) -> impl Fn(&mut UnitOfWork<'_, '_>) -> Result<()> + Send + Sync + 'static {
    move |unit| Ok(session::revoke_family(unit.tx, id, unit.now)?)
}

#[db_test]
async fn a_token_ends_with_what_it_rests_on(world: World) {
    let session = caller(&world.app, &world.agency).await.session;
    world.act(revoke(session)).await;
    assert!(!world.is_in().await);
}

/// Ended past the store, a token stays believed until a change of what tokens rest on: so the test
/// above sees the change, not the time.
#[db_test]
async fn other_changes_leave_remembered_tokens_alone(world: World) {
    let own = caller(&world.app, &world.agency).await.session;
    let past = "UPDATE sessions SET revoked_at = 1".to_owned();
    seed::run(&world.app.database.options, past).await;
    world.act(|unit| Ok(meta::put(unit.tx, "probe", "put")?)).await;
    world.act(move |unit| Ok(session::touch(unit.tx, own, unit.now, unit.now)?)).await;
    assert!(world.is_in().await, "neither change concerns tokens");
    world
        .act(|unit| Ok(session::revoke_all(unit.tx, uuid::Uuid::nil(), unit.now).map(drop)?))
        .await;
    assert!(world.is_in().await, "a change of no row is none");
}

#[db_test]
async fn a_queued_mail_wakes_its_sender(world: World) {
    let mailer = &world.app.app.mailer;
    let _ = mailer.wait_for_mail().now_or_never();
    world.act(|unit| Ok(meta::put(unit.tx, "probe", "put")?)).await;
    assert!(mailer.wait_for_mail().now_or_never().is_none(), "the control: nothing was queued");
    world
        .act(|unit| {
            let [to, subject, text] = ["ada@example.com", "Hello", "Hello"].map(str::to_owned);
            let mail = Mail { to, subject, text, html: None, unsubscribe: None, reply_to: None };
            unit.app.mailer.enqueue(unit.tx, "probe", &mail)?;
            Ok(())
        })
        .await;
    timeout(PATIENCE, mailer.wait_for_mail()).await.expect("it was woken");
}

/// Whoever waits for a feed is woken by its own events, and leaves nothing behind.
#[db_test]
async fn an_event_wakes_who_waits_for_its_feed(world: World) {
    let wakeups = &world.app.app.wakeups;
    let [own, others] = [&world.agency, &world.brand].map(|it| caller(&world.app, it));
    let (own, others) = (own.await.tenant, others.await.tenant);
    {
        let (one, other) = (wakeups.listen(own), wakeups.listen(others));
        let (mut told, mut untold) = (Box::pin(one.notified()), Box::pin(other.notified()));
        told.as_mut().enable();
        untold.as_mut().enable();
        world.license(json!({})).await;
        assert!(told.now_or_never().is_some(), "its own event");
        assert!(untold.now_or_never().is_none(), "another's event");
        assert_eq!(wakeups.listened_feeds(), 2);
    }
    assert_eq!(wakeups.listened_feeds(), 0);
}

/// What follows does not wait for whoever asked: they may have hung up when the change was stored.
#[db_test]
async fn what_follows_needs_nobody_who_waits(world: World) {
    let session = caller(&world.app, &world.agency).await.session;
    let (begun, has_begun) = mpsc::channel();
    let (go_on, goes_on) = mpsc::channel();
    let goes_on = std::sync::Mutex::new(goes_on);
    let (app, context) = (world.app.app.clone(), Context::operator(std::time::Duration::ZERO));
    let work = move |unit: &mut UnitOfWork<'_, '_>| {
        begun.send(()).unwrap();
        goes_on.lock().unwrap().recv().unwrap();
        revoke(session)(unit)
    };
    let asked = tokio::spawn(async move { app.act(&context, Quiet(Box::new(work))).await });
    tokio::task::spawn_blocking(move || has_begun.recv().unwrap()).await.unwrap();
    asked.abort();
    assert!(asked.await.unwrap_err().is_cancelled());
    go_on.send(()).unwrap();
    eventually("the end of the token", async || (!world.is_in().await).then_some(())).await;
}
