//! `/register`, `/magic-link`, `/magic-link/verify`, and the page the link leads to.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_keys::Audience;
use grantor_testkit::app::{Answer, ORIGIN, TestApp, TestConfig};
use grantor_testkit::entropy::SeededEntropy;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{PROFILE, invalid, post, refused, sign_up, standing, text};

const EMAIL: &str = "ada@example.com";

/// An app without limits.
struct Open(TestApp);

impl Fixture for Open {
    async fn on(engine: Engine) -> Self {
        let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
        Self(TestApp::with_config(engine, config).await)
    }
}

async fn register(app: &TestApp, email: &str) -> Answer {
    post(app, "/register", &json!({ "email": email, "fullname": "Ada Lovelace" })).await
}

async fn ask(app: &TestApp, email: &str) -> Answer {
    post(app, "/magic-link", &json!({ "email": email })).await
}

async fn enter(app: &TestApp, email: &str, code: &str) -> Answer {
    post(app, "/magic-link/verify", &json!({ "email": email, "otp": code })).await
}

async fn follow(app: &TestApp, token: &str) -> Answer {
    post(app, "/magic-link/verify", &json!({ "token": token })).await
}

/// Asks for a link and gives the code and the token of its mail.
async fn mailed(app: &TestApp, email: &str) -> (String, String) {
    assert_eq!(ask(app, email).await.status, 202);
    (app.mailed_code(email).await, app.mailed_token(email).await)
}

/// A code that is not this one.
fn another(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

fn on_its_way() -> (u16, Value) {
    let message = "Check your email. We sent you a sign-in link and a code, valid for 15 minutes.";
    (202, json!({ "success": true, "data": { "message": message } }))
}

fn wrong() -> (u16, Value) {
    (401, refused("INVALID_CREDENTIALS", "The code or link is invalid"))
}

#[db_test]
async fn a_person_signs_up_by_code(app: TestApp) {
    assert_eq!(register(&app, EMAIL).await.whole(), on_its_way());
    let users = "SELECT CAST(count(*) AS text) FROM users";
    assert_eq!(seed::rows(&app.database.options, users).await, [["0"]], "until it is proved");
    let code = app.mailed_code(EMAIL).await;
    let answer = enter(&app, EMAIL, &code).await;
    let data = answer.json()["data"].clone();
    let claims = app.app.keys.verify(&text(&data["access_token"]), ORIGIN, Audience::Console);
    let body = format!(
        r#"{{"success":true,"data":{{"access_token":{},"refresh_token":{},"token_type":"Bearer","expires_in":3600,"user":{{"id":"{}","fullname":"Ada Lovelace","email":"ada@example.com","role":"Individual"}}}}}}"#,
        data["access_token"],
        data["refresh_token"],
        claims.unwrap().sub
    );
    assert_eq!(String::from_utf8_lossy(&answer.body), body);
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, Some("no-store")));
    let query = "SELECT m.role, m.status, t.name, t.type, coalesce(u.password_hash, 'none')
                 FROM users u JOIN memberships m ON m.user_id = u.user_id
                 JOIN tenants t ON t.tenant_id = m.tenant_id";
    let row = ["Individual", "active", "Ada Lovelace", "Individual", "none"];
    assert_eq!(seed::rows(&app.database.options, query).await, [row]);
}

#[db_test]
async fn what_signing_in_gives_opens_the_console(app: TestApp) {
    let login = sign_up(&app, EMAIL).await;
    let profile = |token: String| {
        let request = app.request(Method::GET, PROFILE).header("x-source", "console");
        request.header("authorization", &format!("Bearer {token}")).send()
    };
    let shown = profile(text(&login["access_token"])).await.json();
    assert_eq!(
        (&shown["data"]["email"], &shown["data"]["role"]),
        (&json!(EMAIL), &json!("Individual"))
    );
    assert!(text(&login["refresh_token"]).starts_with("gcr_"));
    let body = json!({ "refreshToken": login["refresh_token"] });
    let renewed = post(&app, "/v1.0.1/auth/refresh/token", &body).await;
    assert_eq!(profile(text(&renewed.json()["data"]["accessToken"])).await.status, 200);
}

#[db_test]
async fn the_link_signs_up_too_and_opening_it_uses_nothing_up(app: TestApp) {
    register(&app, EMAIL).await;
    app.mailed_code(EMAIL).await;
    let token = app.mailed_token(EMAIL).await;
    for _ in 0..6 {
        let page = app.get(&format!("/app/magic?token={token}")).await;
        let headers = ["referrer-policy", "cache-control", "content-encoding"];
        let expected = [Some("same-origin"), Some("no-store"), None];
        assert_eq!((page.status.as_u16(), headers.map(|it| page.header(it))), (200, expected));
    }
    let answer = follow(&app, &token).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json()["data"]["user"]["email"]),
        (200, &json!(EMAIL))
    );
}

#[db_test]
async fn a_known_address_signs_in(app: TestApp) {
    let first = sign_up(&app, EMAIL).await;
    let (code, _) = mailed(&app, "ADA@Example.com").await;
    let again = enter(&app, "Ada@example.COM", &code).await;
    assert_eq!(again.json()["data"]["user"], first["user"]);
    let body = json!({ "email": EMAIL, "fullname": "Somebody Else" });
    assert_eq!(post(&app, "/register", &body).await.whole(), on_its_way());
    let code = app.mailed_code(EMAIL).await;
    assert_eq!(enter(&app, EMAIL, &code).await.json()["data"]["user"], first["user"]);
    let tenants = "SELECT CAST(count(*) AS text) FROM tenants";
    assert_eq!(seed::rows(&app.database.options, tenants).await, [["1"]]);
}

#[db_test]
async fn a_link_makes_no_account_that_nobody_registered(app: TestApp) {
    assert_eq!(ask(&app, "nobody@example.com").await.whole(), on_its_way());
    let mail = app.newest_mail("nobody@example.com").await;
    assert!(
        mail.contains("There is no account with this address") && !mail.contains("gml_"),
        "{mail}"
    );
    assert_eq!(enter(&app, "nobody@example.com", "000000").await.whole(), wrong());
}

#[db_test]
async fn whatever_was_wrong_is_told_in_one_way(open: Open) {
    let app = open.0;
    sign_up(&app, EMAIL).await;
    let (code, token) = mailed(&app, EMAIL).await;
    let unknown = Secret::generate(SecretKind::MagicLink, &SeededEntropy::new(99));
    assert_eq!(enter(&app, EMAIL, &another(&code)).await.whole(), wrong());
    assert_eq!(enter(&app, "nobody@example.com", &code).await.whole(), wrong());
    for bad in [unknown.expose(), "gml_nonsense", &token[1..], "ß"] {
        assert_eq!(follow(&app, bad).await.whole(), wrong(), "{bad}");
    }
    assert_eq!(enter(&app, EMAIL, &code).await.status, 200, "the control");
    assert_eq!(enter(&app, EMAIL, &code).await.whole(), wrong(), "used");
    assert_eq!(follow(&app, &token).await.whole(), wrong(), "used with its code");
    let (code, token) = mailed(&app, EMAIL).await;
    let (next, _) = mailed(&app, EMAIL).await;
    assert_eq!(enter(&app, EMAIL, &code).await.whole(), wrong(), "replaced");
    assert_eq!(follow(&app, &token).await.whole(), wrong(), "replaced");
    assert_eq!(enter(&app, EMAIL, &next).await.status, 200);
}

#[db_test]
async fn code_and_link_live_15_minutes(open: Open) {
    let app = open.0;
    sign_up(&app, EMAIL).await;
    for by_code in [true, false] {
        for (seconds, status) in [(899, 200), (900, 401)] {
            let (code, token) = mailed(&app, EMAIL).await;
            app.clock.advance(Duration::from_secs(seconds));
            let answer =
                if by_code { enter(&app, EMAIL, &code).await } else { follow(&app, &token).await };
            assert_eq!(answer.status, status, "{seconds} s");
            assert!(status == 200 || answer.whole() == wrong());
        }
    }
}

#[db_test]
async fn five_wrong_codes_end_the_code_and_not_the_link(open: Open) {
    let app = open.0;
    sign_up(&app, EMAIL).await;
    for (tries, by_code, status) in
        [(4, true, 200), (5, true, 401), (5, false, 200), (9, false, 200)]
    {
        let (code, token) = mailed(&app, EMAIL).await;
        for _ in 0..tries {
            assert_eq!(enter(&app, EMAIL, &another(&code)).await.whole(), wrong());
        }
        let answer =
            if by_code { enter(&app, EMAIL, &code).await } else { follow(&app, &token).await };
        assert_eq!(answer.status, status, "after {tries} wrong ones");
    }
}

#[db_test]
async fn of_64_right_answers_at_once_one_wins(open: Open) {
    let app = open.0;
    register(&app, EMAIL).await;
    let (code, token) = (app.mailed_code(EMAIL).await, app.mailed_token(EMAIL).await);
    let (by_code, by_link) =
        ((0..32).map(|_| enter(&app, EMAIL, &code)), (0..32).map(|_| follow(&app, &token)));
    let (codes, links) =
        (futures_util::future::join_all(by_code), futures_util::future::join_all(by_link));
    let (codes, links) = futures_util::future::join(codes, links).await;
    let won = codes.iter().chain(&links).filter(|answer| answer.status == 200).count();
    let users = seed::rows(&app.database.options, "SELECT email FROM users").await;
    assert_eq!((won, users.len()), (1, 1));
}

#[db_test]
async fn three_unused_an_hour_for_an_address(app: TestApp) {
    for email in [EMAIL, "nobody@example.com"] {
        if email == EMAIL {
            sign_up(&app, EMAIL).await;
        }
        for left in ["2", "1", "0"] {
            let answer = ask(&app, email).await;
            assert_eq!(standing(&answer), [Some("3"), Some(left), Some("1767229200")], "{email}");
            app.newest_mail(email).await;
        }
        let late = ask(&app, email).await;
        let body = refused("RATE_LIMITED", "Too many requests; try again later");
        assert_eq!((late.whole(), late.header("retry-after")), ((429, body), Some("3600")));
    }
    assert_eq!(register(&app, EMAIL).await.status, 429, "its mail counts too");
    let code = app.mailed_code(EMAIL).await;
    assert_eq!(enter(&app, EMAIL, &code).await.status, 200);
    assert_eq!(register(&app, EMAIL).await.status, 202, "the used one is given back");
    assert_eq!(ask(&app, EMAIL).await.status, 429);
    app.clock.advance(Duration::from_hours(1));
    assert_eq!(standing(&ask(&app, EMAIL).await)[1], Some("2"), "a new window");
}

#[db_test]
async fn three_registrations_a_minute_from_one_address(app: TestApp) {
    for number in 0..3 {
        assert_eq!(register(&app, &format!("a{number}@example.com")).await.status, 202);
    }
    let fourth = register(&app, "b@example.com").await;
    assert_eq!((fourth.status.as_u16(), fourth.header("retry-after")), (429, Some("60")));
}

#[db_test]
async fn every_fault_is_named(open: Open) {
    let (app, required) = (open.0, "is required");
    let digits = "must be 6 digits";
    for (path, body, details) in [
        ("/register", json!({}), json!({ "email": required, "fullname": required })),
        ("/magic-link", json!({}), json!({ "email": required })),
        ("/magic-link/verify", json!({}), json!({ "email": required, "otp": required })),
        ("/magic-link/verify", json!({ "email": EMAIL, "otp": "12345" }), json!({ "otp": digits })),
        ("/magic-link/verify", json!({ "email": EMAIL, "otp": "１２" }), json!({ "otp": digits })),
        ("/magic-link/verify", json!({ "otp": "123456" }), json!({ "email": required })),
    ] {
        let answer = post(&app, path, &body).await;
        assert_eq!(answer.whole(), (400, invalid(&details)), "{path} {body}");
    }
    for (path, body) in [
        ("/register", json!({ "email": "not an address", "fullname": "Ada Lovelace" })),
        ("/register", json!({ "email": EMAIL, "fullname": "A" })),
        ("/magic-link", json!({ "email": "not an address" })),
    ] {
        let answer = post(&app, path, &body).await;
        assert_eq!(answer.json()["error"]["code"], "VALIDATION_ERROR", "{body}");
    }
}

#[db_test]
async fn both_proofs_at_once_are_one_too_many(open: Open) {
    let app = open.0;
    sign_up(&app, EMAIL).await;
    let (code, token) = mailed(&app, EMAIL).await;
    let both = refused("VALIDATION_ERROR", "Send either email and otp, or token");
    for body in [
        json!({ "email": EMAIL, "otp": code, "token": token }),
        json!({ "email": EMAIL, "token": token }),
        json!({ "otp": code, "token": token }),
    ] {
        let answer = post(&app, "/magic-link/verify", &body).await;
        assert_eq!(answer.whole(), (400, both.clone()));
    }
    assert_eq!(follow(&app, &token).await.status, 200, "it cost no try");
}

#[db_test]
async fn a_suspended_account_hears_so_only_with_its_mail(open: Open) {
    let app = open.0;
    sign_up(&app, EMAIL).await;
    let script = "UPDATE tenants SET status = 'suspended'".to_owned();
    seed::run(&app.database.options, script).await;
    let (code, token) = mailed(&app, EMAIL).await;
    let suspended = (403, refused("FORBIDDEN", "This account is suspended"));
    assert_eq!(enter(&app, EMAIL, &another(&code)).await.whole(), wrong());
    assert_eq!(enter(&app, EMAIL, &code).await.whole(), suspended);
    assert_eq!(follow(&app, &token).await.whole(), suspended);
}

#[db_test]
async fn who_signed_up_and_asks_again_still_signs_up(app: TestApp) {
    let body = json!({ "email": "new@example.com", "fullname": "New Person" });
    assert_eq!(app.post("/register", &body).await.status, 202);
    app.clock.advance(Duration::from_mins(20));
    let again = app.post("/magic-link", &json!({ "email": "new@example.com" })).await;
    assert_eq!(again.status, 202);
    let otp = app.mailed_code("new@example.com").await;
    let proof = json!({ "email": "new@example.com", "otp": otp });
    let signed_in = app.post("/magic-link/verify", &proof).await.json();
    assert_eq!(signed_in["data"]["user"]["fullname"], "New Person", "{signed_in}");
}

/// An organization that the person of the tests joins, and one that they do not.
const STUDIO: &str = "10000000-0000-0000-0000-000000000001";
const FOREIGN: &str = "10000000-0000-0000-0000-000000000002";

#[db_test]
async fn a_link_leads_where_it_is_asked_to(open: Open) {
    let app = open.0;
    sign_up(&app, EMAIL).await;
    seed::memberships(&app.database.options, EMAIL, 1).await;
    let verified = async |organization: Option<&str>, by_code: bool| {
        let (code, token) = mailed(&app, EMAIL).await;
        let mut body = json!({ "token": token });
        if by_code {
            body = json!({ "email": EMAIL, "otp": code });
        }
        if let Some(id) = organization {
            body["organization_id"] = json!(id);
        }
        let answer = post(&app, "/magic-link/verify", &body).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        text(&answer.json()["data"]["user"]["role"])
    };
    assert_eq!(verified(None, true).await, "Individual", "at first in the oldest");
    for by_code in [true, false] {
        assert_eq!(verified(Some(STUDIO), by_code).await, "Team_Lead");
        assert_eq!(verified(None, by_code).await, "Team_Lead", "where they last acted");
    }
}

#[db_test]
async fn a_link_does_not_lead_where_one_does_not_belong(open: Open) {
    let app = open.0;
    sign_up(&app, EMAIL).await;
    seed::memberships(&app.database.options, "nobody@example.com", 2).await;
    let (code, token) = mailed(&app, EMAIL).await;
    for body in [
        json!({ "email": EMAIL, "otp": code, "organization_id": FOREIGN }),
        json!({ "token": token, "organization_id": FOREIGN }),
    ] {
        assert_eq!(post(&app, "/magic-link/verify", &body).await.whole(), wrong());
    }
    let body = json!({ "token": token, "organization_id": "studio" });
    let answer = post(&app, "/magic-link/verify", &body).await.json();
    assert_eq!(answer["error"]["code"], "VALIDATION_ERROR");
    assert_eq!(follow(&app, &token).await.status, 200, "the control: nothing was used up");
    register(&app, "new@example.com").await;
    let token = app.mailed_token("new@example.com").await;
    let body = json!({ "token": token, "organization_id": STUDIO });
    assert_eq!(post(&app, "/magic-link/verify", &body).await.whole(), wrong(), "who signs up");
}
