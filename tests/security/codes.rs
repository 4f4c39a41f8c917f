//! Six digits guessed by the hundred: no more are looked at than section 27 of the contract allows,
//! and what is mailed beside them works whatever was guessed.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::{Value, json};

use super::{PASSWORD, print_figure, register};

const OWNER: &str = "grace@example.com";
const NEWCOMER: &str = "newcomer@example.com";
const NEW: &str = "Difference-Engine-1822";

/// An app whose other limits are not in the way; without the bounds of codes as the control.
struct CodesFixture(TestApp);
struct Unbounded(TestApp);

async fn test_app(engine: Engine, limits: &str) -> TestApp {
    let limits = Limits::parse(limits).unwrap();
    let app = TestApp::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await;
    register(&app, OWNER).await;
    app
}

const OTHERS: &str = "register=off,open=off,anonymous=off,magic_link=off,password_reset=off,\
                      mail_request=off,mail_sender=off,mail_recipient=off";

impl Fixture for CodesFixture {
    async fn on(engine: Engine) -> Self {
        Self(test_app(engine, OTHERS).await)
    }
}

impl Fixture for Unbounded {
    async fn on(engine: Engine) -> Self {
        Self(test_app(engine, &format!("{OTHERS},codes=off,account_codes=off")).await)
    }
}

async fn post_from(app: &TestApp, address: &str, path: &str, body: &Value) -> Answer {
    let request = app.request(Method::POST, path).from(address).header("x-request-id", "r-1");
    request.json(body).send().await
}

/// A code that is not this one.
fn another(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// One way in by code: asks for a mail, and enters a code from an address.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Reset,
    MagicLink,
    Registration,
}

/// What was mailed, and what names the session it belongs to.
struct Mailed {
    session: Value,
    code: String,
    /// The long token; a registration has none.
    token: Option<String>,
}

impl Way {
    const ALL: [Self; 3] = [Self::Reset, Self::MagicLink, Self::Registration];
    const WITH_LINK: [Self; 2] = [Self::Reset, Self::MagicLink];

    async fn ask(self, app: &TestApp) -> Mailed {
        // Mails sent at the same time have no order.
        app.clock.advance(Duration::from_millis(5));
        let (path, email) = match self {
            Self::Reset => ("/v1.0.1/auth/forgot/password", OWNER),
            Self::MagicLink => ("/magic-link", OWNER),
            Self::Registration => ("/v1.0.1/auth/m/register", NEWCOMER),
        };
        let mut body = json!({ "email": email });
        if self == Self::Registration {
            (body["fullname"], body["password"]) = (json!("Ada King"), json!(PASSWORD));
        }
        let begun = app.post(path, &body).await;
        let session = begun.json()["data"]["otpSession"].clone();
        let (code, mail) = (app.mailed_code(email).await, app.newest_mail(email).await);
        let token = mail.split("?token=").nth(1).map(|rest| {
            rest.chars().take_while(|it| it.is_ascii_alphanumeric() || *it == '_').collect()
        });
        Mailed { session, code, token }
    }

    async fn enter(self, app: &TestApp, from: &str, session: &Value, code: &str) -> Answer {
        let (path, body) = match self {
            Self::Reset => (
                "/v1.0.1/auth/reset/password",
                json!({ "otpSession": session, "otp": code, "newPassword": NEW }),
            ),
            Self::MagicLink => ("/magic-link/verify", json!({ "email": OWNER, "otp": code })),
            Self::Registration => {
                let body = json!({ "otpSession": session, "otp": code });
                ("/v1.0.1/auth/validate/registration", body)
            }
        };
        post_from(app, from, path, &body).await
    }

    async fn follow(self, app: &TestApp, token: &str) -> Answer {
        match self {
            Self::Reset => {
                let body = json!({ "token": token, "newPassword": NEW });
                app.post("/v1.0.1/auth/reset/password", &body).await
            }
            _ => app.post("/magic-link/verify", &json!({ "token": token })).await,
        }
    }

    /// Asks for a fresh mail and enters what is in it.
    async fn enter_right(self, app: &TestApp, from: &str) -> Answer {
        let Mailed { session, code, .. } = self.ask(app).await;
        self.enter(app, from, &session, &code).await
    }

    /// The same with another code.
    async fn enter_wrong(self, app: &TestApp, from: &str) -> Answer {
        let Mailed { session, code, .. } = self.ask(app).await;
        self.enter(app, from, &session, &another(&code)).await
    }

    /// Where guesses come from: from many addresses, but for a registration. There is no account
    /// yet, so its codes count for the address alone (contract section 27).
    fn guesser(self, round: u16) -> String {
        let round = if self == Self::Registration { 0 } else { round };
        format!("198.51.100.{round}")
    }

    /// Guesses, asking for a fresh mail after each fifth.
    async fn guess(self, app: &TestApp, times: u16) {
        for round in 0..times.div_ceil(5) {
            let Mailed { session, code, .. } = self.ask(app).await;
            for _ in 0..5 {
                let wrong = self.enter(app, &self.guesser(round), &session, &another(&code)).await;
                assert!(wrong.status.is_client_error(), "{}", wrong.status);
            }
        }
    }
}

#[db_test]
async fn after_300_wrong_codes_the_right_one_is_refused_as_a_wrong_one(fixture: CodesFixture) {
    let app = &fixture.0;
    for way in Way::ALL {
        way.guess(app, 300).await;
        let right = way.enter_right(app, &way.guesser(99)).await;
        let wrong = way.enter_wrong(app, "192.0.2.2").await;
        assert_eq!(right.whole(), wrong.whole(), "{way:?}");
        app.clock.advance(Duration::from_hours(24));
        let later = way.enter_right(app, &way.guesser(99)).await;
        assert!(later.status.is_success(), "{way:?}: {}", later.json());
    }
}

#[db_test]
async fn the_long_link_works_whatever_was_guessed(fixture: CodesFixture) {
    let app = &fixture.0;
    for way in Way::WITH_LINK {
        way.guess(app, 300).await;
        let [before, newest] = [way.ask(app).await, way.ask(app).await].map(|it| it.token.unwrap());
        assert!(way.follow(app, &before).await.status.is_client_error(), "it was replaced");
        assert!(way.follow(app, &newest).await.status.is_success(), "{way:?}: the link works");
    }
}

/// The control: without the bounds the same guesses leave the right code working.
#[db_test]
async fn without_the_bounds_the_right_code_would_work(fixture: Unbounded) {
    let app = &fixture.0;
    for way in Way::ALL {
        way.guess(app, 300).await;
        let right = way.enter_right(app, &way.guesser(99)).await;
        assert!(right.status.is_success(), "{way:?}");
    }
    print_figure("codes: 300 wrong ones in a row, then the right one: accepted without the bounds");
}

#[db_test]
async fn one_address_has_twenty_wrong_codes_an_hour(fixture: CodesFixture) {
    let app = &fixture.0;
    let codes = |from: &'static str, number: u32| async move {
        let body = json!({ "email": format!("a{number}@example.com"), "otp": "000000" });
        post_from(app, from, "/magic-link/verify", &body).await
    };
    for number in 0..20 {
        assert_eq!(codes("198.51.100.9", number).await.status, 401);
    }
    let Mailed { session, code, .. } = Way::Reset.ask(app).await;
    let refused = Way::Reset.enter(app, "198.51.100.9", &session, &code).await;
    assert_eq!(refused.json()["error"]["code"], "INVALID_OTP", "though it is the right one");
    let elsewhere = Way::Reset.enter(app, "198.51.100.8", &session, &code).await;
    assert_eq!(elsewhere.status, 201, "the account was not counted");
    app.clock.advance(Duration::from_hours(1));
    let Mailed { session, code, .. } = Way::Reset.ask(app).await;
    assert_eq!(Way::Reset.enter(app, "198.51.100.9", &session, &code).await.status, 201);
}

#[db_test]
async fn a_registration_has_the_bound_of_the_address_too(fixture: CodesFixture) {
    let app = &fixture.0;
    let begin = |number: u32| async move {
        let email = format!("new{number}@example.com");
        let body = json!({ "fullname": "Ada King", "email": email, "password": PASSWORD });
        let begun = app.post("/v1.0.1/auth/m/register", &body).await;
        (begun.json()["data"]["otpSession"].clone(), app.mailed_code(&email).await)
    };
    let prove = |session: Value, otp: String, from: &'static str| async move {
        let body = json!({ "otpSession": session, "otp": otp });
        post_from(app, from, "/v1.0.1/auth/validate/registration", &body).await
    };
    for number in 0..4 {
        let (session, code) = begin(number).await;
        for _ in 0..5 {
            let wrong = prove(session.clone(), another(&code), "198.51.100.9").await;
            assert_eq!(wrong.json()["error"]["code"], "INVALID_OTP");
        }
    }
    let (session, code) = begin(9).await;
    let refused = prove(session.clone(), code.clone(), "198.51.100.9").await;
    assert_eq!(refused.json()["error"]["code"], "INVALID_OTP", "the 21st of an hour");
    assert_eq!(prove(session, code, "198.51.100.8").await.status, 201);
}

#[db_test]
async fn of_a_hundred_codes_at_once_ten_count(fixture: CodesFixture) {
    let app = &fixture.0;
    let codes = (0..100).map(|number| async move {
        let from = format!("198.51.100.{number}");
        let body = json!({ "email": OWNER, "otp": "000000" });
        post_from(app, &from, "/magic-link/verify", &body).await.status
    });
    let statuses = futures_util::future::join_all(codes).await;
    assert!(statuses.iter().all(|it| *it == 401));
    let Mailed { code, token, .. } = Way::MagicLink.ask(app).await;
    let right = Way::MagicLink.enter(app, "192.0.2.1", &Value::Null, &code).await;
    assert_eq!(right.status, 401, "the ten of the day are used up");
    assert_eq!(Way::MagicLink.follow(app, &token.unwrap()).await.status, 200);
}

#[db_test]
async fn right_codes_do_not_count(fixture: CodesFixture) {
    let app = &fixture.0;
    for _ in 0..25 {
        let Mailed { session, code, .. } = Way::Reset.ask(app).await;
        assert_eq!(Way::Reset.enter(app, "192.0.2.1", &session, &code).await.status, 201);
    }
}
