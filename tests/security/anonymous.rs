//! What one address can make us write without an account: log entries, codes that wait, mails. Every way
//! in is bounded for each address, whatever it makes up.

use grantor_domain::limit::Limits;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::entropy::SeededEntropy;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{PASSWORD, print_figure};

const FLOOD: u32 = 300;
const ATTACKER: &str = "198.51.100.66";

/// Everything as it is by default.
struct Closed(TestApp);

impl Fixture for Closed {
    async fn on(engine: Engine) -> Self {
        Self(TestApp::on(engine).await)
    }
}

/// Without limits: the control.
struct Wide(TestApp);

impl Fixture for Wide {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::off();
        Self(TestApp::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await)
    }
}

/// A credential of the right form that nobody was given.
fn made_up(kind: SecretKind, number: u32) -> String {
    Secret::generate(kind, &SeededEntropy::new(u64::from(number) + 1_000)).expose().to_owned()
}

/// Every way in that writes for who is not signed in, with the most that one address may cause in a
/// minute.
fn ways_in(number: u32) -> Vec<(&'static str, Value, usize)> {
    let email = format!("victim-{number}@example.com");
    let session = made_up(SecretKind::OtpSession, number);
    let console = made_up(SecretKind::ConsoleRefresh, number);
    let person = json!({ "fullname": "Ada Lovelace", "email": email, "password": PASSWORD });
    vec![
        ("/register", json!({ "email": email, "fullname": "Ada Lovelace" }), 3),
        ("/v1.0.1/auth/m/register", person, 3),
        ("/v1.0.1/auth/login", json!({ "username": email, "password": PASSWORD }), 5),
        ("/v1.0.1/auth/refresh/token", json!({ "refreshToken": console }), 10),
        (
            "/auth/token/refresh",
            json!({ "refresh_token": made_up(SecretKind::ExternalRefresh, number) }),
            10,
        ),
        ("/magic-link", json!({ "email": email }), 30),
        ("/v1.0.1/auth/forgot/password", json!({ "email": email }), 30),
        ("/magic-link/verify", json!({ "email": email, "otp": "123456" }), 100),
        (
            "/v1.0.1/auth/validate/registration",
            json!({ "otpSession": session, "otp": "123456" }),
            100,
        ),
        (
            "/v1.0.1/auth/reset/password",
            json!({ "otpSession": session, "otp": "123456", "newPassword": PASSWORD }),
            100,
        ),
        ("/v1.0.1/auth/logout", json!({ "refreshToken": console }), 100),
        (
            "/v1.0.1/auth/accept/invitation",
            json!({ "token": made_up(SecretKind::Invitation, number), "password": PASSWORD }),
            100,
        ),
        (
            "/v1.0.1/auth/authenticateAdmin",
            json!({ "adminToken": made_up(SecretKind::AdminToken, number) }),
            100,
        ),
    ]
}

/// Rows of the log, codes that wait and mails.
async fn written(app: &TestApp) -> usize {
    let query = "SELECT 'log' FROM log_entries UNION ALL SELECT 'code' FROM challenges
        UNION ALL SELECT 'mail' FROM mails";
    let rows = seed::rows(&app.database.options, query).await;
    let count = |kind: &str| rows.iter().filter(|it| it[0] == kind).count();
    // What one request writes of each kind is one row at most.
    count("log").max(count("code")).max(count("mail"))
}

async fn send(app: &TestApp, path: &str, body: &Value) -> u16 {
    app.request(Method::POST, path).from(ATTACKER).json(body).send().await.status.as_u16()
}

#[db_test]
async fn every_way_in_is_bounded_for_one_address(closed: Closed) {
    let Closed(first) = closed;
    let engine = first.app.store.engine();
    for (at, (path, _, most)) in ways_in(0).into_iter().enumerate() {
        let app = TestApp::on(engine).await;
        let mut refused = 0;
        for number in 0..FLOOD {
            let (path, body, _) = ways_in(number).swap_remove(at);
            refused += usize::from(send(&app, path, &body).await == 429);
        }
        let rows = written(&app).await;
        print_figure(&format!("{path}: {rows} of {FLOOD} written"));
        assert!(rows <= most, "{path}: {rows} written, {most} allowed");
        assert!(refused >= FLOOD as usize - most, "{path}: {refused} refused");
    }
}

/// Credentials that were made up, one after another.
async fn guess(app: &TestApp, number: u32) -> u16 {
    let key = format!("gk_live_{}", made_up(SecretKind::ConsoleRefresh, number));
    let pair = json!({ "api_key": key, "api_secret": "gs_live_x" });
    if number.is_multiple_of(2) {
        return send(app, "/auth/token", &pair).await;
    }
    let request = app.request(Method::POST, "/v1.0.1/auth/token").basic(&key, "gs_live_x");
    request.from(ATTACKER).send().await.status.as_u16()
}

#[db_test]
async fn refused_exchanges_of_one_address_are_30_a_minute_whatever_keys_it_makes_up(
    closed: Closed,
) {
    let Closed(app) = closed;
    let mut refused = 0;
    for number in 0..1_500 {
        refused += usize::from(guess(&app, number).await == 429);
    }
    print_figure(&format!("1500 made-up keys: {} entries", written(&app).await));
    assert_eq!((written(&app).await, refused), (30, 1_470));
    let other = app.request(Method::POST, "/v1.0.1/auth/token").basic("gk_live_x", "y");
    assert_eq!(other.from("192.0.2.9").send().await.status, 401, "another address");
    app.clock.advance(std::time::Duration::from_mins(1));
    assert_eq!(guess(&app, 1_501).await, 401);
}

#[db_test]
async fn without_limits_every_made_up_key_would_be_written_down(wide: Wide) {
    let Wide(app) = wide;
    for number in 0..200 {
        assert_eq!(guess(&app, number).await, 401);
    }
    assert_eq!(written(&app).await, 200);
}
