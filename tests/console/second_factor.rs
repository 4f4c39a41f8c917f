//! `code` of `/auth/login` and `/magic-link/verify`: asked for only after the first factor was right.

use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{PASSWORD, access, account, faults, refused};
use crate::web::factor::{NEXT_CODE, PhoneApp, give_app};

const ADA: &str = "ada@example.com";
const LOGIN: &str = "/v1.0.1/auth/login";
const VERIFY: &str = "/magic-link/verify";

/// An account with an authenticator app; without limits on its codes as the control.
struct Guarded {
    app: TestApp,
    phone: PhoneApp,
    recovery_codes: Vec<String>,
}
struct Unbounded(Guarded);

impl Guarded {
    async fn with_limits(engine: Engine, limits: &str) -> Self {
        let limits = Limits::parse(limits).unwrap();
        let config = TestConfig { limits, ..TestConfig::default() };
        let app = TestApp::with_config(engine, config).await;
        assert_eq!(account(&app, ADA, "Babbage Talent").await.status, 201);
        let (phone, recovery_codes) = give_app(&app, ADA).await;
        app.clock.advance(NEXT_CODE);
        Self { app, phone, recovery_codes }
    }

    async fn login(&self, password: &str, code: Option<&str>) -> Answer {
        self.app.post(LOGIN, &credentials(password, code)).await
    }

    /// Signs in from a device that Ada has never used.
    async fn login_from_afar(&self, code: &str) -> Answer {
        let request = self.app.request(Method::POST, LOGIN).from("198.51.100.7");
        request.json(&credentials(PASSWORD, Some(code))).send().await
    }

    fn code(&self) -> String {
        self.phone.code(&self.app)
    }

    /// Ten wrong codes from a device that Ada has never used.
    async fn guess(&self) {
        for _ in 0..10 {
            let wrong = self.phone.wrong_code(&self.app);
            assert_eq!(self.login_from_afar(&wrong).await.whole(), incorrect());
        }
    }
}

impl Fixture for Guarded {
    async fn on(engine: Engine) -> Self {
        Self::with_limits(engine, "login=off,register=off").await
    }
}

impl Fixture for Unbounded {
    async fn on(engine: Engine) -> Self {
        let limits = "login=off,register=off,second_factor=off,codes=off";
        Self(Guarded::with_limits(engine, limits).await)
    }
}

fn credentials(password: &str, code: Option<&str>) -> Value {
    let mut body = json!({ "username": ADA, "password": password });
    if let Some(code) = code {
        body["code"] = json!(code);
    }
    body
}

fn needed() -> (u16, Value) {
    let message = "This account has a second factor; enter a code from your authenticator app or \
                   a recovery code";
    (401, refused("SECOND_FACTOR_REQUIRED", message))
}

fn incorrect() -> (u16, Value) {
    (400, refused("INVALID_OTP", "The code is incorrect"))
}

#[db_test]
async fn it_is_asked_for_only_after_the_right_password(guarded: Guarded) {
    let wrong = (401, refused("INVALID_CREDENTIALS", "The username or password is incorrect"));
    let code = guarded.code();
    assert_eq!(guarded.login("Wrong-1843-x", None).await.whole(), wrong);
    assert_eq!(guarded.login("Wrong-1843-x", Some(&code)).await.whole(), wrong);
    assert_eq!(guarded.login(PASSWORD, None).await.whole(), needed());
    let malformed = guarded.login(PASSWORD, Some("12345")).await;
    let message = "must be the 6 digits of your authenticator app, or a recovery code";
    assert_eq!(faults(&malformed), (400, json!({ "code": message })));
    let answer = guarded.login(PASSWORD, Some(&code)).await;
    assert_eq!(answer.status, 201);
    let token = access(&answer.json()["data"]);
    let request = guarded.app.request(Method::GET, "/v1.0.1/user/profile").console(&token);
    assert_eq!(request.send().await.status, 200);
    assert_eq!(guarded.login(PASSWORD, Some(&code)).await.whole(), incorrect(), "again");
    let recovery = &guarded.recovery_codes[0];
    assert_eq!(guarded.login(PASSWORD, Some(recovery)).await.status, 201);
    assert_eq!(guarded.login(PASSWORD, Some(recovery)).await.whole(), incorrect(), "again");
}

#[db_test]
async fn of_many_guesses_ten_are_compared(guarded: Guarded) {
    guarded.guess().await;
    let code = guarded.code();
    assert_eq!(guarded.login_from_afar(&code).await.whole(), incorrect(), "though it is right");
    assert_eq!(guarded.login(PASSWORD, Some(&code)).await.status, 201, "from a known device");
    let recovery = &guarded.recovery_codes[0];
    assert_eq!(guarded.login_from_afar(recovery).await.status, 201, "too long to be guessed");
}

#[db_test]
async fn without_the_bounds_the_right_code_would_work(Unbounded(guarded): Unbounded) {
    guarded.guess().await;
    assert_eq!(guarded.login_from_afar(&guarded.code()).await.status, 201);
}

#[db_test]
async fn wrong_passwords_use_up_no_codes(guarded: Guarded) {
    for _ in 0..9 {
        let code = guarded.phone.wrong_code(&guarded.app);
        let body = credentials("Wrong-1843-x", Some(&code));
        let request = guarded.app.request(Method::POST, LOGIN).from("198.51.100.7");
        assert_eq!(request.json(&body).send().await.status, 401);
    }
    assert_eq!(guarded.login_from_afar(&guarded.code()).await.status, 201);
}

#[db_test]
async fn a_mailed_code_stays_valid_until_both_are_right(guarded: Guarded) {
    let app = &guarded.app;
    assert_eq!(app.post("/magic-link", &json!({ "email": ADA })).await.status, 202);
    let otp = app.mailed_code(ADA).await;
    let told = |answer: Answer| {
        (answer.status.as_u16(), answer.json()["error"]["code"].as_str().unwrap_or("").to_owned())
    };
    let mut body = json!({ "email": ADA, "otp": otp });
    let needed = (401, "SECOND_FACTOR_REQUIRED".to_owned());
    assert_eq!(told(app.post(VERIFY, &body).await), needed);
    body["code"] = json!(guarded.phone.wrong_code(app));
    assert_eq!(told(app.post(VERIFY, &body).await), (400, "INVALID_OTP".to_owned()));
    body["code"] = json!(guarded.code());
    let other = json!({ "email": ADA, "otp": "000000", "code": body["code"] });
    if otp != "000000" {
        let refused = (401, "INVALID_CREDENTIALS".to_owned());
        assert_eq!(told(app.post(VERIFY, &other).await), refused);
    }
    assert_eq!(app.post(VERIFY, &body).await.status, 200);
    assert_eq!(app.post("/magic-link", &json!({ "email": ADA })).await.status, 202);
    let token = app.mailed_token(ADA).await;
    assert_eq!(told(app.post(VERIFY, &json!({ "token": token })).await), needed);
    let body = json!({ "token": token, "code": guarded.recovery_codes[0] });
    assert_eq!(app.post(VERIFY, &body).await.status, 200);
}

#[db_test]
async fn where_one_is_required_it_is_set_up_in_the_console(guarded: Guarded) {
    let app = &guarded.app;
    account(app, "mary@example.com", "Somerville & Co").await;
    let own = access(&app.sign_in("mary@example.com", PASSWORD).await);
    let options = &app.database.options;
    seed::join(options, "mary@example.com", "Babbage Talent", "Team_Member").await;
    let script = "UPDATE tenants SET requires_second_factor = 1 = 1 WHERE name = 'Babbage Talent'";
    seed::run(options, script.to_owned()).await;
    let message = "Babbage Talent requires a second factor; sign in to the console to set one up";
    let must = (401, refused("SECOND_FACTOR_REQUIRED", message));
    let body = json!({ "username": "mary@example.com", "password": PASSWORD });
    assert_eq!(app.post(LOGIN, &body).await.whole(), must);
    let request = app.request(Method::GET, "/v1.0.1/user/profile").console(&own);
    let profile = request.send().await.json();
    let all = profile["data"]["organizations"].as_array().unwrap();
    let there = all.iter().find(|it| it["organizationName"] == "Babbage Talent").unwrap();
    let body = json!({ "organizationId": there["organizationId"] });
    let request = app.request(Method::POST, "/v1.0.1/auth/switch").console(&own).json(&body);
    assert_eq!(request.send().await.whole(), must);
}
