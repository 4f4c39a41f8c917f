//! One password guessed from many addresses: strangers are slowed down, the owner is not kept out
//! of devices that are known, and is told once. Nobody learns whether there is an account.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_service::identity::session::guard;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{PASSWORD, register};

const OWNER: &str = "grace@example.com";
const NOBODY: &str = "never@example.com";
const HOME: &str = "192.0.2.1";

/// An app with one account, whose owner signed in from home.
struct GuessingFixture(TestApp);

impl Fixture for GuessingFixture {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::parse("register=off,open=off").unwrap();
        let app =
            TestApp::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await;
        register(&app, OWNER).await;
        let fixture = Self(app);
        assert_eq!(fixture.try_from(HOME, OWNER, PASSWORD).await.status, 201);
        fixture
    }
}

impl GuessingFixture {
    async fn try_from(&self, address: &str, username: &str, password: &str) -> Answer {
        let body = json!({ "username": username, "password": password });
        let request = self.0.request(Method::POST, "/v1.0.1/auth/login").from(address);
        let request = request.header("x-request-id", "r-1").header("user-agent", "Phone/1");
        request.json(&body).send().await
    }

    /// Guesses, each from an address of its own; gives how many were looked at.
    async fn guess(&self, username: &str, times: u8) -> usize {
        let all = (0..times).map(|number| async move {
            let address = format!("198.51.100.{number}");
            self.try_from(&address, username, "Wrong-Guess-1999").await
        });
        let answers = futures_util::future::join_all(all).await;
        answers.iter().filter(|it| it.status == 401).count()
    }

    async fn mails(&self) -> Vec<Vec<String>> {
        guard::warn_owners(&self.0.app).await.unwrap();
        let query = "SELECT action, resource_name FROM log_entries WHERE action = 'session.warn'";
        seed::rows(&self.0.database.options, query).await
    }
}

/// All but the time.
fn seen(answer: &Answer) -> (u16, Value, Vec<String>) {
    let mut headers: Vec<String> =
        answer.headers.iter().map(|(name, value)| format!("{name}: {value:?}")).collect();
    headers.sort();
    (answer.status.as_u16(), answer.json(), headers)
}

#[db_test]
async fn of_a_hundred_guesses_from_anywhere_ten_are_looked_at(fixture: GuessingFixture) {
    assert_eq!(fixture.guess(OWNER, 100).await, 10);
    let stranger = fixture.try_from("203.0.113.99", OWNER, PASSWORD).await;
    assert_eq!(stranger.status, 429, "whoever it is, with whatever password");
    assert_eq!(stranger.header("retry-after"), Some("900"));
    assert_eq!(fixture.try_from(HOME, OWNER, PASSWORD).await.status, 201, "the owner's own device");
}

/// The control: one guess less, and the door stands open.
#[db_test]
async fn nine_failures_slow_nobody_down(fixture: GuessingFixture) {
    assert_eq!(fixture.guess(OWNER, 9).await, 9);
    assert_eq!(fixture.try_from("203.0.113.99", OWNER, PASSWORD).await.status, 201);
    assert_eq!(fixture.mails().await.len(), 0);
}

#[db_test]
async fn right_passwords_are_no_failures(fixture: GuessingFixture) {
    for number in 0..40 {
        let address = format!("203.0.113.{number}");
        assert_eq!(fixture.try_from(&address, OWNER, PASSWORD).await.status, 201);
    }
}

#[db_test]
async fn who_keeps_guessing_waits_longer(fixture: GuessingFixture) {
    for (minutes, looked_at) in [(0, 10), (14, 0), (1, 10), (15, 0), (15, 0), (15, 10), (15, 10)] {
        fixture.0.clock.advance(Duration::from_mins(minutes));
        assert_eq!(fixture.guess(OWNER, 20).await, looked_at, "after {minutes} minutes");
    }
    fixture.0.clock.advance(Duration::from_hours(1));
    assert_eq!(fixture.guess(OWNER, 20).await, 10, "fifty a day");
    fixture.0.clock.advance(Duration::from_hours(2));
    assert_eq!(fixture.guess(OWNER, 20).await, 0);
    fixture.0.clock.advance(Duration::from_hours(24));
    assert_eq!(fixture.guess(OWNER, 20).await, 10);
}

#[db_test]
async fn an_account_that_is_not_there_looks_the_same(fixture: GuessingFixture) {
    for number in 0..20 {
        let address = format!("198.51.100.{number}");
        let known = fixture.try_from(&address, OWNER, "Wrong-Guess-1999").await;
        let address = format!("203.0.113.{number}");
        let unknown = fixture.try_from(&address, NOBODY, "Wrong-Guess-1999").await;
        assert_eq!(seen(&known), seen(&unknown), "guess {number}");
        let expected = if number < 10 { 401 } else { 429 };
        assert_eq!(known.status, expected);
    }
}

#[db_test]
async fn another_device_at_home_is_a_stranger_and_a_mailed_link_makes_it_known(
    fixture: GuessingFixture,
) {
    let app = &fixture.0;
    fixture.guess(OWNER, 10).await;
    let from = |agent: &'static str| {
        let body = json!({ "username": OWNER, "password": PASSWORD });
        let request = app.request(Method::POST, "/v1.0.1/auth/login").from("203.0.113.5");
        request.header("user-agent", agent).json(&body)
    };
    assert_eq!(from("Tablet/2").send().await.status, 429);
    app.post("/magic-link", &json!({ "email": OWNER })).await;
    let token = app.mailed_token(OWNER).await;
    let request = app.request(Method::POST, "/magic-link/verify").from("203.0.113.5");
    let proof = json!({ "token": token });
    let signed_in = request.header("user-agent", "Tablet/2").json(&proof).send().await;
    assert_eq!(signed_in.status, 200);
    assert_eq!(from("Tablet/2").send().await.status, 201);
    assert_eq!(from("Curl/8").send().await.status, 429, "another agent");
}

#[db_test]
async fn the_owner_is_told_once(fixture: GuessingFixture) {
    fixture.guess(OWNER, 20).await;
    fixture.guess(NOBODY, 20).await;
    let told = [["session.warn", "Ada Lovelace"]];
    assert_eq!(fixture.mails().await, told);
    let mail = fixture.0.newest_mail(OWNER).await;
    assert!(mail.contains("Failed sign-ins to your Grantor account"), "{mail}");
    fixture.0.clock.advance(Duration::from_mins(15));
    fixture.guess(OWNER, 20).await;
    assert_eq!(fixture.mails().await, told, "once a day");
}

#[db_test]
async fn a_browser_is_known_wherever_it_is(fixture: GuessingFixture) {
    let app = &fixture.0;
    let sign_in = |address: &'static str, cookie: Option<String>| {
        let form = "username=grace%40example.com&password=Analytical-Engine-1843";
        let request = app.request(Method::POST, "/app/sign-in").from(address);
        let request = request.header("sec-fetch-site", "same-origin").header("user-agent", "B/1");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = match &cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        };
        request.body(form).send()
    };
    let first = sign_in("192.0.2.50", None).await;
    let cookies = first.headers.get_all("set-cookie").iter().map(|it| it.to_str().unwrap());
    let device = cookies.into_iter().find(|it| it.starts_with("__Host-grantor-device=gdv_"));
    let device = device.expect("a cookie for the device").split(';').next().unwrap().to_owned();
    fixture.guess(OWNER, 10).await;
    assert_eq!(sign_in("203.0.113.60", None).await.status, 429);
    assert_eq!(sign_in("203.0.113.60", Some(device)).await.status, 303);
    let forged = "__Host-grantor-device=gdv_forged".to_owned();
    assert_eq!(sign_in("203.0.113.61", Some(forged)).await.status, 429);
}
