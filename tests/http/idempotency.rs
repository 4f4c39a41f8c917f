//! `Idempotency-Key`: one change, one answer, however often it is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use grantor_http::Settings;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::server::eventually;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

struct Keyed {
    app: TestApp,
    ran: Arc<AtomicU32>,
}

impl Fixture for Keyed {
    async fn on(engine: Engine) -> Self {
        let ran = Arc::new(AtomicU32::new(0));
        let external = probe_routes(&ran);
        let console = probe_routes(&ran);
        let (replay_wait, renew_claim) = (Duration::from_secs(5), Duration::from_millis(20));
        let settings = Settings { replay_wait, renew_claim, ..Settings::default() };
        let config = TestConfig { external, console, settings, ..TestConfig::default() };
        Self { app: TestApp::with_config(engine, config).await, ran }
    }
}

fn probe_routes(ran: &Arc<AtomicU32>) -> Vec<grantor_api::frame::route::Route> {
    super::probe::routes(ran)
}

impl Keyed {
    async fn change(&self, key: &str, body: &Value) -> Answer {
        let request = self.app.request(Method::POST, "/probe/change").json(body);
        request.header("idempotency-key", key).send().await
    }

    fn runs(&self) -> u32 {
        self.ran.load(Ordering::SeqCst)
    }

    async fn entries(&self) -> usize {
        let query = "SELECT action FROM log_entries";
        seed::rows(&self.app.database.options, query).await.len()
    }
}

fn note(name: &str) -> Value {
    json!({ "name": name, "count": 1 })
}

#[db_test]
async fn another_query_is_another_request(keyed: Keyed) {
    let send = |path: &'static str| {
        let request = keyed.app.request(Method::POST, path).json(&note("a"));
        request.header("idempotency-key", "k1").send()
    };
    let first = send("/probe/change?of=A").await;
    let again = send("/probe/change?of=A").await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    for other in ["/probe/change?of=B", "/probe/change", "/probe/change?of=A&of=B"] {
        let refused = send(other).await;
        let code = refused.json()["error"]["code"].clone();
        assert_eq!(
            (refused.status.as_u16(), code),
            (422, json!("IDEMPOTENCY_MISMATCH")),
            "{other}"
        );
    }
    assert_eq!(keyed.runs(), 1);
}

#[db_test]
async fn the_same_request_gets_the_first_answer(keyed: Keyed) {
    let first = keyed.change("k1", &note("a")).await;
    assert_eq!(first.whole(), (200, note("a")));
    assert_eq!(first.header("idempotent-replayed"), None);
    let again = keyed.change("k1", &note("a")).await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.header("content-type"), first.header("content-type"));
    assert_eq!((keyed.runs(), keyed.entries().await), (1, 1));
}

#[db_test]
async fn another_body_under_the_same_key_is_422(keyed: Keyed) {
    keyed.change("k1", &note("a")).await;
    let other = keyed.change("k1", &note("b")).await;
    assert_eq!(other.status, 422);
    assert_eq!(other.json()["error"]["code"], "IDEMPOTENCY_MISMATCH");
    assert_eq!(keyed.runs(), 1);
}

#[db_test]
async fn keys_belong_to_caller_method_and_path(keyed: Keyed) {
    keyed.change("k1", &note("a")).await;
    keyed.change("k2", &note("a")).await;
    let request = keyed.app.request(Method::POST, "/probe/change").json(&note("a"));
    request.from("198.51.100.1").header("idempotency-key", "k1").send().await;
    let request = keyed.app.request(Method::POST, "/v1.0.1/probe/change").json(&note("a"));
    request.header("idempotency-key", "k1").send().await;
    assert_eq!(keyed.runs(), 4);
    keyed.app.post("/probe/change", &note("a")).await;
    assert_eq!(keyed.runs(), 5, "without a key every request is a new one");
}

#[db_test]
async fn an_answer_is_kept_for_a_day(keyed: Keyed) {
    keyed.change("k1", &note("a")).await;
    keyed.app.clock.advance(Duration::from_secs(86_399));
    keyed.change("k1", &note("a")).await;
    assert_eq!(keyed.runs(), 1);
    keyed.app.clock.advance(Duration::from_secs(1));
    assert_eq!(keyed.change("k1", &note("b")).await.whole(), (200, note("b")));
    assert_eq!(keyed.runs(), 2);
}

#[db_test]
async fn what_failed_before_it_changed_anything_can_be_tried_again(keyed: Keyed) {
    assert_eq!(keyed.change("k1", &note("fault")).await.status, 500);
    assert_eq!(keyed.change("k1", &note("fault")).await.status, 500);
    assert_eq!((keyed.runs(), keyed.entries().await), (2, 0));
}

#[db_test]
async fn a_refusal_is_an_answer_too(keyed: Keyed) {
    let first = keyed.change("k1", &note("refuse")).await;
    let again = keyed.change("k1", &note("refuse")).await;
    assert_eq!((first.status.as_u16(), again.status.as_u16()), (403, 403));
    assert_eq!(first.json()["error"]["code"], "ACCESS_DENIED");
    assert_eq!(first.body, again.body, "to the letter, the first request's id included");
    assert_ne!(first.header("x-request-id"), again.header("x-request-id"));
    assert_eq!((keyed.runs(), keyed.entries().await), (1, 0));
}

#[db_test]
async fn a_change_whose_answer_was_lost_is_never_made_twice(keyed: Keyed) {
    assert_eq!(keyed.change("k1", &note("panic")).await.status, 500);
    for _ in 0..2 {
        let lost = keyed.change("k1", &note("panic")).await;
        let said =
            "The first request with this Idempotency-Key succeeded, but its response was lost";
        let message = lost.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(lost.status == 409 && message.starts_with(said), "at once: {message}");
        keyed.app.clock.advance(Duration::from_mins(2));
    }
    assert_eq!((keyed.runs(), keyed.entries().await), (1, 1));
}

#[db_test]
async fn a_request_that_takes_long_keeps_its_key(keyed: Keyed) {
    let key = "SELECT CAST(claimed_until AS text) FROM idempotency_keys";
    let held_until = async || seed::rows(&keyed.app.database.options, key).await;
    let slow = note("slow");
    let request = keyed.change("k1", &slow);
    let look = async {
        let first = eventually("the claim", async || held_until().await.pop()).await;
        keyed.app.clock.advance(Duration::from_mins(1));
        eventually("a longer claim", async || held_until().await.pop().filter(|it| *it != first))
            .await;
        keyed.app.app.stopping.send_replace(true);
    };
    let (answer, ()) = tokio::join!(request, look);
    assert_eq!((answer.whole(), keyed.runs()), ((200, note("slow")), 1));
}

#[db_test]
async fn of_64_at_once_one_runs_and_all_hear_its_answer(keyed: Keyed) {
    let body = note("a");
    let all = (0..64).map(|_| keyed.change("k1", &body));
    let answers = futures_util::future::join_all(all).await;
    assert_eq!((keyed.runs(), keyed.entries().await), (1, 1));
    for answer in &answers {
        assert_eq!(answer.whole(), (200, note("a")));
    }
    let first = |it: &&Answer| it.header("idempotent-replayed").is_none();
    assert_eq!(answers.iter().filter(first).count(), 1);
}

#[db_test]
async fn of_16_at_once_that_fail_each_runs_in_its_turn(keyed: Keyed) {
    let body = note("fault");
    let all = (0..16).map(|_| keyed.change("k1", &body));
    for answer in futures_util::future::join_all(all).await {
        assert_eq!(answer.status, 500);
    }
    assert_eq!((keyed.runs(), keyed.entries().await), (16, 0));
}

#[db_test]
async fn a_key_that_is_none_is_refused(keyed: Keyed) {
    for key in ["", "a b", &"k".repeat(256)] {
        let answer = keyed.change(key, &note("a")).await;
        assert_eq!(answer.status, 400, "{key:?}");
        let message = "must be 1 to 255 visible ASCII characters";
        assert_eq!(answer.json()["error"]["details"], json!({ "Idempotency-Key": message }));
    }
    assert_eq!(keyed.runs(), 0);
}

#[db_test]
async fn kept_answers_are_sealed(keyed: Keyed) {
    keyed.change("k1", &note("a-most-telling-name")).await;
    let hex = match keyed.app.database.store.engine() {
        Engine::Sqlite => "hex(sealed_answer)",
        Engine::Postgres => "upper(encode(sealed_answer, 'hex'))",
    };
    let query = format!("SELECT {hex} FROM idempotency_keys");
    let rows = seed::rows(&keyed.app.database.options, &query).await;
    let telling = grantor_domain::hex::encode(b"telling").to_uppercase();
    assert!(rows[0][0].len() > 64 && !rows[0][0].contains(&telling));
}
