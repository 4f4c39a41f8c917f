//! `/auth/token` by Basic credentials, `/external/validate/key`.

use std::time::Duration;

use grantor_keys::Audience;
use grantor_testkit::app::{Answer, ORIGIN, TestApp};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Home, access, exchange, pair, probed, refusal, refused};

const TOKEN: &str = "/v1.0.1/auth/token";
const ELSEWHERE: &str = "198.51.100.9";
/// When every mock clock starts, in seconds.
const START: u64 = 1_767_225_600;

fn wrong() -> (u16, Value) {
    (401, refused("INVALID_CREDENTIALS", "The API key or secret is incorrect"))
}

/// Limit, remaining and reset as the headers say, the latter in seconds after the start.
fn standing(answer: &Answer) -> [u64; 3] {
    let [limit, remaining, reset] = ["limit", "remaining", "reset"].map(|it| {
        let text = answer.header(&format!("x-ratelimit-{it}")).map(str::to_owned);
        text.expect("a rate limit").parse::<u64>().unwrap()
    });
    [limit, remaining, reset - START]
}

async fn guess(app: &TestApp, key: &str, from: &str) -> Answer {
    let secret = format!("gs_live_{}", "x".repeat(43));
    app.request(Method::POST, TOKEN).basic(key, &secret).from(from).send().await
}

async fn validate(app: &TestApp, key: &str) -> Answer {
    app.request(Method::POST, "/v1.0.1/external/validate/key").bearer(key).send().await
}

/// The whole answer about a key.
fn worth(data: &Value) -> (u16, Value) {
    (201, json!({ "data": data, "message": "API key validation", "status": "success" }))
}

fn worthless() -> (u16, Value) {
    worth(&json!({ "valid": false, "clientId": null, "permissions": [] }))
}

#[db_test]
async fn a_pair_is_exchanged_for_an_external_token(home: Home) {
    let app = &home.app;
    let body = json!({
        "name": "Importer",
        "environment": "production",
        "permissions": ["license:read"],
    });
    let client = home.client(body).await;
    let answer = exchange(app, &client).await;
    let token = access(&answer.json()["data"]);
    let data = json!({ "accessToken": token, "expiresIn": 3600, "tokenType": "Bearer" });
    let body = json!({ "data": data, "message": "Your access token", "status": "success" });
    assert_eq!((answer.whole(), answer.header("cache-control")), ((201, body), Some("no-store")));
    let claims = app.app.keys.verify(&token, ORIGIN, Audience::External).unwrap();
    assert_eq!((claims.exp - claims.iat, claims.scope.as_str()), (3_600, "license:read"));
    let shown = json!({ "client": client["clientId"], "scopes": "license:read" });
    let opened = probed(app, &token).await;
    assert_eq!((opened.whole(), standing(&opened)), ((200, shown), [100, 99, 60]));
}

#[db_test]
async fn an_external_token_lives_an_hour(home: Home) {
    let client = home.any_client().await;
    let token = access(&exchange(&home.app, &client).await.json()["data"]);
    home.app.clock.advance(Duration::from_secs(3_599));
    assert_eq!(probed(&home.app, &token).await.status, 200);
    home.app.clock.advance(Duration::from_secs(1));
    assert_eq!(refusal(&probed(&home.app, &token).await), (401, "TOKEN_EXPIRED".into()));
}

#[db_test]
async fn a_token_opens_what_its_scopes_say(home: Home) {
    let body = json!({
        "name": "Importer",
        "environment": "production",
        "permissions": ["license:write", "mention:read"],
    });
    let client = home.client(body).await;
    let token = access(&exchange(&home.app, &client).await.json()["data"]);
    let answer = probed(&home.app, &token).await;
    let error = json!({
        "code": "INSUFFICIENT_PERMISSIONS",
        "message": "The token lacks the scope license:read",
        "request_id": answer.header("x-request-id"),
    });
    assert_eq!(answer.whole(), (403, json!({ "success": false, "error": error })));
}

#[db_test]
async fn without_the_header_nothing_is_exchanged(home: Home) {
    let bare = home.app.request(Method::POST, TOKEN).send().await;
    let message = "The header Authorization: Basic is required";
    assert_eq!(bare.whole(), (401, refused("UNAUTHORIZED", message)));
    assert_eq!(bare.header("www-authenticate"), Some("Basic realm=\"grantor\""));
    assert_eq!(standing(&bare)[0], 100, "counted as a stranger");
}

#[db_test]
async fn what_cannot_be_told_whose_it_is_counts_for_its_address(app: TestApp) {
    let paths = [TOKEN, "/v1.0.1/auth/refresh/token", "/auth/token", "/auth/token/refresh"];
    for (path, left) in paths.iter().cycle().zip((0..100).rev()) {
        let answer = app.request(Method::POST, path).send().await;
        assert!(answer.status.is_client_error(), "{path}");
        assert_eq!(standing(&answer), [100, left, 60], "{path}");
    }
    for path in paths {
        let refused = app.request(Method::POST, path).send().await;
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("60")));
    }
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(app.request(Method::POST, TOKEN).send().await.status, 401);
}

#[db_test]
async fn what_is_wrong_with_a_pair_is_not_said(home: Home) {
    let app = &home.app;
    let [key, secret] = pair(&home.any_client().await);
    let [other_key, other_secret] = pair(&home.any_client().await);
    for (name, password) in [
        (&key, &other_secret),
        (&other_key, &secret),
        (&key, &key),
        (&secret, &key),
        (&key, &secret.replace("gs_live_", "gs_test_")),
        (&key, &secret.to_uppercase()),
        (&key, &String::new()),
        (&String::new(), &secret),
        (&format!("{key} "), &secret),
    ] {
        let answer = app.request(Method::POST, TOKEN).basic(name, password).send().await;
        assert_eq!(answer.whole(), wrong(), "{name}:{password}");
    }
    for header in ["Basic", "Basic !", "Basic bm8tY29sb24=", "Bearer x", "", "x"] {
        let request = app.request(Method::POST, TOKEN).header("authorization", header);
        assert_eq!(request.send().await.whole(), wrong(), "{header}");
    }
    let right = app.request(Method::POST, TOKEN).basic(&key, &secret).send().await;
    assert_eq!(right.status, 201, "the control: the pair itself");
}

#[db_test]
async fn only_who_holds_the_secret_hears_that_a_client_rests(home: Home) {
    let app = &home.app;
    for status in ["inactive", "revoked"] {
        let client = home.any_client().await;
        let path = format!("/v1.0.1/org/client/{}", client["clientId"].as_str().unwrap());
        home.send(Method::PATCH, &path, Some(json!({ "status": status }))).await;
        let message = "This API client is inactive";
        let expected = (401, refused("INVALID_CREDENTIALS", message));
        assert_eq!(exchange(app, &client).await.whole(), expected, "{status}");
        let guessed = guess(app, &pair(&client)[0], ELSEWHERE).await;
        assert_eq!(guessed.whole(), wrong(), "{status}");
    }
}

#[db_test]
async fn ten_a_minute_and_twenty_in_five(home: Home) {
    let app = &home.app;
    let client = home.any_client().await;
    let passed = async |from: u64, limit: u64, reset: u64| {
        for left in (0..from).rev() {
            let answer = exchange(app, &client).await;
            let told = (answer.status.as_u16(), standing(&answer));
            assert_eq!(told, (201, [limit, left, reset]));
        }
    };
    let stopped = async |limit: u64, reset: u64, wait: &str| {
        let answer = exchange(app, &client).await;
        let message = "Too many requests; try again later";
        assert_eq!(answer.whole(), (429, refused("RATE_LIMIT_EXCEEDED", message)));
        let told = (standing(&answer), answer.header("retry-after"));
        assert_eq!(told, ([limit, 0, reset], Some(wait)));
    };
    passed(10, 10, 60).await;
    stopped(10, 60, "60").await;
    app.clock.advance(Duration::from_mins(1));
    passed(10, 20, 300).await;
    app.clock.advance(Duration::from_mins(1));
    stopped(20, 300, "180").await;
    app.clock.advance(Duration::from_mins(3));
    passed(10, 10, 360).await;
}

#[db_test]
async fn right_pairs_count_for_the_client_from_any_address(home: Home) {
    let app = &home.app;
    let [key, secret] = pair(&home.any_client().await);
    for number in 0..10 {
        let request = app.request(Method::POST, TOKEN).basic(&key, &secret);
        let answer = request.from(&format!("198.51.100.{number}")).send().await;
        assert_eq!((answer.status.as_u16(), standing(&answer)), (201, [10, 9 - number, 60]));
    }
    let request = app.request(Method::POST, TOKEN).basic(&key, &secret);
    assert_eq!(request.from("192.0.2.1").send().await.status, 429);
    let other = home.any_client().await;
    assert_eq!(standing(&exchange(app, &other).await), [10, 9, 60], "each client has its own");
}

#[db_test]
async fn a_stranger_locks_nobody_out(home: Home) {
    let app = &home.app;
    let client = home.any_client().await;
    let [key, _] = pair(&client);
    for left in (0..10).rev() {
        let answer = guess(app, &key, ELSEWHERE).await;
        assert_eq!((answer.whole(), standing(&answer)), (wrong(), [10, left, 60]));
    }
    let stopped = guess(app, &key, ELSEWHERE).await;
    assert_eq!((refusal(&stopped).0, stopped.header("retry-after")), (429, Some("60")));
    let owner = exchange(app, &client).await;
    assert_eq!((owner.status.as_u16(), standing(&owner)), (201, [10, 9, 60]), "counts alone");
    assert_eq!(guess(app, &key, "192.0.2.1").await.status, 401, "each address has its own");
    let [other, _] = pair(&home.any_client().await);
    assert_eq!(guess(app, &other, ELSEWHERE).await.status, 401, "and each key");
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(guess(app, &key, ELSEWHERE).await.whole(), wrong());
}

#[db_test]
async fn what_an_old_secret_gets_at_the_last_moment_ends_with_it(home: Home) {
    let app = &home.app;
    let client = home.any_client().await;
    let [key, secret] = pair(&client);
    let body = json!({ "api_key": key, "api_secret": secret });
    let path =
        format!("/v1.0.1/org/refresh/client?clientId={}", client["clientId"].as_str().unwrap());
    let exchanges = futures_util::future::join_all((0..9).map(|_| app.post("/auth/token", &body)));
    let rotated = home.send(Method::PATCH, &path, None);
    let (got, rotated) = futures_util::future::join(exchanges, rotated).await;
    assert_eq!(rotated.status, 200);
    for answer in got.iter().filter(|it| it.status == 200) {
        let body = json!({ "refresh_token": answer.json()["data"]["refresh_token"] });
        assert_eq!(app.post("/auth/token/refresh", &body).await.status, 401);
    }
}

#[db_test]
async fn a_key_that_works_says_for_what(home: Home) {
    let client = home.any_client().await;
    let mut data = json!({
        "valid": true,
        "clientId": client["clientId"],
        "permissions": client["permissions"],
    });
    let answer = validate(&home.app, &pair(&client)[0]).await;
    assert_eq!(answer.whole(), worth(&data));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let path = format!("/v1.0.1/org/client/{}", client["clientId"].as_str().unwrap());
    let body = json!({ "expiresAt": "2026-02-01T00:00:00Z", "permissions": ["mention:read"] });
    home.send(Method::PATCH, &path, Some(body)).await;
    data["permissions"] = json!(["mention:read"]);
    data["expiresAt"] = json!("2026-02-01T00:00:00.000000Z");
    assert_eq!(validate(&home.app, &pair(&client)[0]).await.whole(), worth(&data));
}

#[db_test]
async fn of_a_key_that_does_not_work_nothing_is_said(home: Home) {
    let app = &home.app;
    for change in [
        json!({ "status": "inactive" }),
        json!({ "status": "revoked" }),
        json!({ "expiresAt": "2026-01-01T00:00:03Z" }),
    ] {
        let client = home.any_client().await;
        let path = format!("/v1.0.1/org/client/{}", client["clientId"].as_str().unwrap());
        assert_eq!(home.send(Method::PATCH, &path, Some(change.clone())).await.status, 200);
        app.clock.advance(Duration::from_secs(1));
        assert_eq!(validate(app, &pair(&client)[0]).await.whole(), worthless(), "{change}");
    }
    let client = home.any_client().await;
    let [key, secret] = pair(&client);
    for stranger in ["nonsense", &secret, &home.token, &key.replace("live", "test")] {
        assert_eq!(validate(app, stranger).await.whole(), worthless(), "{stranger}");
    }
    for (table, stopped, again) in
        [("memberships", "inactive", "active"), ("tenants", "suspended", "active")]
    {
        for (status, valid) in [(stopped, false), (again, true)] {
            let script = format!("UPDATE {table} SET status = '{status}'");
            seed::run(&app.database.options, script).await;
            let answer = validate(app, &key).await;
            assert_eq!(answer.json()["data"]["valid"], valid, "{table} {status}");
            assert!(valid || answer.whole() == worthless(), "{table}");
        }
    }
}

#[db_test]
async fn without_a_key_nothing_is_validated(home: Home) {
    let request = || home.app.request(Method::POST, "/v1.0.1/external/validate/key");
    let message = "The header Authorization: Bearer is required";
    let expected = (401, refused("UNAUTHORIZED", message));
    assert_eq!(request().send().await.whole(), expected);
    assert_eq!(request().basic("a", "b").send().await.whole(), expected);
    assert_eq!(standing(&request().send().await), [100, 97, 60], "counted by address");
}

#[db_test]
async fn a_key_is_checked_100_times_a_minute_whoever_asks(home: Home) {
    let app = &home.app;
    let ([key, _], [other, _]) = (pair(&home.any_client().await), pair(&home.any_client().await));
    let check = |key: String, from: String| {
        let request = app.request(Method::POST, "/v1.0.1/external/validate/key").bearer(&key);
        request.from(&from).send()
    };
    for number in 0..100 {
        let answer = check(key.clone(), format!("198.51.100.{number}")).await;
        assert_eq!((answer.status.as_u16(), standing(&answer)), (201, [100, 99 - number, 60]));
    }
    assert_eq!(refusal(&check(key.clone(), "192.0.2.1".into()).await).0, 429);
    assert_eq!(standing(&check(other, "192.0.2.1".into()).await), [100, 99, 60], "each key");
    for number in 0..100 {
        let unknown = format!("{key}{number}");
        assert_eq!(check(unknown, "192.0.2.1".into()).await.whole(), worthless());
    }
    assert_eq!(check("nonsense".into(), "192.0.2.1".into()).await.status, 429, "by address");
    assert_eq!(check("nonsense".into(), "192.0.2.2".into()).await.status, 201);
    assert_eq!(app.get("/v1.0.1/user/profile").await.status, 401, "a counter of its own");
}

#[db_test]
async fn every_outcome_is_logged_without_a_secret(home: Home) {
    let app = &home.app;
    let client = home.any_client().await;
    let [key, secret] = pair(&client);
    exchange(app, &client).await;
    guess(app, &key, ELSEWHERE).await;
    let swapped = app.request(Method::POST, TOKEN).basic(&secret, &key).from(ELSEWHERE);
    assert_eq!(swapped.send().await.whole(), wrong());
    let path = format!("/v1.0.1/org/client/{}", client["clientId"].as_str().unwrap());
    home.send(Method::PATCH, &path, Some(json!({ "status": "inactive" }))).await;
    exchange(app, &client).await;
    let query = "SELECT level, message, resource_name, address, actor_name FROM log_entries
        WHERE action = 'token.create' ORDER BY level, message, coalesce(resource_name, 'z')";
    let here = "203.0.113.7";
    let rows = [
        ["INFO", "A token was issued to an API client", "Importer", here, "Importer"],
        [
            "WARN",
            "A token request of an inactive API client was rejected",
            "Importer",
            here,
            "anonymous",
        ],
        ["WARN", "An API key or secret was rejected", &key, ELSEWHERE, "anonymous"],
        ["WARN", "An API key or secret was rejected", "NULL", ELSEWHERE, "anonymous"],
    ];
    assert_eq!(seed::rows(&app.database.options, query).await, rows);
    let query = "SELECT message || details || coalesce(resource_name, '') FROM log_entries";
    let log = seed::rows(&app.database.options, query).await.concat().concat();
    assert!(log.contains(&key) && !log.contains(&secret) && !log.contains("gs_live_"));
}
