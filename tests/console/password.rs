//! `/auth/forgot/password`, `/auth/reset/password`.

use std::time::Duration;

use grantor_api::{Api, openapi};
use grantor_testkit::app::{Answer, TestApp};
use grantor_testkit::document::Document;
use grantor_testkit::{db_test, seed};
use http::{HeaderMap, Method};
use serde_json::{Value, json};

use super::{Home, PASSWORD, PROFILE, access, entered, faults, prove, refusal, refused};

const ADA: &str = "ada@example.com";
const NEW: &str = "Difference-Engine-1822";
const ENDED: &str = "This session is invalid or has expired; start again";

async fn forgot(app: &TestApp, email: &str) -> Answer {
    app.post("/v1.0.1/auth/forgot/password", &json!({ "email": email })).await
}

/// Asks for a code; gives the session and the code.
async fn begin(app: &TestApp) -> (Value, String) {
    let begun = forgot(app, ADA).await;
    (begun.json()["data"]["otpSession"].clone(), app.mailed_code(ADA).await)
}

async fn reset(app: &TestApp, session: &Value, code: &str, password: &str) -> Answer {
    let body = json!({ "otpSession": session, "otp": code, "newPassword": password });
    app.post("/v1.0.1/auth/reset/password", &body).await
}

async fn resend(app: &TestApp, session: &Value) -> Answer {
    let path = format!("/v1.0.1/auth/resend/otp/{}", session.as_str().unwrap());
    app.request(Method::PUT, &path).send().await
}

/// A code that is not this one.
fn another(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// The headers that say something of the answer, not of the request.
fn said(answer: &Answer) -> HeaderMap {
    let mut headers = answer.headers.clone();
    headers.remove("x-request-id");
    headers
}

/// A refusal as a whole, but for the count of the address it went to.
fn whole_refusal(answer: &Answer) -> (u16, Value, HeaderMap) {
    let mut headers = said(answer);
    headers.remove("x-ratelimit-remaining");
    (answer.status.as_u16(), answer.json(), headers)
}

#[db_test]
async fn a_forgotten_password_is_replaced(home: Home) {
    let app = &home.app;
    let begun = forgot(app, ADA).await;
    let session = begun.json()["data"]["otpSession"].clone();
    let data = json!({ "otpSession": session, "email": ADA, "expiresIn": 300 });
    let message = "If there is an account with this email address, we emailed a code to it";
    let body = json!({ "data": data, "message": message, "status": "success" });
    assert_eq!(begun.whole(), (201, body));
    let code = app.mailed_code(ADA).await;
    let done = reset(app, &session, &code, NEW).await;
    let message = "Password changed. All your sessions have ended.";
    assert_eq!(done.whole(), (201, json!({ "message": message, "status": "success" })));
    assert_eq!(app.sign_in(ADA, PASSWORD).await, Value::Null, "the old one is refused");
    assert!(app.sign_in(ADA, NEW).await["accessToken"].is_string());
}

#[db_test]
async fn an_address_without_an_account_hears_the_same(home: Home) {
    let app = &home.app;
    let (known, unknown) = (forgot(app, ADA).await, forgot(app, "bob@example.com").await);
    let form = |answer: &Answer| {
        let mut body = answer.json();
        let session = body["data"]["otpSession"].take();
        (answer.status, said(answer), session.as_str().unwrap().len(), body)
    };
    let mut expected = form(&known);
    expected.3["data"]["email"] = json!("bob@example.com");
    assert_eq!(form(&unknown), expected);
    let wrong = |it: &Answer| it.json()["data"]["otpSession"].clone();
    let code = another(&app.mailed_code(ADA).await);
    let known = reset(app, &wrong(&known), &code, NEW).await;
    let unknown = reset(app, &wrong(&unknown), &code, NEW).await;
    assert_eq!(whole_refusal(&known), whole_refusal(&unknown));
    assert_eq!(refusal(&unknown), (400, "INVALID_OTP".to_owned()));
    let mail = app.newest_mail("bob@example.com").await;
    assert!(
        mail.contains("There is no account with this address") && !mail.contains("\r\n    "),
        "{mail}"
    );
}

#[db_test]
async fn every_fault_is_named(home: Home) {
    let app = &home.app;
    let empty = app.post("/v1.0.1/auth/forgot/password", &json!({})).await;
    assert_eq!(faults(&empty), (400, json!({ "email": "is required" })));
    assert_eq!(faults(&forgot(app, "no address").await).0, 400);
    let empty = app.post("/v1.0.1/auth/reset/password", &json!({})).await;
    let required = "is required";
    let details = json!({ "newPassword": required, "otp": required, "otpSession": required });
    assert_eq!(faults(&empty), (400, details));
    let (session, _) = begin(app).await;
    for code in ["12345", "1234567", "abcdef"] {
        let answer = reset(app, &session, code, NEW).await;
        assert_eq!(faults(&answer), (400, json!({ "otp": "must be 6 digits" })), "{code}");
    }
    for stranger in ["gos_nonsense", "x"] {
        let answer = reset(app, &json!(stranger), "123456", NEW).await;
        assert_eq!(answer.whole(), (400, refused("INVALID_SESSION", ENDED)), "{stranger}");
    }
}

#[db_test]
async fn a_code_lives_300_seconds(home: Home) {
    let (session, code) = begin(&home.app).await;
    home.app.clock.advance(Duration::from_mins(5));
    let late = reset(&home.app, &session, &code, NEW).await;
    let message = "The code has expired; request a new one";
    assert_eq!(late.whole(), (401, refused("OTP_EXPIRED", message)));
    let (session, code) = begin(&home.app).await;
    home.app.clock.advance(Duration::from_secs(299));
    assert_eq!(reset(&home.app, &session, &code, NEW).await.status, 201);
}

#[db_test]
async fn the_fifth_wrong_code_ends_the_session(home: Home) {
    let (session, code) = begin(&home.app).await;
    let message = "The code is incorrect";
    for _ in 0..5 {
        let wrong = reset(&home.app, &session, &another(&code), NEW).await;
        assert_eq!(wrong.whole(), (400, refused("INVALID_OTP", message)));
    }
    let expected = (400, refused("INVALID_SESSION", ENDED));
    assert_eq!(reset(&home.app, &session, &code, NEW).await.whole(), expected);
    home.app.clock.advance(Duration::from_mins(1));
    assert_eq!(resend(&home.app, &session).await.whole(), expected);
    assert!(home.app.sign_in(ADA, PASSWORD).await["accessToken"].is_string());
}

/// Chooses another password by the mail's link.
async fn follow(app: &TestApp, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "newPassword": password });
    app.post("/v1.0.1/auth/reset/password", &body).await
}

#[db_test]
async fn the_link_in_the_mail_replaces_the_password_too(home: Home) {
    let app = &home.app;
    begin(app).await;
    let token = app.mailed_token(ADA).await;
    assert!(token.starts_with("grl_"), "{token}");
    for _ in 0..3 {
        assert_eq!(app.get(&format!("/app/reset?token={token}")).await.status, 200, "no use");
    }
    assert_eq!(faults(&follow(app, &token, "weak").await).0, 400, "no use either");
    let message = "Password changed. All your sessions have ended.";
    let done = json!({ "message": message, "status": "success" });
    assert_eq!(follow(app, &token, NEW).await.whole(), (201, done));
    assert!(app.sign_in(ADA, NEW).await["accessToken"].is_string());
    let ended = (400, refused("INVALID_SESSION", ENDED));
    assert_eq!(follow(app, &token, NEW).await.whole(), ended, "once");
    assert_eq!(follow(app, "grl_nonsense", NEW).await.whole(), ended);
}

#[db_test]
async fn the_link_outlives_the_code_and_wrong_codes(home: Home) {
    let app = &home.app;
    let (session, code) = begin(app).await;
    let token = app.mailed_token(ADA).await;
    for _ in 0..6 {
        reset(app, &session, &another(&code), NEW).await;
    }
    app.clock.advance(Duration::from_secs(899));
    assert_eq!(follow(app, &token, NEW).await.status, 201);
    app.clock.advance(Duration::from_secs(1));
    begin(app).await;
    let token = app.mailed_token(ADA).await;
    app.clock.advance(Duration::from_mins(15));
    let message = "The link has expired; request a new one";
    assert_eq!(follow(app, &token, NEW).await.whole(), (401, refused("OTP_EXPIRED", message)));
}

/// The document tells exactly which bodies are refused by their form.
#[db_test]
async fn a_body_is_one_of_the_documented_forms(home: Home) {
    let app = &home.app;
    let document = openapi::document(Api::Console, "https://grantor.test", "grantor");
    let document = Document::new(serde_json::to_value(document).unwrap());
    let schema = json!({ "$ref": "#/components/schemas/Reset" });
    let (session, code, token) = ("os_1", "123456", "grl_1");
    for (form, fits) in [
        (json!({ "token": token }), true),
        (json!({ "token": token, "otp": null, "otpSession": "" }), true),
        (json!({ "otp": code, "otpSession": session }), true),
        (json!({ "otp": code, "otpSession": session, "token": "" }), true),
        (json!({ "otp": code, "otpSession": session, "token": token }), false),
        (json!({ "token": token, "otp": code }), false),
        (json!({ "token": token, "otp": 5 }), false),
        (json!({ "token": token, "otpSession": session }), false),
        (json!({ "otp": code, "otpSession": session, "token": 5 }), false),
        (json!({ "token": "" }), false),
        (json!({ "otp": code }), false),
    ] {
        let mut body = form;
        body["newPassword"] = json!(NEW);
        assert_eq!(document.faults(&schema, &body).is_empty(), fits, "{body}");
        let answer = app.post("/v1.0.1/auth/reset/password", &body).await;
        let expected = if fits { "INVALID_SESSION" } else { "VALIDATION_ERROR" };
        assert_eq!(answer.json()["error"]["code"], expected, "{body}");
    }
}

#[db_test]
async fn code_and_link_are_not_sent_together(home: Home) {
    let app = &home.app;
    let (session, code) = begin(app).await;
    let token = app.mailed_token(ADA).await;
    let body = json!({ "otpSession": session, "otp": code, "token": token, "newPassword": NEW });
    let both = app.post("/v1.0.1/auth/reset/password", &body).await;
    let message = "Send either otpSession and otp, or token";
    assert_eq!(both.whole(), (400, refused("VALIDATION_ERROR", message)));
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(resend(app, &session).await.status, 200);
    assert_eq!(follow(app, &token, NEW).await.status, 400, "another was mailed since");
    app.mailed_code(ADA).await;
    assert_eq!(follow(app, &app.mailed_token(ADA).await, NEW).await.status, 201);
}

#[db_test]
async fn a_session_does_only_what_it_was_begun_for(home: Home) {
    let app = &home.app;
    let begun = app.post("/v1.0.1/auth/register", &entered("b@example.com", "Waiting")).await;
    let registration = begun.json()["data"]["otpSession"].clone();
    let registration_code = app.mailed_code("b@example.com").await;
    let (session, code) = begin(app).await;
    let expected = (400, refused("INVALID_SESSION", ENDED));
    for _ in 0..6 {
        let answer = reset(app, &registration, &registration_code, NEW).await;
        assert_eq!(answer.whole(), expected, "a registration does not reset");
        assert_eq!(prove(app, &session, &code).await.whole(), expected, "nor the other way");
    }
    assert_eq!(prove(app, &registration, &registration_code).await.status, 201);
    assert_eq!(reset(app, &session, &code, NEW).await.status, 201, "neither lost a try");
}

#[db_test]
async fn another_code_can_be_sent(home: Home) {
    let app = &home.app;
    let (session, first) = begin(app).await;
    let soon = resend(app, &session).await;
    assert_eq!((soon.status.as_u16(), soon.header("retry-after")), (429, Some("60")));
    app.clock.advance(Duration::from_mins(1));
    let data = json!({ "otpSession": session, "email": ADA, "expiresIn": 300 });
    let message = "We emailed you a new code. The previous code no longer works.";
    let body = json!({ "data": data, "message": message, "status": "success" });
    assert_eq!(resend(app, &session).await.whole(), (200, body));
    let second = app.mailed_code(ADA).await;
    assert_eq!(refusal(&reset(app, &session, &first, NEW).await).1, "INVALID_OTP");
    app.clock.advance(Duration::from_secs(299));
    assert_eq!(reset(app, &session, &second, NEW).await.status, 201, "its time began anew");
}

#[db_test]
async fn a_weak_password_costs_no_try(home: Home) {
    let (session, code) = begin(&home.app).await;
    for weak in ["short", "all-lower-case-1", "NO-LOWER-CASE-1", "No-Digit", "x", "y"] {
        let (status, details) = faults(&reset(&home.app, &session, &code, weak).await);
        let fields: Vec<String> = details.as_object().unwrap().keys().cloned().collect();
        assert_eq!((status, fields.join(" ")), (400, "newPassword".to_owned()), "{weak}");
    }
    assert_eq!(reset(&home.app, &session, &code, NEW).await.status, 201);
}

#[db_test]
async fn a_reset_ends_every_session_and_token_at_once(home: Home) {
    let app = &home.app;
    let other = app.sign_in(ADA, PASSWORD).await;
    let tokens = [home.token.clone(), access(&other)];
    for token in &tokens {
        assert_eq!(home.send_as(token, Method::GET, PROFILE, None).await.status, 200);
    }
    let (session, code) = begin(app).await;
    assert_eq!(reset(app, &session, &another(&code), NEW).await.status, 400);
    assert_eq!(home.send(Method::GET, PROFILE, None).await.status, 200, "a wrong code ends none");
    assert_eq!(reset(app, &session, &code, NEW).await.status, 201);
    let expected = (401, refused("UNAUTHORIZED", "The access token is not valid"));
    for token in &tokens {
        let answer = home.send_as(token, Method::GET, PROFILE, None).await;
        assert_eq!(answer.whole(), expected);
    }
    let body = json!({ "refreshToken": other["refreshToken"] });
    assert_eq!(app.post("/v1.0.1/auth/refresh/token", &body).await.status, 401);
}

#[db_test]
async fn a_code_works_once_and_only_the_last_one(home: Home) {
    let app = &home.app;
    let (before, dead) = begin(app).await;
    app.clock.advance(Duration::from_secs(1));
    let (session, code) = begin(app).await;
    let expected = (400, refused("INVALID_SESSION", ENDED));
    assert_eq!(reset(app, &before, &dead, NEW).await.whole(), expected, "asked for again");
    assert_eq!(reset(app, &session, &code, NEW).await.status, 201);
    let again = reset(app, &session, &code, "Jacquards-Loom-1804").await;
    assert_eq!(again.whole(), expected);
    assert!(app.sign_in(ADA, NEW).await["accessToken"].is_string());
}

#[db_test]
async fn of_64_right_codes_at_once_one_wins(home: Home) {
    let app = &home.app;
    let (session, code) = begin(app).await;
    let password = |number: usize| format!("Analytical-Engine-of-{number}");
    let passwords: Vec<String> = (0..64).map(password).collect();
    let all = passwords.iter().map(|it| reset(app, &session, &code, it));
    let answers = futures_util::future::join_all(all).await;
    let won: Vec<usize> = (0..64).filter(|it| answers[*it].status == 201).collect();
    assert_eq!(won.len(), 1);
    assert!(app.sign_in(ADA, &passwords[won[0]]).await["accessToken"].is_string());
}

#[db_test]
async fn a_reset_holds_whatever_else_happens_at_once(home: Home) {
    let app = &home.app;
    let (session, code) = begin(app).await;
    let profile = || home.send(Method::PATCH, PROFILE, Some(json!({ "bio": "Mathematician" })));
    let changes = futures_util::future::join_all((0..64).map(|_| profile()));
    let sign_ins = futures_util::future::join_all((0..16).map(|_| app.sign_in(ADA, PASSWORD)));
    let done = reset(app, &session, &code, NEW);
    let (_, before, done) = futures_util::future::join3(changes, sign_ins, done).await;
    assert_eq!(done.status, 201);
    assert_eq!(app.sign_in(ADA, PASSWORD).await, Value::Null, "the old password stays dead");
    assert!(app.sign_in(ADA, NEW).await["accessToken"].is_string());
    for data in before.iter().filter(|it| it.is_object()) {
        let answer = home.send_as(&access(data), Method::GET, PROFILE, None).await;
        assert_eq!(answer.status, 401, "and so does all it opened");
    }
}

#[db_test]
async fn five_codes_an_hour_for_each_address(home: Home) {
    let app = &home.app;
    for (email, left) in [(ADA, "4"), ("ADA@Example.com", "3"), (ADA, "2"), (ADA, "1"), (ADA, "0")]
    {
        let sent = forgot(app, email).await;
        let told = ["x-ratelimit-limit", "x-ratelimit-remaining"].map(|it| sent.header(it));
        assert_eq!((sent.status.as_u16(), told), (201, [Some("5"), Some(left)]));
    }
    app.clock.advance(Duration::from_secs(3_599));
    let sixth = forgot(app, ADA).await;
    let message = "Too many requests; try again later";
    assert_eq!(sixth.whole(), (429, refused("RATE_LIMIT_EXCEEDED", message)));
    assert_eq!(sixth.header("retry-after"), Some("1"));
    assert_eq!(forgot(app, "bob@example.com").await.status, 201, "each has its own");
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(forgot(app, ADA).await.status, 201);
}

#[db_test]
async fn every_outcome_is_logged(home: Home) {
    let (session, code) = begin(&home.app).await;
    reset(&home.app, &session, &another(&code), NEW).await;
    reset(&home.app, &session, &code, NEW).await;
    let query = "SELECT action, level, actor_kind, resource_name, address FROM log_entries
        WHERE resource_type = 'password' ORDER BY action, level";
    let row = |action, level| [action, level, "anonymous", ADA, "203.0.113.7"];
    let rows = [
        row("password.forgot", "INFO"),
        row("password.reset", "INFO"),
        row("password.reset", "WARN"),
    ];
    assert_eq!(seed::rows(&home.app.database.options, query).await, rows);
    let query = "SELECT message || details || coalesce(resource_name, '') FROM log_entries";
    let log = seed::rows(&home.app.database.options, query).await.concat().concat();
    assert!(log.contains(ADA) && !log.contains(&code) && !log.contains(NEW));
}
