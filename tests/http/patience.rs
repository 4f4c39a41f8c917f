//! Whoever is told that a request took too long can rely on it: nothing was changed.

use std::future::pending;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use axum::Json as Reply;
use axum::extract::State;
use grantor_api::ApiState;
use grantor_api::frame::problem::Problem;
use grantor_api::frame::request::Anonymous;
use grantor_api::frame::route::{Access, Limit, route};
use grantor_domain::Result;
use grantor_domain::audit::Resource;
use grantor_http::Settings;
use grantor_service::act::{Act, Done, UnitOfWork};
use grantor_storage::meta;
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};
use tokio::sync::Notify;

const SHORT: Duration = Duration::from_millis(50);

/// An app with a change that waits inside its unit of work, and one that dawdles after it.
struct Slow {
    app: TestApp,
    begun: Arc<Notify>,
    release: mpsc::Sender<()>,
}

struct Hold {
    begun: Arc<Notify>,
    held: Arc<Mutex<mpsc::Receiver<()>>>,
}

impl Act for Hold {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "note.hold";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        meta::put(unit.tx, "held", "by the request")?;
        self.begun.notify_one();
        let _ = self.held.lock().unwrap().recv();
        let resource = Resource { kind: "note", id: None, name: None };
        Ok(Done::new((), resource, "A note was held"))
    }
}

impl Slow {
    async fn new(engine: Engine, settings: Settings) -> Self {
        let (release, held) = mpsc::channel();
        let (begun, held) = (Arc::new(Notify::new()), Arc::new(Mutex::new(held)));
        let hold = {
            let begun = Arc::clone(&begun);
            move || Hold { begun: Arc::clone(&begun), held: Arc::clone(&held) }
        };
        let dawdle = hold.clone();
        let held = move |State(state): State<ApiState>, Anonymous(context): Anonymous| {
            let act = hold();
            async move {
                state.app.act(&context, act).await?;
                Ok::<_, Problem>(Reply("done".to_owned()))
            }
        };
        let late = move |State(state): State<ApiState>, Anonymous(context): Anonymous| {
            let act = dawdle();
            async move {
                state.app.act(&context, act).await?;
                let _ = tokio::time::timeout(SHORT * 3, pending::<()>()).await;
                Ok::<_, Problem>(Reply("late".to_owned()))
            }
        };
        let (open, free) = (Access::Public, Limit::Unlimited);
        let external = vec![
            route(Method::POST, "/probe/held", open, free, held, "Waits in its unit"),
            route(Method::POST, "/probe/late", open, free, late, "Dawdles after its unit"),
        ];
        let config = TestConfig { external, settings, ..TestConfig::default() };
        Self { app: TestApp::with_config(engine, config).await, begun, release }
    }

    /// What was stored once the unit is over: it holds this row until then.
    async fn stored(&self) -> Vec<Vec<String>> {
        let after: grantor_storage::Result<()> =
            self.app.app.store.write(|tx| meta::put(tx, "held", "by the test")).await;
        after.unwrap();
        seed::rows(&self.app.database.options, "SELECT action FROM log_entries").await
    }

    async fn post(&self, path: &str) -> (u16, Value) {
        let answer = self.app.request(Method::POST, path).send().await;
        let body = answer.json();
        (
            answer.status.as_u16(),
            body["error"]["message"].as_str().map_or(body.clone(), Value::from),
        )
    }
}

/// Times are up at once.
impl Fixture for Slow {
    async fn on(engine: Engine) -> Self {
        Self::new(engine, Settings { handler_time: SHORT, ..Settings::default() }).await
    }
}

#[db_test]
async fn a_unit_that_ends_after_its_time_is_undone(slow: Slow) {
    assert_eq!(slow.post("/probe/held").await, (503, json!("The request timed out")));
    slow.release.send(()).unwrap();
    assert_eq!(slow.stored().await, Vec::<Vec<String>>::new());
}

#[db_test]
async fn a_unit_in_time_is_kept(slow: Slow) {
    slow.release.send(()).unwrap();
    assert_eq!(slow.post("/probe/held").await, (200, json!("done")));
    assert_eq!(slow.stored().await, [["note.hold"]]);
}

#[db_test]
async fn what_was_stored_in_time_has_its_true_answer_though_late(slow: Slow) {
    slow.release.send(()).unwrap();
    assert_eq!(slow.post("/probe/late").await, (200, json!("late")));
    assert_eq!(slow.stored().await, [["note.hold"]]);
}

/// The same without any time for late answers.
struct Hasty(Slow);

impl Fixture for Hasty {
    async fn on(engine: Engine) -> Self {
        let (handler_time, answer_time) = (SHORT, Duration::ZERO);
        Self(Slow::new(engine, Settings { handler_time, answer_time, ..Settings::default() }).await)
    }
}

#[db_test]
async fn who_cannot_be_given_the_answer_is_told_that_the_change_was_made(Hasty(slow): Hasty) {
    slow.release.send(()).unwrap();
    let told =
        "The request timed out after the change was stored. Check the result before you retry.";
    assert_eq!(slow.post("/probe/late").await, (503, json!(told)));
    assert_eq!(slow.stored().await, [["note.hold"]]);
}

/// Nobody's time is up.
struct Calm(Slow);

impl Fixture for Calm {
    async fn on(engine: Engine) -> Self {
        Self(Slow::new(engine, Settings::default()).await)
    }
}

#[db_test]
async fn a_caller_who_hangs_up_before_the_change_is_stored_changes_nothing(Calm(slow): Calm) {
    let request = slow.app.request(Method::POST, "/probe/held").send();
    tokio::select! {
        biased;
        _ = request => panic!("it is held"),
        () = slow.begun.notified() => {}
    }
    slow.release.send(()).unwrap();
    assert_eq!(slow.stored().await, Vec::<Vec<String>>::new());
}
