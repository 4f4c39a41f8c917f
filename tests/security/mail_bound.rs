//! Nobody fills another's mailbox through us (contract-2 section 27), and nobody is told by it whether a
//! mail was sent.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::organization::Plan as PaidPlan;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::PASSWORD;
use crate::console::account;

const VICTIM: &str = "victim@example.com";
const TALENT: &str = "/v1.0.1/org/invite/talent";

/// An app where nothing but mail is bounded, so that what is refused is refused for the mail.
struct Post(TestApp);

impl Fixture for Post {
    async fn on(engine: Engine) -> Self {
        Self(with_config(engine, "").await)
    }
}

/// The same without the bounds: the control.
struct Unbounded(TestApp);

impl Fixture for Unbounded {
    async fn on(engine: Engine) -> Self {
        Self(with_config(engine, ",mail_sender=off,mail_recipient=off,invitations=off").await)
    }
}

async fn with_config(engine: Engine, more: &str) -> TestApp {
    let limits = format!("register=off,login=off,console=off,open=off{more}");
    let limits = Limits::parse(&limits).unwrap();
    TestApp::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await
}

/// A stranger registers the victim's address.
async fn register(app: &TestApp, from: &str) -> Answer {
    let body = json!({ "fullname": "Ada Lovelace", "email": VICTIM, "password": PASSWORD });
    let request = app.request(Method::POST, "/v1.0.1/auth/m/register").from(from);
    request.json(&body).send().await
}

/// How many mails wait or were sent.
async fn mails(app: &TestApp) -> usize {
    seed::rows(&app.database.options, "SELECT kind FROM mails").await.len()
}

/// An answer without what differs each time.
fn shape(answer: &Answer) -> (u16, Value) {
    let (status, mut body) = answer.whole();
    body["data"]["otpSession"] = json!(null);
    (status, body)
}

#[db_test]
async fn an_address_is_written_to_3_times_an_hour_by_one_stranger_and_10_times_by_all(post: Post) {
    let Post(app) = post;
    let answers = [register(&app, "198.51.100.1").await, register(&app, "198.51.100.1").await];
    assert_eq!(mails(&app).await, 2);
    for attacker in 1..=20 {
        for _ in 0..5 {
            let answer = register(&app, &format!("198.51.100.{attacker}")).await;
            assert_eq!(shape(&answer), shape(&answers[0]), "the same answer, mailed or not");
        }
    }
    assert_eq!(mails(&app).await, 10, "3 of each of the first three, and the tenth");
    app.clock.advance(Duration::from_hours(1));
    register(&app, "198.51.100.1").await;
    assert_eq!(mails(&app).await, 11, "an hour later");
}

#[db_test]
async fn without_the_bounds_each_of_them_would_be_mailed(unbounded: Unbounded) {
    let Unbounded(app) = unbounded;
    for attacker in 1..=20 {
        register(&app, &format!("198.51.100.{attacker}")).await;
    }
    assert_eq!(mails(&app).await, 20);
}

#[db_test]
async fn a_code_that_was_mailed_outlives_a_flood(post: Post) {
    let Post(app) = post;
    for attacker in 1..=9 {
        register(&app, &format!("198.51.100.{attacker}")).await;
    }
    // Mails of one moment have no order: those before are read first.
    app.mailed_code(VICTIM).await;
    let own = register(&app, "203.0.113.9").await.json()["data"]["otpSession"].clone();
    let code = app.mailed_code(VICTIM).await;
    for attacker in 1..=30 {
        register(&app, &format!("198.51.100.{attacker}")).await;
    }
    let body = json!({ "otpSession": own, "otp": code });
    let proved = app.post("/v1.0.1/auth/validate/registration", &body).await;
    assert_eq!(proved.status, 201, "{}", proved.json());
}

/// An agency's token.
async fn agency(app: &TestApp, email: &str, name: &str) -> String {
    assert_eq!(account(app, email, name).await.status, 201);
    app.sign_in(email, PASSWORD).await["accessToken"].as_str().unwrap().to_owned()
}

async fn invite(app: &TestApp, token: &str, name: &str, email: &str) -> Answer {
    let body = json!({ "fullname": name, "email": email });
    app.request(Method::POST, TALENT).console(token).json(&body).send().await
}

#[db_test]
async fn an_agency_invites_one_address_3_times_an_hour(post: Post) {
    let Post(app) = post;
    let token = agency(&app, "ada@example.com", "Babbage Talent").await;
    for name in ["Grace Hopper", "Hedy Lamarr", "Grace Hopper"] {
        assert_eq!(invite(&app, &token, name, VICTIM).await.status, 201);
    }
    app.clock.advance(Duration::from_mins(10));
    let refused = invite(&app, &token, "Grace Hopper", VICTIM).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("3000")));
    assert_eq!(refused.json()["error"]["code"], "RATE_LIMIT_EXCEEDED");
    let told = "This address gets at most 3 emails in 1 hour from one sender. Try again in \
                50 minutes";
    assert_eq!(refused.json()["error"]["message"], told);
    assert_eq!(invite(&app, &token, "Grace Hopper", "other@example.com").await.status, 201);
    let other = agency(&app, "eve@example.com", "Another Agency").await;
    assert_eq!(invite(&app, &other, "Grace Hopper", VICTIM).await.status, 201, "another sender");
}

#[db_test]
async fn an_invitation_that_is_refused_counts_nothing(post: Post) {
    let Post(app) = post;
    let token = agency(&app, "ada@example.com", "Babbage Talent").await;
    for _ in 0..5 {
        let body = json!({ "talentId": "0190a5e4-7b3c-7def-8123-0000000000aa", "email": VICTIM });
        let request = app.request(Method::POST, TALENT).console(&token).json(&body);
        assert_eq!(request.send().await.status, 404);
    }
    assert_eq!(invite(&app, &token, "Grace Hopper", VICTIM).await.status, 201);
}

#[db_test]
async fn the_plan_free_invites_100_a_day_and_others_more(post: Post) {
    let Post(app) = post;
    let token = agency(&app, "ada@example.com", "Babbage Talent").await;
    let one = |number: u32| {
        let (app, token) = (&app, &token);
        async move {
            let email = format!("talent-{number}@example.com");
            invite(app, token, &format!("Talent {number}"), &email).await
        }
    };
    for number in 1..=100 {
        assert_eq!(one(number).await.status, 201, "{number}");
    }
    let refused = one(101).await;
    let message = &refused.json()["error"]["message"];
    assert_eq!(
        (refused.status.as_u16(), message),
        (429, &json!("Your plan allows 100 invitations per day. Try again in 24 hours"))
    );
    let script = format!("UPDATE tenants SET plan = '{}'", PaidPlan::Starter.name());
    seed::run(&app.database.options, script).await;
    assert_eq!(one(102).await.status, 201);
    seed::run(&app.database.options, "UPDATE tenants SET plan = 'Free'".to_owned()).await;
    assert_eq!(one(103).await.status, 429);
    app.clock.advance(Duration::from_hours(24));
    let again = app.sign_in("ada@example.com", PASSWORD).await;
    let again = again["accessToken"].as_str().unwrap().to_owned();
    assert_eq!(invite(&app, &again, "Talent", "talent@example.com").await.status, 201);
}
