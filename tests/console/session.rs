//! `/auth/login`, `/auth/refresh/token`, `/auth/logout`.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_keys::Audience;
use grantor_service::operations::retention::{self, Retention};
use grantor_testkit::app::{Answer, ORIGIN, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{PASSWORD, account, prove, refused};

const LOGIN: &str = "/v1.0.1/auth/login";
const REFRESH: &str = "/v1.0.1/auth/refresh/token";

/// An app with one account, and no limits in the way.
struct Home(TestApp);

impl Fixture for Home {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::parse("off").unwrap();
        let app =
            TestApp::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await;
        assert_eq!(account(&app, "ada@example.com", "Babbage Talent").await.status, 201);
        Self(app)
    }
}

async fn login(app: &TestApp, username: &str, password: &str) -> Answer {
    app.post(LOGIN, &json!({ "username": username, "password": password })).await
}

async fn refresh(app: &TestApp, token: &Value) -> Answer {
    app.post(REFRESH, &json!({ "refreshToken": token })).await
}

/// The refresh token in an answer.
fn token(answer: &Answer) -> Value {
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()["data"]["refreshToken"].clone()
}

#[db_test]
async fn a_person_signs_in_by_address_or_name(home: Home) {
    let app = home.0;
    for username in ["ada@example.com", "ADA@Example.com", "Ada Lovelace", "ada lovelace"] {
        let answer = login(&app, username, PASSWORD).await;
        let data = answer.json()["data"].clone();
        let access = data["accessToken"].as_str().unwrap();
        let claims = app.app.keys.verify(access, ORIGIN, Audience::Console).unwrap();
        assert_eq!(claims.exp - claims.iat, 3_600);
        let user = json!({
            "id": claims.sub,
            "fullname": "Ada Lovelace",
            "email": "ada@example.com",
            "role": "Organization_Admin",
        });
        let data = json!({
            "accessToken": access,
            "refreshToken": data["refreshToken"],
            "expiresIn": 3600,
            "user": user,
        });
        let body = json!({ "data": data, "message": "You are signed in", "status": "success" });
        assert_eq!(answer.whole(), (201, body), "{username}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[db_test]
async fn what_was_wrong_is_not_said(home: Home) {
    let app = home.0;
    let message = "The username or password is incorrect";
    let expected = (401, refused("INVALID_CREDENTIALS", message));
    for (username, password) in [
        ("ada@example.com", "Analytical-Engine-1844"),
        ("nobody@example.com", PASSWORD),
        ("Nobody At All", PASSWORD),
        ("ada@example.com", &"x".repeat(200)),
        ("\u{7f}", PASSWORD),
    ] {
        assert_eq!(login(&app, username, password).await.whole(), expected, "{username:?}");
    }
    let empty = app.post(LOGIN, &json!({})).await;
    let details = json!({ "username": "is required", "password": "is required" });
    assert_eq!((empty.status.as_u16(), &empty.json()["error"]["details"]), (400, &details));
}

/// Registers another Ada Lovelace, who manages herself.
async fn namesake(app: &TestApp, email: &str, password: &str) {
    let body = json!({ "fullname": "Ada Lovelace", "email": email, "password": password });
    let begun = app.post("/v1.0.1/auth/m/register", &body).await;
    let code = app.mailed_code(email).await;
    assert_eq!(prove(app, &begun.json()["data"]["otpSession"], &code).await.status, 201);
}

#[db_test]
async fn of_people_with_one_name_the_password_decides(home: Home) {
    let app = home.0;
    namesake(&app, "other@example.com", "Difference-Engine-1822").await;
    for (password, email) in
        [(PASSWORD, "ada@example.com"), ("Difference-Engine-1822", "other@example.com")]
    {
        let answer = login(&app, "ada lovelace", password).await;
        assert_eq!(answer.json()["data"]["user"]["email"], email);
    }
    let message = "The username or password is incorrect";
    let wrong = (401, refused("INVALID_CREDENTIALS", message));
    assert_eq!(login(&app, "Ada Lovelace", "Jacquards-Loom-1804").await.whole(), wrong);
    namesake(&app, "third@example.com", PASSWORD).await;
    assert_eq!(login(&app, "Ada Lovelace", PASSWORD).await.whole(), wrong, "two have it");
    assert_eq!(login(&app, "third@example.com", PASSWORD).await.status, 201);
}

#[db_test]
async fn the_twenty_oldest_of_a_name_sign_in_by_it(home: Home) {
    let app = home.0;
    for number in 2..=21 {
        app.clock.advance(Duration::from_millis(2));
        let email = format!("ada{number}@example.com");
        namesake(&app, &email, &format!("Analytical-Engine-{number}")).await;
    }
    let by_name = |password: &'static str| login(&app, "Ada Lovelace", password);
    assert_eq!(by_name("Analytical-Engine-20").await.status, 201);
    assert_eq!(by_name("Analytical-Engine-21").await.status, 401, "by the address only");
    assert_eq!(login(&app, "ada21@example.com", "Analytical-Engine-21").await.status, 201);
}

#[db_test]
async fn a_name_costs_as_much_however_many_have_it(home: Home) {
    let app = home.0;
    let cost = async |username: &str, password: &str| {
        let before = app.app.hasher.hash_count();
        login(&app, username, password).await;
        app.app.hasher.hash_count() - before
    };
    let alone = [cost("Nobody At All", "x").await, cost("Ada Lovelace", PASSWORD).await];
    namesake(&app, "other@example.com", "Difference-Engine-1822").await;
    namesake(&app, "third@example.com", "Jacquards-Loom-1804").await;
    let three = [cost("Ada Lovelace", PASSWORD).await, cost("Ada Lovelace", "x").await];
    assert_eq!((alone, three), ([20, 20], [20, 20]));
    let by_address = [cost("ada@example.com", "x").await, cost("no@example.com", "x").await];
    assert_eq!(by_address, [1, 1], "an address is one account's, or nobody's");
}

#[db_test]
async fn five_tries_a_minute_from_one_address(app: TestApp) {
    for _ in 0..5 {
        assert_eq!(login(&app, "nobody@example.com", "x").await.status, 401);
    }
    let sixth = login(&app, "nobody@example.com", "x").await;
    assert_eq!((sixth.status.as_u16(), sixth.header("retry-after")), (429, Some("60")));
    assert_eq!(sixth.header("x-ratelimit-limit"), Some("5"));
}

#[db_test]
async fn a_suspended_account_hears_so_only_with_its_password(home: Home) {
    let app = home.0;
    let held = token(&login(&app, "ada@example.com", PASSWORD).await);
    let script = "UPDATE tenants SET status = 'suspended'".to_owned();
    seed::run(&app.database.options, script).await;
    let expected = (403, refused("FORBIDDEN", "This account is suspended"));
    assert_eq!(login(&app, "ada@example.com", PASSWORD).await.whole(), expected);
    assert_eq!(login(&app, "ada@example.com", "x").await.status, 401);
    assert_eq!(refresh(&app, &held).await.whole(), expected);
}

#[db_test]
async fn a_refresh_token_is_used_once(home: Home) {
    let app = home.0;
    let first = token(&login(&app, "ada@example.com", PASSWORD).await);
    let renewed = refresh(&app, &first).await;
    let data = renewed.json()["data"].clone();
    let keys: Vec<&String> = data.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["accessToken", "refreshToken", "expiresIn"]);
    let second = token(&renewed);
    assert_ne!(first, second);
    app.clock.advance(Duration::from_secs(10));
    let third = token(&refresh(&app, &first).await);
    app.clock.advance(Duration::from_micros(1));
    let dead = (401, refused("UNAUTHORIZED", "The refresh token is not valid"));
    assert_eq!(refresh(&app, &first).await.json()["error"]["code"], "UNAUTHORIZED", "reused");
    for token in [&second, &third] {
        assert_eq!(refresh(&app, token).await.status.as_u16(), dead.0, "the family is dead");
    }
}

#[db_test]
async fn an_expired_one_is_told_so_for_a_year_though_its_session_is_forgotten(home: Home) {
    let app = home.0;
    let kept = Duration::from_hours(24);
    let kept = Retention { events: kept, access: kept, audit: kept, evidence: kept };
    let first = login(&app, "ada@example.com", PASSWORD).await;
    let access = first.json()["data"]["accessToken"].as_str().unwrap().to_owned();
    let first = token(&first);
    let last = token(&refresh(&app, &first).await);
    let ended = token(&login(&app, "ada@example.com", PASSWORD).await);
    app.post("/v1.0.1/auth/logout", &json!({ "refreshToken": ended })).await;
    app.clock.advance(Duration::from_hours(32 * 24));
    retention::sweep(&app.app, kept).await.unwrap();
    let rows = "SELECT 'token' FROM refresh_tokens UNION ALL SELECT 'expired' FROM expired_tokens";
    assert_eq!(seed::rows(&app.database.options, rows).await, [["expired"]], "one of three");
    app.app.keys.rotate(false).unwrap();
    app.clock.advance(Duration::from_hours(363 * 24));
    retention::sweep(&app.app, kept).await.unwrap();
    app.app.keys.rotate(false).unwrap();
    let expired = (401, refused("TOKEN_EXPIRED", "The refresh token has expired"));
    assert_eq!(refresh(&app, &last).await.whole(), expired);
    for dead in [&first, &ended] {
        assert_eq!(refresh(&app, dead).await.json()["error"]["code"], "UNAUTHORIZED");
    }
    let old = app.request(Method::GET, "/v1.0.1/user/profile").console(&access).send().await;
    assert_eq!(old.json()["error"]["code"], "TOKEN_EXPIRED", "the access token too");
}

#[db_test]
async fn a_refresh_token_lives_30_days(home: Home) {
    let app = home.0;
    let day = Duration::from_hours(24);
    let first = token(&login(&app, "ada@example.com", PASSWORD).await);
    let moment = Duration::from_micros(1);
    app.clock.advance((day * 30).saturating_sub(moment));
    let second = token(&refresh(&app, &first).await);
    app.clock.advance(day * 30);
    let late = refresh(&app, &second).await;
    assert_eq!(
        (late.status.as_u16(), &late.json()["error"]["code"]),
        (401, &json!("TOKEN_EXPIRED"))
    );
}

#[db_test]
async fn of_32_renewals_at_once_all_stay_in_one_family(home: Home) {
    let app = home.0;
    let first = token(&login(&app, "ada@example.com", PASSWORD).await);
    let all = futures_util::future::join_all((0..32).map(|_| refresh(&app, &first))).await;
    assert!(all.iter().all(|answer| answer.status == 201), "within the grace nobody is refused");
    let query = "SELECT CAST(count(*) AS text) FROM refresh_tokens WHERE used_at IS NOT NULL";
    assert_eq!(seed::rows(&app.database.options, query).await, [["1"]]);
}

#[db_test]
async fn signing_out_ends_the_family(home: Home) {
    let app = home.0;
    let first = token(&login(&app, "ada@example.com", PASSWORD).await);
    let second = token(&refresh(&app, &first).await);
    let out = app.post("/v1.0.1/auth/logout", &json!({ "refreshToken": first })).await;
    let body = json!({ "message": "You are signed out", "status": "success" });
    assert_eq!(out.whole(), (201, body));
    assert_eq!(refresh(&app, &second).await.status, 401);
    for again in [&first, &json!("nonsense")] {
        let out = app.post("/v1.0.1/auth/logout", &json!({ "refreshToken": again })).await;
        assert_eq!(out.status, 201, "saying it again is fine");
    }
}

#[db_test]
async fn renewals_are_counted_by_user_and_strangers_by_address(app: TestApp) {
    account(&app, "ada@example.com", "Babbage Talent").await;
    let mut held = token(&login(&app, "ada@example.com", PASSWORD).await);
    for left in (0..10).rev() {
        let answer = refresh(&app, &held).await;
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(left.to_string().as_str()));
        held = token(&answer);
    }
    assert_eq!(refresh(&app, &held).await.status, 429);
    for _ in 0..10 {
        assert_eq!(refresh(&app, &json!("gcr_unknown")).await.status, 401);
    }
    assert_eq!(refresh(&app, &json!("gcr_unknown")).await.status, 429);
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(refresh(&app, &held).await.status, 201, "its token was not used up");
}

#[db_test]
async fn sign_ins_are_logged_whatever_their_outcome(home: Home) {
    let app = home.0;
    login(&app, "ada@example.com", "wrong").await;
    let held = token(&login(&app, "ada@example.com", PASSWORD).await);
    refresh(&app, &held).await;
    let query = "SELECT action, level, actor_kind, actor_name FROM log_entries
        WHERE resource_type = 'session' ORDER BY action, level";
    let rows = [
        ["session.create", "INFO", "user", "Ada Lovelace"],
        ["session.create", "WARN", "anonymous", "anonymous"],
        ["session.renew", "INFO", "user", "Ada Lovelace"],
    ];
    assert_eq!(seed::rows(&app.database.options, query).await, rows);
}
