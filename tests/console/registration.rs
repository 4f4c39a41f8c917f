//! `/auth/register`, `/auth/m/register`, `/auth/validate/registration`, `/auth/resend/otp/{session}`.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::password::PasswordPolicy;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{PASSWORD, account, entered, prove, refused};

const REGISTER: &str = "/v1.0.1/auth/register";

/// An app that registers more than three a minute.
struct Open(TestApp);

impl Fixture for Open {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::parse("register=off,anonymous=off,open=off").unwrap();
        Self(TestApp::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await)
    }
}

/// An app that refuses guessable passwords.
struct Strict(TestApp);

impl Fixture for Strict {
    async fn on(engine: Engine) -> Self {
        let config =
            TestConfig { password_policy: PasswordPolicy::Strict, ..TestConfig::default() };
        Self(TestApp::with_config(engine, config).await)
    }
}

async fn resend(app: &TestApp, session: &Value) -> Answer {
    let path = format!("/v1.0.1/auth/resend/otp/{}", session.as_str().unwrap());
    app.request(Method::PUT, &path).send().await
}

/// A code that is not this one.
fn another(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

#[db_test]
async fn a_person_registers_with_an_organization(app: TestApp) {
    let begun = app.post(REGISTER, &entered("ada@example.com", "Babbage Talent")).await;
    let session = begun.json()["data"]["otpSession"].clone();
    assert!(session.as_str().unwrap().starts_with("gos_"));
    let data = json!({ "otpSession": session, "email": "ada@example.com", "expiresIn": 300 });
    let message = "Registration started. Enter the code we emailed you.";
    let body = json!({ "data": data, "message": message, "status": "success" });
    assert_eq!(begun.whole(), (201, body));

    let code = app.mailed_code("ada@example.com").await;
    let proved = prove(&app, &session, &code).await;
    let user = proved.json()["data"]["userId"].clone();
    let data = json!({ "userId": user, "email": "ada@example.com", "verified": true });
    let message = "Your account is active. You can sign in now.";
    assert_eq!(
        proved.whole(),
        (201, json!({ "data": data, "message": message, "status": "success" }))
    );
    let query = "SELECT m.role, m.status, t.name, t.type, t.description, t.status, t.plan
        FROM memberships m JOIN tenants t ON t.tenant_id = m.tenant_id";
    let row =
        ["Organization_Admin", "active", "Babbage Talent", "Agency", "Talents", "active", "Free"];
    assert_eq!(seed::rows(&app.database.options, query).await, [row]);
}

#[db_test]
async fn a_person_registers_alone(app: TestApp) {
    let body =
        json!({ "fullname": "Grace Hopper", "email": "grace@example.com", "password": PASSWORD });
    let begun = app.post("/v1.0.1/auth/m/register", &body).await;
    assert_eq!(begun.status, 201);
    let code = app.mailed_code("grace@example.com").await;
    assert_eq!(prove(&app, &begun.json()["data"]["otpSession"], &code).await.status, 201);
    let query = "SELECT m.role, t.name, t.type
        FROM memberships m JOIN tenants t ON t.tenant_id = m.tenant_id";
    let row = ["Individual", "Grace Hopper", "Individual"];
    assert_eq!(seed::rows(&app.database.options, query).await, [row]);
}

#[db_test]
async fn every_fault_is_named(app: TestApp) {
    let answer = app.post(REGISTER, &json!({})).await;
    let details = json!({
        "email": "is required",
        "fullname": "is required",
        "organization": "is required",
        "password": "is required",
    });
    let message = "Some fields are not valid";
    let error = json!({ "code": "VALIDATION_ERROR", "message": message, "details": details });
    assert_eq!(answer.whole(), (400, json!({ "error": error, "status": "error" })));
    let body = json!({
        "fullname": "A",
        "email": "not an address",
        "password": "password1!",
        "organization": { "name": "x".repeat(101), "type": "agency", "description": "x".repeat(501) },
    });
    let answer = app.post(REGISTER, &body).await;
    let fields: Vec<String> =
        answer.json()["error"]["details"].as_object().unwrap().keys().cloned().collect();
    let expected = [
        "email",
        "fullname",
        "organization.description",
        "organization.name",
        "organization.type",
        "password",
    ];
    assert_eq!(fields, expected);
}

/// Registers with this password; gives the status and what is said of it.
async fn choose(app: &TestApp, password: &str) -> (u16, Value) {
    let body = json!({ "fullname": "Ada King", "email": "ada@example.com", "password": password });
    let answer = app.post("/v1.0.1/auth/m/register", &body).await;
    (answer.status.as_u16(), answer.json()["error"]["details"]["password"].clone())
}

#[db_test]
async fn the_documents_rule_is_the_only_one_by_default(open: Open) {
    assert_eq!(choose(&open.0, "Password123!").await, (201, Value::Null));
    let longest = format!("Pass-1{}", "x".repeat(122));
    assert_eq!(choose(&open.0, &longest).await, (201, Value::Null));
    let long = (400, json!("must be at most 128 bytes"));
    assert_eq!(choose(&open.0, &format!("{longest}x")).await, long);
    assert_eq!(choose(&open.0, "Password!").await, (400, json!("must have a digit")));
}

#[db_test]
async fn a_strict_house_takes_no_guessable_password(strict: Strict) {
    let why = "is too easy to guess: avoid common passwords, your name and your email address";
    assert_eq!(choose(&strict.0, "Password123!").await, (400, json!(why)));
    assert_eq!(choose(&strict.0, PASSWORD).await, (201, Value::Null));
}

#[db_test]
async fn a_domain_of_any_script_is_one_domain(open: Open) {
    let app = open.0;
    let mailbox = "müller@xn--bcher-kva.example";
    let begun = app.post(REGISTER, &entered("müller@bücher.example", "Bücher")).await;
    assert_eq!(begun.json()["data"]["email"], "müller@bücher.example", "as it was written");
    let code = app.mailed_code(mailbox).await;
    let proved = prove(&app, &begun.json()["data"]["otpSession"], &code).await;
    assert_eq!(proved.json()["data"]["email"], "müller@bücher.example");
    for same in [mailbox, "MÜLLER@BÜCHER.EXAMPLE", "mu\u{308}ller@bücher。example"] {
        let again = app.post(REGISTER, &entered(same, "Another")).await;
        assert_eq!(again.json()["error"]["code"], "EMAIL_EXISTS", "{same}");
        assert!(app.sign_in(same, PASSWORD).await["accessToken"].is_string(), "{same}");
    }
    // One letter of another script is another mailbox.
    let begun = app.post(REGISTER, &entered("müller@b\u{fc}\u{441}her.example", "Look")).await;
    assert_eq!(begun.status, 201);
    app.mailed_code("müller@xn--bher-0ra631c.example").await;
}

#[db_test]
async fn three_a_minute_from_one_address(app: TestApp) {
    for number in 0..3 {
        let body = entered(&format!("a{number}@example.com"), &format!("Agency {number}"));
        assert_eq!(app.post(REGISTER, &body).await.status, 201);
    }
    let fourth = app.post("/v1.0.1/auth/m/register", &entered("b@example.com", "B")).await;
    assert_eq!((fourth.status.as_u16(), fourth.header("retry-after")), (429, Some("60")));
    assert_eq!(fourth.json()["error"]["code"], "RATE_LIMIT_EXCEEDED");
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(app.post(REGISTER, &entered("b@example.com", "B Agency")).await.status, 201);
}

#[db_test]
async fn a_proved_address_and_name_are_taken(open: Open) {
    let app = open.0;
    assert_eq!(account(&app, "ada@example.com", "Babbage Talent").await.status, 201);
    let again = app.post(REGISTER, &entered("ADA@example.com", "Another")).await;
    let message = "An account with this email address already exists";
    assert_eq!(again.whole(), (409, refused("EMAIL_EXISTS", message)));
    let again = app.post(REGISTER, &entered("b@example.com", "babbage  TALENT")).await;
    let message = "An organization with this name already exists";
    assert_eq!(again.whole(), (409, refused("RESOURCE_EXISTS", message)));
}

#[db_test]
async fn what_is_not_proved_reserves_nothing(open: Open) {
    let app = open.0;
    let first = app.post(REGISTER, &entered("ada@example.com", "Babbage Talent")).await;
    let first_code = app.mailed_code("ada@example.com").await;
    let second = app.post(REGISTER, &entered("ada@example.com", "Babbage Talent")).await;
    assert_eq!(second.status, 201, "registering again replaces it");
    let gone = prove(&app, &first.json()["data"]["otpSession"], &first_code).await;
    assert_eq!(gone.json()["error"]["code"], "INVALID_SESSION");
    let rival = app.post(REGISTER, &entered("rival@example.com", "Babbage Talent")).await;
    let code = app.mailed_code("ada@example.com").await;
    assert_eq!(prove(&app, &second.json()["data"]["otpSession"], &code).await.status, 201);
    let code = app.mailed_code("rival@example.com").await;
    let late = prove(&app, &rival.json()["data"]["otpSession"], &code).await;
    assert_eq!(late.json()["error"]["code"], "RESOURCE_EXISTS", "the first to prove it has it");
}

#[db_test]
async fn a_code_lives_300_seconds(open: Open) {
    let app = open.0;
    for (seconds, status, code) in [(299, 201, Value::Null), (300, 401, json!("OTP_EXPIRED"))] {
        let email = format!("a{seconds}@example.com");
        let begun = app.post(REGISTER, &entered(&email, &format!("Agency {seconds}"))).await;
        let mailed = app.mailed_code(&email).await;
        app.clock.advance(Duration::from_secs(seconds));
        let answer = prove(&app, &begun.json()["data"]["otpSession"], &mailed).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["error"]["code"]), (status, &code));
    }
}

#[db_test]
async fn the_fifth_wrong_code_ends_the_session(open: Open) {
    let app = open.0;
    let begun = app.post(REGISTER, &entered("ada@example.com", "Babbage Talent")).await;
    let session = begun.json()["data"]["otpSession"].clone();
    let code = app.mailed_code("ada@example.com").await;
    let message = "The code is incorrect";
    for _ in 0..5 {
        let wrong = prove(&app, &session, &another(&code)).await;
        assert_eq!(wrong.whole(), (400, refused("INVALID_OTP", message)));
    }
    let message = "This session is invalid or has expired; start again";
    let expected = (400, refused("INVALID_SESSION", message));
    assert_eq!(prove(&app, &session, &code).await.whole(), expected, "the right one as try 6");
    assert_eq!(resend(&app, &session).await.whole(), expected);
    for stranger in ["gos_nonsense", "", "x"] {
        let answer = prove(&app, &json!(stranger), &code).await;
        assert_eq!(answer.status, 400, "{stranger}");
    }
}

#[db_test]
async fn of_a_thousand_guesses_at_once_five_are_looked_at(open: Open) {
    let app = open.0;
    let begun = app.post(REGISTER, &entered("ada@example.com", "Babbage Talent")).await;
    let session = begun.json()["data"]["otpSession"].clone();
    let wrong = another(&app.mailed_code("ada@example.com").await);
    let answers = futures_util::future::join_all((0..1_000).map(|_| prove(&app, &session, &wrong)));
    let answers = answers.await;
    let told = |code: &str| answers.iter().filter(|it| it.json()["error"]["code"] == code).count();
    let busy = told("UNAVAILABLE");
    assert_eq!((told("INVALID_OTP"), told("INVALID_SESSION") + busy), (5, 995));
}

#[db_test]
async fn of_64_right_codes_at_once_one_wins(open: Open) {
    let app = open.0;
    let begun = app.post(REGISTER, &entered("ada@example.com", "Babbage Talent")).await;
    let session = begun.json()["data"]["otpSession"].clone();
    let code = app.mailed_code("ada@example.com").await;
    let answers = futures_util::future::join_all((0..64).map(|_| prove(&app, &session, &code)));
    let won = answers.await.iter().filter(|answer| answer.status == 201).count();
    let users = seed::rows(&app.database.options, "SELECT email FROM users").await;
    assert_eq!((won, users.len()), (1, 1));
}

#[db_test]
async fn another_code_kills_the_one_before(open: Open) {
    let app = open.0;
    let begun = app.post(REGISTER, &entered("ada@example.com", "Babbage Talent")).await;
    let session = begun.json()["data"]["otpSession"].clone();
    let first = app.mailed_code("ada@example.com").await;
    app.clock.advance(Duration::from_secs(59));
    let soon = resend(&app, &session).await;
    assert_eq!((soon.status.as_u16(), soon.header("retry-after")), (429, Some("1")));
    app.clock.advance(Duration::from_secs(1));
    let again = resend(&app, &session).await;
    let data = json!({ "otpSession": session, "email": "ada@example.com", "expiresIn": 300 });
    let message = "We emailed you a new code. The previous code no longer works.";
    assert_eq!(
        again.whole(),
        (200, json!({ "data": data, "message": message, "status": "success" }))
    );
    let second = app.mailed_code("ada@example.com").await;
    assert_eq!(prove(&app, &session, &first).await.json()["error"]["code"], "INVALID_OTP");
    app.clock.advance(Duration::from_secs(299));
    assert_eq!(prove(&app, &session, &second).await.status, 201, "its time began anew");
}

#[db_test]
async fn a_session_sends_three_more_codes(open: Open) {
    let app = open.0;
    let begun = app.post(REGISTER, &entered("ada@example.com", "Babbage Talent")).await;
    let session = begun.json()["data"]["otpSession"].clone();
    for _ in 0..3 {
        app.clock.advance(Duration::from_mins(1));
        assert_eq!(resend(&app, &session).await.status, 200);
    }
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(resend(&app, &session).await.status, 429);
}

#[db_test]
async fn nothing_secret_is_stored_readable(open: Open) {
    let app = open.0;
    account(&app, "ada@example.com", "Babbage Talent").await;
    app.post(REGISTER, &entered("b@example.com", "Waiting")).await;
    let code = app.mailed_code("b@example.com").await;
    let query = "SELECT message || details || coalesce(resource_name, '') FROM log_entries";
    let log = seed::rows(&app.database.options, query).await.concat().concat();
    assert!(log.contains("b@example.com"), "the control: what is no secret is there");
    assert!(!log.contains(&code) && !log.contains(PASSWORD));
    let hash = &seed::rows(&app.database.options, "SELECT password_hash FROM users").await[0][0];
    assert!(hash.starts_with("$argon2id$"), "{hash}");
}

#[db_test]
async fn every_outcome_is_logged(open: Open) {
    let app = open.0;
    let begun = app.post(REGISTER, &entered("ada@example.com", "Babbage Talent")).await;
    let session = begun.json()["data"]["otpSession"].clone();
    let code = app.mailed_code("ada@example.com").await;
    prove(&app, &session, &another(&code)).await;
    prove(&app, &session, &code).await;
    let query = "SELECT action, level, actor_kind, address FROM log_entries ORDER BY log_id";
    let mut rows = seed::rows(&app.database.options, query).await;
    rows.sort();
    let row = |action, level| [action, level, "anonymous", "203.0.113.7"];
    let expected = [
        row("registration.create", "INFO"),
        row("registration.verify", "INFO"),
        row("registration.verify", "WARN"),
    ];
    assert_eq!(rows, expected);
}
